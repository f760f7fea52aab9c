/** The parts of a board that are seldom used, and what one can take along: interrupts, dials, pixels, traces, panes. */
import { readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openBrowser, openPage, startSession, type Session, type TestPage } from "./harness";

let browser: Browser;
let session: Session;
let user: TestPage;

beforeAll(async () => {
  browser = await openBrowser();
  session = await startSession("ui/e2e/parts.wat");
  user = await openPage(browser, session.url);
  await user.breakAt("chip_analog_read");
  await user.press("F5");
});

afterAll(async () => {
  await browser?.close();
  await session?.stop();
});

it("turns dials", async () => {
  await user.page.getByRole("img", { name: "pin 9 at 120°" }).waitFor();
  await user.page.getByRole("img", { name: /^motor 2 at .*speed 50/ }).waitFor();
});

it("shows pixels as they shine, and says what waits to be shown", async () => {
  await user.page.getByTitle("pixel 0: #ff8000", { exact: true }).waitFor();
  await user.page.getByTitle("pixel 1: #000000 (set to #0000ff, not shown yet)").waitFor();
});

it("lets an interrupt arrive, and the program go on from there", async () => {
  const before = (await user.treeRows()).length;
  await user.page.getByRole("button", { name: "pin 4" }).click();
  await user.until(async () => (await user.treeRows()).length > before, "for a choice of its own");
  await user.pane("Breakpoints");
  await user.page.getByRole("button", { name: /Remove breakpoint/ }).click();
  await user.press("F5");
  await user.pane("Log");
  // What the sensor read, and then how often it rang.
  await user.page.locator(".printed-lines").getByText("1", { exact: true }).waitFor();
});

it("shows the last that was printed, unless somebody reads what is above", async () => {
  const transcript = user.page.locator(".transcript");
  await user.page.getByText("149", { exact: false }).first().waitFor();
  const above = () => transcript.evaluate((at) => at.scrollTop);
  const below = () => transcript.evaluate((at) => at.scrollHeight - at.clientHeight - at.scrollTop);
  expect(await above()).toBeGreaterThan(100);
  expect(await below()).toBeLessThan(2);
  await transcript.evaluate((at) => at.scrollTo(0, 0));
  await user.breakAt("print_int");
  const text = await transcript.textContent();
  await user.press("Alt+F5");
  await user.until(async () => (await transcript.textContent()) !== text, "for less that is printed");
  expect(await above()).toBe(0);
  await user.press("F5");
  await user.pane("Breakpoints");
  await user.page.getByRole("button", { name: /Remove breakpoint/ }).click();
});

it("saves a universe as a trace, and goes to its end again in another session", async () => {
  const download = user.page.waitForEvent("download");
  await user.command("Save this universe as a trace…");
  const file = join(tmpdir(), `manyworlds-${process.pid}.trace`);
  await (await download).saveAs(file);
  const text = await readFile(file, "utf8");
  const end = await user.placeText();
  const other = await startSession("ui/e2e/parts.wat");
  try {
    const page = await openPage(browser, other.url);
    const chooser = page.page.waitForEvent("filechooser");
    await page.command("Replay a trace…");
    await (await chooser).setFiles(file);
    await page.until(async () => (await page.placeText()) === end, `for ${end}`);
    // What is none is said, and nothing moves.
    await writeFile(file, text.replace(/^.*\n/, "nonsense\n"));
    const again = page.page.waitForEvent("filechooser");
    await page.command("Replay a trace…");
    await (await again).setFiles(file);
    await page.page.locator(".toast").getByText(/^not a trace/).waitFor();
    expect(await page.placeText()).toBe(end);
  } finally {
    await other.stop();
    await rm(file, { force: true });
  }
});

it("has panes that can be dragged elsewhere", async () => {
  const tab = user.page.locator(".mw-tab", { hasText: "Bookmarks" }).first();
  const target = user.page.locator(".mw-tab", { hasText: "Compare" }).first();
  await tab.dragTo(target);
  const above = async () => {
    const [one, other] = [await tab.boundingBox(), await target.boundingBox()];
    return one !== null && other !== null && Math.abs(one.y - other.y) < 4;
  };
  await user.until(above, "for both in one row");
});

it("has had no error on the way", () => expect(user.problems).toEqual([]));
