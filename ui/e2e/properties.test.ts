/** Properties: loading them, seeing where they stand, why they are violated, and in which universes. */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Locator } from "playwright-core";
import { describe, expect, it } from "vitest";
import { serious } from "./axe";
import { visits, type TestPage } from "./harness";

let user: TestPage;

const QUEUE = `slice on queue
initialization { N = 0; max = 0 }
state init accepting {
  transition { after event queue_new(queue, size)
    success { max = size } queue_ready } }
state queue_ready accepting {
  transition { before event queue_push(queue) { return N < max }
    success { N = N + 1 } queue_ready
    failure sink } }
state sink non-accepting
`;

const dialog = () => user.page.getByRole("dialog");
const banner = () => user.page.getByRole("alert");
const list = () => user.page.getByRole("list", { name: "All properties" });
const property = (name: string): Locator => list().getByRole("listitem").filter({ hasText: name });
const state = (name: string): Locator => user.page.locator(".automaton .state").filter({ hasText: new RegExp(`^${name}`) });
const events = () => user.page.getByRole("region", { name: "Events" });

/** How a state is drawn, once it is drawn so. */
const looks = (name: string, look: string) =>
  user.until(async () => ((await state(name).getAttribute("class")) ?? "").split(" ").includes(look), `for ${name} to be ${look}`);

async function load(name: string, text: string): Promise<void> {
  await user.command("Load a property…");
  await dialog().getByLabel("Name").fill(name);
  await dialog().getByLabel("Text").fill(text);
  await dialog().getByRole("button", { name: "Load", exact: true }).click();
}

describe("a property of queues", () => {
  visits(["ui/e2e/queues.wat"], (page) => (user = page));

  it("says where its text is wrong", async () => {
    await load("queue", QUEUE.replace("queue_push", "queue_pusj"));
    await dialog().getByText("did you mean queue_push").waitFor();
    await user.page.keyboard.press("Escape");
    await dialog().waitFor({ state: "detached" });
  });

  it("is loaded from a file of the browser's", async () => {
    await user.command("Load a property…");
    await dialog().getByLabel("From a file").setInputFiles({ name: "queue.mwp", mimeType: "text/plain", buffer: Buffer.from(QUEUE) });
    await user.until(async () => (await dialog().getByLabel("Name").inputValue()) === "queue", "for the name of the file");
    await dialog().getByRole("button", { name: "Load", exact: true }).click();
    await property("queue").getByText("holds so far").waitFor();
    await looks("init", "good");
    await looks("sink", "forbidden");
  });

  it("shows what a transition is about to the pointer and to keys", async () => {
    await user.page.locator(".automaton .transition").nth(1).hover();
    const about = user.page.locator(".about-part");
    await about.getByText("queue_ready → queue_ready: before event queue_push(queue) if N < max").waitFor();
    await user.page.mouse.move(2, 2);
    await state("init").focus();
    await about.getByText("init: accepting, where slices begin").waitFor();
    await user.page.keyboard.press("ArrowLeft");
    await about.getByText("queue_ready → sink").waitFor();
  });

  it("stops the program where it is violated, and says by what", async () => {
    await user.mock("high", "chip_digital_read(7)");
    await user.press("F5");
    await banner().getByText("queue is violated").waitFor();
    await banner().getByText("<queue = 1024> is in sink, as N < max is false with N = 16, max = 16").waitFor();
    await property("queue").getByText("violated").waitFor();
    await looks("sink", "bad");
    await looks("queue_ready", "good");
    await user.until(async () => (await user.page.locator(".automaton .transition.last").count()) === 1, "for the last transition");
  });

  it("explains what moved the slice, and each event leads to its moment", async () => {
    await banner().getByRole("button", { name: "Show the property" }).click();
    await user.page.getByRole("group", { name: "What is listed" }).getByRole("button", { name: "Events" }).click();
    await events().getByText("sink (from queue_ready), not accepting").waitFor();
    // It was made, and then pushed to seventeen times.
    expect(await events().locator(".head").count()).toBe(18);
    const before = events().locator(".head").nth(10).getByRole("button");
    const there = (await before.textContent())!;
    expect(await user.moving(() => before.click())).toBe(there);
    await banner().waitFor({ state: "detached" });
    await looks("queue_ready", "good");
    await property("queue").getByText("holds so far").waitFor();
  });

  it("follows the timeline", async () => {
    const slider = user.page.getByRole("slider", { name: "Moment in this universe" });
    await slider.focus();
    await user.press("End");
    await looks("sink", "bad");
    await banner().getByText("queue is violated").waitFor();
    await user.press("Home");
    await looks("sink", "forbidden");
    await looks("queue_ready", "plain");
    await user.press("End");
    await user.moving(() => banner().getByRole("button", { name: "Step back" }).click());
    await looks("sink", "forbidden");
  });

  it("has a table of slices, however many there are", async () => {
    await user.page.getByRole("group", { name: "What is listed" }).getByRole("button", { name: "Slices" }).click();
    await user.page.getByText("1–100 of 251").waitFor();
    const rows = user.page.getByRole("region", { name: "Slices" }).getByRole("row");
    expect(await rows.count()).toBe(101);
    await user.page.getByRole("button", { name: "The slices after these" }).click();
    await user.page.getByText("101–200 of 251").waitFor();
    await user.page.getByRole("searchbox", { name: "Search slices" }).fill("queue = 1104");
    await user.page.getByText("1 slice found, 251 in all").waitFor();
    await rows.filter({ hasText: "queue = 1104" }).getByText("queue_ready").waitFor();
    await rows.getByRole("button", { name: "queue = 1104" }).click();
    await user.page.getByRole("button", { name: "only" }).waitFor();
    await looks("init", "former");
    await user.page.getByRole("button", { name: "only" }).click();
  });

  it("is seen in the tree, which can show only universes that violate it", async () => {
    await user.command("Go back to the start");
    await user.mock("low", "chip_digital_read(7)");
    await user.press("F5");
    await user.page.getByRole("contentinfo").getByText("the program finished").waitFor();
    await user.pane("Multiverse");
    const texts = async () => (await user.treeRows()).map((row) => row.text);
    await user.until(async () => (await texts()).some((text) => text.includes("violates queue")), "for the verdict");
    expect((await texts()).map((text) => [text.includes("= high"), text.includes("violates queue")]).sort()).toEqual([
      [false, false],
      [false, false],
      [true, true],
    ]);
    const only = user.page.getByRole("button", { name: "Only universes that violate a property" });
    await only.click();
    await user.until(async () => (await texts()).length === 2, "for the others to be hidden");
    await only.click();
    await user.until(async () => (await texts()).length === 3, "for all");
  });

  it.each(["dark", "light"])("has no serious findings in %s colours", async (colours) => {
    const other = user.page.getByRole("button", { name: `Use ${colours} colours` });
    if (await other.isVisible()) await other.click();
    await user.pane("Properties");
    for (const pane of ["Slices", "Events", "Text"]) {
      await user.page.getByRole("group", { name: "What is listed" }).getByRole("button", { name: pane }).click();
      expect(await serious(user, `${pane}, ${colours}`)).toEqual([]);
    }
    await property("queue").getByRole("button", { name: "Change queue" }).click();
    expect(await serious(user, `the dialog, ${colours}`)).toEqual([]);
    await user.page.keyboard.press("Escape");
  });

  it("is changed and unloaded", async () => {
    await property("queue").getByRole("button", { name: "Change queue" }).click();
    await dialog().getByLabel("Text").fill(QUEUE.replace("N < max", "N < 4"));
    await dialog().getByRole("button", { name: "Change", exact: true }).click();
    await property("queue").getByText("violated").waitFor();
    await property("queue").getByRole("button", { name: "Unload queue" }).click();
    await user.page.getByText("No property is loaded").waitFor();
    expect(user.problems).toEqual([]);
  });
});

describe("a property whose file is edited", () => {
  const file = join(mkdtempSync(join(tmpdir(), "mw-property-")), "queue.mwp");
  writeFileSync(file, QUEUE);
  visits(["--property", file, "ui/e2e/queues.wat"], (page) => (user = page));

  it("is offered to be read again, each time", async () => {
    await user.pane("Properties");
    await property("queue").getByText("holds so far").waitFor();
    for (const room of ["4", "2"]) {
      writeFileSync(file, QUEUE.replace("N < max", `N < ${room}`));
      await user.press("F11");
      await property("queue").getByRole("button", { name: "Reload" }).click();
      await user.page.locator(".automaton .guard", { hasText: `[N < ${room}]` }).first().waitFor();
      await property("queue").getByRole("button", { name: "Reload" }).waitFor({ state: "detached" });
    }
    expect(user.problems).toEqual([]);
  });
});
