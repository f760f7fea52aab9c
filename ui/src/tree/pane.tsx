/** The multiverse: a drawing or a list, with what is known about the chosen node. */
import { useEffect, useState } from "preact/hooks";
import type { JourneyView } from "../api";
import { IconButton } from "../chrome/button";
import { copyLink } from "../chrome/link-to-here";
import { count, many } from "../format/values";
import { sentences } from "../dialogs/branches";
import { Menu } from "../editor/menu";
import { compare } from "../panes/compared";
import { Failed } from "../panes/parts";
import { verdictChanges } from "../properties/changes";
import { removeSuggestions, slide } from "../state/actions";
import { open } from "../state/dialogs";
import { treeAsList } from "../state/preferences";
import { bookmarks, properties } from "../state/queries";
import { useQuery } from "../state/query";
import { ask, position, revision } from "../state/session";
import { fitTree, revealNode, TreeCanvas, zoomBy } from "./canvas";
import { Legend } from "./legend";
import { Outcome, TreeList, Violated } from "./list";
import { describe, summary } from "./model";
import { folded, found, here, laid, menu, onlyViolating, searched, selected, toggleFold, tree, verdicts } from "./state";

export function TreePane() {
  const { error } = useQuery(tree);
  useQuery(properties);
  useQuery(verdictChanges);
  return (
    <div class="pane tree-pane">
      <Bar />
      {error !== null && <Failed text={error} />}
      {treeAsList.value ? <TreeList /> : <TreeCanvas />}
      <Beginning />
      {!treeAsList.value && <Legend />}
      <Chosen />
      <NodeMenu />
    </div>
  );
}

/** What can be done with a node, where somebody has asked for it. */
function NodeMenu() {
  const at = menu.value;
  const now = laid.value;
  const named = useQuery(bookmarks).data ?? [];
  const item = at === null ? undefined : now?.model.index.get(at.node);
  if (at === null || item === undefined) return null;
  const { node, place } = now!.model.items[item]!;
  const close = () => (menu.value = null);
  if (at.ofBookmarks === true) {
    const items = named.map(({ name }) => ({ title: `Compare with ★ ${name}`, run: () => compare(place, name) }));
    return <Menu key="bookmarks" x={at.x} y={at.y} items={items} onClose={close} />;
  }
  const items = [
    { title: "Slide", run: () => slide(place) },
    { title: "Suggest from here…", run: () => open({ kind: "suggest", from: place }) },
    { title: "Remove suggestions from here on", run: () => removeSuggestions(node) },
    { title: "Remove all suggestions", run: () => removeSuggestions() },
    { title: "Compare with where I am", run: () => compare(place) },
    ...(named.length > 0 ? [{ title: "Compare with bookmark…", run: () => (menu.value = { ...at, ofBookmarks: true }) }] : []),
    { title: "Bookmark…", run: () => open({ kind: "bookmark", place }) },
  ];
  return <Menu key="node" x={at.x} y={at.y} items={items} onClose={close} />;
}

/** What there is to do as long as there is one universe without a choice. */
function Beginning() {
  if (laid.value?.model.nodes !== 1 || position.value?.ended != null) return null;
  return (
    <p class="beginning soft">
      <kbd>F5</kbd> runs the program, <kbd>S</kbd> suggests the paths that it can take.
    </p>
  );
}

function Bar() {
  const now = laid.value;
  const [at, setAt] = useState(0);
  const matches = found.value;
  const goTo = (index: number) => {
    if (now === null || matches.length === 0) return;
    const next = (index + matches.length) % matches.length;
    setAt(next);
    const item = matches[next]!;
    selected.value = now.model.items[item]!.node;
    const node = now.shown.at[item]!;
    if (node >= 0) revealNode(now, node);
  };
  const toHere = () => {
    if (now === null || here.value === null) return;
    if (treeAsList.value) selected.value = now.model.items[now.shown.items[here.value.node]!]!.node;
    else revealNode(now, here.value.node, here.value.along);
  };
  return (
    <div class="bar">
      <label class="search">
        <span class="hidden-label">Search the tree</span>
        <input
          class="tree-search"
          type="search"
          placeholder="Search the tree"
          value={searched.value}
          onInput={(event) => {
            searched.value = event.currentTarget.value;
            setAt(0);
          }}
          onKeyDown={(event) => {
            if (event.key === "Enter") goTo(selected.value === null ? 0 : event.shiftKey ? at - 1 : at + 1);
          }}
        />
      </label>
      {searched.value.trim() !== "" && <span class="soft">{matches.length === 0 ? "nothing" : many(matches.length, "match", "matches")}</span>}
      <span class="grow" />
      {now !== null && <span class="soft count">{many(now.model.nodes, "node")}{now.model.truncated && ", not all shown"}</span>}
      {verdicts.value?.isViolated === true && (
        <IconButton
          icon="violated"
          label="Only universes that violate a property"
          pressed={onlyViolating.value}
          onClick={() => (onlyViolating.value = !onlyViolating.value)}
        />
      )}
      {!treeAsList.value && (
        <>
          <IconButton icon="minus" label="Zoom out" onClick={() => zoomBy(0.8)} />
          <IconButton icon="plus" label="Zoom in" onClick={() => zoomBy(1.25)} />
          <IconButton icon="fit" label="Fit the whole tree" onClick={fitTree} />
        </>
      )}
      <IconButton icon="here" label="Show where I am" onClick={toHere} />
      <IconButton
        icon={treeAsList.value ? "tree" : "list"}
        label={treeAsList.value ? "Show the tree as a drawing" : "Show the tree as a list"}
        onClick={() => (treeAsList.value = !treeAsList.value)}
      />
    </div>
  );
}

/** What is known about the chosen node, and what going there takes. */
function Chosen() {
  const now = laid.value;
  const name = selected.value;
  const item = name === null || now === null ? undefined : now.model.index.get(name);
  const one = item === undefined ? undefined : now!.model.items[item]!;
  const place = one?.place ?? null;
  const [plan, setPlan] = useState<JourneyView | null>(null);
  const [because, setBecause] = useState<readonly string[]>([]);
  const version = revision.value;
  useEffect(() => {
    setPlan(null);
    if (place === null) return;
    let wanted = true;
    ask({ request: "plan", to: place }).then(
      (planned) => wanted && setPlan(planned),
      () => undefined,
    );
    // The drawing may know it; otherwise it is found out.
    setBecause(one?.because == null ? [] : [one.because]);
    if (one?.because == null && one?.visited === true && one.value !== null) {
      ask({ request: "why", place: one.node }).then(
        (why) => wanted && setBecause(sentences(why.conditions)),
        () => undefined,
      );
    }
    return () => {
      wanted = false;
    };
  }, [place, version]);
  if (name === null || now === null || item === undefined || one === undefined || place === null) {
    return (
      <div class="chosen soft" role="status">
        Click a node to see what leads there; double click slides to it, Ctrl and a click compares two.
      </div>
    );
  }
  const hasMore = now.model.shape.first[item]! >= 0;
  return (
    <div class="chosen" role="status">
      <div class="grow about">
        <strong class="mono" title={describe(one)}>{summary(one)}</strong>
        {because.length > 0 && (
          <span class="mono" title={because.join("\n")}>
            {because.join(", ")}
          </span>
        )}
        <span class="soft" title={plan === null ? undefined : `Going there undoes ${many(plan.undone, "change")} and replays ${many(plan.replayed, "instruction")}`}>
          {one.end !== null && <Outcome item={one} />}
          <Violated item={item} />
          {plan !== null && plan.irreversible.length > 0 && (
            <span class="badge trap">{many(plan.irreversible.length, "output")} cannot be undone</span>
          )}{" "}
          {place}
          {plan !== null && ` · undoes ${count(plan.undone)}, replays ${count(plan.replayed)}`}
          {one.length !== null && ` · ${many(one.length, "instruction")}`}
        </span>
      </div>
      <button type="button" class="primary" onClick={() => void slide(place)}>
        Slide
      </button>
      {one.open && <IconButton icon="suggest" label="More from here" onClick={() => open({ kind: "suggest", from: place })} />}
      {!one.visited && <IconButton icon="trash" label="Remove suggestions from here on" onClick={() => removeSuggestions(name)} />}
      {hasMore && (
        <IconButton
          icon={folded.value.has(name) ? "unfold" : "fold"}
          label={folded.value.has(name) ? "Unfold what follows" : "Fold what follows"}
          onClick={() => toggleFold(name)}
        />
      )}
      <IconButton icon="compare" label="Compare with where I am" onClick={() => compare(place)} />
      <IconButton icon="bookmark" label="Bookmark this node" onClick={() => open({ kind: "bookmark", place })} />
      <IconButton icon="link" label="Copy a link to this node" onClick={() => copyLink(place)} />
    </div>
  );
}
