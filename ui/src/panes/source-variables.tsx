import { useEffect, useState } from "preact/hooks";
import type { ScopeRef, SourceVariable } from "../api";
import { act } from "../state/actions";
import { ask, report, revision } from "../state/session";
import { Changing } from "./changing";

interface Props {
  variables: SourceVariable[];
  of: ScopeRef;
  path: number[];
  level: number;
}

/** Variables of the source; what has parts can be opened. */
export function SourceRows({ variables, of, path, level }: Props) {
  return (
    <tbody>
      {variables.map((variable, index) => (
        <Row key={variable.name} variable={variable} of={of} path={[...path, index]} level={level} />
      ))}
    </tbody>
  );
}

function Row({ variable, of, path, level }: { variable: SourceVariable; of: ScopeRef; path: number[]; level: number }) {
  const [isOpen, setOpen] = useState(false);
  const set = (value: string) =>
    act({ request: "set-variable", of, path: path.slice(0, -1), name: variable.name, value });
  return (
    <>
      <tr>
        <td class={`mono level-${Math.min(level, 6)}`}>
          {variable.has_children ? (
            <button type="button" class="plain opener" aria-expanded={isOpen} aria-label={`Parts of ${variable.name}`} onClick={() => setOpen(!isOpen)}>
              {isOpen ? "▾" : "▸"}
            </button>
          ) : (
            <span class="opener" />
          )}
          {variable.name}
        </td>
        <td>
          <Changing value={variable.value} label={variable.name} onSet={variable.has_children ? undefined : set} />
        </td>
        <td class="mono faint">{variable.type}</td>
      </tr>
      {isOpen && level < 24 && <Parts of={of} path={path} level={level + 1} />}
    </>
  );
}

function Parts({ of, path, level }: { of: ScopeRef; path: number[]; level: number }) {
  const [parts, setParts] = useState<SourceVariable[]>([]);
  const now = revision.value;
  useEffect(() => {
    let wanted = true;
    ask({ request: "source-variables", of, path }, "source-variables").then((found) => wanted && setParts(found), report);
    return () => {
      wanted = false;
    };
  }, [now, JSON.stringify([of, path])]);
  return (
    <>
      {parts.map((part, index) => (
        <Row key={part.name} variable={part} of={of} path={[...path, index]} level={level} />
      ))}
    </>
  );
}
