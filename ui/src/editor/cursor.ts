/** Where the text cursor is in the code, for commands that act there. */

type Toggle = () => void;

let toggle: Toggle | null = null;

/** The editor that has the cursor says what toggling a breakpoint there means. */
export function setBreakpointToggle(next: Toggle | null): void {
  toggle = next;
}

export function toggleBreakpointHere(): void {
  toggle?.();
}
