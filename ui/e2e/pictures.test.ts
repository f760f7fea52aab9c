/**
 * Pictures for README and guide, of real sessions. With `MW_IMAGES=1` they replace those in
 * `docs/images`; without, they are only taken, so that what they show keeps working.
 */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openBrowser, openPage, ROOT, startSession, type Session, type TestPage } from "./harness";

const FOLDER = process.env["MW_IMAGES"] === "1" ? join(ROOT, "docs/images") : mkdtempSync(join(tmpdir(), "mw-images-"));

let browser: Browser;
const sessions: Session[] = [];

beforeAll(async () => {
  browser = await openBrowser();
});

afterAll(async () => {
  await browser?.close();
  for (const session of sessions) await session.stop();
});

async function open(theme: "dark" | "light", ...words: string[]): Promise<TestPage> {
  const session = await startSession(...words);
  sessions.push(session);
  return openPage(browser, session.url, { theme, width: 1440, height: 900 });
}

async function picture(user: TestPage, name: string): Promise<void> {
  // Messages go away by themselves, and are in the way until then.
  for (const dismiss of await user.page.getByRole("button", { name: "Dismiss" }).all()) await dismiss.click();
  await user.page.mouse.move(2, 2);
  await user.page.waitForTimeout(150);
  await user.page.screenshot({ path: join(FOLDER, `${name}.png`) });
  expect(user.problems).toEqual([]);
}

it.each(["dark", "light"] as const)("shows the temperature dashboard, %s", async (theme) => {
  const user = await open(theme, "examples/temperature-dashboard/temperature-dashboard.wasm");
  await user.breakAt("chip_analog_read");
  await user.press("F5");
  await user.suggest({ "Instructions on one path": "60" });
  await user.mock("224");
  await user.press("F5");
  await user.mock("77");
  await user.press("F5");
  await user.press("Alt+F5");
  await picture(user, `page-${theme}`);
});

it("shows how paths are suggested", async () => {
  const user = await open("dark", "examples/while/while.wasm");
  await user.page.getByRole("button", { name: "Suggest paths" }).click();
  const dialog = user.page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Suggest", exact: true }).click();
  await dialog.getByRole("region", { name: "What was found" }).waitFor();
  await picture(user, "suggest");
});

it("shows actors, and all states as a graph", async () => {
  const user = await open("dark", "examples/bad-interleaving/bad-interleaving.wasm");
  await user.pane("Graph");
  await user.page.getByRole("button", { name: "Draw", exact: true }).click();
  const ends = user.page.getByRole("list", { name: "How universes end" });
  await user.moving(() => ends.getByRole("button", { name: /res = 66/ }).click());
  await user.press("Shift+T");
  await user.press("Shift+T");
  await picture(user, "actors");
});

const RED_WHEN_HOT = `# Once a reading is above 70 degrees, the red LED comes on.
state init accepting {
  transition { after event primitive chip_analog_read(pin, ret) { return ret > 1489 }
    success hot } }
state hot accepting {
  transition { before event show(red) { return red == 1 }
    success init
    failure wrong } }
state wrong non-accepting
`;

it.each([["dark", "properties"], ["light", "verdicts"]] as const)("shows a property that is violated, %s", async (theme, name) => {
  const user = await open(theme, "examples/temperature-dashboard/temperature-dashboard.wasm");
  await user.suggest({ "Inputs on one path": "2" });
  await user.command("Load a property…");
  const dialog = user.page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("red-when-hot");
  await dialog.getByLabel("Text").fill(RED_WHEN_HOT);
  await dialog.getByRole("button", { name: "Load", exact: true }).click();
  await dialog.waitFor({ state: "detached" });
  await user.breakAt("chip_analog_read");
  await user.press("F5");
  await user.mock("1300");
  await user.press("F5");
  await user.mock("1600");
  await user.press("F5");
  const alert = user.page.getByRole("alert");
  await alert.getByText("red-when-hot is violated").waitFor();
  await alert.getByRole("button", { name: "Show the property" }).click();
  await user.page.getByRole("group", { name: "What is listed" }).getByRole("button", { name: "Events" }).click();
  await user.page.getByText("wrong (from hot), not accepting").waitFor();
  if (name === "verdicts") await user.pane("Multiverse");
  await picture(user, name);
});

it("shows what differs between two places", async () => {
  const user = await open("light", "examples/light-sensor/light-sensor.wasm");
  await user.breakAt("color_sensor");
  await user.press("F5");
  await user.mock("10");
  await user.press("F5");
  await user.press("Alt+F5");
  await user.mock("90", "color_sensor(0)");
  await user.press("F5");
  await user.pane("Compare");
  await user.page.getByText("Compare two places").waitFor();
  const first = user.page.getByLabel("First place");
  await first.fill("0.1+28");
  await first.press("Enter");
  await user.page.getByText("They parted at").waitFor();
  await picture(user, "compare");
});

it("shows a game on the display", async () => {
  const user = await open("dark", "examples/breakout/breakout.wasm");
  await user.breakAt("chip_analog_read");
  for (let reading = 0; reading < 4; reading++) await user.press("F5");
  await user.page.locator("canvas.display").waitFor();
  await picture(user, "display");
});

it("shows a game that is being played", async () => {
  const user = await open("light", "examples/breakout/breakout.wasm");
  await user.page.keyboard.press("P");
  const slider = user.page.getByRole("slider", { name: "chip_analog_read(36) returns" });
  await slider.waitFor();
  await slider.fill("2100");
  await user.page.waitForTimeout(1_500);
  await picture(user, "play");
});
