import type { Rgb } from "../api";

/** The strip of pixels as it shines, and what waits to be shown. */
export function Strip({ shown, set }: { shown: Record<string, Rgb>; set: Record<string, Rgb> }) {
  const numbers = [...new Set([...Object.keys(shown), ...Object.keys(set)])].sort((a, b) => Number(a) - Number(b));
  if (numbers.length === 0) return null;
  return (
    <section class="part wide" aria-label="Pixels">
      <h3>Pixels</h3>
      <ul class="strip">
        {numbers.map((number) => {
          const colour = css(shown[number]);
          const waits = css(set[number]) !== colour && set[number] !== undefined;
          return (
            <li key={number} title={`pixel ${number}: ${colour}${waits ? ` (set to ${css(set[number])}, not shown yet)` : ""}`}>
              <span class="pixel" ref={(pixel) => pixel?.style.setProperty("background", colour)} />
              <span class="faint">{number}</span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

export function css(colour: Rgb | undefined): string {
  if (colour === undefined) return "#000000";
  const part = (value: number) => value.toString(16).padStart(2, "0");
  return `#${colour.map(part).join("")}`;
}
