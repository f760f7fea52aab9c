/** Which lines breakpoints are at. */
import type { BreakpointView, CodeLine } from "../api";

/** The end of a path by which files are the same: `b.ts` of `a/b.ts`. */
export function sameFile(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return long === short || long.endsWith(`/${short}`);
}

/** The breakpoints of a file by line: where they are, or as the debugger writes them (`main.ts:12`). */
export function breakpointsOfFile(all: readonly BreakpointView[], path: string): Map<number, BreakpointView> {
  const found = new Map<number, BreakpointView>();
  for (const one of all) {
    const match = /^(.+?):(\d+)(?::\d+)?$/.exec(one.trigger);
    const at = one.source ?? (match === null ? null : { file: match[1]!, line: Number(match[2]) });
    if (at !== null && sameFile(at.file, path)) found.set(at.line, one);
  }
  return found;
}

/** The breakpoints of instructions by line of their listing. */
export function breakpointsOfCode(all: readonly BreakpointView[], code: readonly CodeLine[]): Map<number, BreakpointView> {
  const found = new Map<number, BreakpointView>();
  code.forEach((line, index) => {
    const one = all.find((breakpoint) => line.breakpoints.includes(breakpoint.id));
    if (one !== undefined) found.set(index + 1, one);
  });
  return found;
}

/** The line on which a breakpoint lands that is set at a line: the next one with code. */
export function nextWithCode(lines: readonly number[], line: number): number | null {
  const later = lines.filter((one) => one >= line);
  return later.length === 0 ? null : Math.min(...later);
}

/** The file to read before anything has been executed: one of the program's own, not of what it uses. */
export function mainFile(files: readonly { readonly path: string }[]): string | null {
  const own = files.find((file) => !/^(\.\.|~lib|\/)/.test(file.path));
  return (own ?? files[0])?.path ?? null;
}
