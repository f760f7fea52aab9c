import { dialog } from "../state/dialogs";
import { commandFor } from "./commands";
import { chord, isTyping } from "./keys";

/** Lets keys do what they stand for, unless a dialog is open or somebody is writing. */
export function listenToKeys(): void {
  addEventListener("keydown", (event) => {
    const pressed = chord(event);
    const command = commandFor(pressed);
    if (command === null || dialog.value !== null || isTyping(event.composedPath()[0] ?? null, pressed)) return;
    event.preventDefault();
    void command.run();
  });
}
