/** How an input is decided: by a slider, by buttons, by words. */
import { intervals, membersOf } from "../format/values";

export type Control =
  | { readonly kind: "range"; readonly low: number; readonly high: number }
  | { readonly kind: "names"; readonly names: readonly string[] }
  | { readonly kind: "text" };

/** The control that fits a domain as text: `0..4095`, `low, high`. */
export function controlOf(domain: string | null): Control {
  if (domain === null) return { kind: "text" };
  const ranges = intervals(domain);
  if (ranges !== null && ranges.length > 0) {
    const low = Number(ranges[0]!.low);
    const high = Number(ranges.at(-1)!.high);
    // A slider of more steps than pixels would still hit only some of them.
    if (Number.isSafeInteger(low) && Number.isSafeInteger(high) && high - low <= 100_000) return { kind: "range", low, high };
    return { kind: "text" };
  }
  const names = membersOf(domain);
  const isNames = names.length > 1 && names.length <= 8 && names.every((name) => /^[a-z][\w-]*$/i.test(name));
  return isNames ? { kind: "names", names } : { kind: "text" };
}
