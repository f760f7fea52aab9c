import { describe, expect, it } from "vitest";
import type { BreakpointView, SourceVariable } from "../src/api";
import { indented } from "../src/editor/indent";
import { inlineValues } from "../src/editor/inline";
import { breakpointsOfCode, breakpointsOfFile, mainFile, nextWithCode, sameFile } from "../src/editor/lines";

const stop = (id: number, trigger: string): BreakpointView => ({
  id,
  trigger,
  condition: null,
  enabled: true,
  temporary: false,
  offset: null,
  source: null,
  hits: null,
  passed: 0,
  log: null,
});

describe("lines", () => {
  it("knows files by the end of their path", () => {
    expect(sameFile("main.ts", "examples/a/main.ts")).toBe(true);
    expect(sameFile("examples/a/main.ts", "main.ts")).toBe(true);
    expect(sameFile("main.ts", "domain.ts")).toBe(false);
  });

  it("finds the breakpoints of a file", () => {
    const all = [stop(1, "main.ts:12"), stop(2, "main"), stop(3, "other.ts:5"), stop(4, "a/main.ts:20:3")];
    const found = breakpointsOfFile(all, "a/main.ts");
    expect([...found].map(([line, one]) => [line, one.id])).toEqual([
      [12, 1],
      [20, 4],
    ]);
  });

  it("finds the line of a breakpoint that is written otherwise", () => {
    const source = { file: "a/main.ts", line: 7, column: 1, text: null };
    expect([...breakpointsOfFile([{ ...stop(1, "main"), source }], "a/main.ts").keys()]).toEqual([7]);
  });

  it("finds the breakpoints of instructions", () => {
    const line = (breakpoints: number[]) => ({ function: "f", offset: 1, text: "nop", current: false, breakpoints });
    const found = breakpointsOfCode([stop(7, "*0x1")], [line([]), line([7])]);
    expect([...found.keys()]).toEqual([2]);
  });

  it("begins with a file of the program's own", () => {
    const files = ["../board.ts", "~lib/rt.ts", "main.ts"].map((path) => ({ path }));
    expect(mainFile(files)).toBe("main.ts");
    expect(mainFile(files.slice(0, 1))).toBe("../board.ts");
    expect(mainFile([])).toBe(null);
  });

  it("moves a breakpoint to the next line with code", () => {
    expect(nextWithCode([3, 5, 9], 4)).toBe(5);
    expect(nextWithCode([3, 5, 9], 5)).toBe(5);
    expect(nextWithCode([3], 4)).toBe(null);
  });

  it("sets blocks in", () => {
    expect(indented(["block", "loop", "br 0", "end", "if", "nop", "else", "nop", "end", "end", "end"])).toBe(
      ["block", "  loop", "    br 0", "  end", "  if", "    nop", "  else", "    nop", "  end", "end", "end"].join("\n"),
    );
  });
});

describe("values behind lines", () => {
  const text = ["int f(int x) {", '  int y = x + 1; // not z', '  log("x y", z);', "  return y;", "}"].join("\n");
  const variables = ["x", "y", "z"].map((name, index) => ({ name, value: String(index), type: "int" }) as SourceVariable);

  it("are of what a line names, up to the current one, without comments and strings", () => {
    expect([...inlineValues(text, 1, 3, variables)]).toEqual([
      [1, "x = 0"],
      [2, "y = 1, x = 0"],
      [3, "z = 2"],
    ]);
  });

  it("begin with the function, end with the file, and are cut", () => {
    expect([...inlineValues(text, 4, 90, variables)]).toEqual([[4, "y = 1"]]);
    const long = [{ name: "y", value: "9".repeat(100) } as SourceVariable];
    expect(inlineValues(text, 4, 4, long).get(4)).toBe(`y = ${"9".repeat(40)}…`);
  });
});
