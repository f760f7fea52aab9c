/**
 * Whether properties hold in the nodes of the tree.
 *
 * The debugger tells where verdicts change; a place has the verdict of the last change on the way to
 * it, and before any, a property holds. Places name nodes that the drawing may have folded into an
 * edge: these belong to the edge of the last node before them that is drawn.
 */
import type { VerdictChange, VerdictChangesView, VerdictView } from "../api";
import { splitPlace } from "../format/choices";
import type { Model } from "./model";

export interface Verdicts {
  /** What holds at the end of each item's stretch, all properties together; nothing where it is not known. */
  readonly at: readonly (VerdictView | null)[];
  /** The changes in each item's stretch, in the order in which they come. */
  readonly changes: ReadonlyMap<number, readonly VerdictChange[]>;
  /** The properties that are violated at the end of each item's stretch. */
  readonly violated: readonly (readonly number[])[];
  /** Items on a way to where a property is violated, or on from there. */
  readonly onTheWay: Uint8Array;
  /** Whether any property is violated anywhere. */
  readonly isViolated: boolean;
}

const NONE: readonly number[] = [];

export function verdictsOf(model: Model, { changes, unknown }: VerdictChangesView): Verdicts {
  const { shape } = model;
  const find = finder(model);
  const within = new Map<number, VerdictChange[]>();
  for (const change of changes) {
    const item = find(change.place.node);
    if (item === null) continue;
    const known = within.get(item);
    if (known === undefined) within.set(item, [change]);
    else known.push(change);
  }
  for (const found of within.values()) found.sort((a, b) => a.place.count - b.place.count);
  const hidden = new Set(unknown.map(find));
  const at: (VerdictView | null)[] = [];
  const violated: (readonly number[])[] = [];
  const inconclusive: (readonly number[])[] = [];
  const onTheWay = new Uint8Array(shape.size);
  for (let item = 0; item < shape.size; item++) {
    const above = shape.parent[item]!;
    violated[item] = above < 0 ? NONE : violated[above]!;
    inconclusive[item] = above < 0 ? NONE : inconclusive[above]!;
    if (above >= 0) onTheWay[item] = onTheWay[above]!;
    for (const { property, verdict } of within.get(item) ?? []) {
      violated[item] = among(violated[item]!, property, verdict === "violated");
      inconclusive[item] = among(inconclusive[item]!, property, verdict === "inconclusive");
      if (verdict === "violated") onTheWay[item] = 1;
    }
    const isKnown = !hidden.has(item) && (above < 0 || at[above] !== null || within.has(item));
    at[item] = !isKnown ? null : violated[item]!.length > 0 ? "violated" : inconclusive[item]!.length > 0 ? "inconclusive" : "holds";
  }
  const isViolated = onTheWay.includes(1);
  // Children come after their parents, so one walk back marks all that lead to something.
  for (let item = shape.size - 1; item > 0; item--) if (onTheWay[item] === 1) onTheWay[shape.parent[item]!] = 1;
  return { at, changes: within, violated, onTheWay, isViolated };
}

/** A list with a property, or without it; the same list if that is no change. */
function among(list: readonly number[], property: number, isIn: boolean): readonly number[] {
  if (list.includes(property) === isIn) return list;
  return isIn ? [...list, property] : list.filter((one) => one !== property);
}

/** Finds the item in whose stretch a node of the multiverse lies. */
function finder(model: Model): (node: string) => number | null {
  /** The items of each segment by their position in it. */
  const segments = new Map<string, { readonly at: number; readonly item: number }[]>();
  model.items.forEach(({ node }, item) => {
    if (splitPlace(node) === null) return;
    const [segment = "", at = ""] = node.split(".");
    const known = segments.get(segment);
    if (known === undefined) segments.set(segment, [{ at: Number(at), item }]);
    else known.push({ at: Number(at), item });
  });
  for (const found of segments.values()) found.sort((a, b) => a.at - b.at);
  return (node) => {
    const drawn = model.index.get(node);
    if (drawn !== undefined) return drawn;
    const [segment = "", at = ""] = node.split(".");
    const items = segments.get(segment) ?? [];
    const before = lastBefore(items, Number(at));
    if (before !== null) return before.item;
    // The beginning of the segment is folded into the edge before it.
    const above = items.length === 0 ? -1 : model.shape.parent[items[0]!.item]!;
    return above < 0 ? null : above;
  };
}

/** The last of a sorted list that is not after a position. */
function lastBefore<T extends { readonly at: number }>(sorted: readonly T[], position: number): T | null {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]!.at <= position) low = middle + 1;
    else high = middle;
  }
  return sorted[low - 1] ?? null;
}
