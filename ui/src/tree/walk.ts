/** Walking through the tree with the keyboard, and finding things in it. */
import type { Placement } from "./layout";
import { describe, type Model } from "./model";
import type { Shape } from "./shape";

export type Way = "left" | "right" | "up" | "down";

/** Where an arrow leads: along time to parent and child, across to the nearest of the column. */
export function walk(shape: Shape, placement: Placement, from: number, way: Way): number {
  switch (way) {
    case "left":
      return shape.parent[from]! < 0 ? from : shape.parent[from]!;
    case "right":
      return nearestChild(shape, placement, from);
    case "up":
      return beside(shape, placement, from, -1);
    case "down":
      return beside(shape, placement, from, 1);
  }
}

function nearestChild(shape: Shape, placement: Placement, from: number): number {
  let best = from;
  let least = Infinity;
  for (let child = shape.first[from]!; child >= 0; child = shape.next[child]!) {
    const distance = Math.abs(placement.row[child]! - placement.row[from]!);
    if (distance < least) [best, least] = [child, distance];
  }
  return best;
}

function beside(shape: Shape, placement: Placement, from: number, direction: 1 | -1): number {
  let best = from;
  let least = Infinity;
  for (let node = 0; node < shape.size; node++) {
    if (shape.depth[node] !== shape.depth[from] || node === from) continue;
    const distance = (placement.row[node]! - placement.row[from]!) * direction;
    if (distance > 0 && distance < least) [best, least] = [node, distance];
  }
  return best;
}

/** The items that a text occurs in: in their choice, class, name, bookmarks or end. */
export function find(model: Model, text: string, most = 5_000): number[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === "") return [];
  const found: number[] = [];
  for (let item = 0; item < model.items.length && found.length < most; item++) {
    const one = model.items[item]!;
    if (one.node === wanted || describe(one).toLowerCase().includes(wanted)) found.push(item);
  }
  return found;
}

/** The way from one node to another: back to what they have in common, and on from there. */
export function journey(shape: Shape, from: number, to: number): { back: number[]; on: number[] } {
  const back: number[] = [];
  const on: number[] = [];
  let [a, b] = [from, to];
  while (a !== b) {
    if (b < 0 || (a >= 0 && shape.depth[a]! >= shape.depth[b]!)) {
      back.push(a);
      a = shape.parent[a]!;
    } else {
      on.push(b);
      b = shape.parent[b]!;
    }
  }
  return { back, on: on.reverse() };
}
