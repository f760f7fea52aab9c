import { describe, expect, it } from "vitest";
import { controlOf } from "../src/board/controls";
import { brightness } from "../src/board/brightness";
import { toRgba } from "../src/board/rgb565";
import { valueText } from "../src/board/values";
import { ascii, changedBytes, parseAddress, rowsOf } from "../src/panes/bytes";
import { apart, countAt, snap, xAt } from "../src/timeline/scale";
import { Scrubber } from "../src/state/scrub";

describe("controls of inputs", () => {
  it.each([
    ["0..4095", { kind: "range", low: 0, high: 4095 }],
    ["-32768..32767", { kind: "range", low: -32768, high: 32767 }],
    ["0..2147483647", { kind: "text" }],
    ["low|high", { kind: "names", names: ["low", "high"] }],
    ["{low, high}", { kind: "names", names: ["low", "high"] }],
    ["any f32", { kind: "text" }],
    [null, { kind: "text" }],
  ])("%s", (domain, control) => expect(controlOf(domain)).toEqual(control));
});

describe("the board", () => {
  const pin = { direction: null, mode: null, level: null, pwm: null, servo_degrees: null };
  it("lights LEDs as their pins are", () => {
    expect(brightness({ ...pin, level: "high" })).toBe(1);
    expect(brightness({ ...pin, level: "low" })).toBe(0);
    expect(brightness({ ...pin, level: "high", pwm: 51 })).toBeCloseTo(0.2);
  });

  it("shows 16-bit colours in full", () => {
    const bytes = new Uint8ClampedArray(12);
    toRgba([0xffff, 0xf800, 0x0000], bytes);
    expect([...bytes]).toEqual([255, 255, 255, 255, 255, 0, 0, 255, 0, 0, 0, 255]);
  });

  it("reads floats from their bits", () => {
    expect(valueText({ F32: 0x3fc00000 })).toBe("1.5");
    expect(valueText({ I32: -3 })).toBe("-3");
  });
});

describe("memory", () => {
  it("has rows of sixteen", () => {
    const rows = rowsOf({ address: 32, bytes: Array.from({ length: 20 }, (_, at) => at) });
    expect(rows.map((row) => [row.address, row.bytes.length])).toEqual([
      [32, 16],
      [48, 4],
    ]);
  });

  it("marks stretches that changed", () => expect([...changedBytes([[4, 2], [9, 1]])]).toEqual([4, 5, 9]));

  it("reads addresses", () => {
    expect(parseAddress("0x400")).toBe(1024);
    expect(parseAddress(" 12 ")).toBe(12);
    for (const text of ["", "x", "-1", "1.5", "99999999999999999999"]) expect(parseAddress(text)).toBe(null);
    expect(ascii(65) + ascii(0)).toBe("A·");
  });
});

describe("the timeline", () => {
  const scale = { total: 1000, width: 500 };
  it("goes between counts and points", () => {
    expect(xAt(scale, 500)).toBe(250);
    expect(countAt(scale, 250)).toBe(500);
    expect(countAt(scale, -10)).toBe(0);
    expect(countAt(scale, 900)).toBe(1000);
    expect(xAt({ total: 0, width: 500 }, 0)).toBe(0);
  });

  it("hits moments that are near", () => {
    expect(snap(scale, 503, [500, 900])).toBe(500);
    expect(snap(scale, 530, [500, 900])).toBe(530);
  });

  it("keeps marks apart", () => {
    const marks = [0, 2, 100, 101, 300].map((count) => ({ count }));
    expect(apart(scale, marks, 3).map((mark) => mark.count)).toEqual([0, 100, 300]);
  });

  it("makes one slide at a time, and then only the last one wanted", async () => {
    const gone: number[] = [];
    const arrivals: (() => void)[] = [];
    const scrubber = new Scrubber((count: number) => {
      gone.push(count);
      return new Promise<void>((arrive) => arrivals.push(arrive));
    });
    const first = scrubber.to(1);
    void scrubber.to(2);
    void scrubber.to(3);
    expect(gone).toEqual([1]);
    arrivals[0]!();
    await Promise.resolve();
    await Promise.resolve();
    expect(gone).toEqual([1, 3]);
    arrivals[1]!();
    await first;
  });
});
