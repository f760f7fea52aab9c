import { describe, expect, it } from "vitest";
import { Changes } from "../src/panes/changes";
import { History } from "../src/panes/history";
import { shownAs } from "../src/format/values";

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
  ])("%s is %s", (text, shown) => expect(shownAs(text, "hex")).toBe(shown));
});

describe("numbers in other forms", () => {
  it.each([
    ["65", "character", "65 'A'"],
    ["10", "character", "10"],
    ["5", "binary", "0b101"],
    ["-5", "binary", "-0b101"],
    ["5", "decimal", "5"],
    ["1.5", "binary", "1.5"],
  ] as const)("%s as %s is %s", (text, numbers, shown) => expect(shownAs(text, numbers)).toBe(shown));
});

describe("the console's history", () => {
  it("goes to earlier lines and comes back to what was being written", () => {
    const history = new History();
    for (const line of ["next", "next", "print x"]) history.add(line);
    expect(history.earlier("br")).toBe("print x");
    expect(history.earlier("print x")).toBe("next");
    expect(history.earlier("next")).toBe("next");
    expect([history.later(), history.later(), history.later()]).toEqual(["print x", "br", "br"]);
  });

  it("has nothing before anything was written", () => {
    const history = new History();
    expect(history.earlier("br")).toBe("br");
    expect(history.later()).toBe("br");
  });
});
