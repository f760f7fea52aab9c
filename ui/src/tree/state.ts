/** What the tree pane knows: the multiverse, what is chosen, folded and looked for. */
import { computed, effect, signal } from "@preact/signals";
import { compare } from "../panes/compared";
import { verdictChanges } from "../properties/changes";
import { properties } from "../state/queries";
import { query } from "../state/query";
import { ask, revision, sprouting, standing } from "../state/session";
import { START, type Camera } from "./camera";
import { nearestShown, showing, type Shown } from "./fold";
import type { Placement } from "./layout";
import { Growth, type Grown } from "./growth";
import { EMPTY, along, levelsOf, modelOf, type Item, type Model } from "./model";
import { placeLater, placeNow } from "./placing";
import { pathTo } from "./shape";
import { LIVELY, sprouted } from "./sprouts";
import { verdictsOf, type Verdicts } from "./verdicts";
import { find } from "./walk";

const growth = new Growth();
let known: { grown: Grown; model: Model } | null = null;

/** What is different since the last time is asked for; a tree that has not changed stays the same. */
export const tree = query(
  () => true,
  async () => {
    const asOf = revision.peek();
    const grown = growth.apply(await ask({ request: "tree-changes", since: growth.revision }));
    if (known?.grown !== grown) known = { grown, model: modelOf(grown) };
    return { ...known, asOf };
  },
  () => (known?.grown.nodes.length ?? 0) <= LIVELY,
);

/** The tree, with what exploring is finding until it is a part of it. */
export const model = computed<Model>(() => {
  const now = tree.answer.value.data;
  if (now === null) return EMPTY;
  const sprouts = sprouting.value;
  if (sprouts?.revision !== now.asOf || now.grown.nodes.length > LIVELY) return now.model;
  return modelOf(sprouted(now.grown, sprouts.from, sprouts.paths));
});

/** Whether properties hold in the nodes; nothing as long as none is loaded. */
export const verdicts = computed<Verdicts | null>(() => {
  const changes = verdictChanges.answer.value.data;
  if (changes === null || (properties.answer.value.data ?? []).length === 0) return null;
  return verdictsOf(model.value, changes);
});

/** Whether only universes that violate a property are shown. */
export const onlyViolating = signal(false);
const wanted = computed(() => (onlyViolating.value && verdicts.value?.isViolated === true ? verdicts.value.onTheWay : null));

/** Names of the nodes whose subtrees are folded. */
export const folded = signal<ReadonlySet<string>>(new Set());
/** The name of the node that is chosen. */
export const selected = signal<string | null>(null);
export const hovered = signal<number | null>(null);
export const camera = signal<Camera>(START);
/** Whether the drawing keeps itself in view; until somebody moves it, and again when it is fitted. */
export const follows = signal(true);
export const searched = signal("");
/** A menu about a node, at a point of the window: what can be done, or the bookmarks to compare it with. */
export const menu = signal<{ readonly x: number; readonly y: number; readonly node: string; readonly ofBookmarks?: boolean } | null>(null);

export interface Laid {
  readonly model: Model;
  readonly shown: Shown;
  readonly placement: Placement;
}

/** The tree with its places; the one before stays until a large one has been laid out. */
export const laid = signal<Laid | null>(null);

let ordered = 0;
effect(() => {
  const now = model.value;
  const shown = showing(now, folded.value, wanted.value);
  const order = ++ordered;
  const placement = placeNow(shown.shape);
  if (placement !== null) {
    laid.value = { model: now, shown, placement };
    return;
  }
  void placeLater(shown.shape).then((later) => {
    if (order === ordered) laid.value = { model: now, shown, placement: later };
  });
});

/** What is read at each depth, where that is the same in all universes that are shown. */
export const levels = computed(() => (laid.value === null ? [] : levelsOf(laid.value.model, laid.value.shown)));

export const found = computed(() => find(model.value, searched.value));

/** The shown node of the session's place, and how far along its edge the place is. */
export const here = computed(() => {
  const [now, at] = [laid.value, standing.value];
  if (now === null || at === null) return null;
  const item = now.model.index.get(at.place.node);
  if (item === undefined) return null;
  const node = now.shown.at[item]!;
  if (node < 0) return { node: nearestShown(now.model, now.shown, item), along: 1 };
  return { node, along: along(now.model.items[item]!, at.place.count) };
});

/** Shown nodes on the way to where the session stands. */
export const way = computed(() => {
  const now = laid.value;
  const marks = new Uint8Array(now?.shown.shape.size ?? 0);
  const at = here.value;
  if (now !== null && at !== null) for (const node of pathTo(now.shown.shape, at.node)) marks[node] = 1;
  return marks;
});

/** Compares a node with the one that is chosen, or with where the session stands. */
export function compareNode(item: Item): void {
  const chosen = selected.value === null ? undefined : model.value.index.get(selected.value);
  const other = chosen === undefined ? null : model.value.items[chosen]!;
  if (other === null || other.node === item.node) compare(item.place);
  else compare(other.place, item.place);
}

export function toggleFold(node: string): void {
  const next = new Set(folded.value);
  if (!next.delete(node)) next.add(node);
  folded.value = next;
}
