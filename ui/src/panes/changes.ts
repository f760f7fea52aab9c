/**
 * What a value was before it became what it is.
 *
 * A value counts as changed at the first place where it is seen to be different, until it is seen at
 * another one.
 */

export interface Change {
  /** What it was. */
  readonly was: string;
  /** The place where it was that. */
  readonly at: string;
}

interface Seen {
  value: string;
  place: string;
  change: Change | null;
}

export class Changes {
  private readonly seen = new Map<string, Seen>();

  /** Notes what something is at a place; says what it was, if it has just changed. */
  note(name: string, value: string, place: string): Change | null {
    const last = this.seen.get(name);
    if (last === undefined) {
      this.seen.set(name, { value, place, change: null });
      return null;
    }
    if (last.value !== value) last.change = { was: last.value, at: last.place };
    else if (last.place !== place) last.change = null;
    last.value = value;
    last.place = place;
    return last.change;
  }
}

/** Of everything that panes show. */
export const changes = new Changes();
