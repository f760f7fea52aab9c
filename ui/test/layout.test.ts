import { describe, expect, it } from "vitest";
import { place } from "../src/tree/layout";
import { children, pathTo, shapeOf, subtreeSizes } from "../src/tree/shape";
import { generated } from "../src/tree/generated";

const rows = (parents: number[]) => [...place(shapeOf(parents)).row];

describe("shape", () => {
  it("keeps the order of siblings", () => {
    const shape = shapeOf([-1, 0, 0, 1, 0]);
    expect(children(shape, 0)).toEqual([1, 2, 4]);
    expect([...shape.depth]).toEqual([0, 1, 1, 2, 1]);
    expect(pathTo(shape, 3)).toEqual([0, 1, 3]);
    expect([...subtreeSizes(shape)]).toEqual([5, 2, 1, 1, 1]);
  });

  it("refuses a child before its parent", () => {
    expect(() => shapeOf([-1, 2, 0])).toThrow("node 1 comes before its parent 2");
  });
});

describe("layout", () => {
  it("puts a parent in the middle of its children", () => {
    expect(rows([-1, 0, 0])).toEqual([0.5, 0, 1]);
    expect(rows([-1, 0, 0, 0])).toEqual([1, 0, 1, 2]);
    expect(rows([-1, 0])).toEqual([0, 0]);
  });

  it("lets subtrees share rows that do not collide", () => {
    // The second child is a leaf: the first one's children need no room beside it.
    expect(rows([-1, 0, 0, 1, 1, 1])).toEqual([1.5, 1, 2, 0, 1, 2]);
  });

  it("shares out space between small subtrees between large ones", () => {
    // Children 1 and 3 have five leaves each, 2 has none and stands half way.
    const row = rows([-1, 0, 0, 0, 1, 1, 1, 1, 1, 3, 3, 3, 3, 3]);
    expect(row[2]! - row[1]!).toBeCloseTo(row[3]! - row[2]!);
  });

  it("never draws two nodes of a column closer than a row", () => {
    for (const seed of [1, 2, 3, 4, 5]) {
      const shape = shapeOf(generated(3000, seed));
      const { row } = place(shape);
      const columns = new Map<number, number[]>();
      for (let node = 0; node < shape.size; node++) {
        const column = columns.get(shape.depth[node]!) ?? [];
        column.push(row[node]!);
        columns.set(shape.depth[node]!, column);
      }
      for (const column of columns.values()) {
        column.sort((a, b) => a - b);
        for (let i = 1; i < column.length; i++) {
          expect(column[i]! - column[i - 1]!).toBeGreaterThan(0.99);
        }
      }
    }
  });

  it("keeps children in order, and bounds around subtrees", () => {
    const shape = shapeOf(generated(2000, 7));
    const { row, top, bottom, reach } = place(shape);
    for (let node = 1; node < shape.size; node++) {
      const above = shape.parent[node]!;
      const sibling = shape.next[node]!;
      if (sibling >= 0) expect(row[sibling]!).toBeGreaterThan(row[node]!);
      expect(top[above]!).toBeLessThanOrEqual(top[node]!);
      expect(bottom[above]!).toBeGreaterThanOrEqual(bottom[node]!);
      expect(reach[above]!).toBeGreaterThanOrEqual(shape.depth[node]!);
    }
  });

  it("needs no recursion for a universe of 100,000 choices", () => {
    const { row } = place(shapeOf(Array.from({ length: 100_000 }, (_, i) => i - 1)));
    expect(row[99_999]).toBe(0);
  });
});
