import { describe, expect, it } from "vitest";
import { Changes } from "../src/panes/changes";
import { inHex } from "../src/format/values";

describe("changes", () => {
  it("say what a value was and where, until one goes on", () => {
    const changes = new Changes();
    expect(changes.note("x", "1", "0.0")).toBe(null);
    expect(changes.note("x", "2", "0.0+5")).toEqual({ was: "1", at: "0.0" });
    expect(changes.note("x", "2", "0.0+5")).toEqual({ was: "1", at: "0.0" });
    expect(changes.note("x", "2", "0.0+9")).toBe(null);
    expect(changes.note("y", "1", "0.0+9")).toBe(null);
  });
});

describe("numbers in hexadecimal", () => {
  it.each([
    ["255", "0xff"],
    ["-1", "-0x1"],
    ["18446744073709551615", "0xffffffffffffffff"],
    ["1.5", "1.5"],
    ["true", "true"],
    ["[1, 2]", "[1, 2]"],
  ])("%s is %s", (text, shown) => expect(inHex(text)).toBe(shown));
});
