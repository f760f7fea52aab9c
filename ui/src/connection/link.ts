/**
 * The line to the session: requests with their answers, events, and coming back after a loss.
 *
 * Invariant: every request that was made is settled exactly once, by an answer or by a
 * `LinkError`. Nothing is sent again by itself, as a request may have been served before the line
 * broke; what is shown is asked for anew when the line is back.
 */
import type { ErrorKind, Event, Hello, Reply, Request, RequestName } from "../api";
import { readFrame, type ToServer } from "./frames";

/** Why a request was not granted: in the words of the debugger, or because the line is down. */
export class LinkError extends Error {
  constructor(
    message: string,
    readonly kind: ErrorKind | "disconnected",
  ) {
    super(message);
    this.name = "LinkError";
  }
}

/** The part of a WebSocket that is used. */
export interface Socket {
  send(text: string): void;
  close(): void;
  onopen: (() => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: ((event: { code: number; reason: string }) => void) | null;
}

/** The number with which the server closes a line to a page that it does not want. */
const REFUSED = 4403;

export type Status =
  | { readonly state: "connecting" }
  | { readonly state: "open"; readonly hello: Hello }
  /** The line broke; it is tried again. */
  | { readonly state: "lost"; readonly attempt: number }
  /** The server does not want this page: to try again would not help. */
  | { readonly state: "refused"; readonly reason: string };

export interface LinkOptions {
  connect(): Socket;
  onStatus(status: Status): void;
  onEvent(event: Event): void;
  /** Calls back after so many milliseconds. */
  later?(milliseconds: number, callback: () => void): void;
}

const LONGEST_WAIT = 5_000;
const FIRST_WAIT = 250;

interface Waiting {
  resolve(answer: unknown): void;
  reject(error: LinkError): void;
}

export class Link {
  private socket: Socket | null = null;
  private isOpen = false;
  private attempt = 0;
  private nextId = 1;
  private readonly waiting = new Map<number, Waiting>();

  constructor(private readonly options: LinkOptions) {}

  /** Opens the line, and opens it again whenever it breaks. */
  start(): void {
    this.options.onStatus(
      this.attempt === 0 ? { state: "connecting" } : { state: "lost", attempt: this.attempt },
    );
    const socket = this.options.connect();
    this.socket = socket;
    socket.onmessage = (event) => this.receive(event.data);
    socket.onclose = (event) => this.closed(event);
  }

  /** Makes a request. A signal gives it up: the session then stops where it is. */
  request<N extends RequestName>(request: { request: N } & Request<N>, signal?: AbortSignal): Promise<Reply<N>> {
    // The debugger answers each request with what belongs to it.
    return this.settled((id) => ({ id, request }), signal) as Promise<Reply<N>>;
  }

  /** Has a line carried out as a terminal does; the answer is what a terminal would show. */
  line(line: string, signal?: AbortSignal): Promise<string> {
    return this.settled((id) => ({ id, line }), signal) as Promise<string>;
  }

  /** Sends something that is answered. */
  private settled(frame: (id: number) => ToServer, signal?: AbortSignal): Promise<unknown> {
    if (!this.isOpen) return Promise.reject(down());
    const id = this.nextId++;
    const cancel = () => this.send({ cancel: id });
    signal?.addEventListener("abort", cancel, { once: true });
    const answer = new Promise<unknown>((resolve, reject) => this.waiting.set(id, { resolve, reject }));
    this.send(frame(id));
    return answer.finally(() => signal?.removeEventListener("abort", cancel));
  }

  /** Gives up whatever is being served, whoever asked for it. */
  cancelCurrent(): void {
    this.send({ cancel: "current" });
  }

  private send(frame: ToServer): void {
    if (this.isOpen) this.socket?.send(JSON.stringify(frame));
  }

  private receive(data: unknown): void {
    const frame = typeof data === "string" ? readFrame(data) : null;
    if (frame === null) return;
    if ("hello" in frame) {
      this.isOpen = true;
      this.attempt = 0;
      this.options.onStatus({ state: "open", hello: frame.hello });
    } else if ("event" in frame) {
      this.options.onEvent(frame.event);
    } else {
      const waiting = frame.id === null ? undefined : this.waiting.get(frame.id);
      if (frame.id !== null) this.waiting.delete(frame.id);
      if ("reply" in frame) waiting?.resolve(frame.reply.data ?? null);
      else if ("said" in frame) waiting?.resolve(frame.said);
      else waiting?.reject(new LinkError(frame.error.message, frame.error.kind));
    }
  }

  private closed(event: { code: number; reason: string }): void {
    this.isOpen = false;
    this.socket = null;
    const waiting = [...this.waiting.values()];
    this.waiting.clear();
    for (const one of waiting) one.reject(down());
    if (event.code === REFUSED) return this.options.onStatus({ state: "refused", reason: event.reason });
    this.attempt++;
    this.options.onStatus({ state: "lost", attempt: this.attempt });
    const wait = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** (this.attempt - 1));
    const later = this.options.later ?? ((time, callback) => void setTimeout(callback, time));
    later(wait, () => this.start());
  }
}

function down(): LinkError {
  return new LinkError("The connection to the debugger is down.", "disconnected");
}
