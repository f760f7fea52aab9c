/** Memory as numbers and texts: what variables lead to, and all of it. */
import { expect, it } from "vitest";
import { visits, type TestPage } from "./harness";

let user: TestPage;

visits(["--entry", "weigh", "crates/source/tests/fixtures/shelf-O0.wasm", "--", "1056", "50"], async (page) => {
  user = page;
  await user.press("F10");
});

const variable = (name: string) => user.page.getByRole("row").filter({ has: user.page.locator(`td[title="${name}"]`) }).first();
const shown = async (name: string) => (await variable(name).getByRole("button").last().textContent()) ?? "";
const shownWatch = async (name: string) => (await variable(name).locator("button.value").textContent()) ?? "";
const show = (name: string, view: string) => variable(name).getByLabel(`How ${name} is shown`).selectOption(view);

it("shows what a pointer and an array lead to as numbers", async () => {
  const before = await shown("tags");
  expect(before).toBe("{1, 2, 3, 250}");
  for (const [view, text] of [
    ["u8", "[1, 2, 3, 250]"],
    ["i8", "[1, 2, 3, -6]"],
    ["u16", "[513, 64003]"],
    ["i32", "[-100466175]"],
    ["hex", "01 02 03 fa"],
  ]) {
    await show("tags", view!);
    await user.until(async () => (await shown("tags")) === text, `for ${text}`);
  }
  // A pointer leads to the first jar: its label, its kind, its weight.
  await show("first", "u32");
  await user.until(async () => (await shown("first")).startsWith("[1029, 0, 40, 1, 2"), "for the first jar");
  expect(await shown("first")).toContain(", …]");
  await show("tags", "");
  await user.until(async () => (await shown("tags")) === before, "for what its type says");
});

it("shows what a watched expression leads to as numbers and as text", async () => {
  await user.pane("Watch");
  for (const expression of ["tags", "first->label", "first->weight"]) {
    await user.page.getByLabel("Expression to watch").fill(expression);
    await user.page.keyboard.press("Enter");
  }
  await show("tags", "i8");
  await user.until(async () => (await shownWatch("tags")) === "[1, 2, 3, -6]", "for signed numbers");
  await show("first->label", "C string");
  await user.until(async () => (await shownWatch("first->label")) === '"tea"', "for the text");
  // A number leads nowhere, and has its type there.
  expect(await variable("first->weight").getByRole("combobox").count()).toBe(0);
  await variable("first->weight").getByText("grams", { exact: true }).waitFor();
  await user.pane("Variables");
  expect(await shown("tags")).toBe("{1, 2, 3, 250}");
});

it("shows a text in memory, at what a name leads to", async () => {
  await user.pane("Memory");
  await user.page.getByLabel("Address").fill("first->label");
  await user.page.keyboard.press("Enter");
  const first = user.page.locator("table.memory th").first();
  await user.until(async () => (await first.textContent()) === "000400", "for the memory at the name");
  await user.page.getByLabel("How memory is shown").selectOption("C string");
  await user.page.getByRole("cell", { name: '"salt"' }).waitFor();
  await user.page.getByRole("cell", { name: '"tea"' }).waitFor();
  await user.page.getByLabel("How memory is shown").selectOption("i16");
  await user.page.getByRole("cell", { name: "24947" }).waitFor();
  expect(user.problems).toEqual([]);
});
