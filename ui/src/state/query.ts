/**
 * Something that panes show: asked for while somebody looks at it, and anew when the session has
 * changed; what is worth being seen in motion also while the program runs.
 *
 * Invariant: one question is under way at a time. Changes meanwhile lead to one more question, so
 * a person who steps quickly is not followed by a queue of answers that nobody needs.
 */
import { effect, signal, type ReadonlySignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { LinkError } from "../connection/link";
import { frame, revision, status } from "./session";

export interface Answer<T> {
  readonly data: T | null;
  readonly error: string | null;
}

export interface Query<T> {
  readonly answer: ReadonlySignal<Answer<T>>;
  /** Looks at it until the result is called. */
  watch(): () => void;
}

/**
 * A query. `subject` says what is asked about, and may read signals whose changes ask anew;
 * nothing is asked about `null`. `moves` says whether it is to be seen in motion.
 */
export function query<K, T>(
  subject: () => K | null,
  fetch: (subject: K) => Promise<T>,
  moves = () => false,
): Query<T> {
  const answer = signal<Answer<T>>({ data: null, error: null });
  let watchers = 0;
  let stop: (() => void) | null = null;
  let running = false;
  let wanted: { subject: K } | null = null;
  /** Whether there is something to ask about; an answer that comes later is about what was. */
  let isAsked = false;

  const ask = async () => {
    if (running) return;
    running = true;
    while (wanted !== null) {
      const about = wanted.subject;
      wanted = null;
      try {
        const data = await fetch(about);
        if (isAsked) answer.value = { data, error: null };
      } catch (error) {
        // What was there stays while the line is down.
        if (error instanceof LinkError && error.kind === "disconnected") continue;
        answer.value = { data: null, error: error instanceof Error ? error.message : String(error) };
      }
    }
    running = false;
  };

  return {
    answer,
    watch() {
      if (watchers++ === 0) {
        stop = effect(() => {
          void revision.value;
          if (moves()) void frame.value;
          if (status.value.state !== "open") return;
          const about = subject();
          isAsked = about !== null;
          wanted = about === null ? null : { subject: about };
          if (about === null) answer.value = { data: null, error: null };
          else void ask();
        });
      }
      return () => {
        if (--watchers === 0) {
          stop?.();
          stop = null;
          wanted = null;
        }
      };
    },
  };
}

/** The answer to a query, for as long as the component is shown. */
export function useQuery<T>(of: Query<T>): Answer<T> {
  useEffect(() => of.watch(), [of]);
  return of.answer.value;
}
