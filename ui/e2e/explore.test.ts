/** Exploring a program that never ends, until somebody has had enough. */
import type { Locator } from "playwright-core";
import { expect, it } from "vitest";
import { visits, type TestPage } from "./harness";

let user: TestPage;

visits(["examples/breakout/breakout.wasm"], (page) => (user = page));

/** Explores for longer than anybody waits, until something was found. */
async function explore(inputs = "1000000"): Promise<Locator> {
  await user.page.getByRole("button", { name: "Suggest paths" }).click();
  const dialog = user.page.getByRole("dialog");
  await dialog.getByLabel("Seconds").fill("3600");
  await dialog.getByLabel("Inputs on one path").fill(inputs);
  await dialog.getByLabel("Paths", { exact: true }).fill("1000000");
  await dialog.getByRole("button", { name: "Suggest", exact: true }).click();
  await dialog.getByText(/[1-9].* paths so far/).waitFor();
  return dialog;
}

it("stops, and shows what was found until then", async () => {
  const dialog = await explore();
  await dialog.getByRole("button", { name: "Stop", exact: true }).click();
  const found = dialog.getByRole("region", { name: "What was found" });
  const few = dialog.getByRole("button", { name: "Add the first 50" });
  await found.or(few).waitFor();
  if (await few.isVisible()) await few.click();
  await found.waitFor();
  expect(await found.textContent()).toContain("not complete");
  expect(await found.textContent()).toContain("stopped: ");
  await dialog.getByRole("button", { name: "Close", exact: true }).click();
  await user.until(async () => (await user.treeRows()).length > 1, "for paths in the tree");
});

it("shows in the tree what it is finding, and takes it back where it is not added", async () => {
  await user.command("Remove all suggestions");
  await user.until(async () => (await user.treeRows()).length === 1, "for an empty tree");
  const dialog = await explore("8");
  await user.page.getByText(/^[1-9][0-9,]+ nodes$/).waitFor();
  await dialog.getByText(/[1-9][0-9,]{2,} paths so far/).waitFor();
  await dialog.getByRole("button", { name: "Stop", exact: true }).click();
  await dialog.getByText(/This would add [0-9,]+ paths/).waitFor();
  await user.page.getByText("1 node", { exact: true }).waitFor();
  await dialog.getByRole("button", { name: "Close", exact: true }).or(dialog.getByRole("button", { name: "Cancel", exact: true })).click();
});

for (const [how, leave] of [
  ["Cancel", (dialog: Locator) => dialog.getByRole("button", { name: "Cancel", exact: true }).click()],
  ["Escape", () => user.page.keyboard.press("Escape")],
] as const) {
  it(`does not go on behind a dialog that ${how} has closed`, async () => {
    const dialog = await explore();
    await leave(dialog);
    await dialog.waitFor({ state: "detached" });
    // Nothing is under way: the program can be stepped.
    await user.page.getByRole("button", { name: "Suggest paths" }).waitFor();
    await user.press("F10");
    expect(user.problems).toEqual([]);
  });
}
