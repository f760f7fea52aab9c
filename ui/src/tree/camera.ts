/** Between the tree's own coordinates and those of the screen. */

/** How far apart columns and rows are at a zoom of 1, in pixels. */
export const COLUMN = 236;
export const ROW = 50;

const LEAST_ZOOM = 0.0005;
const MOST_ZOOM = 2.5;
/** From here on words are drawn on edges. */
const READABLE = 0.6;

/** What is looked at: the tree's point at the left upper corner, and how large it is drawn. */
export interface Camera {
  readonly x: number;
  readonly y: number;
  readonly zoom: number;
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

export const START: Camera = { x: -40, y: -60, zoom: 1 };

export function toScreen(camera: Camera, x: number, y: number): { x: number; y: number } {
  return { x: (x - camera.x) * camera.zoom, y: (y - camera.y) * camera.zoom };
}

export function toTree(camera: Camera, x: number, y: number): { x: number; y: number } {
  return { x: x / camera.zoom + camera.x, y: y / camera.zoom + camera.y };
}

export function visible(camera: Camera, size: Size): Extent {
  return {
    left: camera.x,
    top: camera.y,
    right: camera.x + size.width / camera.zoom,
    bottom: camera.y + size.height / camera.zoom,
  };
}

/** Moves what is seen by so many pixels of the screen. */
export function pan(camera: Camera, dx: number, dy: number): Camera {
  return { ...camera, x: camera.x - dx / camera.zoom, y: camera.y - dy / camera.zoom };
}

/** Zooms such that the point of the screen stays where it is. */
export function zoomAt(camera: Camera, factor: number, x: number, y: number): Camera {
  const zoom = Math.min(MOST_ZOOM, Math.max(LEAST_ZOOM, camera.zoom * factor));
  const fixed = toTree(camera, x, y);
  return { zoom, x: fixed.x - x / zoom, y: fixed.y - y / zoom };
}

/** The whole extent, in the middle, no larger than at a zoom of 1. */
export function fit(extent: Extent, size: Size, margin = 48): Camera {
  const width = Math.max(1, extent.right - extent.left);
  const height = Math.max(1, extent.bottom - extent.top);
  const room = { width: size.width - 2 * margin, height: size.height - 2 * margin };
  const wanted = Math.min(1, room.width / width, room.height / height);
  const zoom = Math.max(LEAST_ZOOM, wanted);
  return {
    zoom,
    x: extent.left - (size.width / zoom - width) / 2,
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
export function follow(camera: Camera, extent: Extent, size: Size, x: number, y: number): Camera {
  const whole = fit(extent, size);
  if (whole.zoom >= READABLE) return whole;
  // What comes next matters more than what was: the point is left of the middle.
  const zoom = Math.min(1, Math.max(READABLE, camera.zoom));
  return { zoom, x: Math.max(extent.left, x - (size.width * 0.35) / zoom), y: y - (size.height * 0.5) / zoom };
}
