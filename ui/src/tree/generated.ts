/** Trees out of nothing, for tests and measurements: the same for the same seed. */

/** Parents of a tree with so many nodes: stretches, branches of two to five, uneven depths. */
export function generated(size: number, seed = 1): number[] {
  const random = generator(seed);
  const parents = [-1];
  const open = [0];
  while (parents.length < size) {
    // Mostly goes on where it was, so that universes get long; sometimes far back.
    const recent = random() < 0.8 ? Math.floor(random() * Math.min(open.length, 40)) : 0;
    const at = random() < 0.8 ? open.length - 1 - recent : Math.floor(random() * open.length);
    const parent = open[at]!;
    open[at] = open[open.length - 1]!;
    open.pop();
    const ways = random() < 0.45 ? 1 : 2 + Math.floor(random() * 4);
    for (let way = 0; way < ways && parents.length < size; way++) {
      open.push(parents.length);
      parents.push(parent);
    }
  }
  return parents;
}

/** Numbers from 0 to 1 (mulberry32). */
export function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
