/** What goes over the wire: JSON text, one frame each. */
import type { ApiError, Event, Hello, Request } from "../api";

export type ToServer = { id: number; request: Request } | { id: number; line: string } | { cancel: number | "current" };

export type FromServer =
  | { hello: Hello }
  | { id: number; reply: { reply: string; data?: unknown } }
  | { id: number; said: string }
  | { id: number | null; error: ApiError }
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
  const known = "hello" in value || "event" in value || ("id" in value && ("reply" in value || "said" in value || "error" in value));
  return known ? (value as FromServer) : null;
}
