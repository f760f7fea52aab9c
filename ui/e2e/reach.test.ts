/** What is reached, what inputs read by themselves, and breakpoints that are changed. */
import { expect, it } from "vitest";
import { visits, type TestPage } from "./harness";

let user: TestPage;

visits(["examples/temperature-dashboard/temperature-dashboard.wasm"], (page) => (user = page));

it("sets what an input reads before the program begins", async () => {
  await user.command("Set what an input reads…");
  const dialog = user.page.getByRole("dialog");
  await dialog.getByLabel("Which input").fill("chip_analog_read(12)");
  await dialog.getByLabel("Reads").fill("2000");
  await dialog.getByRole("button", { name: "Set", exact: true }).click();
  await dialog.waitFor({ state: "detached" });
});

it("shows what suggested paths have reached", async () => {
  await user.pane("Coverage");
  await user.page.getByText("Nothing has been noted").waitFor();
  await user.page.getByRole("button", { name: "Suggest paths" }).click();
  const dialog = user.page.getByRole("dialog");
  await dialog.getByLabel("Inputs on one path").fill("1");
  await dialog.getByLabel("Note what is reached").check();
  await dialog.getByRole("button", { name: "Suggest", exact: true }).click();
  await dialog.getByRole("region", { name: "What was found" }).waitFor();
  await dialog.getByRole("button", { name: "Close", exact: true }).click();
  await user.page.getByText("of the lines with code").waitFor();
  const missed = user.page.getByRole("listitem").filter({ hasText: "round < ROUNDS" });
  expect(await missed.textContent()).toContain("never false");
});

it("reads what was set", async () => {
  await user.breakAt("chip_digital_write");
  await user.press("F5");
  await user.pane("Multiverse");
  expect((await user.treeRows()).some((row) => row.text.includes("2000"))).toBe(true);
});

it("changes when a breakpoint stops", async () => {
  await user.pane("Breakpoints");
  await user.page.getByRole("button", { name: "Change breakpoint 1" }).click();
  const dialog = user.page.getByRole("dialog");
  await dialog.getByLabel("Only these times").fill("% 2");
  await dialog.getByRole("button", { name: "Change", exact: true }).click();
  await dialog.waitFor({ state: "detached" });
  await user.page.getByText("the times % 2").waitFor();
  // A mistake is said, and nothing is lost.
  await user.page.getByRole("button", { name: "Change breakpoint 1" }).click();
  await dialog.getByLabel("Only these times").fill("often");
  await dialog.getByRole("button", { name: "Change", exact: true }).click();
  await dialog.getByText("cannot understand").waitFor();
  await dialog.getByRole("button", { name: "Cancel", exact: true }).click();
  await user.page.getByText("the times % 2").waitFor();
  expect(user.problems).toEqual([]);
});
