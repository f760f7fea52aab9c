import { describe, expect, it } from "vitest";
import type { TreeNode, VerdictChange, VerdictView } from "../src/api";
import { showing } from "../src/tree/fold";
import { Growth } from "../src/tree/growth";
import { modelOf } from "../src/tree/model";
import { verdictsOf } from "../src/tree/verdicts";

const node = (name: string, parent: string | null, count: number, folded = 0): TreeNode => ({
  node: name,
  parent,
  count,
  choice: parent === null ? null : "read() = 1",
  ...(folded > 0 && { folded }),
});

const modelFrom = (rows: TreeNode[]) =>
  modelOf(new Growth().apply({ revision: 1, whole: true, rows, gone: [], nodes: rows.length, truncated: false }));

const change = (property: number, name: string, count: number, verdict: VerdictView): VerdictChange => ({
  property,
  place: { node: name, count, text: name },
  verdict,
});

/** 0.0 ─ 0.1 ┬ 0.2 ─ 0.3
 *            └ 1.2 */
const MODEL = modelFrom([node("0.0", null, 0), node("0.1", "0.0", 10), node("0.2", "0.1", 20), node("0.3", "0.2", 30), node("1.2", "0.1", 20)]);
const NAMES = MODEL.items.map((item) => item.node);

const verdicts = (changes: VerdictChange[], unknown: string[] = [], model = MODEL) => {
  const found = verdictsOf(model, { changes, unknown });
  const of = <T>(values: ArrayLike<T>) => Object.fromEntries(model.items.map((item, at) => [item.node, values[at]]));
  return { ...found, at: of(found.at), onTheWay: of(found.onTheWay), violated: of(found.violated) };
};

describe("verdicts in the tree", () => {
  it("hold as long as nothing is said", () => {
    const { at, isViolated } = verdicts([]);
    expect(new Set(Object.values(at))).toEqual(new Set(["holds"]));
    expect(isViolated).toBe(false);
  });

  it("go on from where they change, in that universe alone", () => {
    const { at, onTheWay } = verdicts([change(1, "0.2", 25, "violated")]);
    expect(at).toEqual({ "0.0": "holds", "0.1": "holds", "0.2": "violated", "0.3": "violated", "1.2": "holds" });
    expect(onTheWay).toEqual({ "0.0": 1, "0.1": 1, "0.2": 1, "0.3": 1, "1.2": 0 });
  });

  it("follow time within a stretch, whatever comes first", () => {
    expect(verdicts([change(1, "0.1", 18, "holds"), change(1, "0.1", 12, "violated")]).at["0.1"]).toBe("holds");
    const { at, onTheWay } = verdicts([change(1, "0.1", 12, "violated"), change(1, "0.2", 22, "holds")]);
    expect([at["0.1"], at["0.2"], at["1.2"]]).toEqual(["violated", "holds", "violated"]);
    // The universe has violated it, though it holds at its end.
    expect(onTheWay["0.3"]).toBe(1);
  });

  it("do not concern what branches off before them", () => {
    // 1.2 branches off at 20: what happens in 0.1 at 25, after an interrupt that did not arrive, say, is another universe's.
    const { at, onTheWay } = verdicts([change(1, "0.1", 25, "violated")]);
    expect([at["0.1"], at["1.2"], onTheWay["1.2"]]).toEqual(["violated", "holds", 0]);
  });

  it("are violated if any property is, and each is counted by itself", () => {
    const { at, violated } = verdicts([
      change(1, "0.1", 12, "violated"),
      change(2, "0.1", 13, "inconclusive"),
      change(1, "0.2", 22, "holds"),
      change(2, "0.3", 33, "violated"),
    ]);
    expect([at["0.1"], at["0.2"], at["0.3"]]).toEqual(["violated", "inconclusive", "violated"]);
    expect([violated["0.1"], violated["0.2"], violated["0.3"], violated["1.2"]]).toEqual([[1], [], [2], [1]]);
  });

  it("are not claimed where nobody has been", () => {
    const { at } = verdicts([change(1, "0.2", 22, "violated")], ["0.3", "1.2"]);
    expect(at).toEqual({ "0.0": "holds", "0.1": "holds", "0.2": "violated", "0.3": null, "1.2": null });
  });

  it("belong to the edge that a node is folded into", () => {
    // 0.1 to 0.6 are folded into the edge from 0.0; what is after 0.7 went on as 2.8, after another way was removed.
    const folded = modelFrom([node("0.0", null, 0), node("0.7", "0.0", 70, 6), node("2.9", "0.7", 95, 1)]);
    const { at } = verdicts([change(1, "0.5", 55, "violated"), change(1, "0.7", 72, "holds"), change(1, "2.12", 130, "violated")], [], folded);
    expect(at).toEqual({ "0.0": "violated", "0.7": "holds", "2.9": "violated" });
    expect(verdicts([change(1, "2.8", 88, "violated")], [], folded).at["0.7"]).toBe("violated");
    expect(verdicts([change(1, "9.1", 3, "violated")], [], folded).isViolated).toBe(false);
  });
});

describe("universes that violate", () => {
  it("are all that is shown, with the way to them", () => {
    const { onTheWay } = verdictsOf(MODEL, { changes: [change(1, "1.2", 25, "violated")], unknown: [] });
    const shown = showing(MODEL, new Set(), onTheWay);
    expect([...shown.items].map((item) => NAMES[item])).toEqual(["0.0", "0.1", "1.2"]);
    expect([...showing(MODEL, new Set(["0.1"]), onTheWay).items].map((item) => NAMES[item])).toEqual(["0.0", "0.1"]);
  });
});
