/** Universes as text: to keep, to send with a report, to replay. */
import { say } from "./notices";
import { replay } from "./actions";
import { ask, position, report } from "./session";

/** Saves the universe up to here as a file. */
export async function saveTrace(): Promise<void> {
  try {
    const text = await ask({ request: "export-trace" });
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
    link.download = `universe-${position.value?.place.text ?? "here"}.trace`;
    link.click();
    URL.revokeObjectURL(link.href);
    say("info", `Saved as ${link.download}.`);
  } catch (error) {
    report(error);
  }
}

/** Lets the person choose a file with a trace, and goes to its end. */
export function openTrace(): void {
  const chooser = document.createElement("input");
  chooser.type = "file";
  chooser.accept = ".trace,text/plain";
  chooser.addEventListener("change", () => {
    const file = chooser.files?.[0];
    if (file !== undefined) void file.text().then(replay, report);
  });
  chooser.click();
}
