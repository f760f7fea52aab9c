import { describe, expect, it } from "vitest";
import type { GraphView, StateView } from "../src/api";
import { place, type Graph } from "../src/graph/layout";
import { counts, endWords, modelOf, shapeOf, variablesText, waysText, wayText } from "../src/graph/model";

const graph = (size: number, edges: [number, number][]): Graph => ({
  size,
  from: Int32Array.from(edges, ([from]) => from),
  to: Int32Array.from(edges, ([, to]) => to),
});

/** `(+ (amb 1 2) (amb 3 4))`: 5 is reached two ways. */
const AMB: [number, number][] = [[0, 1], [0, 2], [1, 3], [1, 4], [2, 5], [2, 6], [3, 7], [4, 8], [5, 8], [6, 9]];

describe("layout", () => {
  it("puts every state to the right of all that lead to it", () => {
    const { layer } = place(graph(10, AMB));
    expect([...layer]).toEqual([0, 1, 1, 2, 2, 2, 2, 3, 3, 3]);
  });

  it("keeps states of a layer apart, and steps that need not cross from crossing", () => {
    const { layer, row } = place(graph(10, AMB));
    for (let one = 0; one < 10; one++) {
      for (let other = 0; other < one; other++) {
        if (layer[one] === layer[other]) expect(Math.abs(row[one]! - row[other]!)).toBeGreaterThan(0.99);
      }
    }
    for (const [from, to] of AMB) {
      for (const [start, end] of AMB) {
        const crosses = layer[from] === layer[start] && row[from]! < row[start]! && row[to]! > row[end]!;
        expect(crosses, `${from}→${to} and ${start}→${end}`).toBe(false);
      }
    }
  });

  it("bends steps over several layers", () => {
    const { layer, at, bends } = place(graph(3, [[0, 1], [1, 2], [0, 2]]));
    expect([...layer]).toEqual([0, 1, 2]);
    expect([...at]).toEqual([0, 0, 0, 1]);
    expect(bends.length).toBe(1);
  });

  it("lets steps lead back", () => {
    const { layer, isBack } = place(graph(3, [[0, 1], [1, 2], [2, 1], [2, 2]]));
    expect([...layer]).toEqual([0, 1, 2]);
    expect([...isBack]).toEqual([0, 0, 1, 1]);
  });

  it("takes thousands of states", () => {
    const edges: [number, number][] = [];
    for (let node = 1; node < 5_000; node++) edges.push([Math.floor((node - 1) / 3), node], [Math.floor(node / 7), node]);
    expect(place(graph(5_000, edges)).row.every(Number.isFinite)).toBe(true);
  });
});

const state = (id: number, kind: string, more: Partial<StateView> = {}): StateView => ({
  id,
  kind,
  text: "",
  outcome: null,
  open: null,
  halted: [],
  parent: null,
  depth: 0,
  count: 0,
  merged: 1,
  ...more,
});
const outcome = (kind: string) => ({ kind, text: kind, count: 1, results: [] });

it("counts states by how they look", () => {
  const view = {
    summary: { ends: [] },
    states: [
      state(0, "running"),
      state(1, "halted"),
      state(2, "ended", { outcome: outcome("finished") }),
      state(3, "ended", { outcome: outcome("deadlocked") }),
      state(4, "open"),
    ],
    edges: [{ from: 0, to: 1, label: "", kind: "turn", fault: false, length: 1 }],
  } as unknown as GraphView;
  expect(counts(modelOf(view))).toEqual({ running: 1, halted: 1, finished: 1, failed: 1, open: 1 });
  expect([...shapeOf(view).to]).toEqual([1]);
});

it("says how one gets to an end", () => {
  expect(waysText({ ways: "1" })).toBe("1 way");
  expect(waysText({ ways: null })).toBe("any number of ways");
  expect(variablesText({ variables: [{ actor: "math", name: "result", value: "66" }, { actor: null, name: "x", value: "1" }] })).toBe(
    "math: result = 66, x = 1",
  );
  expect(wayText(["a", "b", "c"], 2)).toBe("… b → c");
});

it("says what kind of end it is, and what tells it from others", () => {
  const end = { state: 1, ways: "1", way: ["math: double from client1"], variables: [{ actor: "math", name: "result", value: "66" }] };
  expect(endWords({ ...end, outcome: outcome("finished") })).toEqual(["finished", "math: result = 66"]);
  const deadlock = { ...outcome("deadlocked"), text: "deadlock: philosopher waits for fork#2 to answer take" };
  expect(endWords({ ...end, outcome: deadlock })).toEqual(["deadlock", "philosopher waits for fork#2 to answer take"]);
});
