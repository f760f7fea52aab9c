/** What differs between two places, and the board at both. */
import { useState } from "preact/hooks";
import type { DifferenceView, VariableDifference } from "../api";
import { Outputs } from "../board/board";
import { bookmarks } from "../state/queries";
import { query, useQuery } from "../state/query";
import { ask } from "../state/session";
import { first, second } from "./compared";
import { hexByte } from "./bytes";
import { Merged } from "./merged";
import { Empty, Failed, PlaceLink } from "./parts";

const difference = query(
  () => (first.value.trim() === "" ? null : { first: first.value.trim(), second: second.value.trim() }),
  (places) =>
    ask({ request: "diff", first: places.first, second: places.second === "" ? null : places.second }),
);

/** The world at both places. */
const worlds = query(
  () => difference.answer.value.data,
  ({ first: one, second: other }) =>
    Promise.all([one, other].map(async (place) => ({ place: place.text, world: await ask({ request: "world", at: place.text }) }))),
);

export function DiffPane() {
  const { data, error } = useQuery(difference);
  return (
    <div class="pane">
      <div class="bar">
        <Places />
        <Place label="First place" value={first.value} placeholder="place or bookmark" onChange={(text) => (first.value = text)} />
        <span class="soft">with</span>
        <Place label="Second place" value={second.value} placeholder="here" onChange={(text) => (second.value = text)} />
      </div>
      <div class="content">
        {error !== null && <Failed text={error} />}
        {data === null && error === null && (
          <Empty title="Compare two places">
            Write two places above, or choose a node of the tree and compare it with where you are.
          </Empty>
        )}
        {data !== null && <Differences found={data} />}
        {data !== null && <Worlds />}
        <Merged />
      </div>
    </div>
  );
}

/** Both boards, side by side. */
function Worlds() {
  const both = useQuery(worlds).data;
  if (both === null || both.every(({ world }) => world.board === null)) return null;
  return (
    <div class="worlds">
      {both.map(({ place, world }, at) => (
        <section key={at} aria-label={`The world at ${place}`}>
          <h3 class={at === 0 ? "was" : "is"}>
            <PlaceLink place={place} />
          </h3>
          <div class="board">
            <Outputs world={world} />
          </div>
        </section>
      ))}
    </div>
  );
}

function Place(props: { label: string; value: string; placeholder: string; onChange(text: string): void }) {
  // What is being written stays, whatever else of the pane is drawn anew meanwhile.
  const [text, setText] = useState(props.value);
  const [given, setGiven] = useState(props.value);
  if (given !== props.value) {
    setGiven(props.value);
    setText(props.value);
  }
  return (
    <input
      class="mono grow"
      list={PLACES}
      aria-label={props.label}
      placeholder={props.placeholder}
      value={text}
      onInput={(event) => setText(event.currentTarget.value)}
      onChange={(event) => props.onChange(event.currentTarget.value)}
    />
  );
}

const PLACES = "places-to-compare";

/** What can be chosen: the places with a name. */
function Places() {
  const named = useQuery(bookmarks).data ?? [];
  return (
    <datalist id={PLACES}>
      {[...named.map((one) => one.name), "start", "end"].map((name) => (
        <option key={name} value={name} />
      ))}
    </datalist>
  );
}

function Differences({ found }: { found: DifferenceView }) {
  const [one, other] = found.parted;
  const isSame =
    [found.variables, found.locals, found.globals].every((them) => them.length === 0) && found.memory.length === 0 && found.stacks === null && found.world.length === 0;
  return (
    <div class="differences">
      <p>
        <PlaceLink place={found.first.text} /> → <PlaceLink place={found.second.text} />
        <span class="soft">, together until </span>
        <PlaceLink place={found.common.text} />
      </p>
      {(one !== null || other !== null) && (
        <Pair title="They parted at" first={one?.text ?? "went on"} second={other?.text ?? "went on"} />
      )}
      {isSame && <Empty title="Nothing differs">Machine and world are the same at both places.</Empty>}
      {found.world.length > 0 && (
        <section>
          <h3>World</h3>
          <ul class="lines mono">
            {found.world.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </section>
      )}
      <Variables title="Variables" found={found.variables} />
      <Variables title="Locals" found={found.locals} />
      <Variables title="Globals" found={found.globals} />
      {found.stacks !== null && (
        <Pair title="Functions under way" first={found.stacks[0].join(" ← ")} second={found.stacks[1].join(" ← ")} />
      )}
      {found.memory.length > 0 && (
        <section>
          <h3>Memory</h3>
          <table class="rows mono">
            <tbody>
              {found.memory.map((one) => (
                <tr key={one.address}>
                  <td>{one.address.toString(16).padStart(6, "0")}</td>
                  <td class="was">{one.first.map(hexByte).join(" ")}</td>
                  <td class="is">{one.second.map(hexByte).join(" ")}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </div>
  );
}

function Variables({ title, found }: { title: string; found: readonly VariableDifference[] }) {
  if (found.length === 0) return null;
  return (
    <section>
      <h3>{title}</h3>
      <table class="rows mono">
        <tbody>
          {found.map((one) => (
            <tr key={`${one.function ?? ""} ${one.term}`}>
              <td>
                {one.name ?? one.term}
                {one.function !== null && <span class="soft"> of {one.function}</span>}
              </td>
              <td class="was">{one.first.text}</td>
              <td class="is">{one.second.text}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Pair({ title, first: one, second: other }: { title: string; first: string; second: string }) {
  return (
    <section>
      <h3>{title}</h3>
      <table class="rows mono">
        <tbody>
          <tr>
            <td class="was">{one}</td>
            <td class="is">{other}</td>
          </tr>
        </tbody>
      </table>
    </section>
  );
}
