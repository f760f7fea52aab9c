/** What goes over the wire: JSON text, one frame each. */
import type { ApiError, Event, Reply, Request } from "../api";

/** What the server says first. */
export interface Hello {
  /** The version of `mw`. */
  readonly version: string;
  /** What this page is called when others are told what it did. */
  readonly page: string;
  /** What the program is called: the path that it came from. */
  readonly name: string;
  readonly world: string;
  readonly has_board: boolean;
  /** Whether the source of the program is known. */
  readonly has_sources: boolean;
  /** The front end whose request is being served, if one is. */
  readonly busy: string | null;
}

export type ToServer = { id: number; request: Request } | { cancel: number };

export type FromServer =
  | { hello: Hello }
  | { id: number; reply: Reply }
  | { id: number; error: ApiError }
  | { event: Event };

/** A frame of the server, or nothing if it is none. */
export function readFrame(text: string): FromServer | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof value !== "object" || value === null) return null;
  const known = "hello" in value || "event" in value || ("id" in value && ("reply" in value || "error" in value));
  return known ? (value as FromServer) : null;
}
