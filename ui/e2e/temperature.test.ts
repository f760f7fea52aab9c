/** The session of seed 000, section 2, on the temperature dashboard, with mouse and keyboard. */
import { expect, it } from "vitest";
import { visits, type TestPage } from "./harness";

let user: TestPage;

visits(["examples/temperature-dashboard/temperature-dashboard.wasm"], (page) => (user = page));

it("begins with a root that has no branches", async () => {
  expect(await user.placeText()).toBe("0.0");
  expect(await user.treeRows()).toEqual([{ level: 1, text: "start", node: "0.0", isHere: true }]);
});

it("runs to the breakpoint before the sensor is read", async () => {
  await user.breakAt("chip_analog_read");
  expect(await user.press("F5")).toBe("0.0+17");
  await user.page.getByText("read next").waitFor();
});

it("suggests two choice points with two branches each", async () => {
  const found = await user.suggest({ "Instructions on one path": "40" });
  expect(found).toContain("3 paths");
  expect(found).toContain("2 choices, at most 2 options");
  const rows = await user.treeRows();
  expect(rows.map(({ level, text }) => [level, text.replace(/ · (then|suggested).*/, "")])).toEqual([
    [1, "start"],
    [2, "chip_analog_read(12) = 0 · 0..1489 (1,490 values)"],
    [3, "chip_analog_read(12) = 0 · 0..1240 (1,241 values)"],
    [3, "chip_analog_read(12) = 1241 · 1241..4095 (2,855 values)"],
    [2, "chip_analog_read(12) = 1490 · 1490..4095 (2,606 values)"],
  ]);
});

it("mocks 224, runs to the next reading, mocks 77", async () => {
  await user.mock("224");
  const second = await user.press("F5");
  expect(second).toMatch(/\+\d+$/);
  await user.mock("77");
  await user.press("F10");
  const rows = await user.treeRows();
  const here = rows.find((row) => row.isHere)!;
  expect(here.text).toContain("chip_analog_read(12) = 77");
  expect(rows.some((row) => row.text.includes("chip_analog_read(12) = 224"))).toBe(true);
});

it("slides to a suggested branch by double click, and all branches stay", async () => {
  const before = await user.treeRows();
  const hot = before.find((row) => row.text.includes("1490..4095"))!;
  const at = await user.pointOf(hot.node);
  await user.page.mouse.click(at.x, at.y);
  await user.page.getByRole("button", { name: "Slide", exact: true }).waitFor();
  expect(await user.moving(() => user.page.mouse.dblclick(at.x, at.y))).toBe(hot.node);
  const after = await user.treeRows();
  expect(after.map((row) => row.node)).toEqual(before.map((row) => row.node));
  expect(after.find((row) => row.isHere)!.node).toBe(hot.node);
});

it("has the red LED on in the hot universe", async () => {
  await user.press("F5");
  await user.until(async () => (await user.level(25)) === "high", "for the red LED");
  expect(await user.level(26)).toBe("low");
  expect(await user.level(27)).toBe("low");
});

it("has had no error on the way", () => expect(user.problems).toEqual([]));
