/** Exploring: bounds, progress, what was found, and taking it out again. */
import { useEffect, useRef, useState } from "preact/hooks";
import type { Exploration, Finding, Suggested } from "../api";
import { count, duration, many } from "../format/values";
import { addSuggested, removeSuggestions, slide, suggest, suggestMore } from "../state/actions";
import { close } from "../state/dialogs";
import { note } from "../state/notices";
import { names } from "../state/queries";
import { useQuery } from "../state/query";
import { activity, foundPaths, report } from "../state/session";
import { branchesOf, inputText, readingsOf, type Branch } from "./branches";
import { Field, useField } from "./form";

const number = (text: string, least = 1): number | undefined => {
  const value = Number(text);
  return text.trim() === "" || !Number.isFinite(value) || value < least ? undefined : Math.floor(value);
};

/** So many paths are added where there are more than somebody may want. */
const FEW = 50;

/** So many inputs of a path that was just found are listed, the last ones. */
const LAST = 20;

/** So many rows of what was found are shown. */
const ROWS = 200;

export function SuggestForm({ from }: { from: string | null }) {
  const [inputs, setInputs] = useField("");
  const [interrupts, setInterrupts] = useField("");
  const [paths, setPaths] = useField("");
  const [instructions, setInstructions] = useField("");
  const [seconds, setSeconds] = useField("");
  const [strategy, setStrategy] = useState("");
  const [towards, setTowards] = useField("");
  const [apart, setApart] = useState(false);
  const [coverage, setCoverage] = useState(false);
  const [solver, setSolver] = useState("");
  const known = useQuery(names).data;
  const solvers = known?.solvers ?? [];
  const usual = known?.usual;
  const [found, setFound] = useState<Suggested | null>(null);
  // What was found needs the room.
  const [showsBounds, setShowsBounds] = useState(true);

  // What is under way here; whoever closes the dialog has had enough of it.
  const stop = useRef<(() => void) | null>(null);
  useEffect(() => () => stop.current?.(), []);

  const explore = async (work: () => Promise<Suggested>) => {
    try {
      const result = work();
      stop.current = activity.value?.cancel ?? null;
      setFound(await result);
      setShowsBounds(false);
      note("info", summary(await result));
    } catch (error) {
      report(error);
    } finally {
      stop.current = null;
    }
  };
  const start = (event: Event) => {
    event.preventDefault();
    const bounds: Exploration = { apart, coverage, ...(from !== null && { from }) };
    const limits = { inputs: number(inputs), interrupts: number(interrupts, 0), paths: number(paths), instructions: number(instructions) };
    for (const [name, value] of Object.entries(limits)) if (value !== undefined) Object.assign(bounds, { [name]: value });
    const time = Number(seconds);
    if (Number.isFinite(time) && time > 0) bounds.milliseconds = Math.round(time * 1000);
    if (strategy !== "") bounds.strategy = strategy;
    if (towards.trim() !== "") bounds.towards = towards.trim();
    if (solver !== "") bounds.solver = solver;
    void explore(() => suggest(bounds));
  };
  const busy = activity.value !== null;
  return (
    <form onSubmit={start}>
      <h2>{from === null ? "Suggest paths" : `Suggest paths from ${from}`}</h2>
      {showsBounds && (
        <p>
          Find the future universes that differ in what the program does, each with all the values that lead there. They
          are added to the tree, from which those that nobody has visited can be removed again.
        </p>
      )}
      <div class="fields">
        <Field label="Inputs on one path" type="number" value={inputs} onInput={setInputs} placeholder={bound(usual?.inputs)} autofocus />
        {showsBounds ? (
          <>
            <Field label="Interrupts on one path" type="number" value={interrupts} onInput={setInterrupts} placeholder={bound(usual?.interrupts)} />
            <Field label="Paths" type="number" value={paths} onInput={setPaths} placeholder={bound(usual?.paths)} />
            <Field label="Instructions on one path" type="number" value={instructions} onInput={setInstructions} placeholder={bound(usual?.instructions)} />
            <Field label="Seconds" value={seconds} onInput={setSeconds} placeholder={bound(usual?.milliseconds, 1000)} />
            <label class="field">
              <span>Order</span>
              <select value={strategy} onChange={(event) => setStrategy(event.currentTarget.value)}>
                <option value="">breadth first</option>
                <option value="depth">depth first</option>
                <option value="fair">new and old by turns</option>
                <option value="coverage">what was not reached yet</option>
                <option value="random">random</option>
              </select>
            </label>
            {solvers.length > 0 && (
              <label class="field">
                <span>Solver</span>
                <select value={solver} onChange={(event) => setSolver(event.currentTarget.value)}>
                  <option value="">the built-in one alone</option>
                  {solvers.map((name) => (
                    <option key={name}>{name}</option>
                  ))}
                </select>
              </label>
            )}
            <Field label="Look for" value={towards} onInput={setTowards} placeholder="everything; or trap, a function, FILE:LINE" wide />
          </>
        ) : (
          <button type="button" class="link" onClick={() => setShowsBounds(true)}>
            All bounds
          </button>
        )}
      </div>
      {showsBounds && (
        <>
          <label class="check">
            <input type="checkbox" checked={!apart} onChange={(event) => setApart(!event.currentTarget.checked)} />
            Options that behave alike are one
          </label>
          <label class="check">
            <input type="checkbox" checked={coverage} onChange={(event) => setCoverage(event.currentTarget.checked)} />
            Note what is reached, for the pane Coverage
          </label>
        </>
      )}
      <Running />
      {found !== null && found.withheld > 0 && <Withheld found={found} onAdd={(limit) => void explore(() => addSuggested(limit))} />}
      {found !== null && found.leaves.length > 0 && <Found found={found} />}
      <div class="buttons">
        <button type="button" class="aside" disabled={busy} onClick={() => void removeSuggestions()}>
          Remove suggestions
        </button>
        {found?.stopped != null && (
          <button type="button" disabled={busy} onClick={() => void explore(suggestMore)}>
            Go on
          </button>
        )}
        <button type="button" onClick={close}>
          {found === null ? "Cancel" : "Close"}
        </button>
        <button type="submit" class="primary" disabled={busy}>
          Suggest
        </button>
      </div>
    </form>
  );
}

/** Paths as they are found. */
function Running() {
  const now = activity.value;
  const paths = foundPaths.value;
  if (now === null) return null;
  return (
    <div class="found">
      <div class="activity" role="status">
        <progress aria-label={now.title} />
        {many(Math.max(now.done, paths.length), "path")} so far
        <span class="grow" />
        <button type="button" onClick={() => now.cancel()}>
          Stop
        </button>
      </div>
      <ul class="lines">
        {paths.slice(-6).map((path, index) => (
          <li key={paths.length - index}>
            <span class={`badge ${badge(path.end)}`}>{path.text}</span>
            <span class="mono grow">{readingsOf(path.inputs.slice(-LAST))}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function badge(end: string): string {
  if (end === "cut") return "";
  return isFailure(end) ? "trap" : "end";
}

const isFailure = (end: string) => !["finished", "exited", "reached", "cut"].includes(end);

function summary(found: Suggested): string {
  if (found.leaves.length === 0 && found.withheld > 0) return `${many(found.withheld, "path")} found, none added`;
  const within = found.at_most === null ? "" : ` with ${found.at_most}`;
  const whole = found.complete ? `complete${within}` : "not complete";
  return `${many(found.paths, "path")}, ${whole}: ${many(found.choices, "choice")}, at most ${many(found.max_options, "option")}`;
}

/** The bound that holds where nothing is said. */
const bound = (value: number | null | undefined, parts = 1) => (value == null ? "" : count(value / parts));

/** There is more than somebody may want in the tree. */
function Withheld({ found, onAdd }: { found: Suggested; onAdd(limit: number | null): void }) {
  const busy = activity.value !== null;
  const isFirst = found.leaves.length === 0;
  return (
    <div class="found withheld" role="region" aria-label="How many there are">
      <strong>
        {isFirst ? "This would add" : "There are"} {many(found.withheld, isFirst ? "path" : "more path")}.
      </strong>
      <span class="row">
        <button type="button" disabled={busy} onClick={() => onAdd(null)}>
          Add all
        </button>
        {isFirst && (
          <button type="button" disabled={busy} onClick={() => onAdd(FEW)}>
            Add the first {FEW}
          </button>
        )}
        <span class="faint">or explore fewer inputs.</span>
      </span>
    </div>
  );
}

function Found({ found }: { found: Suggested }) {
  const go = (place: string) => {
    close();
    void slide(place);
  };
  const rows = branchesOf(found);
  return (
    <div class="found" role="region" aria-label="What was found">
      <strong>{summary(found)}</strong>
      <span class="faint">
        {count(found.instructions)} instructions in {duration(found.microseconds)}
        {found.stopped !== null && `; stopped: ${found.stopped}`}
        {found.left_out.length > 0 && `; left out: ${found.left_out.join(", ")}`}
        {found.inexact > 0 && `; no time to find out all values that lead to ${many(found.inexact, "path")}`}
        {found.untold > 0 && `; not told for want of time: ${many(found.untold, "path")}`}
      </span>
      {found.findings.length > 0 && (
        <ul class="lines" aria-label="What can go wrong">
          {found.findings.map((finding) => (
            <Wrong key={finding.path} finding={finding} onGo={() => go(found.leaves[finding.path]!.place.text)} />
          ))}
        </ul>
      )}
      <ul class="lines branches" aria-label="The paths">
        {rows.slice(0, ROWS).map((row, index) => (
          <Row key={index} row={row} onGo={go} />
        ))}
        {rows.length > ROWS && <li class="faint">… {many(rows.length - ROWS, "more row")}; the tree has all of them</li>}
      </ul>
    </div>
  );
}

/** Something that goes wrong at one place of the program, on one path or several. */
function Wrong({ finding, onGo }: { finding: Finding; onGo(): void }) {
  const place = finding.at?.location?.replace(/:\d+$/, "") ?? finding.at?.function;
  return (
    <li>
      <span class="badge trap">{finding.text}</span>
      <span class="mono grow" title={finding.at?.source ?? undefined}>
        {place}
        {finding.paths > 1 && <span class="faint"> on {many(finding.paths, "path")}</span>}
        {finding.inputs.length > 0 && (
          <span class="faint"> with {finding.inputs.map(inputText).join(", ")}</span>
        )}
      </span>
      <button type="button" class="link" onClick={onGo}>
        go there
      </button>
    </li>
  );
}

function Row({ row, onGo }: { row: Branch; onGo(place: string): void }) {
  return (
    <li class="branch">
      <span class="indent" ref={(indent) => indent?.style.setProperty("width", `${Math.min(row.depth, 20) * 16}px`)} />
      <span class="mono grow">
        {row.call !== null && <span class="soft">{row.call} </span>}
        <strong>{row.values}</strong>
        {row.because.length > 0 && <span class="faint"> {row.because.join(", ")}</span>}
      </span>
      {row.ends.map((leaf) => (
        <span key={leaf.place.text} class={`badge ${badge(leaf.end)}`}>
          {leaf.kind === "input bound" ? "… more inputs here" : leaf.text}
        </span>
      ))}
      {row.node !== null && (
        <button type="button" class="link mono" onClick={() => onGo(row.node!)}>
          {row.node}
        </button>
      )}
    </li>
  );
}
