/** What variables are worth, beside the lines that name them. */
import type { SourceVariable } from "../api";

/** More of a value is not shown at the end of a line. */
const LONGEST = 40;

/**
 * The values of variables by line, for the lines from `first` to `current`: those of the function
 * that is being executed, up to where it is.
 */
export function inlineValues(
  text: string,
  first: number,
  current: number,
  variables: readonly SourceVariable[],
): Map<number, string> {
  const known = new Map(variables.map((one) => [one.name, one.value]));
  const lines = text.split("\n");
  const found = new Map<number, string>();
  for (let number = Math.max(1, first); number <= Math.min(current, lines.length); number++) {
    const named = new Set(lines[number - 1]!.replace(/\/\/.*|"[^"]*"|'[^']*'/g, "").match(/[A-Za-z_$][\w$]*/g));
    const shown = [...named].flatMap((name) => (known.has(name) ? [`${name} = ${shortened(known.get(name)!)}`] : []));
    if (shown.length > 0) found.set(number, shown.join(", "));
  }
  return found;
}

function shortened(value: string): string {
  return value.length > LONGEST ? `${value.slice(0, LONGEST)}…` : value;
}
