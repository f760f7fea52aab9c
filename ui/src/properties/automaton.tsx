/** The automaton of a property: where its slices are, and how they came there. */
import { signal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { AutomatonView } from "../api";
import { IconButton } from "../chrome/button";
import { count } from "../format/values";
import { visible } from "../format/visible";
import { draw, LINE, shapeKey, type Box, type Drawing, type Way } from "./layout";
import { describeState, describeTransition, lookOf, LOOKS } from "./model";
import { searchSlices } from "./state";

/** A part of the drawing: states first, then transitions. */
type Part = number;

/** The part that is pointed at, and the one that keys have come to. */
const pointed = signal<Part | null>(null);
const focused = signal<Part>(0);
/** Whether all of it is in view, instead of legible from near. */
const fits = signal(true);

export function Automaton({ view }: { view: AutomatonView }) {
  const key = shapeKey(view);
  // What stays the same while the program moves is placed once.
  const drawing = useMemo(() => draw(view), [key]);
  const parts = view.states.length + view.transitions.length;
  const about = pointed.value ?? null;
  return (
    <>
      <div class={`automaton ${fits.value ? "fits" : ""}`} role="region" aria-label="The automaton" tabIndex={fits.value ? undefined : 0}>
        <Drawn view={view} drawing={drawing} current={Math.min(focused.value, parts - 1)} parts={parts} />
      </div>
      <div class="about-part" role="status">
        {about === null || about >= parts ? <Legend /> : <span class="mono about">{visible(textOf(view, about))}</span>}
        <IconButton icon="fit" label="Fit the whole automaton" pressed={fits.value} onClick={() => (fits.value = !fits.value)} />
      </div>
    </>
  );
}

function textOf(view: AutomatonView, part: Part): string {
  const state = view.states[part];
  return state !== undefined ? describeState(state, part === 0) : describeTransition(view, view.transitions[part - view.states.length]!);
}

const STEPS: Record<string, number> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

function Drawn({ view, drawing, current, parts }: { view: AutomatonView; drawing: Drawing; current: Part; parts: number }) {
  const element = useRef<SVGSVGElement>(null);
  const press = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (step === undefined || parts === 0) return;
    event.preventDefault();
    focused.value = (current + step + parts) % parts;
    element.current!.querySelector<SVGGElement>(`[data-part="${focused.value}"]`)?.focus();
  };
  useEffect(() => () => void (pointed.value = null), []);
  const { width, height, entry } = drawing;
  return (
    <svg
      ref={element}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      role="group"
      aria-label={`Automaton of ${view.name}; arrows walk through it`}
      onKeyDown={press}
    >
      <defs>
        <Tip id="tip" />
        <Tip id="tip-last" />
      </defs>
      {entry !== null && (
        <>
          <circle class="entry" cx={entry.from.x} cy={entry.from.y} r={4} />
          <path class="way" d={entry.path} marker-end="url(#tip)" />
        </>
      )}
      {drawing.ways.map((way, at) => (
        <Transition key={at} view={view} way={way} at={at} isCurrent={current === view.states.length + at} />
      ))}
      {drawing.states.map((box, at) => (
        <State key={at} view={view} box={box} at={at} isCurrent={current === at} />
      ))}
    </svg>
  );
}

/** The tip of an arrow. */
function Tip({ id }: { id: string }) {
  return (
    <marker id={id} class={id} viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto-start-reverse" markerUnits="userSpaceOnUse">
      <path d="M0 0L8 4L0 8z" />
    </marker>
  );
}

/** What is the same for all that can be pointed at, by pointer and by keys. */
function reachable(view: AutomatonView, part: Part, isCurrent: boolean) {
  return {
    role: "img" as const,
    tabIndex: isCurrent ? 0 : -1,
    "data-part": part,
    "aria-label": visible(textOf(view, part)),
    onFocus: () => {
      focused.value = part;
      pointed.value = part;
    },
    onBlur: () => (pointed.value = null),
    onPointerEnter: () => (pointed.value = part),
    onPointerLeave: () => (pointed.value = null),
  };
}

function State({ view, box, at, isCurrent }: { view: AutomatonView; box: Box; at: number; isCurrent: boolean }) {
  const state = view.states[at]!;
  const { x, y, width, height } = box;
  const look = lookOf(state);
  const kind = `${state.accepting ? "accepting" : "non-accepting"} ${state.is_final ? "final" : ""}`;
  const number = state.slices > 0 ? ` ${count(state.slices)}` : "";
  const search = () => searchSlices(state.name);
  return (
    <g
      {...reachable(view, at, isCurrent)}
      role="button"
      // What is seen comes first in the name, so that it can be said to whoever listens.
      aria-label={visible(`${state.name}${number}${describeState(state, at === 0).slice(state.name.length)}`)}
      class={`state ${look} ${kind}`}
      onClick={search}
      onKeyDown={(event) => {
        if (event.key === "Enter") search();
      }}
    >
      <title>{visible(textOf(view, at))}</title>
      <rect x={x - width / 2} y={y - height / 2} width={width} height={height} rx={state.accepting ? 15 : 3} />
      {state.is_final && <rect class="inner" x={x - width / 2 + 3} y={y - height / 2 + 3} width={width - 6} height={height - 6} rx={state.accepting ? 12 : 1} />}
      <text x={x} y={y + 4}>
        {visible(state.name)}
        <tspan class="number">{number}</tspan>
      </text>
    </g>
  );
}

function Transition({ view, way, at, isCurrent }: { view: AutomatonView; way: Way; at: number; isCurrent: boolean }) {
  const { last, on } = view.transitions[at]!;
  const part = view.states.length + at;
  const { x, y } = way.label;
  const top = y - (way.lines.length * LINE) / 2;
  return (
    <g {...reachable(view, part, isCurrent)} class={`transition ${on} ${last ? "last" : ""}`}>
      <title>{visible(textOf(view, part))}</title>
      <path class="reach" d={way.path} />
      <path class="way" d={way.path} marker-end={`url(#${last ? "tip-last" : "tip"})`} />
      {way.lines.map((line, index) => (
        <text key={index} class={line.startsWith("[") ? "guard" : "event"} x={x} y={top + (index + 0.78) * LINE}>
          {visible(line)}
        </text>
      ))}
    </g>
  );
}

/** What the colours mean. */
function Legend() {
  return (
    <ul class="legend" aria-label="What the colours mean">
      {LOOKS.map(([look, words]) => (
        <li key={look}>
          <span class={`sign property-${look}`} aria-hidden="true" />
          {words}
        </li>
      ))}
      <li>
        <span class="sign property-last" aria-hidden="true" />
        last transition
      </li>
    </ul>
  );
}
