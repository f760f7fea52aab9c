/** Small pictures, drawn here so that nothing is loaded. */

const PATHS = {
  play: "M4 3l9 5-9 5z",
  clock: "M8 14.5a6.5 6.5 0 1 1 0-13 6.5 6.5 0 0 1 0 13zM6.5 5.2l4.5 2.8-4.5 2.8z",
  "play-back": "M12 3L3 8l9 5z",
  over: "M2 8a6 5.5 0 0 1 11-2M13.5 2.5V6H10M8 12.5v.01",
  "over-back": "M14 8A6 5.5 0 0 0 3 6M2.5 2.5V6H6M8 12.5v.01",
  into: "M8 1.5v8M4.5 6L8 9.5 11.5 6M8 13.5v.01",
  "into-back": "M8 9.5v-8M4.5 5L8 1.5 11.5 5M8 13.5v.01M3 13.5h2M11 13.5h2",
  out: "M8 9.5v-8M4.5 5L8 1.5 11.5 5M8 13.5v.01",
  "out-back": "M8 1.5v8M4.5 6L8 9.5 11.5 6M8 13.5v.01M3 13.5h2M11 13.5h2",
  turn: "M2.5 8h7M7 5l3 3-3 3M13 3v10",
  "turn-back": "M13.5 8h-7M9 5L6 8l3 3M3 3v10",
  "turn-end": "M2.5 5v6M2.5 8h8M8 5l3 3-3 3",
  pause: "M5.5 3.5v9M10.5 3.5v9",
  mail: "M2 4h12v8.5H2zM2 4.5l6 4.5 6-4.5",
  restart: "M3 3v4h4M3.4 7a5.2 5.2 0 1 1-.4 3",
  stop: "M4 4h8v8H4z",
  suggest: "M2 8h4M6 8c3 0 3-5 7-5M6 8c3 0 3 5 7 5M6 8h7",
  mock: "M3 13l1-3 6.5-6.5 2 2L6 12z M9 5l2 2",
  branch: "M5 3v7M5 10a2 2 0 1 0 .01 0M5 3a1.5 1.5 0 1 0-.01 0M11 5c0 3-6 2-6 5M11 5a1.5 1.5 0 1 0-.01 0",
  bookmark: "M4.5 2h7v12L8 11l-3.5 3z",
  search: "M7 11.5a4.5 4.5 0 1 1 0-9 4.5 4.5 0 0 1 0 9zM10.5 10.5L14 14",
  plus: "M8 3v10M3 8h10",
  minus: "M3 8h10",
  fit: "M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10",
  here: "M8 1.5v3M8 11.5v3M1.5 8h3M11.5 8h3M8 10.5a2.5 2.5 0 1 1 0-5 2.5 2.5 0 0 1 0 5z",
  list: "M5.5 4h8M5.5 8h8M5.5 12h8M2.5 4v.01M2.5 8v.01M2.5 12v.01",
  tree: "M2 8h3M5 8c3 0 2-4.5 5-4.5h3M5 8c3 0 2 4.5 5 4.5h3",
  fold: "M3 5l5 5 5-5",
  unfold: "M5 3l5 5-5 5",
  link: "M6.5 9.5l3-3M7 4.5l1.4-1.4a3 3 0 0 1 4.4 4.3L11.3 9M9 11.5l-1.4 1.4a3 3 0 0 1-4.4-4.3L4.7 7",
  close: "M4 4l8 8M12 4l-8 8",
  sun: "M8 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM8 1.5v1.2M8 13.3v1.2M1.5 8h1.2M13.3 8h1.2M3.4 3.4l.9.9M11.7 11.7l.9.9M12.6 3.4l-.9.9M4.3 11.7l-.9.9",
  moon: "M13 9.5A5.5 5.5 0 0 1 6.5 3a5.5 5.5 0 1 0 6.5 6.5z",
  commands: "M3 4l4 4-4 4M8.5 12.5H13",
  edit: "M3 13l.8-3L10.5 3.3l2.2 2.2L6 12.2z",
  trash: "M3 4.5h10M6 4V2.5h4V4M4.5 4.5l.6 9h5.8l.6-9",
  compare: "M5 2.5v11M11 2.5v11M2.5 5L5 2.5 7.5 5M8.5 11l2.5 2.5L13.5 11",
  wrap: "M2.5 4h11M2.5 8h9a2 2 0 0 1 0 4H8M10 10l-2 2 2 2M2.5 12h2.5",
  violated: "M8 2.5l6 11H2zM8 6.5v3M8 11.5v.01",
  check: "M3 8.5l3.5 3.5L13 4.5",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
