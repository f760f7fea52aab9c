/** The files that the program was built from, and their texts: of the one that runs, where there are several. */
import { signal } from "@preact/signals";
import type { SourceFileView } from "../api";
import { hasSource } from "../state/preferences";
import { ask } from "../state/session";

export const files = signal<readonly SourceFileView[] | null>(null);

const texts = new Map<string, Promise<string>>();

/** Asks which files there are; called whenever the line is open, and when another actor runs. */
export async function loadFiles(): Promise<void> {
  try {
    const found = (await ask({ request: "source-files" })).filter((file) => file.has_text);
    // Actors of one program have the same files, which need not be read again.
    if (JSON.stringify(found) === JSON.stringify(files.value)) return;
    texts.clear();
    files.value = found;
  } catch {
    files.value = [];
  }
  // A program without debug information is its own source, as text: stepping by its lines would be
  // stepping by instructions.
  hasSource.value = files.value.some((file) => !file.path.endsWith(".wat"));
}

export function textOf(path: string): Promise<string> {
  const known = texts.get(path);
  if (known !== undefined) return known;
  const asked = ask({ request: "source-text", path });
  texts.set(path, asked);
  asked.catch(() => texts.delete(path));
  return asked;
}
