/** Keys as they are written: `Alt+Shift+F11`. */

export interface KeyPress {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
}

/** The name of what was pressed. Command on a Mac counts as Ctrl. */
export function chord(press: KeyPress): string {
  const key = press.key.length === 1 ? press.key.toUpperCase() : press.key;
  // Another key has another sign with Shift: `?` is that already.
  const isSign = press.key.length === 1 && !/[a-z]/i.test(press.key);
  const parts = [
    press.ctrlKey || press.metaKey ? "Ctrl" : "",
    press.altKey ? "Alt" : "",
    press.shiftKey && !isSign ? "Shift" : "",
    key,
  ];
  return parts.filter((part) => part !== "").join("+");
}

/** Whether a press is meant for what is being written. */
export function isTyping(target: EventTarget | null, pressed: string): boolean {
  const isField =
    typeof HTMLElement !== "undefined" &&
    target instanceof HTMLElement &&
    ((target.isContentEditable && target.ariaReadOnly !== "true") || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
  return isField && !/F\d+$|^Ctrl\+/.test(pressed);
}
