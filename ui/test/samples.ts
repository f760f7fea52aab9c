/** Data as the debugger would send it. */
import type { Hello, Position } from "../src/api";

export function somewhere(text: string): Position {
  const [node = "0.0", after = "0"] = text.split("+");
  return {
    place: { node, count: Number(after), text },
    choices: 0,
    in_the_past: false,
    altered: false,
    bookmarks: [],
    function: "main",
    depth: 1,
    offset: 16,
    instruction: "nop",
    pending: null,
    ended: null,
    source: null,
    device: null,
  };
}

export const HELLO: Hello = {
  version: "0",
  page: "page 1",
  name: "program.wasm",
  world: "board",
  has_board: true,
  has_sources: false,
  busy: null,
};
