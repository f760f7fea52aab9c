import { signal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import type { ContentView, ScopeRef, SourceVariable } from "../api";
import { act } from "../state/actions";
import { ask, report, revision } from "../state/session";
import { changes, type Change } from "./changes";
import { Changing, usePlaceOf } from "./changing";
import { lineOf, VIEWS, viewNamed, type View } from "./typed";

export interface Scope {
  readonly of: ScopeRef;
  /** At each level, the index of the variable whose parts these are. */
  readonly path: number[];
  /** Tells variables of the same name apart. */
  readonly name: string;
}

interface Props {
  variables: SourceVariable[];
  scope: Scope;
  level?: number;
  /** Which of them; all without. */
  shows?(variable: SourceVariable): boolean;
}

/** Variables of the source, those that have just changed first; what has parts can be opened. */
export function SourceRows({ variables, scope, level = 0, shows = () => true }: Props) {
  const place = usePlaceOf(variables);
  const rows = variables.map((variable, index) => {
    const name = `${scope.name}.${variable.name}`;
    const change = changes.note(name, variable.value, place);
    return <Row key={variable.name} variable={variable} change={change} scope={{ ...scope, path: [...scope.path, index], name }} level={level} />;
  });
  const shown = rows.filter((row) => shows(row.props.variable));
  // Parts stay in their order: they are found by it.
  if (level === 0) shown.sort((a, b) => Number(a.props.change === null) - Number(b.props.change === null));
  return <>{shown}</>;
}

function Row({ variable, change, scope, level }: { variable: SourceVariable; change: Change | null; scope: Scope; level: number }) {
  const [isOpen, setOpen] = useState(false);
  const set = (value: string) =>
    act({ request: "set-variable", of: scope.of, path: scope.path.slice(0, -1), name: variable.name, value });
  return (
    <>
      <tr>
        <td class={`mono level-${Math.min(level, 6)}`} title={variable.name}>
          <Opener name={variable.name} isOpen={variable.has_children ? isOpen : null} onToggle={() => setOpen(!isOpen)} />
          {variable.name}
        </td>
        <td>
          <Shown
            variable={variable}
            label={variable.name}
            name={scope.name}
            change={change}
            onSet={variable.has_children ? undefined : set}
          />
        </td>
        <td class="mono faint" title={variable.type}>
          <ViewOf variable={variable} label={variable.name} name={scope.name} />
        </td>
      </tr>
      {isOpen && level < 24 && <Parts scope={scope} level={level + 1} />}
    </>
  );
}

/** How what variables lead to is shown, by their names; as their types say without. */
const views = signal<ReadonlyMap<string, View>>(new Map());

interface Viewed {
  readonly variable: SourceVariable;
  /** What it is called where it is shown. */
  readonly label: string;
  /** Tells it apart from others of that name. */
  readonly name: string;
}

/** The value of a variable, or what it leads to, as somebody has chosen. */
export function Shown({ variable, label, name, change, onSet }: Viewed & { change: Change | null; onSet?: ((value: string) => Promise<boolean>) | undefined }) {
  const view = views.value.get(name) ?? null;
  if (variable.content !== null && view !== null) return <InMemory content={variable.content} view={view} name={name} label={label} />;
  return <Changing value={variable.value} label={label} change={change} onSet={onSet} />;
}

/** The type of a variable, and the other ways to look at what it leads to. */
export function ViewOf({ variable, label, name }: Viewed) {
  if (variable.content === null) return <>{variable.type}</>;
  const choose = (text: string) => {
    const next = new Map(views.value);
    const view = viewNamed(text);
    if (view === null) next.delete(name);
    else next.set(name, view);
    views.value = next;
  };
  return (
    <select
      class="plain mono view"
      aria-label={`How ${label} is shown`}
      value={views.value.get(name) ?? ""}
      onChange={(event) => choose(event.currentTarget.value)}
    >
      <option value="">{variable.type}</option>
      {VIEWS.map((one) => (
        <option key={one} value={one}>
          {one}
        </option>
      ))}
    </select>
  );
}

/** So many bytes are shown of what a variable leads to. */
const MOST_BYTES = 256;
/** So many if nobody knows where it ends; a text ends with its zero. */
const BYTES_OF_POINTER = 32;

/** What a variable leads to, as numbers of a type or as text. */
function InMemory({ content, view, name, label }: { content: ContentView; view: View; name: string; label: string }) {
  const [shown, setShown] = useState<{ readonly text: string } | null>(null);
  const place = usePlaceOf(shown);
  const now = revision.value;
  const length = Math.min(content.size ?? (view === "C string" ? MOST_BYTES : BYTES_OF_POINTER), MOST_BYTES);
  useEffect(() => {
    let wanted = true;
    const show = (text: string) => wanted && setShown({ text });
    if (length === 0) show(lineOf([], view, true));
    else {
      ask({ request: "read-memory", address: content.address, length }).then(
        ({ bytes }) => show(lineOf(bytes, view, content.size === bytes.length)),
        (error: Error) => show(error.message),
      );
    }
    return () => {
      wanted = false;
    };
  }, [now, content.address, length, view]);
  if (shown === null) return null;
  return <Changing value={shown.text} label={label} change={changes.note(`${name} as ${view}`, shown.text, place)} />;
}

/** Opens what has parts; the room for it where there are none. */
export function Opener({ name, isOpen, onToggle }: { name: string; isOpen: boolean | null; onToggle(): void }) {
  if (isOpen === null) return <span class="opener" />;
  return (
    <button type="button" class="plain opener" aria-expanded={isOpen} aria-label={`Parts of ${name}`} onClick={onToggle}>
      {isOpen ? "▾" : "▸"}
    </button>
  );
}

/** The parts of what a scope's path leads to. */
export function Parts({ scope, level }: { scope: Scope; level: number }) {
  const [parts, setParts] = useState<SourceVariable[]>([]);
  const now = revision.value;
  useEffect(() => {
    let wanted = true;
    ask({ request: "source-variables", of: scope.of, path: scope.path }).then(
      (found) => wanted && setParts(found),
      report,
    );
    return () => {
      wanted = false;
    };
  }, [now, JSON.stringify([scope.of, scope.path])]);
  return <SourceRows variables={parts} scope={scope} level={level} />;
}
