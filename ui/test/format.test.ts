import { describe, expect, it } from "vitest";
import { splitCall, splitChoice, splitPlace } from "../src/format/choices";
import { visible } from "../src/format/visible";
import { cardinality, classText, clock, count, duration, hex, intervals, many, share, short } from "../src/format/values";

describe("numbers", () => {
  it.each([
    [count(1234567), "1,234,567"],
    [short(9999), "9,999"],
    [short(12_340), "12.3k"],
    [short(5_000_000), "5M"],
    [short(250_000_000), "250M"],
    [share(7, 12), "7 of 12 (58 %)"],
    [share(999, 1000), "999 of 1,000 (99 %)"],
    [share(0, 0), "0 of 0 (100 %)"],
    [many(1, "value"), "1 value"],
    [many(224, "value"), "224 values"],
    [many(2, "branch", "branches"), "2 branches"],
    [hex(253), "0x00fd"],
    [clock(1_500_000), "1.500 s"],
    [duration(340), "340 µs"],
    [duration(131_560), "132 ms"],
    [duration(2_500_000), "2.5 s"],
  ])("%s", (got, expected) => expect(got).toBe(expected));
});

describe("classes of values", () => {
  it("counts ranges and single values", () => {
    expect(intervals("0..223, 300")).toEqual([
      { low: 0n, high: 223n },
      { low: 300n, high: 300n },
    ]);
    expect(cardinality("0..223, 300")).toBe(225n);
    expect(cardinality("-5..-1")).toBe(5n);
    expect(cardinality("{1023, 1024}")).toBe(2n);
    expect(cardinality("-9223372036854775808..9223372036854775807")).toBe(1n << 64n);
  });

  it("leaves alone what is not about integers", () => {
    for (const text of ["low", "any value", "5..1", "0.5..1.5", ""]) expect(cardinality(text)).toBe(null);
    expect(classText("low")).toBe("low");
    expect(classText("0..223")).toBe("0..223 (224 values)");
    expect(classText("7")).toBe("7");
  });
});

describe("choices and places", () => {
  it("splits a choice into call and value", () => {
    expect(splitChoice("chip_analog_read(12) = 224")).toEqual({ call: "chip_analog_read(12)", value: "224" });
    expect(splitChoice("f(1, 2) = high")).toEqual({ call: "f(1, 2)", value: "high" });
    expect(splitChoice("start")).toEqual({ call: "start", value: null });
    expect(splitChoice("interrupt from pin 4")).toEqual({ call: "interrupt from pin 4", value: null });
  });

  it("splits calls and places", () => {
    expect(splitCall("chip_analog_read(12)")).toEqual({ primitive: "chip_analog_read", args: ["12"] });
    expect(splitCall("random_int()")).toEqual({ primitive: "random_int", args: [] });
    expect(splitPlace("1.3+20")).toEqual({ node: "1.3", after: 20 });
    expect(splitPlace("1.3")).toEqual({ node: "1.3", after: 0 });
    expect(splitPlace("blue")).toBe(null);
  });
});

describe("names", () => {
  it.each([
    ["txt.\u202eexe", "txt.\\u{202e}exe"],
    ["a\u001b[2Jb\r", "a\\u{1b}[2Jb\\u{d}"],
    ["größer\t日本語 👩\u200d🚀", "größer\t日本語 👩\u200d🚀"],
    ["\u{e0041}", "\\u{e0041}"],
  ])("%s", (name, shown) => expect(visible(name)).toBe(shown));
});
