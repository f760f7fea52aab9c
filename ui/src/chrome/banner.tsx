import { inputText } from "../dialogs/branches";
import type { PropertyEvent } from "../api";
import { PlaceLink } from "../panes/parts";
import { eventWords, guardWords, sliceWords, violatingMove } from "../properties/model";
import { choose } from "../properties/state";
import { properties } from "../state/queries";
import { showPane } from "../panes/arrangement";
import { query, useQuery } from "../state/query";
import { ask, hasFailed, position, status, violated } from "../state/session";
import { classText, many } from "../format/values";
import { CommandButton } from "./button";

/** What comes before everything else: no connection, no access, a program that has failed, a property that is violated. */
export function Banner() {
  const now = status.value;
  if (now.state === "lost") {
    return (
      <div class="banner" role="alert">
        <strong>The connection to the debugger is lost.</strong>
        It is tried again (attempt {now.attempt}). If <code>mw</code> has ended, start it anew; with{" "}
        <code>--session FILE</code> it goes on where it was.
      </div>
    );
  }
  if (now.state === "refused") {
    return (
      <div class="banner error" role="alert">
        <strong>This page has no access to the session.</strong>
        {now.reason || "Open the address that mw debug has printed: it carries the token."}
      </div>
    );
  }
  return (
    <div>
      {hasFailed.value && <Failure />}
      {violated.value !== null && <Violation event={violated.value} />}
    </div>
  );
}

/** The trap that nothing wrong leads to: the program says itself that it goes no further. */
const UNREACHABLE = "trap: unreachable";

/** So many of the inputs that decided are said, the last ones. */
const INPUTS = 4;

const reasons = query(
  () => (hasFailed.value ? true : null),
  () => ask({ request: "why" }),
);

/** How the program failed, where, and which inputs decided; with the ways back. */
function Failure() {
  const { data } = useQuery(reasons);
  const { ended, own, source: exact } = position.value!;
  // A mistake is where a library was called, not in it.
  const source = own ?? exact;
  return (
    <div class="banner error" role="alert">
      <strong>{ended!.text}</strong>
      {source !== null && (
        <>
          <button type="button" class="link mono" title="Show the source" onClick={() => showPane("source")}>
            {source.file.split("/").at(-1)}:{source.line}
          </button>
          {source.text !== null && <code class="line-text">{source.text.trim()}</code>}
        </>
      )}
      {data !== null && data.inputs.length > 0 && (
        <span class="readings">
          decided by {data.inputs.length > INPUTS && `${many(data.inputs.length - INPUTS, "input")} and `}
          {data.inputs.slice(-INPUTS).map((input, index) => (
            <span key={input.node} title={input.values === null ? undefined : `the same with ${classText(input.values)}`}>
              {index > 0 && ", "}
              <PlaceLink place={input.node}>
                {inputText(input)}
              </PlaceLink>
            </span>
          ))}
        </span>
      )}
      <span class="grow" />
      {ended!.kind === "trapped" && ended!.text !== UNREACHABLE && <CommandButton id="who" icon="search" words="Who wrote this" />}
      <CommandButton id="over-back" icon="over-back" words="Step back" />
    </div>
  );
}

/** Which property is violated here, by what, and why; with the ways to it and back. */
function Violation({ event }: { event: PropertyEvent }) {
  const text = useQuery(properties).data?.find(({ id }) => id === event.property)?.text.trim();
  const move = violatingMove(event);
  const show = () => {
    choose(event.property, move === null || move.instance.length === 0 ? null : move.slice);
    showPane("properties");
  };
  return (
    <div class="banner error" role="alert">
      <strong title={text}>{event.name} is violated</strong>
      <code class="line-text" title={text}>
        {eventWords(event.event)}
      </code>
      {move !== null && (
        <span class="because mono">
          {sliceWords(move.instance) || "it"} is in {move.to}
          {move.guard !== null && `, as ${guardWords(move.guard)}`}
        </span>
      )}
      <span class="grow" />
      <button type="button" class="words" title="Show its automaton, and what moved this slice" onClick={show}>
        Show the property
      </button>
      <CommandButton id="over-back" icon="over-back" words="Step back" />
    </div>
  );
}
