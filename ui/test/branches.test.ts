import { expect, it } from "vitest";
import type { ConditionView, LeafView, OptionView, Suggested } from "../src/api";
import { branchesOf, readingsOf, sentences } from "../src/dialogs/branches";

const at = (source: string | null) => ({ function: "main", offset: 1, location: null, source });

const decided = (source: string | null, outcome: string, as_written = true): ConditionView => ({
  at: at(source),
  count: 1,
  outcome,
  as_written,
  text: "input 1 < 50",
});

const option = (parent: number | null, values: string, leaves: number[], conditions: ConditionView[] = []): OptionView => ({
  parent,
  node: "0.1",
  call: "read(1)",
  count: 1,
  value: "0",
  boundaries: [],
  values,
  number: null,
  happens: false,
  any: false,
  mocked: false,
  leaves,
  conditions,
});

const leaf = (text: string, conditions: ConditionView[]) => ({ end: "finished", text, conditions }) as unknown as LeafView;

it("puts paths below the input that tells them apart", () => {
  const found = {
    options: [
      option(null, "0..49", [], [decided("light < LOW", "true")]),
      option(0, "0..9", [0]),
      option(0, "10..99", [1]),
      option(null, "50..99", [2]),
    ],
    leaves: [leaf("dark", [decided("x", "true")]), leaf("dim", []), leaf("bright", [decided("light < LOW", "false")])],
  } as unknown as Suggested;
  const rows = branchesOf(found).map((row) => [row.depth, row.call, row.values, row.because.join(), row.ends.map((end) => end.text).join()]);
  expect(rows).toEqual([
    [0, "read(1)", "0..49 (50 values)", "light < LOW is true", ""],
    [1, "read(1)", "0..9 (10 values)", "x is true", "dark"],
    [1, null, "10..99 (90 values)", "", "dim"],
    [0, null, "50..99 (50 values)", "light < LOW is false", "bright"],
  ]);
});

it("says conditions in the words of the source, each once", () => {
  const all = [decided("a && b", "true", false), decided("a && b", "true", false), decided(null, "false"), decided("x", "does not trap")];
  expect(sentences(all)).toEqual(["a && b (input 1 < 50)", "input 1 < 50"]);
});

it("says of turns whose they are, and nothing of values", () => {
  const turn = (parent: number | null, call: string, leaves: number[]) => ({ ...option(parent, "happens", leaves), call, value: "", happens: true });
  const found = {
    options: [turn(null, "client1: start from main", []), turn(0, "math: double from client1", [0]), turn(0, "client2: start from main", [1])],
    leaves: [leaf("66", []), leaf("24", [])],
  } as unknown as Suggested;
  expect(branchesOf(found).map((row) => [row.depth, row.call, row.values])).toEqual([
    [0, "client1: start from main", ""],
    [1, "math: double from client1", ""],
    [1, "client2: start from main", ""],
  ]);
});

it("names what is read several times in a row once", () => {
  const input = (call: string, value: string, values: string | null = null) => ({ call, value, values, happens: false, matters: true, parameter: null });
  const inputs = [input("read(1)", "40"), input("read(1)", "0", "0..9, 20"), input("read(2)", "high"), input("read(1)", "1")];
  expect(readingsOf(inputs)).toBe("read(1) = 40 → 0..9, 20, read(2) = high, read(1) = 1");
});
