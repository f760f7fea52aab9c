/** Suggesting what one can look through: counted first, told where it is cut off, removed again. */
import { expect, it } from "vitest";
import { visits, type TestPage } from "./harness";

let user: TestPage;

visits(["examples/light-sensor/light-sensor.wasm"], (page) => (user = page));

const dialog = () => user.page.getByRole("dialog");
const rows = async () => (await user.treeRows()).length;

/** Opens the dialog with fields filled in, and explores. */
async function explore(fields: Record<string, string>): Promise<void> {
  await user.page.getByRole("button", { name: "Suggest paths" }).click();
  for (const [label, value] of Object.entries(fields)) await dialog().getByLabel(label).fill(value);
  await dialog().getByRole("button", { name: "Suggest", exact: true }).click();
}

it("says the bounds that will be used", async () => {
  await user.page.getByRole("button", { name: "Suggest paths" }).click();
  await user.until(async () => (await dialog().getByLabel("Inputs on one path").getAttribute("placeholder")) === "4", "for the bound");
  const placeholder = (label: string) => dialog().getByLabel(label, { exact: true }).getAttribute("placeholder");
  await user.until(async () => (await placeholder("Paths")) === "1,000", "for the bound of paths");
  await user.until(async () => (await placeholder("Seconds")) === "10", "for the bound of time");
  await user.page.keyboard.press("Escape");
  await dialog().waitFor({ state: "detached" });
});

it("counts many paths before they are added", async () => {
  await explore({ "Inputs on one path": "6" });
  const many = dialog().getByRole("region", { name: "How many there are" });
  await many.getByText(/This would add [0-9,]+ paths/).waitFor();
  expect(await dialog().getByRole("region", { name: "What was found" }).count()).toBe(0);
  await many.getByRole("button", { name: "Add the first 50" }).click();
  await dialog().getByRole("region", { name: "What was found" }).waitFor();
  await dialog().getByText(/There are [0-9,]+ more paths/).waitFor();
  await dialog().getByRole("button", { name: "Remove suggestions" }).click();
  await user.page.getByText(/suggestions removed/).first().waitFor();
  await dialog().getByRole("button", { name: "Close", exact: true }).click();
  await user.until(async () => (await rows()) === 1, "for an empty tree");
});

it("shows paths as a tree by condition", async () => {
  await explore({ "Inputs on one path": "1" });
  const paths = dialog().getByRole("list", { name: "The paths" });
  await paths.getByText(/light < THRESHOLD is true/).waitFor();
  await paths.getByText("… more inputs here").first().waitFor();
  await dialog().getByRole("button", { name: "Close", exact: true }).click();
});

it("says why a node is come to, and goes on from there", async () => {
  await user.until(async () => (await rows()) > 2, "for paths in the tree");
  const before = await rows();
  const [first] = (await user.treeRows()).filter((row) => row.text.includes("more inputs here"));
  const point = await user.pointOf(first!.node);
  await user.page.mouse.click(point.x, point.y);
  const chosen = user.page.locator(".chosen");
  await chosen.getByText(/light .* is (true|false)/).waitFor();
  await chosen.getByRole("button", { name: "More from here" }).click();
  await dialog().getByText(`Suggest paths from ${first!.node}`).waitFor();
  await dialog().getByLabel("Inputs on one path").fill("1");
  await dialog().getByRole("button", { name: "Suggest", exact: true }).click();
  await dialog().getByRole("region", { name: "What was found" }).waitFor();
  await dialog().getByRole("button", { name: "Close", exact: true }).click();
  await user.until(async () => (await rows()) > before, "for more of the tree");
});

it("removes suggestions by the menu of a node", async () => {
  const before = await rows();
  const [first] = (await user.treeRows()).filter((row) => row.text.includes("more inputs here"));
  const point = await user.pointOf(first!.node);
  await user.page.mouse.click(point.x, point.y, { button: "right" });
  await user.page.getByRole("menuitem", { name: "Remove suggestions from here on" }).click();
  await user.until(async () => (await rows()) < before, "for it to go");
  await user.command("Remove all suggestions");
  await user.until(async () => (await rows()) === 1, "for an empty tree");
});

it("has had no error on the way", () => expect(user.problems).toEqual([]));
