/**
 * The session as this page knows it: the line to it, where it stands, what is under way.
 *
 * Invariant: nothing here decides anything about the program. What the page shows comes from
 * replies and events; `revision` counts the changes, and whoever shows something asks anew. In the
 * middle of an operation, only what is worth being seen in motion is asked anew (`frame`).
 */
import { batch, computed, signal } from "@preact/signals";
import type { Event, FoundView, Position, Reply, Request, RequestName } from "../api";
import { LinkError, type Link, type Status } from "../connection/link";
import { linkWords } from "../format/link";
import { note, say } from "./notices";

export const status = signal<Status>({ state: "connecting" });
/** Where the session stands between two operations. */
export const position = signal<Position | null>(null);
/** Where it is in the middle of one; nothing between two. */
export const passing = signal<Position | null>(null);
/** Where it is now. */
export const standing = computed(() => passing.value ?? position.value);
/** Whether the program is on its way: what is not told on the way is of where it began. */
export const isMoving = computed(() => passing.value !== null);
/** Whether the program has trapped or aborted here: all that it was doing is still to be seen. */
export const hasFailed = computed(() => position.value?.ended != null && position.value.ended.kind !== "finished");
/** What violates a property exactly here. */
export const violated = computed(() => position.value?.violated ?? null);
/** Whether the program is made of actors. */
export const hasActors = computed(() => position.value?.actor != null);
/** Counts what has changed in the session, by whomever. */
export const revision = signal(0);
/** Counts how often a long operation has told how it goes. */
export const frame = signal(0);

/** A long operation: of this page, or of another front end. */
export interface Activity {
  readonly title: string;
  /** Whether it is of this page, whose answer ends it. */
  readonly isMine: boolean;
  readonly done: number;
  readonly goal: number | null;
  cancel(): void;
}

export const activity = signal<Activity | null>(null);
/** The paths that exploring has told of since it began, the last ones. */
export const foundPaths = signal<readonly FoundView[]>([]);
/** The first of them, for the tree: from where they were found, and as of which revision of the session. */
export const sprouting = signal<Sprouting | null>(null);

export interface Sprouting {
  readonly from: string;
  readonly revision: number;
  readonly paths: readonly FoundView[];
}

const MOST_FOUND = 200;

let link: Link | null = null;

/** Gives the state its line; called once, when the page starts. */
export function attach(to: Link): void {
  link = to;
}

export function onStatus(next: Status): void {
  const before = status.value.state;
  batch(() => {
    status.value = next;
    if (next.state !== "open") return;
    revision.value++;
    passing.value = null;
    activity.value = next.hello.busy === null ? null : anothers(`${next.hello.busy} is at work`);
  });
  if (next.state === "open") {
    if (before === "lost") say("info", "Connected again.");
    void ask({ request: "where" }).then((now) => (position.value = now), report);
  }
}

export function onEvent(event: Event): void {
  switch (event.event) {
    case "progress":
      activity.value = { ...(activity.value ?? anothers()), done: event.done, goal: event.goal };
      break;
    case "passing":
      batch(() => {
        activity.value ??= anothers();
        passing.value = event.position;
        frame.value++;
      });
      break;
    case "found":
      batch(() => {
        foundPaths.value = [...foundPaths.value, ...event.paths].slice(-MOST_FOUND);
        const before = sprouting.value?.revision === revision.value ? sprouting.value.paths : [];
        const paths = [...before, ...event.paths].slice(0, MOST_FOUND);
        sprouting.value = { from: event.from.node, revision: revision.value, paths };
      });
      break;
    case "effect":
      note("effect", `${event.call}: ${event.effect}`, String(event.count));
      break;
    case "reading":
      note("effect", `read ${event.text}`, String(event.count));
      break;
    case "omitted":
      note("info", `${event.count} outputs and readings before these`);
      break;
    case "log":
      note("info", event.message);
      break;
    case "warning":
      say("warning", event.message);
      break;
    case "link":
      onLink(event);
      break;
    case "changed":
      batch(() => {
        position.value = event.position;
        passing.value = null;
        revision.value++;
        // What another front end did is done with that; this page's own ends with its answer.
        if (activity.value?.isMine === false) activity.value = null;
      });
      break;
  }
}

/** What another front end does: it can be stopped, whoever that is. */
function anothers(title = "Another front end is at work"): Activity {
  return { title, isMine: false, done: 0, goal: null, cancel: () => link?.cancelCurrent() };
}

function onLink({ event: _, ...device }: Extract<Event, { event: "link" }>): void {
  if (position.value !== null) position.value = { ...position.value, device };
  const words = `The link to ${device.name} is ${linkWords(device.link)}`;
  switch (device.link.state) {
    case "connected":
      say("info", `${words} again.`);
      break;
    case "interrupted":
      say("warning", words);
      break;
    case "broken":
      say("error", words);
      break;
  }
}

/** Makes a request; it knows the type of its answer. */
export function ask<N extends RequestName>(
  request: { request: N } & Request<N>,
  signal?: AbortSignal,
): Promise<Reply<N>> {
  if (link === null) return Promise.reject(new LinkError("The page has not started.", "disconnected"));
  return link.request<N>(request, signal);
}

/** Has a line of the terminal's carried out; says what it says. */
export function carryOut(line: string): Promise<string> {
  const connected = link;
  if (connected === null) return Promise.reject(new LinkError("The page has not started.", "disconnected"));
  return during(line, (signal) => connected.line(line, signal));
}

/** Tells the person what went wrong; a loss of the line has its own banner. */
export function report(error: unknown): void {
  if (error instanceof LinkError && error.kind === "disconnected") return;
  if (error instanceof LinkError && error.kind === "cancelled") return;
  say("error", error instanceof Error ? error.message : String(error));
}

/** Does something that may take long, so that it can be seen and cancelled. */
export async function during<T>(title: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const control = new AbortController();
  const mine: Activity = { title, isMine: true, done: 0, goal: null, cancel: () => control.abort() };
  activity.value = mine;
  try {
    return await work(control.signal);
  } finally {
    if (activity.value?.cancel === mine.cancel) activity.value = null;
  }
}
