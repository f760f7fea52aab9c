/** Lays trees out beside the page, so that it goes on while large ones are placed. */
import { place } from "./layout";
import { shapeOf } from "./shape";

export interface Order {
  readonly id: number;
  readonly parents: Int32Array;
}

addEventListener("message", ({ data }: MessageEvent<Order>) => {
  const placement = place(shapeOf(data.parents));
  const { row, top, bottom, reach } = placement;
  const transfer = [row.buffer, top.buffer, bottom.buffer, reach.buffer] as Transferable[];
  postMessage({ id: data.id, placement }, { transfer });
});
