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

export function Legend() {
  return (
    <ul class="legend" aria-label="What the signs mean">
      {SIGNS.map(([sign, words]) => (
        <li key={sign}>
          <span class={`sign ${sign}`} aria-hidden="true" />
          {words}
        </li>
      ))}
    </ul>
  );
}
