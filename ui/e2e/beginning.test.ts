/** The first minute: what there is to see and to decide before anything was done. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openBrowser, openPage, startSession, type Session, type TestPage } from "./harness";

let browser: Browser;
const sessions: Session[] = [];
let user: TestPage;

async function open(program: string): Promise<TestPage> {
  const session = await startSession(program);
  sessions.push(session);
  return openPage(browser, session.url);
}

beforeAll(async () => {
  browser = await openBrowser();
  user = await open("examples/gesture-robot/gesture-robot.wasm");
});

afterAll(async () => {
  await browser?.close();
  for (const session of sessions) await session.stop();
});

const inputs = () => user.page.locator("[data-input]").evaluateAll((all) => all.map((one) => one.getAttribute("data-input")));

it("shows what the program will read, with its range, and how to begin", async () => {
  await user.page.locator('[data-input="chip_analog_read"]').getByText("0..4095").waitFor();
  await user.page.getByText("F5 runs the program, S suggests").waitFor();
  await user.page.keyboard.press("s");
  await user.page.getByRole("dialog").getByRole("button", { name: "Suggest", exact: true }).waitFor();
  await user.page.keyboard.press("Escape");
});

it("says of pins which way they work before they are written", async () => {
  await user.press("F10");
  await user.page.locator('[data-pin="8"]').getByText("output").waitFor();
});

it("looks at memory by the name of something", async () => {
  await user.pane("Memory");
  await user.page.getByLabel("Address").fill("text");
  await user.page.keyboard.press("Enter");
  const first = user.page.getByRole("rowheader").first();
  await user.until(async () => (await first.textContent()) === "000010", "for the memory at the name");
  await user.page.getByLabel("Address").fill("nothing");
  await user.page.keyboard.press("Enter");
  await user.page.locator(".error-text").waitFor();
});

it("has a slider for each input that was read, also in choices that look alike", async () => {
  await user.press("F5");
  await user.until(async () => (await inputs()).length === 2, "for both inputs");
  expect(await inputs()).toEqual(["chip_analog_read(14)", "chip_analog_read(15)"]);
});

it("has panes that remember their sizes", async () => {
  const width = async () => (await user.page.locator(".tree-pane").boundingBox())!.width;
  const before = await width();
  const edge = (await user.page.locator(".tree-pane").boundingBox())!;
  await user.page.mouse.move(edge.x - 3, edge.y + 200);
  await user.page.mouse.down();
  await user.page.mouse.move(edge.x - 103, edge.y + 200, { steps: 5 });
  await user.page.mouse.up();
  const after = await width();
  expect(after - before).toBeCloseTo(100, -1);
  await user.page.reload();
  await user.page.getByText("Connected", { exact: true }).waitFor();
  await user.until(async () => Math.abs((await width()) - after) < 2, "for the size from before");
});

it.each(["examples/blink/blink.wat", "examples/temperature-dashboard/temperature-dashboard.wasm"])(
  "says of %s that it has no memory",
  async (program) => {
    const other = await open(program);
    await other.pane("Memory");
    await other.page.getByText("This program has none, or an empty one.").waitFor();
    expect(await other.page.locator(".error-text").count()).toBe(0);
    expect(other.problems).toEqual([]);
  },
);

it("has had no error on the way", () => expect(user.problems).toEqual([]));
