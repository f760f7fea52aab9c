/** Going to read something: a function, a line. The program stays where it is. */
import { signal } from "@preact/signals";
import { showPane } from "../panes/arrangement";
import { ask } from "../state/session";

/** The file that somebody has chosen to read; the one being executed without. */
export const chosenFile = signal<string | null>(null);
/** The function whose instructions somebody has chosen to read. */
export const chosenFunction = signal<string | null>(null);
/** The line to be brought into view, once its file is shown. */
export const wantedLine = signal<{ readonly file: string; readonly line: number } | null>(null);

/** Shows a line of the source. */
export function showLine(file: string, line: number): void {
  chosenFile.value = file;
  wantedLine.value = { file, line };
  showPane("source");
}

/** Shows where a function begins: in the source, or its instructions where that is not known. */
export async function showFunction(name: string): Promise<void> {
  try {
    const found = await ask({ request: "source-lines", around: name, count: 1 });
    showLine(found.file, found.lines[0]!.number);
  } catch {
    chosenFunction.value = name;
    showPane("wat");
  }
}
