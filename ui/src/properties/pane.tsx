/** Properties: whether they hold here, where their automata are, and what brought them there. */
import { signal } from "@preact/signals";
import type { PropertyView } from "../api";
import { IconButton } from "../chrome/button";
import { many } from "../format/values";
import { Empty, Failed } from "../panes/parts";
import { open } from "../state/dialogs";
import { properties } from "../state/queries";
import { useQuery } from "../state/query";
import { activity } from "../state/session";
import { Automaton } from "./automaton";
import { lookEverywhere, verdictChanges } from "./changes";
import { Events } from "./events";
import { VERDICTS } from "./model";
import { Slices } from "./slices";
import { automaton, choose, chosen, load, remove, slice } from "./state";

const TITLES = { slices: "Slices", events: "Events", text: "Text" } as const;
type Shown = keyof typeof TITLES;

const shown = signal<Shown>("slices");

export function PropertiesPane() {
  const { data, error } = useQuery(properties);
  return (
    <div class="pane properties-pane">
      <div class="bar">
        <span class="grow soft">{data === null || data.length === 0 ? "Properties of the program" : many(data.length, "property", "properties")}</span>
        <Unknown />
        <IconButton icon="plus" label="Load a property" onClick={() => open({ kind: "property", replaces: null })} />
      </div>
      {error !== null && <Failed text={error} />}
      {data !== null && data.length === 0 && (
        <Empty title="No property is loaded">
          A property says what must never, always or eventually happen. It is watched in every universe, also in what is recorded already.
        </Empty>
      )}
      {data !== null && data.length > 0 && (
        <>
          <List all={data} />
          <Chosen key={chosen.value?.id} />
        </>
      )}
    </div>
  );
}

/** Whether there are universes of which nothing is known. */
function Unknown() {
  const unknown = useQuery(verdictChanges).data?.unknown.length ?? 0;
  if (unknown === 0) return null;
  return (
    <button type="button" class="link" disabled={activity.value !== null} title="Replay them, without moving" onClick={() => void lookEverywhere()}>
      {many(unknown, "universe")} not looked at
    </button>
  );
}

function List({ all }: { all: readonly PropertyView[] }) {
  return (
    <ul class="lines property-list" aria-label="All properties">
      {all.map((property) => (
        <Property key={property.id} property={property} isChosen={property.id === chosen.value?.id} />
      ))}
    </ul>
  );
}

function Property({ property, isChosen }: { property: PropertyView; isChosen: boolean }) {
  const { id, name, verdict, fault, changed } = property;
  return (
    <li class={isChosen ? "chosen-frame" : ""}>
      <button type="button" class="link mono grow" aria-pressed={isChosen} title={property.path ?? name} onClick={() => choose(id)}>
        {name}
      </button>
      {changed !== null && (
        <button type="button" class="words" title={`${property.path ?? "Its file"} has been changed`} onClick={() => void load(name, changed, property)}>
          Reload
        </button>
      )}
      {fault !== null && (
        <span class="badge altered" title={fault}>
          could not be computed
        </span>
      )}
      <Verdict of={verdict} />
      <IconButton icon="edit" label={`Change ${name}`} onClick={() => open({ kind: "property", replaces: property })} />
      <IconButton icon="trash" label={`Unload ${name}`} onClick={() => remove(property)} />
    </li>
  );
}

/** Whether a property holds, as a chip. */
export function Verdict({ of }: { of: PropertyView["verdict"] }) {
  const { words, look } = VERDICTS[of];
  return <span class={`badge ${look}`}>{words}</span>;
}

/** The property that is looked at. */
function Chosen() {
  const { data, error } = useQuery(automaton);
  return (
    <>
      {error !== null && <Failed text={error} />}
      {data !== null && <Automaton view={data} />}
      <div class="bar" role="group" aria-label="What is listed">
        {(Object.keys(TITLES) as Shown[]).map((one) => (
          <button key={one} type="button" class="plain" aria-pressed={shown.value === one} onClick={() => (shown.value = one)}>
            {TITLES[one]}
          </button>
        ))}
        <span class="grow" />
        {slice.value !== null && (
          <button type="button" class="link" title="Look at all slices again" onClick={() => (slice.value = null)}>
            only {slice.value} ×
          </button>
        )}
      </div>
      {shown.value === "slices" ? <Slices /> : shown.value === "events" ? <Events /> : <Text />}
    </>
  );
}

function Text() {
  return (
    <div class="content" tabIndex={0} role="region" aria-label="Text of the property">
      <pre class="mono property-text">{chosen.value?.text}</pre>
    </div>
  );
}
