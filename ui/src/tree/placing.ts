/** Has trees laid out: small ones at once, large ones by the worker. */
import { place, type Placement } from "./layout";
import type { Shape } from "./shape";
import { asker } from "./worker";

/** Up to so many nodes a layout takes less than a frame. */
const AT_ONCE = 3_000;

const ask = asker<{ parents: Shape["parent"] }, Placement>(
  () => new Worker(new URL("./layout.worker.ts", import.meta.url), { type: "module" }),
);

export function placeNow(shape: Shape): Placement | null {
  return shape.size <= AT_ONCE ? place(shape) : null;
}

export function placeLater(shape: Shape): Promise<Placement> {
  return ask({ parents: shape.parent });
}
