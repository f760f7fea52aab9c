// The link to a device, in words and figures.

/** How a link is. */
type State = { state: "connected" } | { state: "interrupted" | "broken"; why: string };

/** The body of the event `mw/device`. */
export interface Device {
  name: string;
  address: string;
  link: State;
}

type Side = Record<string, number>;

/** The reply to the request `link`. */
export interface Link {
  link: State;
  host: Side;
  device_side: Side | null;
  stalls: number | null;
}

/** How a link is, in words. */
export function words(link: State): string {
  return link.state === "connected" ? link.state : `${link.state}: ${link.why}`;
}

/** What the status bar shows. */
export function badge({ name, link }: Device): string {
  switch (link.state) {
    case "connected":
      return `$(plug) ${name}`;
    case "interrupted":
      return `$(sync~spin) ${name} interrupted`;
    case "broken":
      return `$(debug-disconnect) ${name} broken`;
  }
}

const FIGURES: [string, string][] = [
  ["bytes sent", "bytes_sent"],
  ["bytes received", "bytes_received"],
  ["messages sent", "messages_sent"],
  ["packets sent", "packets_sent"],
  ["packets received", "packets_received"],
  ["sent again", "resent"],
  ["damaged", "damaged"],
  ["duplicates", "duplicates"],
  ["out of order", "early"],
  ["waits for room", "waits"],
  ["connections", "connections"],
  ["round trip, µs", "round_trip"],
];

/** The figures of both sides, one a line. */
export function figures(link: Link): { label: string; description: string }[] {
  const lines = FIGURES.map(([label, key]) => ({
    label,
    description: `host ${link.host[key]}, device ${link.device_side?.[key] ?? "?"}`,
  }));
  const stalls = link.stalls ?? 0;
  return stalls > 0 ? [...lines, { label: "waits of the program", description: `${stalls}` }] : lines;
}
