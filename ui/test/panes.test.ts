import { describe, expect, it } from "vitest";
import { Changes } from "../src/panes/changes";
import { History } from "../src/panes/history";
import { elementsOf, lineOf } from "../src/panes/typed";
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

describe("bytes as a type", () => {
  const BYTES = [0xff, 0xff, 0xff, 0x7f, 0, 0, 0xc0, 0xbf, 7];
  it.each([
    ["hex", "ff ff ff 7f 00 00 c0 bf 07"],
    ["u8", "[255, 255, 255, 127, 0, 0, 192, 191, 7]"],
    ["i8", "[-1, -1, -1, 127, 0, 0, -64, -65, 7]"],
    ["u16", "[65535, 32767, 0, 49088]"],
    ["i16", "[-1, 32767, 0, -16448]"],
    ["u32", "[2147483647, 3217031168]"],
    ["i32", "[2147483647, -1077936128]"],
    ["u64", "[13817043658920165375]"],
    ["i64", "[-4629700414789386241]"],
    ["f32", "[NaN, -1.5]"],
    ["f64", "[-0.12500005960464475]"],
  ] as const)("%s", (view, line) => expect(lineOf(BYTES, view, true)).toBe(line));

  it("says that there is more, and writes numbers of 32 bits as short as they are", () => {
    expect(lineOf([1, 2], "u8", false)).toBe("[1, 2, …]");
    expect(lineOf([1, 2], "hex", false)).toBe("01 02 …");
    expect(lineOf([], "u8", true)).toBe("[]");
    expect(lineOf([0xcd, 0xcc, 0xcc, 0x3d], "f32", true)).toBe("[0.1]");
  });

  it("ends texts with their zeros", () => {
    const bytes = [...new TextEncoder().encode('tea\0"é"\0\0sal')];
    expect(lineOf(bytes, "C string", false)).toBe('"tea"');
    expect(elementsOf(bytes, "C string")).toEqual([
      { offset: 0, length: 4, text: '"tea"' },
      { offset: 4, length: 5, text: JSON.stringify('"é"') },
      { offset: 9, length: 1, text: '""' },
      { offset: 10, length: 3, text: '"sal"…' },
    ]);
    expect(lineOf([], "C string", true)).toBe('""');
  });
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
