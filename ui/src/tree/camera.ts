/** Between the tree's own coordinates and those of the screen. */

/** How far apart columns and rows are at a zoom of 1, in pixels. */
export const COLUMN = 236;
export const ROW = 50;

const LEAST_ZOOM = 0.0005;
const MOST_ZOOM = 2.5;
/** From so many pixels per row on, edges say what was chosen, and from so many also what comes of it. */
export const CHOICES = 15;
export const CAPTIONS = 30;
/** Columns of fewer pixels have no room for words. */
export const NARROWEST = 62;
/** The same where edges say who has a turn, and with what. */
export const NARROWEST_TURNS = 132;

/** What is looked at: the tree's point at the left upper corner, and how large rows and columns are drawn. */
export interface Camera {
  readonly x: number;
  readonly y: number;
  readonly zoom: number;
  /** The zoom of columns: edges shrink before rows do, as their words need height most. */
  readonly across: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** A rectangle in the tree's coordinates. */
export interface Extent {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export const START: Camera = { x: -40, y: -60, zoom: 1, across: 1 };

export function toScreen(camera: Camera, x: number, y: number): { x: number; y: number } {
  return { x: (x - camera.x) * camera.across, y: (y - camera.y) * camera.zoom };
}

export function toTree(camera: Camera, x: number, y: number): { x: number; y: number } {
  return { x: x / camera.across + camera.x, y: y / camera.zoom + camera.y };
}

export function visible(camera: Camera, size: Size): Extent {
  const { x: right, y: bottom } = toTree(camera, size.width, size.height);
  return { left: camera.x, top: camera.y, right, bottom };
}

/** Moves what is seen by so many pixels of the screen. */
export function pan(camera: Camera, dx: number, dy: number): Camera {
  return { ...camera, x: camera.x - dx / camera.across, y: camera.y - dy / camera.zoom };
}

/** Zooms such that the point of the screen stays where it is; closer, what is larger waits for the other. */
export function zoomAt(camera: Camera, factor: number, x: number, y: number): Camera {
  const zoomed = (one: number, other: number) => {
    const wanted = factor > 1 && one > other ? Math.max(one, other * factor) : one * factor;
    return Math.min(MOST_ZOOM, Math.max(LEAST_ZOOM, wanted));
  };
  const zoom = zoomed(camera.zoom, camera.across);
  const across = zoomed(camera.across, camera.zoom);
  const fixed = toTree(camera, x, y);
  return { zoom, across, x: fixed.x - x / across, y: fixed.y - y / zoom };
}

/** The whole extent, in the middle, no larger than at a zoom of 1. */
export function fit(extent: Extent, size: Size, margin = 32): Camera {
  const width = Math.max(1, extent.right - extent.left);
  const height = Math.max(1, extent.bottom - extent.top);
  const across = Math.max(LEAST_ZOOM, Math.min(1, (size.width - 2 * margin) / width));
  // Where columns have no room for words, rows need none either.
  const most = Math.min(1, (across * COLUMN) / NARROWEST);
  const zoom = Math.max(LEAST_ZOOM, Math.min(most, (size.height - 2 * margin) / height));
  return {
    zoom,
    across,
    x: extent.left - (size.width / across - width) / 2,
    y: extent.top - (size.height / zoom - height) / 2,
  };
}

/** The same zoom, moved as little as needed for a point to be at least `margin` pixels inside. */
export function reveal(camera: Camera, size: Size, x: number, y: number, margin = 90): Camera {
  const at = toScreen(camera, x, y);
  const inside = (value: number, length: number) => {
    const edge = Math.min(margin, length / 3);
    return Math.max(edge, Math.min(length - edge, value));
  };
  return pan(camera, inside(at.x, size.width) - at.x, inside(at.y, size.height) - at.y);
}

/** The whole extent where it can be read like that, else as much of it as can be, around a point. */
export function follow(camera: Camera, extent: Extent, size: Size, x: number, y: number, narrowest = NARROWEST): Camera {
  const whole = fit(extent, size);
  if (whole.zoom * ROW >= CHOICES && whole.across * COLUMN >= narrowest) return whole;
  const readable = (zoom: number) => Math.min(1, Math.max(CAPTIONS / ROW, zoom));
  const [zoom, across] = [readable(camera.zoom), readable(camera.across)];
  const [width, height] = [size.width / across, size.height / zoom];
  return {
    zoom,
    across,
    // What comes next matters more than what was, as long as there is something.
    x: Math.max(extent.left, Math.min(extent.right - width, x - width * 0.35)),
    y: y - height * 0.5,
  };
}
