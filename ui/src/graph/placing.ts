/** Has graphs laid out: small ones at once, large ones by the worker. */
import { asker } from "../tree/worker";
import { place, type Graph, type Placement } from "./layout";

/** Up to so many states and steps a layout takes less than a frame. */
const AT_ONCE = 600;

const ask = asker<{ graph: Graph }, Placement>(
  () => new Worker(new URL("./layout.worker.ts", import.meta.url), { type: "module" }),
);

export function placeNow(graph: Graph): Placement | null {
  return graph.size + graph.from.length <= AT_ONCE ? place(graph) : null;
}

export function placeLater(graph: Graph): Promise<Placement> {
  return ask({ graph });
}
