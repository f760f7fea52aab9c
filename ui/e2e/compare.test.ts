/** Two places beside each other, and moments that are lines. */
import { expect, it } from "vitest";
import { visits, type TestPage } from "./harness";

let user: TestPage;

visits(["examples/light-sensor/light-sensor.wasm"], async (page) => {
  user = page;
  await user.breakAt("color_sensor");
  await user.press("F5");
  await user.mock("10");
  await user.press("F5");
  await user.press("Alt+F5");
  await user.mock("90", "color_sensor(0)");
  await user.press("F5");
});

it("compares two nodes of the tree, with their boards side by side", async () => {
  const [one, other] = (await user.treeRows()).filter((row) => row.level === 2);
  const click = async (node: string, ...modifiers: "Control"[]) => {
    const { x, y } = await user.pointOf(node);
    for (const key of modifiers) await user.page.keyboard.down(key);
    await user.page.mouse.click(x, y);
    for (const key of modifiers) await user.page.keyboard.up(key);
  };
  await click(one!.node);
  await click(other!.node, "Control");
  await user.page.getByText("They parted at").waitFor();
  const worlds = user.page.locator(".worlds > section");
  await user.until(async () => (await worlds.count()) === 2, "for both boards");
  const places = await worlds.evaluateAll((all) => all.map((one) => one.getAttribute("aria-label")));
  expect(places[0]).toContain(`The world at ${one!.node}`);
  expect(places[1]).toContain(`The world at ${other!.node}`);
  await worlds.locator("[data-pin]").first().waitFor();
});

it("offers the bookmarks as places", async () => {
  await user.page.keyboard.press("Control+D");
  const dialog = user.page.getByRole("dialog");
  await dialog.getByRole("textbox").first().fill("bright");
  await dialog.getByRole("button", { name: "Bookmark", exact: true }).click();
  await dialog.waitFor({ state: "detached" });
  await user.page.locator('datalist option[value="bright"]').waitFor({ state: "attached" });
  await user.page.getByLabel("First place").fill("bright");
  await user.page.keyboard.press("Enter");
  await user.page.getByText("Nothing differs").or(user.page.locator(".differences").first()).first().waitFor();
  expect(user.problems).toEqual([]);
});

it("compares a node with a bookmark by its menu", async () => {
  const [one] = (await user.treeRows()).filter((row) => row.level === 2);
  const { x, y } = await user.pointOf(one!.node);
  await user.page.mouse.click(x, y, { button: "right" });
  await user.page.getByRole("menuitem", { name: "Compare with bookmark…" }).click();
  await user.page.getByRole("menuitem", { name: "Compare with ★ bright" }).click();
  expect(await user.page.getByLabel("First place").inputValue()).toContain(one!.node);
  expect(await user.page.getByLabel("Second place").inputValue()).toBe("bright");
  await user.page.getByText("They parted at").waitFor();
});

it("drags the timeline from line to line, and with Alt from instruction to instruction", async () => {
  const bar = user.page.getByRole("slider", { name: "Moment in this universe" });
  const moment = async () => Number(await bar.getAttribute("aria-valuenow"));
  const box = (await bar.boundingBox())!;
  const [total, y] = [Number(await bar.getAttribute("aria-valuemax")), box.y + box.height / 2];
  const clickAt = (count: number) => user.page.mouse.click(box.x + (box.width * count) / total, y);
  // The second instruction of the second line, which begins with the third one.
  await user.page.keyboard.down("Alt");
  await clickAt(4);
  await user.page.keyboard.up("Alt");
  await user.until(async () => (await moment()) === 4, "for that instruction");
  await clickAt(4);
  await user.until(async () => (await moment()) === 3, "for its line");
});
