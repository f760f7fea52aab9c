import { verdicts } from "./state";

/** What shapes and colours of the drawing mean. */
const SIGNS = [
  ["here", "you"],
  ["choice", "choice"],
  ["suggested", "suggested"],
  ["finished", "finished"],
  ["failed", "failed"],
  ["altered", "altered"],
  ["bookmark", "bookmark"],
  ["stop", "breakpoint"],
] as const;

/** What there is to see besides as long as properties are loaded. */
const OF_PROPERTIES = [
  ["holds", "holds so far"],
  ["violated", "violated"],
] as const;

export function Legend() {
  const signs = verdicts.value === null ? SIGNS : [...SIGNS, ...OF_PROPERTIES];
  return (
    <ul class="legend" aria-label="What the signs mean">
      {signs.map(([sign, words]) => (
        <li key={sign}>
          <span class={`sign ${sign}`} aria-hidden="true" />
          {words}
        </li>
      ))}
    </ul>
  );
}
