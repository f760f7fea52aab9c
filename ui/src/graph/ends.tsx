/** How universes end, how many ways lead there, and what was looked for: each is one click away. */
import type { EndView, FoundStates, GraphSummary } from "../api";
import { many } from "../format/values";
import { endWords, lookOf, variablesText, waysText, wayText, type Model } from "./model";
import { found, goTo, selected } from "./state";

export function Ends({ model }: { model: Model }) {
  const { summary } = model.view;
  return (
    <>
      <h3>
        {many(summary.ends.length, "end")}
        <span class="faint">{frontier(summary)}</span>
      </h3>
      <ul class="lines" aria-label="How universes end">
        {summary.ends.map((end) => (
          <End key={end.state} end={end} />
        ))}
        {summary.livelocks.map((livelock) => (
          <li key={livelock.states[0]}>
            <span class="badge trap">goes on for ever</span>
            <Go state={livelock.states[0]!} title={livelock.way.join("\n")}>
              {many(livelock.states.length, "state")} that lead to nothing else
            </Go>
          </li>
        ))}
      </ul>
    </>
  );
}

/** Whether these are all, so that what was not found differs from what was not looked at. */
function frontier(summary: GraphSummary): string {
  if (summary.complete) return "these are all";
  const reasons = summary.open.map(({ why, states }) => `${many(states, "state")}: ${why}`);
  if (summary.left_out.length > 0) reasons.push(`left out: ${summary.left_out.join(", ")}`);
  return `not complete${reasons.length === 0 ? "" : ` (${reasons.join("; ")})`}`;
}

function End({ end }: { end: EndView }) {
  const isWell = end.outcome.kind === "finished";
  const [word, detail] = endWords(end);
  const title = [end.outcome.text, variablesText(end), "", "Go there:", ...end.way].join("\n");
  return (
    <li class={selected.value === end.state ? "chosen-frame" : ""}>
      <span class={`badge ${isWell ? "end" : "trap"}`}>{word}</span>
      <Go state={end.state} title={title}>
        {detail}
      </Go>
      <span class="faint ways">{waysText(end)}</span>
    </li>
  );
}

function Go({ state, title, children }: { state: number; title: string; children: preact.ComponentChildren }) {
  return (
    <button type="button" class="link mono grow" title={title} onClick={() => void goTo(state)}>
      {children}
    </button>
  );
}

export function Found({ found: answer }: { found: FoundStates }) {
  return (
    <>
      <h3>
        {many(answer.number, "state")} of {answer.of}
        <span class="faint">
          {answer.complete ? "there are no others" : "not all states are known"}
          {answer.unclear > 0 && `; ${answer.unclear} cannot be told`}
        </span>
        <button type="button" class="link" onClick={() => (found.value = null)}>
          show the ends
        </button>
      </h3>
      <ul class="lines" aria-label="What was found">
        {answer.states.map(({ state, way }) => (
          <li key={state.id}>
            <span class={`sign state-${lookOf(state)}`} aria-hidden="true" />
            <Go state={state.id} title={`Go there:\n${way.join("\n")}`}>
              state {state.id}: {wayText(way, 3)}
            </Go>
            <span class="faint ways">{many(state.depth, "choice")}</span>
          </li>
        ))}
      </ul>
    </>
  );
}
