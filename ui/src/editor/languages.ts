/** How the text of a file is coloured, by its name. */
import { cpp } from "@codemirror/lang-cpp";
import { javascript } from "@codemirror/lang-javascript";
import { rust } from "@codemirror/lang-rust";
import { StreamLanguage } from "@codemirror/language";
import { wast } from "@codemirror/legacy-modes/mode/wast";
import type { Extension } from "@codemirror/state";

const wat = StreamLanguage.define(wast);

const LANGUAGES: Record<string, Extension> = {
  ts: javascript({ typescript: true }),
  js: javascript(),
  c: cpp(),
  h: cpp(),
  cc: cpp(),
  cpp: cpp(),
  hpp: cpp(),
  rs: rust(),
  wat,
  wast: wat,
};

export function languageOf(path: string): Extension {
  return LANGUAGES[path.split(".").at(-1)?.toLowerCase() ?? ""] ?? [];
}
