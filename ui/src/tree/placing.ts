/** Has trees laid out: small ones at once, large ones by the worker. */
import { place, type Placement } from "./layout";
import type { Shape } from "./shape";

/** Up to so many nodes a layout takes less than a frame. */
const AT_ONCE = 3_000;

let worker: Worker | null = null;
let nextId = 1;
const waiting = new Map<number, (placement: Placement) => void>();

export function placeNow(shape: Shape): Placement | null {
  return shape.size <= AT_ONCE ? place(shape) : null;
}

export function placeLater(shape: Shape): Promise<Placement> {
  worker ??= start();
  const id = nextId++;
  const answer = new Promise<Placement>((resolve) => waiting.set(id, resolve));
  worker.postMessage({ id, parents: shape.parent });
  return answer;
}

function start(): Worker {
  const started = new Worker(new URL("./layout.worker.ts", import.meta.url), { type: "module" });
  started.addEventListener("message", ({ data }: MessageEvent<{ id: number; placement: Placement }>) => {
    waiting.get(data.id)?.(data.placement);
    waiting.delete(data.id);
  });
  return started;
}
