/** Time, reloads, links, and several pages of one session. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openBrowser, openIn, openPage, startSession, type Session, type TestPage } from "./harness";

let browser: Browser;
let session: Session;
let user: TestPage;

beforeAll(async () => {
  browser = await openBrowser();
  session = await startSession("--world", "examples/light-sensor/world.toml", "examples/light-sensor/light-sensor.wasm");
  user = await openPage(browser, session.url);
});

afterAll(async () => {
  await browser?.close();
  await session?.stop();
});

const timeline = () => user.page.getByRole("slider", { name: "Moment in this universe" });
const moment = async () => Number(await timeline().getAttribute("aria-valuenow"));

it("scrubs the timeline in both directions", async () => {
  await user.press("F5");
  const end = await moment();
  expect(end).toBeGreaterThan(200);
  const box = (await timeline().boundingBox())!;
  const middle = box.y + box.height / 2;
  await user.page.mouse.move(box.x + box.width, middle);
  await user.page.mouse.down();
  await user.moving(() => user.page.mouse.move(box.x + box.width * 0.5, middle));
  await user.page.getByText("You are in the past").waitFor();
  await user.moving(() => user.page.mouse.move(box.x + box.width * 0.1, middle));
  const early = await moment();
  await user.moving(() => user.page.mouse.move(box.x + box.width * 0.6, middle));
  await user.page.mouse.up();
  const later = await moment();
  expect(early).toBeLessThan(later);
  expect(later).toBeLessThan(end);
  await timeline().focus();
  await user.press("Home");
  expect(await user.placeText()).toBe("0.0");
  await user.press("End");
  expect(await moment()).toBe(end);
});

it("is where it was after a reload, with its panes", async () => {
  await user.pane("Bookmarks");
  const place = await user.press("Alt+F10");
  await user.page.reload();
  await user.page.getByText("Connected", { exact: true }).waitFor();
  await user.until(async () => (await user.placeText()) === place, `to be at ${place}`);
  await user.page.getByText("Places with a name").waitFor();
});

it("keeps two pages in step", async () => {
  const other = await openPage(browser, session.url, { theme: "light" });
  expect(await other.placeText()).toBe(await user.placeText());
  const place = await user.press("Alt+F10");
  await other.until(async () => (await other.placeText()) === place, `to follow to ${place}`);
  const back = await other.press("Alt+F5");
  await user.until(async () => (await user.placeText()) === back, `to follow to ${back}`);
  expect(other.problems).toEqual([]);
  await other.page.context().close();
});

it("comes back when the line breaks, and is where the session is by then", async () => {
  const context = await browser.newContext({ viewport: { width: 1200, height: 800 } });
  const lines: { close(): Promise<void> }[] = [];
  await context.routeWebSocket(/\/ws/, (line) => {
    lines.push(line);
    line.connectToServer();
  });
  const other = await openIn(context, session.url);
  await lines[0]!.close();
  const place = await user.press("F10");
  await other.until(async () => lines.length > 1 && (await other.placeText()) === place, `to come back at ${place}`);
  await other.page.getByText("Connected again.").waitFor();
  await context.close();
});

it("opens a link at its moment", async () => {
  const link = `${session.url}&place=20`;
  const other = await openIn(user.page.context(), link);
  await other.until(async () => (await other.page.getByText("20 instructions").count()) > 0, "for the moment of the link");
  await other.page.close();
});

it("has had no error on the way", () => expect(user.problems).toEqual([]));
