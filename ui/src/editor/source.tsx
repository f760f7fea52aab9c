/** The source: where the program is, what may stop it, what things are worth. */
import { useEffect, useRef, useState } from "preact/hooks";
import type { BreakpointView } from "../api";
import { IconButton } from "../chrome/button";
import { shownInLog } from "../panes/log";
import { Empty } from "../panes/parts";
import { act, runTo } from "../state/actions";
import { open } from "../state/dialogs";
import { askHits, hits } from "../state/hits";
import { hasSource, showsValues, wrapsLines } from "../state/preferences";
import { breakpoints, chosenFrame, coverage, localVariables, sourceFrames } from "../state/queries";
import { query, useQuery } from "../state/query";
import { ask, hasFailed, position } from "../state/session";
import { showPane } from "../panes/arrangement";
import { CodeView, type Marks } from "./code-view";
import { setBreakpointToggle } from "./cursor";
import { languageOf } from "./languages";
import { breakpointsOfFile, mainFile, nextWithCode, sameFile } from "./lines";
import { chosenFile, wantedLine } from "./going";
import { inlineValues } from "./inline";
import { Menu, type MenuItem } from "./menu";
import { files, textOf } from "./files";

/** The file that was executed last: where a program has ended, none is. */
let last: string | null = null;

const shownPath = () => {
  last = sourceFrames.answer.value.data?.[chosenFrame.value]?.file ?? last;
  return chosenFile.value ?? last ?? mainFile(files.value ?? []);
};

const text = query(shownPath, async (path) => ({
  path,
  text: await textOf(path),
}));

/** Where the function begins that is being executed: by its name in the source, or else in the module. */
const beginning = query(
  () => {
    const name = sourceFrames.answer.value.data?.[chosenFrame.value]?.function ?? null;
    const other = chosenFrame.value === 0 ? position.value?.function : null;
    return name === null ? null : { name, other: other ?? name };
  },
  async ({ name, other }) => {
    const lineOf = async (around: string) =>
      (await ask({ request: "source-lines", around, count: 1 })).lines[0]!.number;
    return { name, line: await lineOf(name).catch(() => lineOf(other)).catch(() => null) };
  },
);

export function SourcePane() {
  const stack = useQuery(sourceFrames);
  const shown = useQuery(text);
  const stops = useQuery(breakpoints).data ?? [];
  const reached = useQuery(coverage).data?.files;
  const variables = useQuery(localVariables).data;
  const begins = useQuery(beginning).data;
  // Read here: what an effect reads does not draw the pane anew.
  const wantsValues = showsValues.value;
  const wanted = wantedLine.value;
  const host = useRef<HTMLDivElement>(null);
  const code = useRef<CodeView | null>(null);
  const latest = useRef({ toggle: (_line: number) => {}, menu: (_line: number, _x: number, _y: number) => {} });
  const [menu, setMenu] = useState<{ x: number; y: number; items: MenuItem[] } | null>(null);
  const available = files.value ?? [];
  const frame = stack.data?.[chosenFrame.value];
  const file = available.find((one) => one.path === shown.data?.path);

  const dots: Map<number, BreakpointView> = file === undefined ? new Map() : breakpointsOfFile(stops, file.path);
  latest.current = {
    toggle: (line) => {
      if (file === undefined) return;
      const target = nextWithCode(file.lines, line) ?? line;
      const there = dots.get(line) ?? dots.get(target);
      if (there !== undefined) void act({ request: "remove-breakpoint", id: there.id });
      else void act({ request: "add-breakpoint", trigger: `${file.path}:${line}` });
    },
    menu: (line, x, y) => {
      if (file === undefined) return;
      const at = `${file.path}:${line}`;
      setMenu({
        x,
        y,
        items: [
          { title: `Run to line ${line}`, run: () => runTo(at) },
          { title: dots.has(line) ? "Remove the breakpoint" : "Add a breakpoint", run: () => latest.current.toggle(line) },
          { title: "Add a breakpoint with a condition…", run: () => open({ kind: "breakpoint", trigger: at }) },
          {
            title: "Values at every hit…",
            run: () => {
              shownInLog.value = "hits";
              showPane("log");
              return askHits(at, hits.value?.values ?? "");
            },
          },
        ],
      });
    },
  };

  const ready = hasSource.value && available.length > 0;
  useEffect(() => {
    if (!ready || host.current === null) return;
    const view = new CodeView(
      host.current,
      {
        toggle: (line) => latest.current.toggle(line),
        menu: (line, x, y) => latest.current.menu(line, x, y),
        cursor: () => setBreakpointToggle(() => latest.current.toggle(view.cursorLine())),
        value: valueOf,
      },
      "Source",
    );
    code.current = view;
    setBreakpointToggle(() => latest.current.toggle(view.cursorLine()));
    return () => {
      code.current = null;
      setBreakpointToggle(null);
      view.destroy();
    };
  }, [ready]);

  useEffect(() => {
    if (shown.data === null || code.current === null) return;
    const isHere = frame?.file != null && sameFile(frame.file, shown.data.path);
    const current = isHere && frame.line > 0 ? frame.line : null;
    const isKnown = current !== null && variables !== null && begins?.name === frame?.function && wantsValues;
    const lines = reached?.find((one) => sameFile(one.path, shown.data!.path))?.lines;
    const marks: Marks = {
      current,
      failed: hasFailed.value && (chosenFrame.value === 0 || (isHere && position.value?.own?.line === frame.line)),
      breakpoints: new Map([...dots].map(([line, one]) => [line, one.enabled])),
      withCode: file === undefined ? null : new Set(file.lines),
      reached: new Map(lines?.map((one) => [one.line, one.reached])),
      values: isKnown ? inlineValues(shown.data.text, begins!.line ?? current, current, variables) : new Map(),
    };
    code.current.show(shown.data.text, languageOf(shown.data.path), marks);
    if (wanted !== null && sameFile(wanted.file, shown.data.path)) {
      wantedLine.value = null;
      code.current.reveal(wanted.line);
    }
  });

  if (files.value !== null && !ready) return <NoSource />;
  return (
    <div class="pane">
      <div class="bar">
        <select
          class="grow"
          aria-label="File"
          value={shown.data?.path ?? ""}
          onChange={(event) => (chosenFile.value = event.currentTarget.value)}
        >
          {available.map((one) => (
            <option key={one.path} value={one.path}>
              {one.path}
            </option>
          ))}
        </select>
        <IconButton
          icon="wrap"
          label={wrapsLines.value ? "Let long lines go beyond the pane" : "Wrap long lines"}
          pressed={wrapsLines.value}
          onClick={() => (wrapsLines.value = !wrapsLines.value)}
        />
        {chosenFile.value !== null && (
          <button type="button" class="plain" onClick={() => (chosenFile.value = null)}>
            Follow
          </button>
        )}
      </div>
      <div class="content code" ref={host} />
      {menu !== null && <Menu {...menu} onClose={() => setMenu(null)} />}
    </div>
  );
}

function NoSource() {
  return (
    <div class="pane">
      <Empty title="The source of this program is not known">
        Build it with debug information or a source map beside it. Until then its{" "}
        <button type="button" class="link" onClick={() => showPane("wat")}>
          WebAssembly
        </button>{" "}
        tells where you are.
      </Empty>
    </div>
  );
}

async function valueOf(expression: string): Promise<string | null> {
  try {
    const found = await ask({ request: "evaluate", expression, frame: chosenFrame.value });
    return found.value;
  } catch {
    // Most words of a program have no value.
    return null;
  }
}
