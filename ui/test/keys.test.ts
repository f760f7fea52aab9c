import { describe, expect, it, vi } from "vitest";

// Panes need a document; the commands are only listed here.
vi.mock("../src/panes/arrangement", () => ({ showPane: vi.fn(), resetPanes: vi.fn() }));

import { COMMANDS, commandFor } from "../src/chrome/commands";
import { chord } from "../src/chrome/keys";
import { matches } from "../src/chrome/match";

const press = (key: string, ...held: string[]) =>
  chord({
    key,
    ctrlKey: held.includes("Ctrl"),
    metaKey: held.includes("Meta"),
    altKey: held.includes("Alt"),
    shiftKey: held.includes("Shift"),
  });

describe("keys", () => {
  it.each([
    ["F5", [], "continue"],
    ["F5", ["Alt"], "continue-back"],
    ["F10", [], "over"],
    ["F10", ["Alt"], "over-back"],
    ["F11", [], "into"],
    ["F11", ["Alt"], "into-back"],
    ["F11", ["Shift"], "out"],
    ["F11", ["Shift", "Alt"], "out-back"],
    ["F9", [], "breakpoint"],
    ["p", ["Ctrl", "Shift"], "palette"],
    ["P", ["Meta", "Shift"], "palette"],
    ["F5", ["Ctrl", "Shift"], "restart"],
    ["n", [], "over"],
    ["N", ["Shift"], "over-back"],
    ["?", ["Shift"], "keys"],
    ["@", ["Shift"], "function"],
  ])("%s with %j is %s", (key, held, id) => expect(commandFor(press(key, ...held))?.id).toBe(id));

  it("means one thing each", () => {
    const keys = COMMANDS.flatMap((command) => command.keys);
    expect(new Set(keys).size).toBe(keys.length);
    const ids = COMMANDS.map((command) => command.id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(commandFor("Ctrl+Alt+F12")).toBe(null);
  });

  it("has a way back for every way on", () => {
    for (const id of ["continue", "over", "into", "out"]) {
      const forward = COMMANDS.find((command) => command.id === id)!;
      const back = COMMANDS.find((command) => command.id === `${id}-back`)!;
      expect(back.keys[0]).toBe(`Alt+${forward.keys[0]}`);
    }
  });
});

describe("the palette's search", () => {
  it.each([
    ["Step back over", "back", true],
    ["Step back over", "st ov", true],
    ["Step back over", "sbo", true],
    ["Step back over", "", true],
    ["Step back over", "xyz", false],
    ["Step back over", "revo", false],
  ])("%s by %j: %s", (title, typed, expected) => expect(matches(title, typed)).toBe(expected));
});
