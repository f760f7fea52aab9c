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

/** What is known of all properties at a place. */
interface Held {
  readonly violated: readonly number[];
  readonly inconclusive: readonly number[];
  /** Whether one of them was violated on the way. */
  readonly wasViolated: boolean;
}

const HOLDS: Held = { violated: [], inconclusive: [], wasViolated: false };

/** What is known after changes, those up to a count of instructions. */
function after(before: Held, changes: readonly VerdictChange[], count: number): Held {
  let held = before;
  for (const { property, place, verdict } of changes) {
    if (place.count > count) break;
    held = {
      violated: among(held.violated, property, verdict === "violated"),
      inconclusive: among(held.inconclusive, property, verdict === "inconclusive"),
      wasViolated: held.wasViolated || verdict === "violated",
    };
  }
  return held;
}

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
  const before: Held[] = [];
  const violated: (readonly number[])[] = [];
  const onTheWay = new Uint8Array(shape.size);
  for (let item = 0; item < shape.size; item++) {
    const above = shape.parent[item]!;
    const own = within.get(item) ?? [];
    // A way may branch off in the middle of a stretch: what comes after it there does not concern it.
    before[item] = above < 0 ? HOLDS : after(before[above]!, within.get(above) ?? [], model.items[item]!.count);
    const held = after(before[item]!, own, Infinity);
    violated[item] = held.violated;
    onTheWay[item] = held.wasViolated ? 1 : 0;
    const isKnown = !hidden.has(item) && (above < 0 || at[above] !== null || own.length > 0);
    at[item] = !isKnown ? null : held.violated.length > 0 ? "violated" : held.inconclusive.length > 0 ? "inconclusive" : "holds";
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
