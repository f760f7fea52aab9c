/** Lays graphs out beside the page, so that it goes on while large ones are placed. */
import { place, type Graph } from "./layout";

addEventListener("message", ({ data }: MessageEvent<{ id: number; graph: Graph }>) => {
  postMessage({ id: data.id, placement: place(data.graph) });
});
