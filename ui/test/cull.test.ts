import { describe, expect, it } from "vitest";
import { CAPTIONS, CHOICES, COLUMN, ROW, START, fit, follow, pan, reveal, toScreen, toTree, visible, zoomAt } from "../src/tree/camera";
import { cull, nodeAt } from "../src/tree/cull";
import { generated } from "../src/tree/generated";
import { isRoomy } from "../src/tree/labels";
import { place } from "../src/tree/layout";
import { shapeOf } from "../src/tree/shape";

function drawn(size: number, zoom: number) {
  const shape = shapeOf(generated(size, 3));
  const placement = place(shape);
  const middle = size / 2;
  const at = { x: shape.depth[middle]! * COLUMN, y: placement.row[middle]! * ROW };
  const camera = zoom < 1 ? { x: 0, y: 0, zoom, across: zoom } : { x: at.x - 600, y: at.y - 400, zoom, across: zoom };
  const nodes = new Set<number>();
  const bundles = new Set<number>();
  const extent = visible(camera, { width: 1200, height: 800 });
  cull(shape, placement, extent, camera, {
    node: (node) => nodes.add(node),
    bundle: (node) => bundles.add(node),
  });
  return { shape, placement, extent, nodes, bundles };
}

describe("a tree from afar", () => {
  it("has room for words at the edges to high subtrees, and there they do not meet", () => {
    const shape = shapeOf(generated(20_000, 3));
    const placement = place(shape);
    const camera = { ...START, zoom: 0.005 };
    const roomy = Array.from({ length: shape.size }, (_, node) => node).filter((node) => isRoomy({ placement, camera }, node));
    expect(roomy.length).toBeGreaterThan(3);
    for (const depth of new Set(roomy.map((node) => shape.depth[node]!))) {
      const column = roomy.filter((node) => shape.depth[node] === depth);
      const heights = column.map((node) => placement.row[node]! * ROW * camera.zoom).sort((a, b) => a - b);
      heights.slice(1).forEach((y, at) => expect(y - heights[at]!).toBeGreaterThanOrEqual(2 * CHOICES));
    }
  });
});

describe("culling", () => {
  it("draws every node that lies in the extent, and little else", () => {
    const { shape, placement, extent, nodes, bundles } = drawn(20_000, 1);
    expect(bundles.size).toBe(0);
    let inside = 0;
    for (let node = 0; node < shape.size; node++) {
      const [x, y] = [shape.depth[node]! * COLUMN, placement.row[node]! * ROW];
      if (x < extent.left || x > extent.right || y < extent.top || y > extent.bottom) continue;
      inside++;
      expect(nodes.has(node)).toBe(true);
    }
    expect(inside).toBeGreaterThan(20);
    expect(nodes.size).toBeLessThan(inside + 2000);
  });

  it("draws subtrees as bundles when they are too small, and each node once", () => {
    const { shape, placement, nodes, bundles } = drawn(20_000, 0.002);
    expect(bundles.size).toBeGreaterThan(10);
    expect(nodes.size + bundles.size).toBeLessThan(8000);
    for (const bundle of bundles) {
      expect(nodes.has(bundle)).toBe(false);
      expect((placement.bottom[bundle]! - placement.top[bundle]!) * ROW * 0.002).toBeLessThan(3);
      expect(shape.first[bundle]!).toBeGreaterThanOrEqual(0);
    }
  });

  it("draws an edge whose ends are both outside", () => {
    // A root with 400 children: the edge to the first crosses the rows in between.
    const shape = shapeOf([-1, ...Array.from({ length: 400 }, () => 0)]);
    const placement = place(shape);
    const nodes: number[] = [];
    const extent = { left: 0, top: 50 * ROW, right: COLUMN, bottom: 51 * ROW };
    cull(shape, placement, extent, { zoom: 1 }, { node: (n) => nodes.push(n), bundle() {} });
    expect(nodes).toContain(1);
    expect(nodes).not.toContain(400);
  });

  it("finds the node under a point", () => {
    const shape = shapeOf([-1, 0, 0]);
    const placement = place(shape);
    const whole = { zoom: 1, across: 1 };
    expect(nodeAt(shape, placement, COLUMN, 0, whole)).toBe(1);
    expect(nodeAt(shape, placement, COLUMN - 60, ROW, whole)).toBe(2);
    expect(nodeAt(shape, placement, COLUMN + 60, ROW * 0.5, whole)).toBe(null);
  });
});

describe("camera", () => {
  const size = { width: 1000, height: 500 };

  it("goes to the screen and back", () => {
    const camera = { x: 10, y: -20, zoom: 0.5, across: 0.25 };
    const there = toScreen(camera, 100, 200);
    expect(toTree(camera, there.x, there.y)).toEqual({ x: 100, y: 200 });
  });

  it("keeps the point under the pointer while zooming", () => {
    const before = { x: 10, y: 20, zoom: 1, across: 0.5 };
    const after = zoomAt(before, 1.7, 300, 200);
    expect(toTree(after, 300, 200).x).toBeCloseTo(toTree(before, 300, 200).x);
    expect(zoomAt(before, 1e9, 0, 0).zoom).toBeLessThan(10);
    expect(zoomAt(before, 1e-9, 0, 0).zoom).toBeGreaterThan(0);
  });

  it("fits an extent into the middle", () => {
    const camera = fit({ left: 0, top: 0, right: 5000, bottom: 100 }, size);
    const left = toScreen(camera, 0, 0);
    const right = toScreen(camera, 5000, 100);
    expect(left.x).toBeCloseTo(1000 - right.x);
    expect(left.y).toBeCloseTo(500 - right.y);
    expect(left.x).toBeGreaterThanOrEqual(0);
    expect(fit({ left: 0, top: 0, right: 1, bottom: 1 }, size).zoom).toBe(1);
  });

  it("evens out rows and columns while one comes closer", () => {
    const flat = zoomAt({ x: 0, y: 0, zoom: 0.01, across: 1 }, 100, 0, 0);
    expect([flat.zoom, flat.across]).toEqual([1, 1]);
    const slim = zoomAt({ x: 0, y: 0, zoom: 1, across: 0.5 }, 2, 0, 0);
    expect([slim.zoom, slim.across]).toEqual([1, 1]);
  });

  it("shrinks edges before rows, so that words stay", () => {
    // Fifteen ends of three readings in 600 by 600 pixels.
    const tree = { left: -COLUMN, top: 0, right: 3 * COLUMN, bottom: 14 * ROW };
    const camera = fit(tree, { width: 600, height: 600 });
    expect(camera.zoom * ROW).toBeGreaterThan(CAPTIONS);
    expect(camera.across).toBeLessThan(camera.zoom);
    const deep = fit({ ...tree, right: 300 * COLUMN }, { width: 600, height: 600 });
    expect(deep.zoom * ROW).toBeLessThan(CHOICES);
  });

  it("follows a point with what comes after it, and at the end with what was before", () => {
    const far = { left: 0, top: 0, right: 10_000, bottom: 10_000 };
    const inside = (x: number) => toScreen(follow(START, far, size, x, 5000), x, 5000).x;
    expect(inside(5000)).toBeCloseTo(350);
    expect(inside(9940)).toBeCloseTo(940);
    expect(inside(10)).toBeCloseTo(10);
  });

  it("reveals a point, and moves only as far as needed", () => {
    const camera = { x: 0, y: 0, zoom: 1, across: 1 };
    expect(reveal(camera, size, 500, 250)).toEqual(camera);
    const moved = reveal(camera, size, 2000, 250);
    expect(toScreen(moved, 2000, 250)).toEqual({ x: 910, y: 250 });
    expect(pan(camera, 10, -5)).toEqual({ x: -10, y: 5, zoom: 1, across: 1 });
  });
});
