import { describe, expect, it } from "vitest";
import type { FoundView, TreeChangesView, TreeNode } from "../src/api";
import { nearestShown, showing } from "../src/tree/fold";
import { Growth } from "../src/tree/growth";
import { place } from "../src/tree/layout";
import { choiceWords } from "../src/tree/labels";
import { along, describe as words, levelsOf, modelOf } from "../src/tree/model";
import { signOf, signsOf } from "../src/tree/outputs";
import { sprouted } from "../src/tree/sprouts";
import { find, journey, walk } from "../src/tree/walk";

const node = (name: string, parent: string | null, count: number, more: Partial<TreeNode> = {}): TreeNode => ({
  node: name,
  parent,
  count,
  choice: parent === null ? null : `chip_analog_read(12) = ${Number(name.replace(".", ""))}`,
  ...more,
});

const changes = (rows: TreeNode[], more: Partial<TreeChangesView> = {}): TreeChangesView => ({
  revision: 1,
  whole: true,
  rows,
  gone: [],
  nodes: rows.length,
  truncated: false,
  ...more,
});

const finished = { kind: "finished", text: "the program finished", count: 80, results: [] };

/** Two choice points with two branches each. */
const ROWS = [
  node("0.0", null, 0),
  node("0.1", "0.0", 17, { label: "0..1489" }),
  node("0.2", "0.1", 35, { ended: finished }),
  node("1.1", "0.1", 35, { suggested: true, label: "1241..4095", bookmarks: [["warm", 3]] }),
  node("2.1", "0.0", 17, { ended: { ...finished, kind: "trapped", text: "trap: unreachable" } }),
];
const MODEL = modelOf(new Growth().apply(changes(ROWS)));

describe("growth", () => {
  it("puts parents first, whatever comes first", () => {
    const grown = new Growth().apply(changes([ROWS[2]!, ROWS[0]!, ROWS[4]!, ROWS[1]!, ROWS[3]!]));
    expect(grown.nodes.map((one) => one.node)).toEqual(["0.0", "2.1", "0.1", "0.2", "1.1"]);
    expect([...grown.parents]).toEqual([-1, 0, 0, 2, 2]);
  });

  it("takes what is new, different or gone", () => {
    const growth = new Growth();
    const before = growth.apply(changes(ROWS));
    const after = growth.apply(
      changes([node("3.1", "0.1", 35), node("0.2", "0.1", 35)], { whole: false, revision: 2, gone: ["2.1"], nodes: 6 }),
    );
    expect(growth.revision).toBe(2);
    expect(after).not.toBe(before);
    expect(after.nodes.map((one) => one.node)).toEqual(["0.0", "0.1", "0.2", "1.1", "3.1"]);
    expect(after.nodes[2]!.ended).toBeUndefined();
    expect(after.total).toBe(6);
  });

  it("is the same as long as nothing is different", () => {
    const growth = new Growth();
    const before = growth.apply(changes(ROWS));
    expect(growth.apply(changes([], { whole: false, revision: 2, nodes: 5 }))).toBe(before);
  });
});

describe("words on an edge", () => {
  it.each([
    [200, "0", "0..1489"],
    [60, "0", "0..1489"],
    [59, "0..1489", null],
    [46, "0", "0..…"],
    [40, "0…", null],
    [8, "0", null],
  ] as const)("in %s pixels are whole if they can be", (room, first, label) => {
    expect(choiceWords({ ...MODEL.items[1]!, value: "0" }, room)).toEqual({ first, label });
  });
});

describe("sprouts", () => {
  const grown = new Growth().apply(changes(ROWS));
  /** A path of readings from the root, the first after 17 instructions. */
  const path = (values: number[], more: Partial<FoundView> = {}): FoundView => ({
    end: "finished",
    text: "finished",
    count: 90,
    inputs: values.map((value) => ({ call: "chip_analog_read(12)", value: String(value), values: `${value}..${value + 9}`, happens: false, matters: true, parameter: null })),
    counts: values.map((_, index) => 17 + 18 * index),
    whole: true,
    ...more,
  });

  it("are what paths have beyond the tree, each once", () => {
    const { nodes, parents, total } = sprouted(grown, "0.0", [path([1, 50]), path([7, 60]), path([7, 70])]);
    const read = nodes.map((one) => Number(one.choice?.split(" = ")[1]));
    // 0.1 is what was read as 1, 2.1 as 21.
    expect(read).toEqual([NaN, 1, 2, 11, 50, 21, 7, 60, 70]);
    expect([...parents].map((parent) => read[parent])).toEqual([undefined, NaN, 1, 1, 1, NaN, NaN, 7, 7]);
    expect(nodes.filter((one) => one.suggested).map((one) => one.count)).toEqual([35, 35, 17, 35, 35]);
    expect(total).toBe(ROWS.length + 4);
  });

  it("end as their paths do", () => {
    const paths = [path([3]), path([4], { end: "trapped", text: "trap: unreachable" }), path([5], { end: "cut" })];
    const model = modelOf(sprouted(grown, "2.1", paths));
    expect(model.items.slice(ROWS.length).map((item) => [item.kind, item.label, item.open])).toEqual([
      ["finished", "3..12", false],
      ["failed", "4..13", false],
      ["open", "5..14", true],
    ]);
  });

  it("are folded where many choices have one way on", () => {
    const long = [7, ...Array.from({ length: 40 }, (_, index) => index)];
    const { nodes, total } = sprouted(grown, "0.0", [path([...long, 100]), path([...long, 200])]);
    const added = nodes.filter((one) => one.suggested === true && one.node.startsWith("?"));
    // The first of a branch is drawn, and the one before the ways part, with the others in between.
    expect(added.map((one) => [one.choice?.split(" = ")[1], one.folded ?? 0])).toEqual([
      ["7", 0],
      ["39", 39],
      ["100", 0],
      ["200", 0],
    ]);
    expect(added[1]!.parent).toBe(added[0]!.node);
    expect(total).toBe(ROWS.length + 43);
  });

  it("leave out paths of which only the end is told, and change nothing that is known", () => {
    expect(sprouted(grown, "0.0", [path([7], { whole: false })]).nodes).toEqual(grown.nodes);
    expect(sprouted(grown, "0.0", [path([1], { end: "trapped" })]).nodes).toEqual(grown.nodes);
    expect(sprouted(grown, "9.9", [path([1])])).toBe(grown);
  });
});

describe("model", () => {
  it("knows what each node is", () => {
    expect(MODEL.items.map((item) => item.kind)).toEqual(["choice", "choice", "finished", "open", "failed"]);
    expect(MODEL.items.map((item) => item.visited)).toEqual([true, true, true, false, true]);
    expect(MODEL.items[0]!.reads).toBe("chip_analog_read(12)");
  });

  it("measures stretches from one choice to the next", () => {
    expect(MODEL.items.map((item) => item.length)).toEqual([17, 17, 44, null, 62]);
    expect(along(MODEL.items[1]!, 18)).toBe(0);
    expect(along(MODEL.items[1]!, 35)).toBe(1);
    expect(along(MODEL.items[3]!, 36)).toBe(1);
  });

  it("stands where the next choice is made, or where the program ended", () => {
    expect(MODEL.items.map((item) => item.place)).toEqual(["0.0+17", "0.1+17", "0.2+44", "1.1", "2.1+62"]);
  });

  it("counts folded choices, and what was done in them, before the choice that follows them", () => {
    const output = (count: number) => ({ count, call: "print_int(1)", effect: "printed 1", printed: "1" });
    const rows = [
      node("0.0", null, 0),
      node("0.1", "0.0", 17, { outputs: [output(20)] }),
      node("0.9", "0.1", 170, { folded: 7, made_at: "0.8+5", outputs: [output(60), output(190)] }),
    ];
    const [start, before, after] = modelOf(new Growth().apply(changes(rows))).items;
    expect([start!.folded, before!.folded, after!.folded]).toEqual([0, 7, 0]);
    expect(before!.place).toBe("0.8+5");
    expect(before!.reads).toBe("chip_analog_read(12)");
    expect(before!.outputs.map((one) => one.count)).toEqual([20, 60]);
    expect(after!.outputs.map((one) => one.count)).toEqual([190]);
  });

  it("names what is read at a depth where all universes read the same", () => {
    const rows = [...ROWS, node("3.1", "2.1", 90, { choice: "chip_digital_read(2) = low" })];
    const all = modelOf(new Growth().apply(changes(rows)));
    expect(levelsOf(all, showing(all, new Set()))).toEqual([null, "chip_analog_read(12)", null]);
    expect(levelsOf(MODEL, showing(MODEL, new Set()))[2]).toBe("chip_analog_read(12)");
  });

  it("says what a node is in a line", () => {
    expect(MODEL.items.map(words)).toEqual([
      "start · then reads chip_analog_read(12)",
      "chip_analog_read(12) = 1 · 0..1489 (1,490 values) · then reads chip_analog_read(12)",
      "chip_analog_read(12) = 2 · finished",
      "chip_analog_read(12) = 11 · 1241..4095 (2,855 values) · ★ warm · suggested",
      "chip_analog_read(12) = 21 · trap: unreachable",
    ]);
  });

  it("says of turns whose they are, and that nothing is read", () => {
    const rows = [
      node("0.0", null, 0),
      node("0.1", "0.0", 17, { choice: "client1: start from main" }),
      node("0.2", "0.1", 35, { choice: "math: double from client1", ended: finished }),
    ];
    const turns = modelOf(new Growth().apply(changes(rows)));
    expect(turns.items.map(words)).toEqual(["start", "client1: start from main", "math: double from client1 · finished"]);
    expect(turns.items.map((item) => item.place)).toEqual(["0.0+17", "0.1+18", "0.2+45"]);
  });
});

describe("folding", () => {
  it("hides what follows, and says how much", () => {
    const shown = showing(MODEL, new Set(["0.1"]));
    expect([...shown.items]).toEqual([0, 1, 4]);
    expect([...shown.hidden]).toEqual([0, 2, 0]);
    expect(nearestShown(MODEL, shown, 3)).toBe(1);
    expect(nearestShown(MODEL, shown, 4)).toBe(2);
  });
});

describe("walking", () => {
  const { shape } = MODEL;
  const placement = place(shape);
  it.each([
    [0, "right", 1],
    [1, "right", 2],
    [3, "left", 1],
    [0, "left", 0],
    [2, "down", 3],
    [1, "down", 4],
    [4, "up", 1],
    [2, "up", 2],
  ] as const)("from %i %s to %i", (from, way, to) => expect(walk(shape, placement, from, way)).toBe(to));

  it("goes back to what two nodes have in common, and on from there", () => {
    expect(journey(shape, 2, 4)).toEqual({ back: [2, 1], on: [4] });
    expect(journey(shape, 0, 3)).toEqual({ back: [], on: [1, 3] });
    expect(journey(shape, 3, 3)).toEqual({ back: [], on: [] });
  });

  it("finds values, classes, ends and bookmarks", () => {
    expect(find(MODEL, "trap")).toEqual([4]);
    expect(find(MODEL, "WARM")).toEqual([3]);
    expect(find(MODEL, "0..1489")).toEqual([1]);
    expect(find(MODEL, " ")).toEqual([]);
  });
});

describe("signs of outputs", () => {
  const output = (call: string, effect: string, printed?: string) => ({ count: 1, call, effect, printed: printed ?? null });
  it("tell what happened", () => {
    expect(signOf(output("chip_digital_write(25, 1)", "pin 25 = high"))).toEqual({ picture: "on", words: "25" });
    expect(signOf(output("chip_digital_write(25, 0)", "pin 25 = low"))).toEqual({ picture: "off", words: "25" });
    expect(signOf(output("drive_motor_degrees(0, 90, 100)", "motor 0 turned 90°"))).toEqual({ picture: "turn", words: "90°" });
    expect(signOf(output("print_string(1, 2)", 'printed "x"', "hello world\n"))).toEqual({ picture: "text", words: "hello w…" });
    expect(signOf(output("chip_delay(500)", "waited 500 ms")).picture).toBe("wait");
  });

  it("leave out setting up, and what is said twice", () => {
    const wait = output("chip_delay(1)", "waited 1 ms");
    const signs = signsOf([output("chip_pin_mode(1, 2)", "pin 1 is output"), wait, wait, output("tone(4)", "4 Hz")], 5);
    expect(signs.map((sign) => sign.picture)).toEqual(["wait", "sound"]);
    expect(signsOf([wait, output("tone(4)", "4 Hz")], 1)).toHaveLength(1);
  });
});
