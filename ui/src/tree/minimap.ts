/** The whole tree in a corner, with what is seen of it; only when not all of it is seen. */
import { COLUMN, ROW, fit, toScreen, toTree, visible, type Camera, type Size } from "./camera";
import { cull } from "./cull";
import type { Placement } from "./layout";
import { extentOf, START, xOf, yOf, type Scene } from "./scene";

const WIDTH = 150;
const HEIGHT = 96;
const MARGIN = 10;

interface Map {
  readonly left: number;
  readonly top: number;
  readonly camera: Camera;
}

function mapOf(placement: Placement, camera: Camera, size: Size): Map | null {
  const extent = extentOf(placement);
  const seen = visible(camera, size);
  const isAll =
    seen.left <= extent.left && seen.top <= extent.top && seen.right >= extent.right && seen.bottom >= extent.bottom;
  if (isAll || size.width < 2.2 * WIDTH || size.height < 2.8 * HEIGHT) return null;
  return {
    left: size.width - WIDTH - MARGIN,
    top: size.height - HEIGHT - MARGIN,
    camera: fit(extent, { width: WIDTH, height: HEIGHT }, 6),
  };
}

/** The drawing of a tree from afar, kept until the tree changes. */
let kept: { placement: Placement; palette: unknown; ratio: number; picture: HTMLCanvasElement } | null = null;

export function drawMinimap(context: CanvasRenderingContext2D, scene: Scene): void {
  const map = mapOf(scene.placement, scene.camera, scene.size);
  if (map === null) return;
  const { palette } = scene;
  context.fillStyle = palette.raised;
  context.strokeStyle = palette.line;
  context.lineWidth = 1;
  context.beginPath();
  context.roundRect(map.left, map.top, WIDTH, HEIGHT, 6);
  context.fill();
  context.stroke();
  context.save();
  context.clip();
  context.drawImage(picture(scene, map), map.left, map.top, WIDTH, HEIGHT);
  const seen = visible(scene.camera, scene.size);
  const from = toScreen(map.camera, seen.left, seen.top);
  const to = toScreen(map.camera, seen.right, seen.bottom);
  context.strokeStyle = palette.accent;
  context.lineWidth = 1.5;
  context.strokeRect(map.left + from.x, map.top + from.y, Math.max(3, to.x - from.x), Math.max(3, to.y - from.y));
  if (scene.here !== null) {
    const at = toScreen(map.camera, xOf(scene, scene.here.node), yOf(scene, scene.here.node));
    context.fillStyle = palette.here;
    context.beginPath();
    context.arc(map.left + at.x, map.top + at.y, 3, 0, Math.PI * 2);
    context.fill();
  }
  context.restore();
}

function picture(scene: Scene, map: Map): HTMLCanvasElement {
  const ratio = devicePixelRatio || 1;
  if (kept?.placement === scene.placement && kept.palette === scene.palette && kept.ratio === ratio) return kept.picture;
  const drawn = document.createElement("canvas");
  drawn.width = WIDTH * ratio;
  drawn.height = HEIGHT * ratio;
  const context = drawn.getContext("2d")!;
  context.scale(ratio, ratio);
  const path = new Path2D();
  const { shape } = scene.shown;
  const extent = visible(map.camera, { width: WIDTH, height: HEIGHT });
  cull(shape, scene.placement, extent, map.camera, {
    node(node) {
      const above = shape.parent[node]!;
      const from = toScreen(map.camera, above < 0 ? START : xOf(scene, above), yOf(scene, above < 0 ? node : above));
      const to = toScreen(map.camera, xOf(scene, node), yOf(scene, node));
      path.moveTo(from.x, from.y);
      path.lineTo(to.x, to.y);
    },
    bundle(node) {
      const from = toScreen(map.camera, xOf(scene, node), scene.placement.top[node]! * ROW);
      const to = toScreen(map.camera, scene.placement.reach[node]! * COLUMN, scene.placement.bottom[node]! * ROW);
      path.rect(from.x, from.y, Math.max(1, to.x - from.x), Math.max(1, to.y - from.y));
    },
  });
  context.strokeStyle = scene.palette.visited;
  context.lineWidth = 0.8;
  context.stroke(path);
  kept = { placement: scene.placement, palette: scene.palette, ratio, picture: drawn };
  return drawn;
}

/** The camera that a click on the minimap asks for; nothing if it was elsewhere. */
export function minimapTarget(placement: Placement, camera: Camera, size: Size, x: number, y: number): Camera | null {
  const map = mapOf(placement, camera, size);
  if (map === null || x < map.left || y < map.top || x > map.left + WIDTH || y > map.top + HEIGHT) return null;
  const middle = toTree(map.camera, x - map.left, y - map.top);
  return {
    ...camera,
    x: middle.x - size.width / camera.across / 2,
    y: middle.y - size.height / camera.zoom / 2,
  };
}
