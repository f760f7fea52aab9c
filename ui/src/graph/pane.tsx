/** All universes as a graph: states that are equal are one, and every end is one click away. */
import { useState } from "preact/hooks";
import { actors } from "../actors/state";
import { IconButton } from "../chrome/button";
import { many } from "../format/values";
import { Empty } from "../panes/parts";
import { useQuery } from "../state/query";
import { activity, hasActors } from "../state/session";
import { fitGraph, GraphCanvas, zoomGraph } from "./canvas";
import { Ends, Found } from "./ends";
import { counts, describe, wayText, type Look } from "./model";
import { drawGraph, expand, findStates, found, goTo, hovered, model, selected, STATES } from "./state";

export function GraphPane() {
  const now = model.value;
  return (
    <div class="pane graph-pane">
      <Wanted />
      {now === null ? (
        <Empty title="No graph has been drawn">
          All universes as one graph: states that are equal are one, whatever led there, and it is said how they can end.
        </Empty>
      ) : (
        <>
          <Query />
          <GraphCanvas />
          <Chosen />
          <div class="graph-ends" tabIndex={0} role="region" aria-label="Ends">
            {found.value === null ? <Ends model={now} /> : <Found found={found.value} />}
          </div>
        </>
      )}
    </div>
  );
}

/** What is to be drawn. */
function Wanted() {
  const [from, setFrom] = useState<"start" | "here">("start");
  const [limit, setLimit] = useState(String(STATES));
  const [depth, setDepth] = useState("");
  const [stop, setStop] = useState("");
  const start = (event: Event) => {
    event.preventDefault();
    const states = Math.max(1, Math.floor(Number(limit)) || STATES);
    const turnOf = stop.startsWith("turn ") ? stop.slice(5) : null;
    const choices = Math.floor(Number(depth));
    void drawGraph({ from, limit: states, depth: choices > 0 ? choices : null, breakpoints: stop === "breakpoints", turnOf });
  };
  return (
    <form class="bar" onSubmit={start}>
      <button type="submit" class="primary" disabled={activity.value !== null}>
        Draw
      </button>
      <select aria-label="From where" value={from} onChange={(event) => setFrom(event.currentTarget.value as "start" | "here")}>
        <option value="start">from the start</option>
        <option value="here">from here</option>
      </select>
      <input
        class="limit"
        type="number"
        min="1"
        aria-label="States at most"
        title="So many states at most"
        value={limit}
        onInput={(event) => setLimit(event.currentTarget.value)}
      />
      <input
        class="limit"
        type="number"
        min="1"
        aria-label="Choices at most"
        title="So many choices from there on; all, if nothing is said"
        placeholder="all"
        value={depth}
        onInput={(event) => setDepth(event.currentTarget.value)}
      />
      <select class="grow" aria-label="Where universes halt" value={stop} onChange={(event) => setStop(event.currentTarget.value)}>
        <option value="">to every end</option>
        <option value="breakpoints">halt at breakpoints</option>
        {hasActors.value && <Turns />}
      </select>
    </form>
  );
}

/** Everybody at whose next turn universes can halt. */
function Turns() {
  const all = useQuery(actors).data?.actors ?? [];
  return (
    <>
      {all.map((actor) => (
        <option key={actor.id} value={`turn ${actor.name}`}>
          halt at the next turn of {actor.name}
        </option>
      ))}
    </>
  );
}

/** Looks for states. */
function Query() {
  const [text, setText] = useState("");
  return (
    <form
      class="bar"
      onSubmit={(event) => {
        event.preventDefault();
        void findStates(text);
      }}
    >
      <input
        class="mono grow"
        type="search"
        aria-label="Find states"
        placeholder={`states with, say, ${hasActors.value ? "math: result == 66" : "sum == 5"}`}
        value={text}
        onInput={(event) => {
          setText(event.currentTarget.value);
          if (event.currentTarget.value === "") found.value = null;
        }}
      />
      <button type="submit" disabled={activity.value !== null}>
        Find
      </button>
      <IconButton icon="minus" label="Zoom the graph out" onClick={() => zoomGraph(0.8)} />
      <IconButton icon="plus" label="Zoom the graph in" onClick={() => zoomGraph(1.25)} />
      <IconButton icon="fit" label="Fit the whole graph" onClick={fitGraph} />
    </form>
  );
}

const SIGNS: readonly (readonly [Look, string])[] = [
  ["running", "running"],
  ["halted", "halted"],
  ["finished", "finished"],
  ["failed", "ended otherwise"],
  ["open", "not explored further"],
];

/** What colours and shapes mean, and how many states there are of each. */
function Legend() {
  const of = counts(model.value!);
  return (
    <ul class="legend" aria-label="How many states there are">
      {SIGNS.filter(([look]) => of[look] > 0).map(([look, words]) => (
        <li key={look}>
          <span class={`sign state-${look}`} aria-hidden="true" />
          {of[look]} {words}
        </li>
      ))}
    </ul>
  );
}

/** What is known about the state that is chosen, or pointed at. */
function Chosen() {
  const now = model.value!;
  const at = hovered.value ?? selected.value;
  const { summary } = now.view;
  if (at === null || now.view.states[at] === undefined) {
    return (
      <div class="about-turn soft" role="status">
        <Legend />
        <span>
          {many(summary.states, "state")}, {many(summary.edges, "step")} from {summary.from.text} on. A double click goes to one.
        </span>
      </div>
    );
  }
  const text = describe(now, at);
  return (
    <div class="about-turn with-button" role="status">
      <span class="about">
        <span class="mono" title={text}>
          {text}
        </span>
        <span class="soft" title={wayTo(at).join("\n")}>
          {wayText(wayTo(at), 3)}
        </span>
      </span>
      {selected.value !== null && (
        <>
          {isOpen(selected.value) && <Expand state={selected.value} />}
          <button type="button" class="primary" onClick={() => void goTo(selected.value!)}>
            Go there
          </button>
        </>
      )}
    </div>
  );
}

/** Whether something comes after a state that was not explored. */
function isOpen(state: number): boolean {
  const look = model.value!.looks[state];
  return look === "open" || look === "halted";
}

/** Shows more of the graph, from the state that is chosen on. */
function Expand({ state }: { state: number }) {
  const [depth, setDepth] = useState("1");
  const disabled = activity.value !== null;
  return (
    <form
      class="bar"
      onSubmit={(event) => {
        event.preventDefault();
        void expand(state, Math.max(1, Math.floor(Number(depth)) || 1));
      }}
    >
      <input
        class="limit"
        type="number"
        min="1"
        aria-label="Choices to show"
        title="So many choices from this state on"
        value={depth}
        onInput={(event) => setDepth(event.currentTarget.value)}
      />
      <button type="submit" disabled={disabled}>
        Expand
      </button>
    </form>
  );
}

/** What is decided on the shortest way to a state. */
function wayTo(state: number): string[] {
  const { view, into } = model.value!;
  const way: string[] = [];
  for (let at = state; view.states[at]!.parent !== null; at = view.states[at]!.parent!) {
    const { parent } = view.states[at]!;
    const edge = into[at]!.map((index) => view.edges[index]!).find((one) => one.from === parent);
    if (edge !== undefined && edge.kind !== "step") way.push(edge.label);
  }
  return way.reverse();
}
