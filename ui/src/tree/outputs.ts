/** What the program did, as small pictures along an edge. */
import type { OutputView } from "../api";

export type Picture = "on" | "off" | "turn" | "text" | "wait" | "picture" | "sound" | "other";

export interface Sign {
  readonly picture: Picture;
  /** A few letters beside it: an angle, what was printed. */
  readonly words: string;
}

const WORDS = 8;

/** The picture of an output, by what it is said to have done. */
export function signOf(output: OutputView): Sign {
  const { effect, call } = output;
  if (output.printed != null) return { picture: "text", words: clip(output.printed.trim()) };
  const level = /pin (\d+) = (high|low)/.exec(effect);
  if (level !== null) return { picture: level[2] === "high" ? "on" : "off", words: level[1]! };
  const angle = /(-?\d+(?:\.\d+)?) ?°/.exec(effect);
  if (angle !== null) return { picture: "turn", words: `${angle[1]}°` };
  if (/motor/.test(call)) return { picture: "turn", words: "" };
  if (/wait/.test(effect)) return { picture: "wait", words: "" };
  if (/display|spi|pixel/.test(call)) return { picture: "picture", words: "" };
  if (/tone/i.test(call)) return { picture: "sound", words: "" };
  return { picture: "other", words: "" };
}

function clip(text: string): string {
  const line = text.split("\n")[0] ?? "";
  return line.length > WORDS ? `${line.slice(0, WORDS - 1)}…` : line;
}

/**
 * The signs of a stretch: the same thing again is not said again, setting up pins not at all, nor
 * what actors send, which has a drawing of its own.
 */
export function signsOf(outputs: readonly OutputView[], most: number): Sign[] {
  const signs: Sign[] = [];
  for (const output of outputs) {
    if (/pin_mode|_begin$|_setup$|^init_|^actor\./.test(output.call.replace(/\(.*/, ""))) continue;
    const sign = signOf(output);
    const last = signs.at(-1);
    if (last !== undefined && last.picture === sign.picture && last.words === sign.words) continue;
    if (signs.length === most) break;
    signs.push(sign);
  }
  return signs;
}
