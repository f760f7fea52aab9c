/** Finding one's way in a tree: search, folding, what was printed, what was done. */
import { expect, it } from "vitest";
import { visits, type TestPage } from "./harness";

let user: TestPage;

visits(["examples/gesture-robot/gesture-robot.wasm"], async (page) => {
  user = page;
  await user.suggest({ "Inputs on one path": "1000" });
});

const canvas = () => user.page.locator(".tree-canvas canvas");
const chosen = () => user.page.locator(".chosen");
/** Waits until the input is the next thing to be read. */
const reading = (call: string) => user.page.getByRole("contentinfo").getByText(`reads ${call}`).waitFor({ timeout: 5_000 });
/** How many colours the drawing has. */
const coloursOf = () =>
  canvas().evaluate((element) => {
    const { width, height } = element as HTMLCanvasElement;
    const pixels = (element as HTMLCanvasElement).getContext("2d")!.getImageData(0, 0, width, height).data;
    return new Set(new Uint32Array(pixels.buffer)).size;
  });

it("finds all paths, and shows them as suggested", async () => {
  const rows = await user.treeRows();
  expect(rows.filter((row) => row.text.includes("finished")).length).toBeGreaterThan(10);
  expect(rows.slice(1).every((row) => row.text.includes("suggested"))).toBe(true);
});

it("goes from match to match", async () => {
  await user.page.getByLabel("Search the tree").fill("2501..4095");
  await user.page.getByText(/\d+ matches/).waitFor();
  await user.page.keyboard.press("Enter");
  const first = await chosen().textContent();
  expect(first).toContain("2501..4095 (1,595 values)");
  await user.page.keyboard.press("Enter");
  await user.until(async () => (await chosen().textContent()) !== first, "for the next match");
  await user.page.getByLabel("Search the tree").fill("");
});

it("walks, folds and slides with the keyboard", async () => {
  await canvas().focus();
  await user.page.keyboard.press("Escape");
  await user.page.keyboard.press("ArrowRight");
  await user.page.keyboard.press("ArrowRight");
  await user.until(async () => ((await chosen().textContent()) ?? "").includes("chip_analog_read(14)"), "for a node");
  await user.page.keyboard.press("Space");
  await user.page.getByRole("button", { name: "Unfold what follows" }).waitFor();
  await user.page.keyboard.press("Space");
  await user.page.getByRole("button", { name: "Fold what follows" }).waitFor();
  // A node stands at the end of its edge, where the next input is read.
  expect(await user.press("Enter")).toBe("0.1+2");
  await reading("chip_analog_read(15)");
});

it("leaves nodes where they are when one is chosen, so that the second click of two hits it", async () => {
  await user.page.getByRole("button", { name: "Fit the whole tree" }).click();
  await canvas().focus();
  await user.page.keyboard.press("Escape");
  const before = await user.pointOf("0.0");
  await user.page.mouse.click(before.x, before.y);
  await chosen().getByText("start · then reads chip_analog_read(14)").waitFor();
  expect(await user.pointOf("0.0")).toEqual(before);
  await user.moving(() => user.page.mouse.dblclick(before.x, before.y));
  await reading("chip_analog_read(14)");
});

it("shows where I am, wherever on its edge that is", async () => {
  await user.page.keyboard.press("Control+Shift+F5");
  await user.until(async () => (await user.placeText()) === "0.0", "for the start");
  const box = (await canvas().boundingBox())!;
  await user.page.mouse.move(box.x + 200, box.y + 200);
  for (let turn = 0; turn < 8; turn++) await user.page.mouse.wheel(0, -400);
  await user.page.getByRole("button", { name: "Show where I am" }).click();
  const mark = await user.pointOf("here");
  expect(mark.x).toBeGreaterThan(box.x);
  expect(mark.x).toBeLessThan(box.x + box.width);
  expect(mark.y).toBeGreaterThan(box.y);
  expect(mark.y).toBeLessThan(box.y + box.height);
});

it("is drawn again when the list is put away", async () => {
  await user.page.getByRole("button", { name: "Show the tree as a list" }).click();
  await user.page.getByRole("button", { name: "Show the tree as a drawing" }).click();
  await user.until(async () => (await coloursOf()) > 3, "for a drawing");
});

it("zooms to the pointer, pans, and fits", async () => {
  const before = await user.pointOf("0.0");
  await user.page.mouse.move(before.x, before.y);
  await user.page.mouse.wheel(0, -300);
  await user.until(async () => Math.abs((await user.pointOf("0.1")).x - before.x) > 50, "for the zoom");
  const zoomed = await user.pointOf("0.0");
  expect(Math.hypot(zoomed.x - before.x, zoomed.y - before.y)).toBeLessThan(2);
  const box = (await canvas().boundingBox())!;
  await user.page.mouse.move(box.x + 40, box.y + 40);
  await user.page.mouse.down();
  await user.page.mouse.move(box.x + 100, box.y + 70, { steps: 4 });
  await user.page.mouse.up();
  const panned = await user.pointOf("0.0");
  expect(panned.x - zoomed.x).toBeCloseTo(60, 0);
  expect(panned.y - zoomed.y).toBeCloseTo(30, 0);
  await user.page.getByRole("button", { name: "Fit the whole tree" }).click();
  const fitted = await user.pointOf("0.0");
  expect(fitted.x).toBeGreaterThan(box.x);
  expect(fitted.x).toBeLessThan(box.x + box.width);
});

it("goes to the moment that printed a line", async () => {
  await user.press("F5");
  await user.pane("Log");
  const line = user.page.locator(".printed-lines").getByRole("button").first();
  await line.waitFor();
  const title = await line.getAttribute("title");
  const place = await user.moving(() => line.click());
  expect(title).toContain(place);
  await user.page.getByText("You are in the past").waitFor();
});

it("sets a variable by hand, and says that all that follows is altered", async () => {
  await user.page.keyboard.press("Control+g");
  await user.page.getByRole("dialog").getByLabel("Place").fill("start");
  await user.moving(() => user.page.keyboard.press("Enter"));
  await user.press("F11");
  await user.pane("Variables");
  const value = user.page.locator("button.value").first();
  await value.click();
  await user.page.locator("input.value").fill("7");
  await user.page.keyboard.press("Enter");
  await user.page.getByRole("contentinfo").getByText("altered", { exact: true }).waitFor();
});

it("has had no error on the way", () => expect(user.problems).toEqual([]));
