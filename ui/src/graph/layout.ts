/**
 * Where each state of a graph is drawn: in layers, so that steps lead to the right.
 *
 * The steps of Sugiyama, Tagawa and Toda (1981): steps that lead back are left out; a state's layer
 * is the length of the longest way to it; a step over several layers has a bend in each; layers are
 * ordered by where their neighbours are; rows are as near to the neighbours' as their distance
 * allows (an isotonic regression, in linear time).
 */

export interface Graph {
  readonly size: number;
  /** Where each step begins and ends. */
  readonly from: Int32Array;
  readonly to: Int32Array;
}

export interface Placement {
  readonly layer: Int32Array;
  readonly row: Float32Array;
  /** Whether each step leads back, or to where it begins. */
  readonly isBack: Uint8Array;
  /** The bends of each step: their rows, one for each layer between; `at` says where they begin. */
  readonly bends: Float32Array;
  readonly at: Int32Array;
  /** How many layers there are, and between which rows they lie. */
  readonly layers: number;
  readonly top: number;
  readonly bottom: number;
}

/** More bends than these are not worth the time: the steps that would have them are straight. */
const MOST_BENDS = 40_000;
const SWEEPS = 8;

export function place(graph: Graph): Placement {
  const { size, from, to } = graph;
  const { isBack, order } = ways(graph);
  const layer = new Int32Array(size);
  const out = outgoing(graph);
  for (const node of order) {
    for (const edge of out(node)) {
      if (isBack[edge] === 0) layer[to[edge]!] = Math.max(layer[to[edge]!]!, layer[node]! + 1);
    }
  }
  // Bends are nodes after those of the graph.
  const at = new Int32Array(from.length + 1);
  const layerOf: number[] = [...layer];
  const links: [number, number][] = [];
  for (let edge = 0; edge < from.length; edge++) {
    at[edge] = layerOf.length - size;
    if (isBack[edge] === 1) continue;
    let before = from[edge]!;
    const [first, last] = [layer[before]!, layer[to[edge]!]!];
    if (layerOf.length - size + last - first <= MOST_BENDS) {
      for (let between = first + 1; between < last; between++) {
        links.push([before, layerOf.length]);
        before = layerOf.length;
        layerOf.push(between);
      }
    }
    links.push([before, to[edge]!]);
  }
  at[from.length] = layerOf.length - size;
  const rows = rowsOf(layerOf, links);
  let [top, bottom] = [0, 0];
  for (const row of rows) [top, bottom] = [Math.min(top, row), Math.max(bottom, row)];
  const layers = layerOf.reduce((most, one) => Math.max(most, one + 1), 0);
  return { layer, row: rows.slice(0, size), isBack, bends: rows.slice(size), at, layers, top, bottom };
}

/** The steps of each state. */
function outgoing({ size, from }: Graph): (node: number) => Int32Array {
  const start = new Int32Array(size + 1);
  for (const node of from) start[node + 1]!++;
  for (let node = 0; node < size; node++) start[node + 1]! += start[node]!;
  const edges = new Int32Array(from.length);
  const next = start.slice();
  from.forEach((node, edge) => (edges[next[node]!++] = edge));
  return (node) => edges.subarray(start[node]!, start[node + 1]!);
}

/** Which steps lead back, and an order in which all others lead forward. */
function ways(graph: Graph): { isBack: Uint8Array; order: number[] } {
  const { size, to } = graph;
  const out = outgoing(graph);
  const isBack = new Uint8Array(to.length);
  /** 0 for not met yet, 1 for on the way, 2 for done. */
  const state = new Uint8Array(size);
  const done: number[] = [];
  for (let start = 0; start < size; start++) {
    if (state[start] !== 0) continue;
    const way = [{ node: start, next: 0 }];
    state[start] = 1;
    while (way.length > 0) {
      const last = way[way.length - 1]!;
      const edges = out(last.node);
      if (last.next === edges.length) {
        state[last.node] = 2;
        done.push(last.node);
        way.pop();
        continue;
      }
      const edge = edges[last.next++]!;
      const next = to[edge]!;
      if (state[next] === 1) isBack[edge] = 1;
      else if (state[next] === 0) {
        state[next] = 1;
        way.push({ node: next, next: 0 });
      }
    }
  }
  return { isBack, order: done.reverse() };
}

function rowsOf(layerOf: readonly number[], links: readonly (readonly [number, number])[]): Float32Array {
  const before: number[][] = layerOf.map(() => []);
  const after: number[][] = layerOf.map(() => []);
  for (const [from, to] of links) {
    after[from]!.push(to);
    before[to]!.push(from);
  }
  const layers: number[][] = [];
  layerOf.forEach((layer, node) => (layers[layer] ??= []).push(node));
  const row = new Float32Array(layerOf.length);
  for (const nodes of layers) nodes.forEach((node, index) => (row[node] = index));
  const mean = (of: readonly number[], otherwise: number) =>
    of.length === 0 ? otherwise : of.reduce((sum, node) => sum + row[node]!, 0) / of.length;
  // First the order alone, then rows with it.
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const [ways, all] = sweep % 2 === 0 ? [before, layers] : [after, [...layers].reverse()];
    for (const nodes of all) {
      const wanted = new Map(nodes.map((node) => [node, mean(ways[node]!, row[node]!)]));
      nodes.sort((a, b) => wanted.get(a)! - wanted.get(b)! || row[a]! - row[b]!);
      nodes.forEach((node, index) => (row[node] = index - (nodes.length - 1) / 2));
    }
  }
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const [ways, all] = sweep % 2 === 0 ? [before, layers] : [after, [...layers].reverse()];
    for (const nodes of all) apart(nodes, row, nodes.map((node) => mean(ways[node]!, row[node]!)));
  }
  return row;
}

/** Rows at least 1 apart, in this order, as near to the wanted ones as that allows. */
function apart(nodes: readonly number[], row: Float32Array, wanted: readonly number[]): void {
  const blocks: { sum: number; count: number }[] = [];
  wanted.forEach((value, index) => {
    let block = { sum: value - index, count: 1 };
    for (let last = blocks.at(-1); last !== undefined && last.sum / last.count >= block.sum / block.count; last = blocks.at(-1)) {
      block = { sum: last.sum + block.sum, count: last.count + block.count };
      blocks.pop();
    }
    blocks.push(block);
  });
  let index = 0;
  for (const { sum, count } of blocks) {
    for (let one = 0; one < count; one++, index++) row[nodes[index]!] = sum / count + index;
  }
}
