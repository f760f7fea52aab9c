/** The program's instructions, one function at a time. */
import { useEffect, useRef, useState } from "preact/hooks";
import type { BreakpointView } from "../api";
import { hex } from "../format/values";
import { Empty, Failed } from "../panes/parts";
import { act, runTo } from "../state/actions";
import { breakpoints, names } from "../state/queries";
import { query, useQuery } from "../state/query";
import { ask, hasFailed, position } from "../state/session";
import { CodeView } from "./code-view";
import { setBreakpointToggle } from "./cursor";
import { chosenFunction as chosen } from "./going";
import { indented } from "./indent";
import { languageOf } from "./languages";
import { breakpointsOfCode } from "./lines";
import { Menu, type MenuItem } from "./menu";

/** The function that was executed last: where a program has ended, none is. */
let last: string | null = null;
const shownFunction = () => {
  last = position.value?.function ?? last;
  return chosen.value ?? last ?? names.answer.value.data?.functions[0] ?? null;
};
const listing = query(shownFunction, (around) => ask({ request: "disassemble", around }));

export function WatPane() {
  const { data, error } = useQuery(listing);
  const functions = useQuery(names).data?.functions ?? [];
  const stops = useQuery(breakpoints).data ?? [];
  const host = useRef<HTMLDivElement>(null);
  const code = useRef<CodeView | null>(null);
  const [menu, setMenu] = useState<{ x: number; y: number; items: MenuItem[] } | null>(null);
  const lines = data ?? [];
  const dots: Map<number, BreakpointView> = breakpointsOfCode(stops, lines);
  const triggerOf = (line: number) => {
    const offset = lines[line - 1]?.offset;
    return offset == null ? null : `*${hex(offset)}`;
  };
  const latest = useRef({ toggle: (_line: number) => {}, menu: (_line: number, _x: number, _y: number) => {}, number: (_line: number): string => "" });
  latest.current = {
    number: (line) => {
      const offset = lines[line - 1]?.offset;
      return offset == null ? "" : hex(offset);
    },
    toggle: (line) => {
      const there = dots.get(line);
      const trigger = triggerOf(line);
      if (there !== undefined) void act({ request: "remove-breakpoint", id: there.id });
      else if (trigger !== null) void act({ request: "add-breakpoint", trigger });
    },
    menu: (line, x, y) => {
      const trigger = triggerOf(line);
      if (trigger === null) return;
      const items = [
        { title: "Run to this instruction", run: () => runTo(trigger) },
        { title: dots.has(line) ? "Remove the breakpoint" : "Add a breakpoint", run: () => latest.current.toggle(line) },
      ];
      setMenu({ x, y, items });
    },
  };

  useEffect(() => {
    const view = new CodeView(
      host.current!,
      {
        toggle: (line) => latest.current.toggle(line),
        menu: (line, x, y) => latest.current.menu(line, x, y),
        number: (line) => latest.current.number(line),
        cursor: () => setBreakpointToggle(() => latest.current.toggle(view.cursorLine())),
      },
      "WebAssembly",
    );
    code.current = view;
    return () => {
      code.current = null;
      view.destroy();
    };
  }, []);

  useEffect(() => {
    const current = lines.findIndex((line) => line.current) + 1;
    code.current?.show(indented(lines.map((line) => line.text)), languageOf("x.wat"), {
      current: current === 0 ? null : current,
      failed: hasFailed.value,
      breakpoints: new Map([...dots].map(([line, one]) => [line, one.enabled])),
      withCode: null,
    });
  });

  const name = lines[0]?.function ?? "";
  return (
    <div class="pane">
      <div class="bar">
        <select class="grow mono" aria-label="Function" value={name} onChange={(event) => (chosen.value = event.currentTarget.value)}>
          {name !== "" && !functions.includes(name) && <option value={name}>{name}</option>}
          {functions.map((one) => (
            <option key={one} value={one}>
              {one}
            </option>
          ))}
        </select>
        {chosen.value !== null && (
          <button type="button" class="plain" onClick={() => (chosen.value = null)}>
            Follow
          </button>
        )}
      </div>
      {error !== null && <Failed text={error} />}
      {data !== null && data.length === 0 && <Empty title="No instructions">Choose a function to read.</Empty>}
      <div class="content code" ref={host} />
      {menu !== null && <Menu {...menu} onClose={() => setMenu(null)} />}
    </div>
  );
}
