/** Draws the graph of merged states. */
import { splitChoice } from "../format/choices";
import { COLUMN, ROW, toScreen, type Camera, type Extent, type Size } from "../tree/camera";
import { circle, ring } from "../tree/glyphs";
import { cut } from "../tree/labels";
import type { Palette } from "../tree/palette";
import type { Placement } from "./layout";
import { labelOf, variablesText, type Look, type Model } from "./model";

export interface Scene {
  readonly model: Model;
  readonly placement: Placement;
  readonly camera: Camera;
  readonly size: Size;
  readonly palette: Palette;
  readonly here: number | null;
  readonly selected: number | null;
  readonly hovered: number | null;
  /** States that were looked for. */
  readonly found: ReadonlySet<number>;
}

/** From so many pixels per row, and per column, steps say what is decided. */
const WORDS_ROW = 17;
const WORDS_COLUMN = 96;
/** From so many pixels per row on, states have shapes. */
const SHAPES = 9;
const CHARACTER = 5.9;

export function xOf({ placement }: Pick<Scene, "placement">, state: number): number {
  return placement.layer[state]! * COLUMN;
}

export function yOf({ placement }: Pick<Scene, "placement">, state: number): number {
  return placement.row[state]! * ROW;
}

export function extentOf(placement: Placement): Extent {
  const right = Math.max(0, placement.layers - 1) * COLUMN;
  return { left: -40, top: placement.top * ROW - ROW * 0.6, right: right + 190, bottom: placement.bottom * ROW + ROW * 0.6 };
}

export function draw(context: CanvasRenderingContext2D, scene: Scene): void {
  const { size, palette, camera } = scene;
  context.fillStyle = palette.surface;
  context.fillRect(0, 0, size.width, size.height);
  drawEdges(context, scene);
  const hasWords = ROW * camera.zoom >= WORDS_ROW && COLUMN * camera.across >= WORDS_COLUMN;
  const seen = statesInView(scene);
  if (hasWords) drawEdgeWords(context, scene);
  if (ROW * camera.zoom >= SHAPES) for (const state of seen) drawState(context, scene, state);
  else drawDots(context, scene, seen);
  if (hasWords) for (const state of seen) drawEndWords(context, scene, state);
}

function statesInView(scene: Scene): number[] {
  const seen: number[] = [];
  for (let state = 0; state < scene.model.view.states.length; state++) {
    const { x, y } = pointOf(scene, state);
    if (x > -200 && x < scene.size.width + 20 && y > -20 && y < scene.size.height + 20) seen.push(state);
  }
  return seen;
}

export function pointOf(scene: Pick<Scene, "placement" | "camera">, state: number): { x: number; y: number } {
  return toScreen(scene.camera, xOf(scene, state), yOf(scene, state));
}

/** The points that a step goes through, on the screen. */
function pointsOf(scene: Scene, edge: number): { x: number; y: number }[] {
  const { placement, camera, model } = scene;
  const { from, to } = model.view.edges[edge]!;
  const points = [pointOf(scene, from)];
  const [first, last] = [placement.at[edge]!, placement.at[edge + 1]!];
  for (let bend = first; bend < last; bend++) {
    points.push(toScreen(camera, (placement.layer[from]! + 1 + bend - first) * COLUMN, placement.bends[bend]! * ROW));
  }
  points.push(pointOf(scene, to));
  return points;
}

function drawEdges(context: CanvasRenderingContext2D, scene: Scene): void {
  const { model, palette, placement, size, camera } = scene;
  const [plain, faults, back, strong] = [new Path2D(), new Path2D(), new Path2D(), new Path2D()];
  const heads = new Path2D();
  const marked = scene.hovered ?? scene.selected;
  const radius = 8 * Math.min(1.2, Math.max(0.5, camera.zoom));
  model.view.edges.forEach((edge, at) => {
    const points = pointsOf(scene, at);
    const [first, last] = [points[0]!, points.at(-1)!];
    if (Math.max(first.x, last.x) < 0 || Math.min(first.x, last.x) > size.width) return;
    const isMarked = marked !== null && (edge.from === marked || edge.to === marked);
    const path = isMarked ? strong : placement.isBack[at] === 1 ? back : edge.fault ? faults : plain;
    if (placement.isBack[at] === 1) traceBack(path, first, last, ROW * camera.zoom);
    else trace(path, points);
    if (camera.zoom * ROW >= SHAPES && placement.isBack[at] === 0) addHead(heads, last, radius);
  });
  context.lineWidth = Math.max(0.5, Math.min(1.4, camera.zoom * 1.6));
  context.globalAlpha = 0.8;
  context.strokeStyle = palette.soft;
  context.stroke(plain);
  context.strokeStyle = palette.trap;
  context.stroke(faults);
  context.setLineDash([5, 4]);
  context.strokeStyle = palette.soft;
  context.stroke(back);
  context.setLineDash([]);
  context.globalAlpha = 1;
  context.fillStyle = palette.soft;
  context.fill(heads);
  context.strokeStyle = palette.here;
  context.lineWidth = 2;
  context.stroke(strong);
}

function trace(path: Path2D, points: readonly { x: number; y: number }[]): void {
  path.moveTo(points[0]!.x, points[0]!.y);
  for (let at = 1; at < points.length; at++) {
    const [before, point] = [points[at - 1]!, points[at]!];
    const half = (point.x - before.x) * 0.5;
    path.bezierCurveTo(before.x + half, before.y, point.x - half, point.y, point.x, point.y);
  }
}

/** What leads back goes below. */
function traceBack(path: Path2D, from: { x: number; y: number }, to: { x: number; y: number }, row: number): void {
  const below = Math.max(from.y, to.y) + row * 0.9;
  const wide = from.x === to.x ? row * 0.6 : 0;
  path.moveTo(from.x, from.y);
  path.bezierCurveTo(from.x + 20 + wide, below, to.x - 20 - wide, below, to.x, to.y);
}

function addHead(path: Path2D, { x, y }: { x: number; y: number }, radius: number): void {
  path.moveTo(x - radius, y);
  path.lineTo(x - radius - 6, y - 3.2);
  path.lineTo(x - radius - 6, y + 3.2);
  path.closePath();
}

function colourOf(palette: Palette, look: Look): string {
  switch (look) {
    case "running":
      return palette.visited;
    case "halted":
      return palette.halted;
    case "finished":
      return palette.end;
    case "failed":
      return palette.trap;
    case "open":
      return palette.suggested;
  }
}

function drawState(context: CanvasRenderingContext2D, scene: Scene, state: number): void {
  const { palette, model, camera } = scene;
  const look = model.looks[state]!;
  const { x, y } = pointOf(scene, state);
  const size = 6 * Math.min(1.25, Math.max(0.5, camera.zoom));
  if (scene.found.has(state)) ring(context, x, y, size + 7, palette.here);
  if (scene.selected === state || scene.hovered === state) ring(context, x, y, size + 4, scene.selected === state ? palette.text : palette.soft);
  if (scene.here === state) {
    context.globalAlpha = 0.35;
    context.fillStyle = palette.here;
    circle(context, x, y, size + 7);
    context.fill();
    context.globalAlpha = 1;
    ring(context, x, y, size + 5, palette.here);
  }
  context.fillStyle = look === "open" ? palette.surface : colourOf(palette, look);
  context.strokeStyle = colourOf(palette, look);
  context.lineWidth = 1.6;
  outline(context, look, x, y, size);
  context.fill();
  if (look === "open") context.setLineDash([3, 2]);
  context.stroke();
  context.setLineDash([]);
  if (look === "failed") cross(context, x, y, size * 0.5, palette.surface);
  const { merged } = model.view.states[state]!;
  if (merged > 1 && ROW * camera.zoom >= WORDS_ROW) {
    context.font = `600 10px ${palette.font}`;
    context.fillStyle = palette.soft;
    context.fillText(`${merged}→`, x - size - 14, y - size - 3);
  }
}

/** Shape and colour both tell what a state is, so neither is needed alone. */
function outline(context: CanvasRenderingContext2D, look: Look, x: number, y: number, size: number): void {
  context.beginPath();
  if (look === "finished") context.rect(x - size, y - size, 2 * size, 2 * size);
  else if (look === "halted") {
    context.moveTo(x, y - size - 2);
    context.lineTo(x + size + 2, y);
    context.lineTo(x, y + size + 2);
    context.lineTo(x - size - 2, y);
    context.closePath();
  } else context.arc(x, y, look === "failed" ? size + 1.5 : size, 0, Math.PI * 2);
}

/** From afar, only colours are left. */
function drawDots(context: CanvasRenderingContext2D, scene: Scene, seen: readonly number[]): void {
  for (const state of seen) {
    const { x, y } = pointOf(scene, state);
    const isMarked = scene.found.has(state) || scene.here === state || scene.selected === state;
    const size = isMarked ? 4 : scene.model.looks[state] === "running" ? 1.2 : 2.2;
    context.fillStyle = isMarked ? scene.palette.here : colourOf(scene.palette, scene.model.looks[state]!);
    context.fillRect(x - size, y - size, 2 * size, 2 * size);
  }
}

function drawEdgeWords(context: CanvasRenderingContext2D, scene: Scene): void {
  const { model, palette, camera, placement, size } = scene;
  const most = Math.floor((COLUMN * camera.across - 34) / CHARACTER);
  context.font = `10px ${palette.mono}`;
  context.textAlign = "center";
  context.lineJoin = "round";
  const marked = scene.hovered ?? scene.selected;
  const taken = new Set<string>();
  model.view.edges.forEach((edge, at) => {
    if (placement.isBack[at] === 1) return;
    const points = pointsOf(scene, at);
    const [first, second] = [points[0]!, points[1]!];
    const [x, y] = [(first.x + second.x) / 2, (first.y + second.y) / 2 - 4];
    const text = wordsOf(labelOf(edge), most);
    if (text.length < 3 || x < 0 || x > size.width || y < 0 || y > size.height) return;
    // Two that would be written over each other are not both written.
    const spot = `${Math.round(x / 60)} ${Math.round(y / 11)}`;
    if (taken.has(spot)) return;
    taken.add(spot);
    context.strokeStyle = palette.surface;
    context.lineWidth = 3;
    context.strokeText(text, x, y);
    const isMarked = marked !== null && (edge.from === marked || edge.to === marked);
    context.fillStyle = edge.fault ? palette.trap : isMarked ? palette.text : palette.soft;
    context.fillText(text, x, y);
  });
  context.textAlign = "left";
}

/** What was decided in so many characters: of an input, its value matters most. */
function wordsOf(label: string, most: number): string {
  const { value } = splitChoice(label);
  return cut(label.length > most && value !== null ? `= ${value}` : label, most);
}

/** How universes end, right of where they do. */
function drawEndWords(context: CanvasRenderingContext2D, scene: Scene, state: number): void {
  const { model, palette, camera, size } = scene;
  const { outcome } = model.view.states[state]!;
  if (outcome === null) return;
  const at = pointOf(scene, state);
  const x = at.x + 13;
  const most = Math.floor(Math.min(230, size.width - x - 4) / CHARACTER);
  const end = model.ends.get(state);
  const variables = end === undefined ? "" : variablesText(end);
  const isTwo = variables !== "" && ROW * camera.zoom >= 26;
  context.font = `600 10.5px ${palette.font}`;
  context.fillStyle = colourOf(palette, model.looks[state]!);
  context.fillText(cut(outcome.kind === "finished" ? "finished" : outcome.text.split("\n")[0]!, most), x, at.y + (isTwo ? -2 : 4));
  if (!isTwo) return;
  context.font = `10px ${palette.mono}`;
  context.fillStyle = palette.text;
  context.fillText(cut(variables, most), x, at.y + 10);
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

/** The state that is drawn at a point, if one is near. */
export function stateAt(scene: Pick<Scene, "model" | "placement" | "camera">, x: number, y: number): number | null {
  let [best, least] = [-1, 14];
  for (let state = 0; state < scene.model.view.states.length; state++) {
    const at = pointOf(scene, state);
    const distance = Math.hypot(at.x - x, at.y - y);
    if (distance < least) [best, least] = [state, distance];
  }
  return best < 0 ? null : best;
}
