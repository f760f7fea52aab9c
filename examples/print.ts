// Printing text on the board, apart from `board.ts` so that only programs that
// print carry the buffer.

import { print_string } from "./board";

const TEXT_LIMIT: i32 = 64;
const text: usize = memory.data(64);

// Print a string of ASCII characters; what does not fit is cut off.
export function print(message: string): void {
  const length = min(message.length, TEXT_LIMIT);
  for (let i = 0; i < length; i++) store<u8>(text + i, message.charCodeAt(i));
  print_string(text, length);
}
