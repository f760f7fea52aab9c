/**
 * Draws a generated tree while panning and zooming through it, with the page's own code, and says
 * how long each frame took: the drawing alone, and from one frame to the next.
 */
import "../src/styles/colours.css";
import { COLUMN, ROW, fit, pan, zoomAt, type Camera } from "../src/tree/camera";
import { draw } from "../src/tree/draw";
import { showing } from "../src/tree/fold";
import { generated, generator } from "../src/tree/generated";
import { drawMinimap } from "../src/tree/minimap";
import { levelsOf, modelOf } from "../src/tree/model";
import { readPalette } from "../src/tree/palette";
import { placeLater } from "../src/tree/placing";
import { extentOf, type Scene } from "../src/tree/scene";
import type { TreeNode } from "../src/api";

const SIZE = { width: 1200, height: 800 };
const FRAMES = 240;

export interface Times {
  readonly median: number;
  readonly p95: number;
  readonly max: number;
}

export interface Figures {
  readonly nodes: number;
  /** Milliseconds from the order to the places, in the worker. */
  readonly layout: number;
  /** By movement: milliseconds that drawing took, and from frame to frame. */
  readonly movements: Record<string, { readonly draw: Times; readonly frame: Times; readonly fps: number }>;
}

function times(all: number[]): Times {
  const sorted = [...all].sort((a, b) => a - b);
  const at = (part: number) => Number(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]!.toFixed(2));
  return { median: at(0.5), p95: at(0.95), max: at(1) };
}

/** A tree of nodes as the debugger would tell it. */
function nodesOf(parents: readonly number[]): TreeNode[] {
  const random = generator(9);
  return parents.map((parent, index) => {
    const value = Math.floor(random() * 4096);
    const node: TreeNode = { node: `${index}.0`, count: index * 40 };
    if (parent < 0) return node;
    return {
      ...node,
      parent: `${parent}.0`,
      choice: `chip_analog_read(12) = ${value}`,
      label: random() < 0.5 ? `0..${value}` : null,
      suggested: random() < 0.4,
    };
  });
}

const nextFrame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve));

async function move(context: CanvasRenderingContext2D, scene: Scene, path: (frame: number) => Camera) {
  const drawn: number[] = [];
  const frames: number[] = [];
  let last = await nextFrame();
  for (let frame = 0; frame < FRAMES; frame++) {
    const begin = performance.now();
    const now = { ...scene, camera: path(frame) };
    draw(context, now);
    drawMinimap(context, now);
    drawn.push(performance.now() - begin);
    const at = await nextFrame();
    frames.push(at - last);
    last = at;
  }
  const total = frames.reduce((sum, one) => sum + one, 0);
  return { draw: times(drawn), frame: times(frames), fps: Number(((1000 * frames.length) / total).toFixed(1)) };
}

async function measure(size: number): Promise<Figures> {
  const canvas = document.getElementById("canvas") as HTMLCanvasElement;
  canvas.width = SIZE.width;
  canvas.height = SIZE.height;
  const context = canvas.getContext("2d", { alpha: false })!;
  const parents = generated(size, 1);
  const model = modelOf({ nodes: nodesOf(parents), parents: Int32Array.from(parents), total: size, truncated: false });
  const shown = showing(model, new Set());
  const begin = performance.now();
  const placement = await placeLater(shown.shape);
  const layout = Number((performance.now() - begin).toFixed(1));
  const extent = extentOf(placement);
  const whole = fit(extent, SIZE);
  const deep = shown.shape.size >> 1;
  const there = { x: shown.shape.depth[deep]! * COLUMN - 600, y: placement.row[deep]! * ROW - 400 };
  const scene: Scene = {
    model,
    shown,
    placement,
    camera: whole,
    size: SIZE,
    palette: readPalette(document.documentElement),
    levels: levelsOf(model, shown),
    here: { node: deep, along: 0.5 },
    way: new Uint8Array(size),
    selected: null,
    hovered: null,
    verdicts: null,
    journey: new Map(),
    found: new Set(),
  };
  // From the whole tree to readable and back, around a point of it.
  const target = { x: ((there.x + 600) - whole.x) * whole.across, y: ((there.y + 400) - whole.y) * whole.zoom };
  const closer = 1 / whole.zoom;
  const zooming = (frame: number) => zoomAt(whole, closer ** Math.sin((frame / FRAMES) * Math.PI), target.x, target.y);
  const readable: Camera = { ...there, zoom: 1, across: 1 };
  const middling: Camera = { ...zoomAt(whole, closer ** 0.5, target.x, target.y) };
  return {
    nodes: shown.shape.size,
    layout,
    movements: {
      "panning, readable": await move(context, scene, (frame) => pan(readable, -frame * 12, -frame * 7)),
      "panning, half way out": await move(context, scene, (frame) => pan(middling, -frame * 5, -frame * 5)),
      "panning, all of it": await move(context, scene, (frame) => pan(whole, -frame * 2, frame)),
      "zooming from all to one": await move(context, scene, zooming),
    },
  };
}

Object.assign(globalThis, { measure });
