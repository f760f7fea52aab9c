import type { LinkState, SideView } from "../api";

/** How a link is, in words. */
export function linkWords(link: LinkState): string {
  switch (link.state) {
    case "connected":
      return "connected";
    case "interrupted":
      return `interrupted: ${link.why}`;
    case "broken":
      return `broken: ${link.why}`;
  }
}

/** The figures of a side, with their names, in the order of `info link`. */
export const FIGURES: readonly (readonly [string, keyof SideView])[] = [
  ["Bytes sent", "bytes_sent"],
  ["Bytes received", "bytes_received"],
  ["Messages sent", "messages_sent"],
  ["Packets sent", "packets_sent"],
  ["Packets received", "packets_received"],
  ["Sent again", "resent"],
  ["Damaged", "damaged"],
  ["Duplicates", "duplicates"],
  ["Out of order", "early"],
  ["Waits for room", "waits"],
  ["Connections", "connections"],
  ["Round trip, µs", "round_trip"],
];
