/**
 * Something that may take long to find out, because all of a universe is looked through for it.
 *
 * Invariant: it is asked anew by itself only as long as that is quick. A person who steps through a
 * long universe does not wait for it; what is shown then is old, which is said, and can be asked anew.
 */
import { signal, type ReadonlySignal } from "@preact/signals";
import { query, type Query } from "./query";

export interface Patient<T> extends Query<T> {
  /** Whether the session has changed since the answer. */
  readonly isOld: ReadonlySignal<boolean>;
  /** Asks anew, however long it takes. */
  again(): void;
}

/** Milliseconds that may pass for something that nobody has asked for. */
const QUICK = 150;

export function patient<K, T>(subject: () => K | null, fetch: (subject: K) => Promise<T>, now = () => performance.now()): Patient<T> {
  const demands = signal(0);
  const isOld = signal(false);
  let kept: { readonly of: string; readonly data: T; readonly isQuick: boolean } | null = null;
  const asked = query(
    () => {
      const about = subject();
      return about === null ? null : { about, of: JSON.stringify([about, demands.value]) };
    },
    async ({ about, of }) => {
      if (kept?.of === of && !kept.isQuick) {
        isOld.value = true;
        return kept.data;
      }
      const began = now();
      const data = await fetch(about);
      kept = { of, data, isQuick: now() - began < QUICK };
      isOld.value = false;
      return data;
    },
  );
  return { ...asked, isOld, again: () => void demands.value++ };
}
