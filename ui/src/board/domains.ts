/** What inputs can return. It never changes, so it is asked once. */
import { signal } from "@preact/signals";
import { ask } from "../state/session";

export const domains = signal<ReadonlyMap<string, string | null>>(new Map());

/** Asks for what is not known yet. */
export function learn(calls: readonly string[]): void {
  const unknown = calls.filter((call) => !domains.peek().has(call));
  if (unknown.length === 0) return;
  domains.value = new Map([...domains.peek(), ...unknown.map((call) => [call, null] as const)]);
  for (const call of unknown) {
    ask({ request: "domain", call }, "domain").then(
      (domain) => (domains.value = new Map([...domains.peek(), [call, domain]])),
      () => undefined,
    );
  }
}
