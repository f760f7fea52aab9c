/** What a person who does not see the page, or not its colours, would stumble over. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { serious } from "./axe";
import { openBrowser, openPage, startSession, type Session } from "./harness";

let browser: Browser;
let session: Session;

beforeAll(async () => {
  browser = await openBrowser();
  session = await startSession("examples/gesture-robot/gesture-robot.wasm");
});

afterAll(async () => {
  await browser?.close();
  await session?.stop();
});

const PANES = ["WebAssembly", "Stack", "Watch", "Memory", "Compare", "Breakpoints", "Bookmarks", "Log", "Variables", "Mocks"];

it.each(["dark", "light"] as const)("has no serious findings in %s colours", async (theme) => {
  const user = await openPage(browser, session.url, { theme });
  const found: string[] = [];
  await user.command("Go back to the start");
  await user.suggest({ "Inputs on one path": "3" });
  await user.breakAt("print_int");
  await user.press("F5");
  for (const pane of PANES) {
    await user.pane(pane);
    found.push(...(await serious(user, pane)));
  }
  await user.pane("Multiverse");
  await user.page.getByRole("button", { name: "Show the tree as a list" }).click();
  found.push(...(await serious(user, "the tree as a list")));
  await user.page.getByRole("button", { name: "Show the tree as a drawing" }).click();
  for (const [keys, what] of [["Control+Shift+S", "suggest"], ["Control+m", "mock"], ["Control+Shift+P", "palette"], ["Control+g", "go to"]] as const) {
    await user.page.keyboard.press(keys);
    await user.page.getByRole("dialog").waitFor();
    found.push(...(await serious(user, what)));
    await user.page.keyboard.press("Escape");
    await user.page.getByRole("dialog").waitFor({ state: "detached" });
  }
  expect(found).toEqual([]);
  await user.page.context().close();
});

it("can be walked with the keyboard alone", async () => {
  const user = await openPage(browser, session.url);
  await user.page.getByRole("button", { name: "Show the tree as a list" }).click();
  await user.page.getByRole("tree").focus();
  await user.page.keyboard.press("Home");
  await user.press("Enter");
  expect(await user.placeText()).toMatch(/^0\.0\+\d+$/);
  await user.page.keyboard.press("ArrowRight");
  const place = await user.press("Enter");
  expect(place).toMatch(/^0\.1\+\d+$/);
  await user.page.getByRole("tree").focus();
  await user.page.keyboard.press("Home");
  const before = await user.page.getByRole("treeitem").count();
  await user.page.keyboard.press("ArrowLeft");
  await user.until(async () => (await user.page.getByRole("treeitem").count()) === 1, "for the tree to fold");
  await user.page.keyboard.press("ArrowRight");
  await user.until(async () => (await user.page.getByRole("treeitem").count()) === before, "for the tree to unfold");
  await user.page.context().close();
});
