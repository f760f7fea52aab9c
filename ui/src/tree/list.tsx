/** The same tree as a list, for keyboards and screen readers; only the rows in view exist. */
import { useEffect, useRef } from "preact/hooks";
import { VERDICTS } from "../properties/model";
import { slide } from "../state/actions";
import { properties } from "../state/queries";
import { describe, outcome, summary, type Item } from "./model";
import { useView } from "./rows";
import { compareNode, folded, here, laid, menu, selected, toggleFold, verdicts, way } from "./state";

const ROW = 28;
const AROUND = 12;

export function TreeList() {
  const now = laid.value;
  const element = useRef<HTMLDivElement>(null);
  const view = useView(element);
  const size = now?.shown.shape.size ?? 0;
  const chosenItem = selected.value === null || now === null ? undefined : now.model.index.get(selected.value);
  const chosen = chosenItem === undefined ? (here.value?.node ?? 0) : Math.max(0, now!.shown.at[chosenItem]!);
  useEffect(() => {
    const host = element.current!;
    const top = chosen * ROW;
    if (top < host.scrollTop) host.scrollTop = top;
    else if (top + ROW > host.scrollTop + host.clientHeight) host.scrollTop = top + ROW - host.clientHeight;
  }, [chosen]);
  const first = Math.max(0, Math.floor(view.top / ROW) - AROUND);
  const last = Math.min(size, Math.ceil((view.top + view.height) / ROW) + AROUND);
  const nameOf = (node: number) => now!.model.items[now!.shown.items[node]!]!.node;
  const press = (event: KeyboardEvent) => {
    if (now === null || size === 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    const { parent, first: children } = now.shown.shape;
    const choose = (node: number) => (selected.value = nameOf(Math.max(0, Math.min(size - 1, node))));
    const isFolded = folded.value.has(nameOf(chosen));
    if (event.key === "ArrowDown") choose(chosen + 1);
    else if (event.key === "ArrowUp") choose(chosen - 1);
    else if (event.key === "Home") choose(0);
    else if (event.key === "End") choose(size - 1);
    else if (event.key === "ArrowRight") isFolded ? toggleFold(nameOf(chosen)) : children[chosen]! >= 0 && choose(children[chosen]!);
    else if (event.key === "ArrowLeft") !isFolded && children[chosen]! >= 0 ? toggleFold(nameOf(chosen)) : choose(parent[chosen]!);
    else if (event.key === "Enter") void slide(now.model.items[now.shown.items[chosen]!]!.place);
    else return;
    event.preventDefault();
  };
  const rows = [];
  for (let node = first; node < last && now !== null; node++) rows.push(<Row key={nameOf(node)} node={node} chosen={node === chosen} />);
  return (
    <div
      class="tree-list"
      ref={element}
      role="tree"
      aria-label="The multiverse"
      tabIndex={0}
      aria-activedescendant={size === 0 ? undefined : `tree-row-${chosen}`}
      onKeyDown={press}
    >
      <div class="space" ref={(space) => space?.style.setProperty("height", `${size * ROW}px`)} role="presentation">
        <div class="window" ref={(window) => window?.style.setProperty("transform", `translateY(${first * ROW}px)`)} role="presentation">
          {rows}
        </div>
      </div>
    </div>
  );
}

/** Whether properties are violated at the end of an item's stretch, or something is still to come there. */
export function Violated({ item }: { item: number }) {
  const verdict = verdicts.value?.at[item] ?? null;
  if (verdict === null || verdict === "holds") return null;
  const names = verdicts.value!.violated[item]!.map((id) => (properties.answer.value.data ?? []).find((one) => one.id === id)?.name ?? id);
  const { words, look } = VERDICTS[verdict];
  return (
    <span class={`badge ${look}`} title={names.join(", ")}>
      {names.length === 0 ? words : `violates ${names.join(", ")}`}
    </span>
  );
}

/** How the universe ended. */
export function Outcome({ item }: { item: Item }) {
  return <span class={`badge ${item.kind === "finished" ? "end" : "trap"}`}>{outcome(item)}</span>;
}

function Row({ node, chosen }: { node: number; chosen: boolean }) {
  const { model, shown } = laid.value!;
  const item = model.items[shown.items[node]!]!;
  const depth = shown.shape.depth[node]!;
  const isFolded = shown.hidden[node]! > 0;
  const hasMore = isFolded || shown.shape.first[node]! >= 0;
  const isHere = here.value?.node === node;
  return (
    <div
      id={`tree-row-${node}`}
      role="treeitem"
      aria-level={depth + 1}
      aria-selected={chosen}
      aria-expanded={hasMore ? !isFolded : undefined}
      aria-current={isHere ? "location" : undefined}
      class={`tree-row ${item.kind} ${item.visited ? "" : "suggested"} ${way.value[node] === 1 ? "way" : ""}`}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey) compareNode(item);
        else selected.value = item.node;
      }}
      onDblClick={() => void slide(item.place)}
      onContextMenu={(event) => {
        event.preventDefault();
        selected.value = item.node;
        menu.value = { x: event.clientX, y: event.clientY, node: item.node };
      }}
    >
      <span class="indent" ref={(indent) => indent?.style.setProperty("width", `${Math.min(depth, 40) * 12}px`)} />
      <button
        type="button"
        class="plain opener"
        tabIndex={-1}
        aria-hidden="true"
        onClick={(event) => {
          event.stopPropagation();
          if (hasMore) toggleFold(item.node);
        }}
      >
        {hasMore ? (isFolded ? "▸" : "▾") : ""}
      </button>
      <span class="sign" aria-hidden="true" />
      <span class="mono" title={describe(item)}>{summary(item)}</span>
      <span class="grow" />
      {isHere && <span class="badge past">you are here</span>}
      <Violated item={shown.items[node]!} />
      {item.end !== null && <Outcome item={item} />}
      <span class="mono faint">{item.node}</span>
    </div>
  );
}
