/** The words on edges: what was chosen above the line, what comes of it below. */
import { short } from "../format/values";
import { visible } from "../format/visible";
import { CAPTIONS, CHOICES, COLUMN, ROW, toScreen, visible as visibleExtent } from "./camera";
import { signsOf } from "./outputs";
import { drawSigns } from "./pictures";
import { isWider, outcome, type Item } from "./model";
import { edgeTo, xOf, yOf, type Scene } from "./scene";

const CHARACTER = 6.7;
const SMALL_CHARACTER = 6.4;
const CAPTION = 6.05;
const HEADING = 22;
/** From so many pixels per row on, there is room for why a way is taken. */
const REASONS = 44;
/** In fewer characters than this, a reason says nothing. */
const REASON = 16;

export function drawLabels(context: CanvasRenderingContext2D, scene: Scene, node: number): void {
  const { camera, palette, shown } = scene;
  const item = scene.model.items[shown.items[node]!]!;
  const above = shown.shape.parent[node]!;
  const { from, bend } = edgeTo(scene, node);
  const left = toScreen(camera, above < 0 ? from.x : bend.x, bend.y);
  const right = toScreen(camera, xOf(scene, node), yOf(scene, node));
  const x = left.x + 4;
  const room = right.x - x - 10 * Math.min(1, camera.zoom) - 4;
  if (room < 24) return;
  const { y } = right;
  context.textBaseline = "alphabetic";
  let used = 0;
  if (item.value !== null || above >= 0) {
    used = drawChoice(context, scene, item, x, y - 6, room);
  } else {
    context.font = `600 11px ${palette.font}`;
    context.fillStyle = palette.soft;
    context.fillText("start", x, y - 6);
    used = 34;
  }
  if (ROW * camera.zoom < CAPTIONS) return;
  drawLength(context, scene, item, x, right.x - 12, y - 6, room - used);
  const isFree = !drawBelow(context, scene, node, item, x, right.x - 12, y + 14);
  drawReason(context, scene, item, x, right.x - 12, isFree ? y + 14 : y + 26);
}

/** Whether the subtree of a node is high enough for a choice to be written at its edge, in a tree seen from afar. */
export function isRoomy(scene: Pick<Scene, "placement" | "camera">, node: number): boolean {
  const { row, top, bottom } = scene.placement;
  const nearest = Math.min(row[node]! - top[node]!, bottom[node]! - row[node]!);
  return nearest * ROW * scene.camera.zoom >= CHOICES;
}

/** What was chosen, in a tree seen from afar: on the side that its edge does not come from, along the slope as well. */
export function drawAfar(context: CanvasRenderingContext2D, scene: Scene, node: number): void {
  if (scene.shown.shape.parent[node]! < 0) return;
  const { camera } = scene;
  const { from, bend } = edgeTo(scene, node);
  const left = toScreen(camera, from.x, bend.y);
  const right = toScreen(camera, xOf(scene, node), bend.y);
  const room = right.x - left.x - 6;
  if (room < 24) return;
  const item = scene.model.items[scene.shown.items[node]!]!;
  context.textBaseline = "alphabetic";
  drawChoice(context, scene, item, left.x + 6, from.y < bend.y ? left.y + 13 : left.y - 5, room);
}

/** What is read, once above each column where that is the same in all universes. */
export function drawHeadings(context: CanvasRenderingContext2D, scene: Scene): void {
  const { camera, palette, size } = scene;
  const seen = visibleExtent(camera, size);
  const first = Math.max(0, Math.floor(seen.left / COLUMN));
  const levels = scene.levels.slice(first, Math.ceil(seen.right / COLUMN) + 1);
  if (levels.every((name) => name === null)) return;
  context.fillStyle = palette.surface;
  context.fillRect(0, 0, size.width, HEADING);
  context.fillStyle = palette.line;
  context.fillRect(0, HEADING, size.width, 1);
  context.font = `11px ${palette.mono}`;
  context.fillStyle = palette.soft;
  const room = Math.floor((COLUMN * camera.across - 14) / SMALL_CHARACTER);
  levels.forEach((name, at) => {
    const { x } = toScreen(camera, (first + at - 1) * COLUMN, 0);
    if (name !== null) context.fillText(cutStart(name, room), x + 8, HEADING - 7);
  });
}

/** The class of an input that decides nothing. */
const ANY = "any value";

/** The value that was chosen and all that take the same way, as far as there is room for them. */
export function choiceWords(item: Item, room: number): { first: string; label: string | null } {
  const value = item.value ?? item.call;
  if (isWider(item)) {
    const rest = room - value.length * CHARACTER - 8;
    if (item.label!.length * SMALL_CHARACTER <= rest) return { first: value, label: item.label };
    // All values that take this way say more than the one that was tried.
    if (item.label!.length * CHARACTER <= room) return { first: item.label!, label: null };
    if (item.label === ANY && "any".length * CHARACTER <= room) return { first: "any", label: null };
    if (rest > 30) return { first: value, label: cut(item.label!, Math.floor(rest / SMALL_CHARACTER)) };
    // That there are more than this one is said in any case.
    if ((value.length + 1) * CHARACTER <= room) return { first: `${value}…`, label: null };
  }
  return { first: cut(value, Math.floor(room / CHARACTER)), label: null };
}

function drawChoice(context: CanvasRenderingContext2D, scene: Scene, item: Item, x: number, y: number, room: number): number {
  const { palette } = scene;
  const { first, label } = choiceWords(item, room);
  context.font = `600 11.5px ${palette.mono}`;
  context.fillStyle = item.visited ? palette.text : palette.suggested;
  context.fillText(first, x, y);
  let used = first.length * CHARACTER + 8;
  if (label !== null) {
    context.font = `10.5px ${palette.mono}`;
    context.fillStyle = palette.suggested;
    context.fillText(label, x + used, y);
    used += label.length * SMALL_CHARACTER + 8;
  }
  return used;
}

function drawLength(context: CanvasRenderingContext2D, scene: Scene, item: Item, x: number, right: number, y: number, room: number): void {
  if (item.length === null || room < 34) return;
  const text = short(item.length);
  if (text.length * SMALL_CHARACTER > room || right - x < 60) return;
  context.font = `10px ${scene.palette.font}`;
  context.fillStyle = scene.palette.faint;
  context.textAlign = "right";
  context.fillText(text, right, y);
  context.textAlign = "left";
}

/** What comes of it; says whether there was anything to draw. */
function drawBelow(
  context: CanvasRenderingContext2D,
  scene: Scene,
  node: number,
  item: Item,
  x: number,
  right: number,
  y: number,
): boolean {
  const { palette, shown } = scene;
  const hidden = shown.hidden[node]!;
  const signs = signsOf(item.outputs, 5);
  const isHeaded = scene.levels[shown.shape.depth[node]! + 1] != null;
  const comes = (isHeaded ? null : item.reads) ?? outcome(item) ?? (item.open ? "… more" : null);
  const text = hidden > 0 ? `${short(hidden)} folded` : comes;
  let left = x;
  if (item.folded > 0) left += drawSmall(context, scene, `+${short(item.folded)} choices`, x, y) + 6;
  if (text === null || signs.length > 0) {
    // What happened comes first; what is read next is at the ends of its branches, too.
    left += drawSigns(context, palette, signs, left, y, right - left - (text === null ? 0 : 40)) + 4;
  }
  if (text === null) return left > x + 4;
  // The slope of the edge leaves some room under its end.
  const fits = Math.floor((right - left + (left > x ? 0 : 26)) / CAPTION);
  // How it ended is drawn at the end of the edge, too.
  if (fits < (item.kind === "finished" ? text.length : 6)) return left > x + 4;
  context.font = `10px ${palette.mono}`;
  context.fillStyle = item.kind === "failed" ? palette.trap : item.kind === "finished" ? palette.end : palette.soft;
  context.textAlign = "right";
  context.fillText(cut(text, fits), right, y);
  context.textAlign = "left";
  return true;
}

/** Why it goes this way, where there is a line left for it. */
function drawReason(context: CanvasRenderingContext2D, scene: Scene, item: Item, x: number, right: number, y: number): void {
  if (item.because === null || ROW * scene.camera.zoom < REASONS) return;
  // How it was decided is at the end.
  const fits = Math.floor((right - x) / 5.2);
  if (fits >= Math.min(REASON, item.because.length)) drawSmall(context, scene, cutStart(item.because, fits), x, y);
}

function drawSmall(context: CanvasRenderingContext2D, scene: Scene, text: string, x: number, y: number): number {
  context.font = `10px ${scene.palette.font}`;
  context.fillStyle = scene.palette.faint;
  context.fillText(text, x, y);
  return context.measureText(text).width;
}

/** The end of a text, where its arguments are, in so many characters. */
export function cutStart(words: string, most: number): string {
  const text = visible(words);
  return text.length <= most ? text : most < 2 ? "" : `…${text.slice(1 - most)}`;
}

/** A text in so many characters, all of which are seen. */
export function cut(words: string, most: number): string {
  const text = visible(words);
  if (text.length <= most) return text;
  return most < 2 ? "" : `${text.slice(0, most - 1)}…`;
}
