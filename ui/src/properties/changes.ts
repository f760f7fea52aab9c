/** Where in the multiverse verdicts change, asked for once for all that show it. */
import { signal } from "@preact/signals";
import { act } from "../state/actions";
import { query } from "../state/query";
import { ask } from "../state/session";

/** Counts how often somebody had all universes looked at: more is known then, though nothing has moved. */
const looked = signal(0);

export const verdictChanges = query(
  () => ({ looked: looked.value }),
  () => ask({ request: "verdict-changes" }),
  () => true,
);

/** Finds out for all universes whether properties hold in them. */
export async function lookEverywhere(): Promise<void> {
  await act({ request: "verdict-changes", all: true }, "Looking at all universes");
  looked.value++;
}
