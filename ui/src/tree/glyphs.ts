/** The shapes of nodes. Shape and colour both tell what a node is, so neither is needed alone. */
import type { VerdictView } from "../api";
import { toScreen } from "./camera";
import type { Palette } from "./palette";
import { xOf, yOf, type Scene } from "./scene";

export function drawGlyph(context: CanvasRenderingContext2D, scene: Scene, node: number): void {
  const { palette, camera } = scene;
  const item = scene.model.items[scene.shown.items[node]!]!;
  const { x, y } = toScreen(camera, xOf(scene, node), yOf(scene, node));
  const size = 5.5 * Math.min(1.25, Math.max(0.5, camera.zoom));
  const colour = item.visited ? (item.altered ? palette.altered : palette.visited) : palette.suggested;
  if (scene.selected === node || scene.hovered === node) ring(context, x, y, size + 5, scene.selected === node ? palette.text : palette.soft);
  if (scene.found.has(node)) ring(context, x, y, size + 8, palette.here);
  context.lineWidth = 1.6;
  switch (item.kind) {
    case "choice":
      polygon(context, [x, y - size - 1, x + size + 1, y, x, y + size + 1, x - size - 1, y]);
      fill(context, colour, item.visited, palette);
      break;
    case "passed":
      circle(context, x, y, size * 0.7);
      fill(context, colour, item.visited, palette);
      break;
    case "open":
      circle(context, x, y, size);
      fill(context, colour, false, palette);
      break;
    case "finished":
      polygon(context, [x - size, y - size, x + size, y - size, x + size, y + size, x - size, y + size]);
      fill(context, palette.end, item.visited, palette);
      break;
    case "failed":
      circle(context, x, y, size + 1.5);
      fill(context, palette.trap, item.visited, palette);
      cross(context, x, y, size * 0.5, item.visited ? palette.surface : palette.trap);
      break;
  }
  if (scene.shown.hidden[node]! > 0) drawFolded(context, palette, x, y, size);
}

/** The mark of where one stands; around the sign of an end, which stays to be seen. */
export function drawHere(
  context: CanvasRenderingContext2D,
  palette: Palette,
  x: number,
  y: number,
  zoom: number,
  isAtEnd: boolean,
): void {
  const size = 6 * Math.min(1.2, Math.max(0.7, zoom));
  circle(context, x, y, size + 5);
  context.fillStyle = palette.here;
  context.globalAlpha = 0.28;
  context.fill();
  context.globalAlpha = 1;
  if (isAtEnd) return ring(context, x, y, size + 5, palette.here);
  circle(context, x, y, size);
  context.fillStyle = palette.here;
  context.fill();
  context.lineWidth = 2;
  context.strokeStyle = palette.surface;
  context.stroke();
}

/** The mark of a stop at a breakpoint: on the line, or above the node that it is at. */
export function drawHit(context: CanvasRenderingContext2D, palette: Palette, x: number, y: number, isAtNode: boolean): void {
  circle(context, x, isAtNode ? y - 11 : y, 3);
  context.fillStyle = palette.breakpoint;
  context.fill();
  context.lineWidth = 1.2;
  context.strokeStyle = palette.surface;
  context.stroke();
}

/** Whether properties hold at a node: a line below it, which hides nothing else. */
export function drawVerdict(context: CanvasRenderingContext2D, scene: Scene, node: number): void {
  const verdict = scene.verdicts?.at[scene.shown.items[node]!] ?? null;
  if (verdict === null) return;
  const { x, y } = toScreen(scene.camera, xOf(scene, node), yOf(scene, node));
  const size = 5.5 * Math.min(1.25, Math.max(0.5, scene.camera.zoom));
  context.fillStyle = colourOf(verdict, scene.palette);
  // What is violated is told by its form as well.
  if (verdict === "violated") triangle(context, x, y + size + 3, 5);
  else context.fillRect(x - size * 0.8, y + size + 4, 1.6 * size, 3);
}

/** Where a property comes to be violated: below the line, beside the node that it is at. */
export function drawViolation(context: CanvasRenderingContext2D, palette: Palette, x: number, y: number): void {
  context.fillStyle = palette.trap;
  triangle(context, x, y + 1, 4.5);
  context.lineWidth = 1;
  context.strokeStyle = palette.surface;
  context.stroke();
}

function colourOf(verdict: VerdictView, palette: Palette): string {
  return verdict === "violated" ? palette.trap : verdict === "holds" ? palette.end : palette.here;
}

/** A triangle that points up to a point. */
function triangle(context: CanvasRenderingContext2D, x: number, y: number, size: number): void {
  polygon(context, [x, y, x + size, y + size * 1.5, x - size, y + size * 1.5]);
  context.fill();
}

export function drawStar(context: CanvasRenderingContext2D, palette: Palette, x: number, y: number): void {
  const points: number[] = [];
  for (let corner = 0; corner < 10; corner++) {
    const radius = corner % 2 === 0 ? 6 : 2.6;
    const angle = (Math.PI / 5) * corner - Math.PI / 2;
    points.push(x + radius * Math.cos(angle), y - 1 + radius * Math.sin(angle));
  }
  polygon(context, points);
  context.fillStyle = palette.bookmark;
  context.fill();
  context.lineWidth = 1;
  context.strokeStyle = palette.surface;
  context.stroke();
}

function drawFolded(context: CanvasRenderingContext2D, palette: Palette, x: number, y: number, size: number): void {
  context.strokeStyle = palette.soft;
  context.lineWidth = 1.6;
  context.beginPath();
  for (const offset of [size + 4, size + 8, size + 12]) {
    context.moveTo(x + offset, y - size * 0.8);
    context.lineTo(x + offset, y + size * 0.8);
  }
  context.stroke();
}

export function ring(context: CanvasRenderingContext2D, x: number, y: number, radius: number, colour: string): void {
  circle(context, x, y, radius);
  context.lineWidth = 1.8;
  context.strokeStyle = colour;
  context.stroke();
}

export function circle(context: CanvasRenderingContext2D, x: number, y: number, radius: number): void {
  context.beginPath();
  context.arc(x, y, radius, 0, Math.PI * 2);
}

function polygon(context: CanvasRenderingContext2D, points: readonly number[]): void {
  context.beginPath();
  for (let at = 0; at < points.length; at += 2) context.lineTo(points[at]!, points[at + 1]!);
  context.closePath();
}

function cross(context: CanvasRenderingContext2D, x: number, y: number, size: number, colour: string): void {
  context.beginPath();
  context.moveTo(x - size, y - size);
  context.lineTo(x + size, y + size);
  context.moveTo(x + size, y - size);
  context.lineTo(x - size, y + size);
  context.strokeStyle = colour;
  context.stroke();
}

/** What was visited is filled, what is only known to be possible is hollow. */
function fill(context: CanvasRenderingContext2D, colour: string, isFull: boolean, palette: Palette): void {
  context.fillStyle = isFull ? colour : palette.surface;
  context.fill();
  context.strokeStyle = colour;
  context.stroke();
}
