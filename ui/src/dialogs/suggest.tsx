/** Exploring from here: bounds, progress, what was found. */
import { useEffect, useRef, useState } from "preact/hooks";
import type { Exploration, Suggested } from "../api";
import { classText, count, duration, many } from "../format/values";
import { slide, suggest, suggestMore } from "../state/actions";
import { close } from "../state/dialogs";
import { note } from "../state/notices";
import { names } from "../state/queries";
import { useQuery } from "../state/query";
import { activity, foundPaths, report } from "../state/session";
import { Field, useField } from "./form";

const number = (text: string): number | undefined => {
  const value = Number(text);
  return text.trim() === "" || !Number.isFinite(value) || value <= 0 ? undefined : Math.floor(value);
};

export function SuggestForm() {
  const [inputs, setInputs] = useField("");
  const [paths, setPaths] = useField("");
  const [instructions, setInstructions] = useField("");
  const [seconds, setSeconds] = useField("10");
  const [strategy, setStrategy] = useState("");
  const [towards, setTowards] = useField("");
  const [merge, setMerge] = useState(false);
  const [coverage, setCoverage] = useState(false);
  const [solver, setSolver] = useState("");
  const solvers = useQuery(names).data?.solvers ?? [];
  const [found, setFound] = useState<Suggested | null>(null);

  // What is under way here; whoever closes the dialog has had enough of it.
  const stop = useRef<(() => void) | null>(null);
  useEffect(() => () => stop.current?.(), []);

  const explore = async (work: () => Promise<Suggested>) => {
    try {
      const result = work();
      stop.current = activity.value?.cancel ?? null;
      setFound(await result);
      note("info", summary(await result));
    } catch (error) {
      report(error);
    } finally {
      stop.current = null;
    }
  };
  const start = (event: Event) => {
    event.preventDefault();
    const bounds: Exploration = { merge, coverage };
    const limits = { inputs: number(inputs), paths: number(paths), instructions: number(instructions) };
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
      <h2>Suggest paths</h2>
      <p>
        Find the future universes that differ in what the program does, each with all the values that lead there. They
        are added to the tree; nothing that is there goes away.
      </p>
      <div class="fields">
        <Field label="Inputs on one path" type="number" value={inputs} onInput={setInputs} placeholder="as usual" autofocus />
        <Field label="Paths" type="number" value={paths} onInput={setPaths} placeholder="as usual" />
        <Field label="Instructions on one path" type="number" value={instructions} onInput={setInstructions} placeholder="as usual" />
        <Field label="Seconds" value={seconds} onInput={setSeconds} />
        <label class="field">
          <span>Order</span>
          <select value={strategy} onChange={(event) => setStrategy(event.currentTarget.value)}>
            <option value="">new and old by turns</option>
            <option value="depth">depth first</option>
            <option value="breadth">breadth first</option>
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
        <Field label="Look for" value={towards} onInput={setTowards} placeholder="everything; or trap, a function" />
      </div>
      <label class="check">
        <input type="checkbox" checked={merge} onChange={(event) => setMerge(event.currentTarget.checked)} />
        Show options that behave alike as one
      </label>
      <label class="check">
        <input type="checkbox" checked={coverage} onChange={(event) => setCoverage(event.currentTarget.checked)} />
        Note what is reached, for the pane Coverage
      </label>
      <Running />
      {found !== null && <Found found={found} />}
      <div class="buttons">
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
            <span class="mono grow">{path.inputs.map((input) => `${input.call} = ${input.values ?? input.value}`).join(", ")}</span>
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
  const whole = found.complete ? "complete" : "not complete";
  return `${many(found.paths, "path")}, ${whole}: ${many(found.choices, "choice")}, at most ${many(found.max_options, "option")}`;
}

function Found({ found }: { found: Suggested }) {
  const failures = found.leaves.filter((leaf) => isFailure(leaf.end) || leaf.end === "reached");
  const go = (place: string) => {
    close();
    void slide(place);
  };
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
      {failures.length > 0 && (
        <ul class="lines">
          {failures.slice(0, 20).map((leaf) => (
            <li key={leaf.place.text}>
              <span class={`badge ${badge(leaf.end)}`}>{leaf.text}</span>
              <button type="button" class="link" onClick={() => go(leaf.place.text)}>
                go there
              </button>
            </li>
          ))}
        </ul>
      )}
      <ul class="lines options">
        {found.options.slice(0, 60).map((option, index) => (
          <li key={index} class="mono" title={option.boundaries.length === 0 ? undefined : `also try ${option.boundaries.join(", ")}`}>
            <span class="grow">
              {option.call} = {option.any ? "any value" : option.values === null ? option.value : classText(option.values)}
            </span>
            {option.node !== null && (
              <button type="button" class="link" onClick={() => go(option.node!)}>
                {option.node}
              </button>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}
