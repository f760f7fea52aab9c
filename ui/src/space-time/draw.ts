/** Draws the diagram. Costs what is seen of it: what lies outside is skipped. */
import type { Palette } from "../tree/palette";
import { cut } from "../tree/labels";
import type { Arrow, Model } from "./model";
import { barHeight, GAP, namedLanes, onBar, xOf, yOf, type Scale } from "./scale";

export interface Scene {
  readonly model: Model;
  readonly scale: Scale;
  readonly size: { readonly width: number; readonly height: number };
  readonly palette: Palette;
  /** Where the session stands, as a column with its part. */
  readonly here: number | null;
  readonly chosen: number | null;
  readonly hovered: number | null;
}

const CHARACTER = 6.1;
/** In narrower columns, arrows are lines without heads, and fainter. */
const HEADS = 14;
/** From so many pixels per lane on, bars say what is handled. */
const WORDS = 22;

export function draw(context: CanvasRenderingContext2D, scene: Scene): void {
  const { size, palette, scale } = scene;
  context.fillStyle = palette.surface;
  context.fillRect(0, 0, size.width, size.height);
  context.save();
  context.beginPath();
  context.rect(scale.left, 0, size.width - scale.left, size.height);
  context.clip();
  drawLanes(context, scene);
  drawFuture(context, scene);
  drawArrows(context, scene);
  drawBars(context, scene);
  if (scale.lane >= WORDS) drawWords(context, scene);
  drawHere(context, scene);
  context.restore();
  drawNames(context, scene);
}

/** The columns of which something is seen. */
function seen({ model, scale, size }: Scene): { first: number; last: number } {
  const first = Math.floor(scale.scrollX / scale.column);
  const last = Math.ceil((scale.scrollX + size.width - scale.left) / scale.column);
  return { first: Math.max(0, first), last: Math.min(model.bars.length, last) };
}

function drawLanes(context: CanvasRenderingContext2D, { model, scale, size, palette }: Scene): void {
  context.beginPath();
  model.lanes.forEach((_, lane) => {
    const y = Math.round(yOf(scale, lane)) + 0.5;
    context.moveTo(scale.left, y);
    context.lineTo(size.width, y);
  });
  context.strokeStyle = palette.line;
  context.globalAlpha = 0.55;
  context.lineWidth = 1;
  context.stroke();
  context.globalAlpha = 1;
}

/** What is recorded and lies ahead is behind a veil. */
function drawFuture(context: CanvasRenderingContext2D, { scale, size, palette, here, model }: Scene): void {
  if (here === null || here >= model.bars.length - GAP * 1.01) return;
  const x = Math.max(scale.left, xOf(scale, here));
  context.fillStyle = palette.raised;
  context.globalAlpha = 0.8;
  context.fillRect(x, 0, size.width - x, size.height);
  context.globalAlpha = 1;
}

function drawBars(context: CanvasRenderingContext2D, scene: Scene): void {
  const { model, scale, palette } = scene;
  const { first, last } = seen(scene);
  const height = barHeight(scale.lane);
  const width = Math.max(1, scale.column * (1 - 2 * GAP));
  const [lived, ahead, faults] = [new Path2D(), new Path2D(), new Path2D()];
  for (let at = first; at < last; at++) {
    const { lane, turn } = model.bars[at]!;
    const x = xOf(scale, at + GAP);
    const path = at > model.current ? ahead : turn.fault ? faults : lived;
    if (width >= 6) path.roundRect(x, yOf(scale, lane) - height / 2, width, height, Math.min(4, width / 3));
    else path.rect(x, yOf(scale, lane) - height / 2, width, height);
  }
  context.fillStyle = palette.surface;
  context.fill(ahead);
  context.fillStyle = palette.visited;
  context.fill(lived);
  context.fillStyle = palette.trap;
  context.fill(faults);
  context.lineWidth = 1.3;
  context.strokeStyle = palette.visited;
  context.stroke(ahead);
  ringed(context, scene, model.current, palette.here);
  ringed(context, scene, scene.hovered, palette.soft);
  ringed(context, scene, scene.chosen, palette.text);
}

function ringed(context: CanvasRenderingContext2D, { model, scale }: Scene, at: number | null, colour: string): void {
  const bar = at === null ? undefined : model.bars[at];
  if (bar === undefined) return;
  const height = barHeight(scale.lane);
  const width = Math.max(3, scale.column * (1 - 2 * GAP));
  context.beginPath();
  context.roundRect(xOf(scale, at! + GAP) - 2, yOf(scale, bar.lane) - height / 2 - 2, width + 4, height + 4, 5);
  context.strokeStyle = colour;
  context.lineWidth = 2;
  context.stroke();
}

function drawArrows(context: CanvasRenderingContext2D, scene: Scene): void {
  const { model, palette, scale } = scene;
  const { first, last } = seen(scene);
  const [delivered, waiting, heads, open, strong] = [new Path2D(), new Path2D(), new Path2D(), new Path2D(), new Path2D()];
  const isSmall = scale.column < HEADS;
  const marked = scene.hovered ?? scene.chosen;
  for (const arrow of model.arrows) {
    const [begin, end] = [arrow.from, arrow.to < 0 ? model.bars.length + 1 : arrow.to];
    if (end < first || begin > last) continue;
    const isStrong = marked !== null && (arrow.from === marked || arrow.to === marked);
    const line = lineOf(scene, arrow);
    trace(isStrong ? strong : arrow.to < 0 ? waiting : delivered, line);
    if (!isSmall || isStrong) addHead(arrow.to < 0 ? open : heads, line);
  }
  context.lineWidth = isSmall ? 0.8 : 1.2;
  context.globalAlpha = isSmall ? 0.5 : 0.85;
  context.strokeStyle = palette.soft;
  context.stroke(delivered);
  context.setLineDash([4, 3]);
  context.strokeStyle = palette.suggested;
  context.stroke(waiting);
  context.setLineDash([]);
  context.globalAlpha = 1;
  context.fillStyle = palette.soft;
  context.fill(heads);
  context.strokeStyle = palette.suggested;
  context.fillStyle = palette.surface;
  context.fill(open);
  context.stroke(open);
  context.lineWidth = 2;
  context.strokeStyle = palette.here;
  context.stroke(strong);
}

interface Line {
  readonly x1: number;
  readonly y1: number;
  readonly x2: number;
  readonly y2: number;
  /** How far it bends to the side: a message to oneself goes around. */
  readonly bend: number;
}

function lineOf({ scale, model }: Scene, { from, part, fromLane, to, toLane }: Arrow): Line {
  const half = barHeight(scale.lane) / 2;
  const down = Math.sign(toLane - fromLane);
  const x1 = xOf(scale, from < 0 ? 0 : onBar(from, part));
  // One that waits still does so at the end of what is recorded.
  const x2 = xOf(scale, to < 0 ? model.bars.length + 0.7 : to + GAP);
  const isOwn = fromLane === toLane;
  return {
    x1,
    y1: yOf(scale, fromLane) + (isOwn ? half : down * half),
    x2,
    // A waiting one ends at the lane; one that is handled at the corner of its bar.
    y2: yOf(scale, toLane) + (to < 0 ? (isOwn ? half : 0) : isOwn ? half : -down * half),
    bend: isOwn ? scale.lane * 0.42 : 0,
  };
}

function trace(path: Path2D, { x1, y1, x2, y2, bend }: Line): void {
  path.moveTo(x1, y1);
  if (bend === 0) path.lineTo(x2, y2);
  else path.quadraticCurveTo((x1 + x2) / 2, y1 + bend, x2, y2);
}

function addHead(path: Path2D, { x1, y1, x2, y2, bend }: Line): void {
  const angle = bend === 0 ? Math.atan2(y2 - y1, x2 - x1) : Math.atan2(y2 - (y1 + bend), (x2 - x1) / 2);
  const [length, spread] = [7, 0.42];
  path.moveTo(x2, y2);
  path.lineTo(x2 - length * Math.cos(angle - spread), y2 - length * Math.sin(angle - spread));
  path.lineTo(x2 - length * Math.cos(angle + spread), y2 - length * Math.sin(angle + spread));
  path.closePath();
}

/** What each turn handles, as far as the next bar of its lane. */
function drawWords(context: CanvasRenderingContext2D, scene: Scene): void {
  const { model, scale, palette } = scene;
  const { first, last } = seen(scene);
  const above = barHeight(scale.lane) / 2 + 4;
  context.font = `10.5px ${palette.mono}`;
  context.textBaseline = "alphabetic";
  context.lineJoin = "round";
  for (let at = Math.max(0, first - 3); at < last; at++) {
    const { turn, lane, until } = model.bars[at]!;
    const room = Math.min(until - at, 4) * scale.column - 4;
    const words = turn.fault || turn.handles === null ? turn.label.replace(`${turn.name} `, "") : turn.handles.text;
    const text = cut(words, Math.floor(room / CHARACTER));
    if (text.length < 3) continue;
    const [x, y] = [xOf(scale, at + GAP), yOf(scale, lane) - above];
    // Arrows do not go through words.
    context.strokeStyle = palette.surface;
    context.lineWidth = 3;
    context.strokeText(text, x, y);
    context.fillStyle = turn.fault ? palette.trap : at <= model.current ? palette.text : palette.soft;
    context.fillText(text, x, y);
  }
}

function drawHere(context: CanvasRenderingContext2D, { scale, size, palette, here }: Scene): void {
  if (here === null) return;
  const x = xOf(scale, here);
  context.fillStyle = palette.here;
  context.fillRect(x - 1, 0, 2, size.height);
  context.beginPath();
  context.moveTo(x - 6, 0);
  context.lineTo(x + 6, 0);
  context.lineTo(x, 8);
  context.fill();
}

function drawNames(context: CanvasRenderingContext2D, { model, scale, size, palette, hovered, chosen, here }: Scene): void {
  context.fillStyle = palette.surface;
  context.fillRect(0, 0, scale.left, size.height);
  context.fillStyle = palette.line;
  context.fillRect(scale.left - 1, 0, 1, size.height);
  const fontSize = Math.max(9.5, Math.min(12, scale.lane - 2));
  const most = Math.floor((scale.left - 14) / (fontSize * 0.605));
  const marked = model.bars[hovered ?? chosen ?? -1]?.lane;
  const current = here === null ? undefined : model.bars[model.current]?.lane;
  context.textBaseline = "middle";
  for (const lane of namedLanes(model.lanes.length, scale.lane, fontSize, [current, marked])) {
    const y = yOf(scale, lane);
    if (y < -scale.lane || y > size.height + scale.lane) continue;
    context.font = `${lane === current ? "600 " : ""}${fontSize}px ${palette.mono}`;
    context.fillStyle = lane === current || lane === marked ? palette.text : palette.soft;
    context.fillText(cut(model.lanes[lane]!.name, most), 8, y);
  }
  context.textBaseline = "alphabetic";
}
