/** A program on a device: like one that runs here, with a badge. */
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { serious } from "./axe";
import { findDebugger, openBrowser, openPage, startOnDevice, type Session, type TestPage } from "./harness";

const FOLDER = mkdtempSync(join(tmpdir(), "mw-device-"));
const NUMBER = join(FOLDER, "agent");
const AGENT = `${findDebugger()} agent --set "color_sensor(0)=77"`;

let browser: Browser;
let session: Session;
let user: TestPage;

beforeAll(async () => {
  browser = await openBrowser();
  // The agent leaves its number, so that it can be ended.
  const address = `exec:sh -c 'echo $$ > ${NUMBER}; exec ${AGENT}'`;
  session = await startOnDevice(address, "examples/light-sensor/light-sensor.wasm");
  user = await openPage(browser, session.url);
});

afterAll(async () => {
  await browser?.close();
  await session?.stop();
});

const badge = (words: string) => user.page.getByRole("button", { name: `Device simulated: ${words}` });

/** Looks at the page and at the figures of the link, in both colours. Pictures are for people. */
async function look(badgeWords: string, figuresWords: string): Promise<void> {
  const dialog = user.page.getByRole("dialog", { name: "Link to the device" });
  for (const theme of ["dark", "light"]) {
    // All of the page has changed its colours.
    await user.page.locator(`:root[data-theme="${theme}"]`).waitFor();
    await user.page.evaluate(() => new Promise(requestAnimationFrame));
    expect(await serious(user, `${badgeWords}, ${theme}`)).toEqual([]);
    await badge(badgeWords).click();
    await dialog.getByText(figuresWords).waitFor();
    await dialog.getByRole("row", { name: /^Bytes sent/ }).waitFor();
    expect(await serious(user, `figures, ${badgeWords}, ${theme}`)).toEqual([]);
    await user.page.screenshot({ path: join(FOLDER, `${badgeWords}-${theme}.png`) });
    await dialog.getByRole("button", { name: "Close" }).click();
    await user.command("Switch between dark and light");
  }
}

it("has a badge", async () => {
  await badge("connected").waitFor();
  expect(await badge("connected").getAttribute("title")).toContain("simulated at exec:sh -c");
});

it("goes forward and back on the device", async () => {
  await user.breakAt("chip_delay");
  await user.press("F5");
  // What the device reads, not what the world here would.
  await user.until(async () => (await user.treeRows()).some((row) => row.text === "color_sensor(0) = 77"), "for 77");
  await user.until(async () => (await user.level(56)) === "high", "for the light");
  await user.press("Alt+F5");
  await user.until(async () => (await user.level(56)) === "none", "for the light to go out");
  await user.press("F5");
  await badge("connected").waitFor();
});

it("shows the figures of both sides", async () => {
  await badge("connected").click();
  const dialog = user.page.getByRole("dialog", { name: "Link to the device" });
  const row = dialog.getByRole("row", { name: /^Bytes sent/ });
  await row.waitFor();
  const [host, device] = await row.getByRole("cell").allTextContents();
  for (const figure of [host, device]) expect(Number(figure?.replace(/\D/g, ""))).toBeGreaterThan(100);
  await dialog.getByRole("button", { name: "Close" }).click();
  await look("connected", "The link is connected.");
});

it("says that the link is broken, and why", async () => {
  process.kill(Number(readFileSync(NUMBER, "utf8")), "SIGKILL");
  // Nobody has to ask for anything.
  await badge("broken: the connection to the device is lost").waitFor();
  await look("broken", "The link is broken: the connection to the device is lost");
  // A page that is opened now knows it as well.
  const other = await openPage(browser, session.url);
  await other.page.getByRole("button", { name: "Device simulated: broken" }).waitFor();
  await other.page.context().close();
});

it("has had no error on the way", () => expect(user.problems).toEqual([]));
