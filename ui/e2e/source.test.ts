/** The program as it was written: lines, breakpoints beside them, values of names. */
import { expect, it } from "vitest";
import { visits, type TestPage } from "./harness";

let user: TestPage;

visits(["examples/temperature-dashboard/temperature-dashboard.wasm"], async (page) => {
  user = page;
  await user.page.locator(".code .cm-line").first().waitFor();
});

/** The text of the line that is marked as the next one. */
const current = async () => ((await user.page.locator(".cm-current").textContent()) ?? "").trim();
const lineWith = (text: string) => user.page.locator(".code .cm-line", { hasText: text }).first();

it("marks the line that comes next, and steps by lines in both directions", async () => {
  await user.until(async () => (await current()).startsWith("chip_pin_mode(RED_LED"), "for the first line");
  for (const [key, line] of [["F10", "ORANGE_LED"], ["F10", "GREEN_LED"], ["Alt+F10", "ORANGE_LED"]] as const) {
    await user.press(key);
    await user.until(async () => (await current()).includes(line), `for ${key} to lead to ${line}`);
  }
});

it("stops at a breakpoint that was set beside a line", async () => {
  const box = (await lineWith("const volts").boundingBox())!;
  const gutter = (await user.page.locator(".cm-breakpoints").boundingBox())!;
  await user.page.mouse.click(gutter.x + gutter.width / 2, box.y + box.height / 2);
  await user.page.locator(".cm-dot.on").waitFor();
  await user.press("F5");
  await user.until(async () => (await current()).startsWith("const volts"), "to stop there");
  expect(await user.placeText()).toBe("0.0+16");
});

it("shows the value of a name under the pointer", async () => {
  const box = (await lineWith("const volts").boundingBox())!;
  const letter = 7.5;
  await user.page.mouse.move(box.x + 6 + letter * 9.5, box.y + box.height / 2, { steps: 3 });
  await user.page.getByText("volts = 0").waitFor();
});

it("runs to a line from its menu", async () => {
  await user.page.mouse.move(2, 2);
  await lineWith("return (volts").click({ button: "right" });
  await user.moving(() => user.page.getByRole("menuitem", { name: /Run to line/ }).click());
  await user.until(async () => (await current()).startsWith("return (volts"), "to get there");
});

it("opens the menu of a line at the pointer, also beside its text", async () => {
  const box = (await lineWith("return (volts").boundingBox())!;
  const gutter = (await user.page.locator(".cm-lineNumbers").boundingBox())!;
  const dots = await user.page.locator(".cm-dot.on").count();
  for (const x of [box.x + 40, gutter.x + gutter.width / 2, gutter.x - 8]) {
    const y = box.y + box.height / 2;
    await user.page.mouse.click(x, y, { button: "right" });
    const menu = (await user.page.getByRole("menu").boundingBox())!;
    expect(Math.hypot(menu.x - x, menu.y - y)).toBeLessThan(4);
    await user.page.getByRole("menuitem", { name: /Run to line/ }).waitFor();
    await user.page.keyboard.press("Escape");
    await user.page.getByRole("menu").waitFor({ state: "detached" });
  }
  expect(await user.page.locator(".cm-dot.on").count()).toBe(dots);
});

it("wraps long lines on request, and remembers that", async () => {
  const wraps = () => user.page.locator(".cm-lineWrapping").count();
  expect(await wraps()).toBe(0);
  await user.page.getByRole("button", { name: "Wrap long lines" }).click();
  await user.until(async () => (await wraps()) === 1, "to be wrapped");
  await user.page.reload();
  await user.page.locator(".cm-lineWrapping").waitFor();
});

it("lists variables and the functions under way as the source has them", async () => {
  await user.page.getByRole("cell", { name: "volts" }).waitFor();
  await user.pane("Stack");
  await user.page.getByText("temperature-dashboard.ts:35").waitFor();
});

it("folds constants, and shows numbers in hexadecimal", async () => {
  await user.pane("Variables");
  expect(await user.page.getByRole("cell", { name: "SENSOR", exact: true }).count()).toBe(0);
  await user.page.getByRole("button", { name: "Constants" }).click();
  await user.page.getByRole("cell", { name: "12", exact: true }).waitFor();
  await user.page.getByLabel("How integers are shown").selectOption("hex");
  await user.page.getByRole("cell", { name: "0xc", exact: true }).waitFor();
  await user.page.getByLabel("How integers are shown").selectOption("decimal");
});

it("watches an expression wherever one goes", async () => {
  await user.pane("Watch");
  await user.page.getByLabel("Expression to watch").fill("SENSOR + 1");
  await user.page.keyboard.press("Enter");
  await user.page.getByRole("cell", { name: "13", exact: true }).waitFor();
});

it("logs at a breakpoint instead of stopping", async () => {
  await user.command("Add a breakpoint…");
  const dialog = user.page.getByRole("dialog");
  await dialog.getByLabel("Stops at").fill("temperature-dashboard.ts:20");
  await dialog.getByLabel("Only if").fill("volts < 1");
  await dialog.getByLabel("Log instead of stopping").fill("it is {volts}");
  await dialog.getByRole("button", { name: "Add", exact: true }).click();
  await dialog.waitFor({ state: "detached" });
  await user.pane("Log");
  await user.page.getByRole("button", { name: "Happened" }).click();
  // The first stop is at the breakpoint before it, in the next reading.
  await user.press("F5");
  await user.press("F5");
  await user.page.locator(".log").getByText(/it is 0/).first().waitFor();
});

it("has had no error on the way", () => expect(user.problems).toEqual([]));

it("shows the values of a line at every time that it was come to, and goes there", async () => {
  await user.press("F5");
  await user.page.mouse.move(2, 2);
  await lineWith("const volts").click({ button: "right" });
  await user.page.getByRole("menuitem", { name: "Values at every hit…" }).click();
  const list = user.page.getByRole("list", { name: /^Hits of .*:\d+$/ });
  await list.waitFor();
  await user.page.getByLabel("Values, between commas").fill("volts");
  await user.page.getByRole("button", { name: "Look" }).click();
  await list.getByText(/volts = \d/).first().waitFor();
  await user.until(async () => (await user.page.locator(".timeline .mark.hit").count()) > 0, "for marks on the timeline");
  await user.moving(() => list.getByRole("button").first().click());
  await user.until(async () => (await current()).startsWith("const volts"), "to be there");
});
