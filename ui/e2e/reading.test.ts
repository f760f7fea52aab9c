/** Reading a program: values behind its lines, what is reached, functions by name; and the terminal's commands. */
import { expect, it } from "vitest";
import { visits, type TestPage } from "./harness";

let user: TestPage;

visits(["examples/temperature-dashboard/temperature-dashboard.wasm"], async (page) => {
  user = page;
  await user.page.locator(".code .cm-line").first().waitFor();
});

const console_ = () => user.page.locator(".console");
const say = async (line: string) => {
  await user.page.getByLabel("Command of the terminal").fill(line);
  await user.page.keyboard.press("Enter");
};

it("carries out lines as the terminal does, and follows where they lead", async () => {
  await user.pane("Console");
  await say("break temperature-dashboard.ts:20");
  await console_().getByText("breakpoint 1: ").waitFor();
  await user.page.locator(".cm-dot.on").waitFor();
  await user.moving(() => say("continue"));
  await console_().getByText("return (volts").first().waitFor();
  await say("fly");
  await console_().locator(".error-text").getByText("fly").waitFor();
});

it("finds earlier lines again", async () => {
  const field = user.page.getByLabel("Command of the terminal");
  await field.focus();
  await user.page.keyboard.press("ArrowUp");
  await user.page.keyboard.press("ArrowUp");
  await user.until(async () => (await field.inputValue()) === "continue", "for the line before the last");
  await field.fill("");
});

it("names no files from there", async () => {
  await say("trace stolen.trace");
  await console_().locator(".error-text").getByText("a page names no files").waitFor();
  await say("replay stolen.trace");
  await user.until(async () => (await console_().getByText("a page names no files").count()) === 2, "for the second refusal");
});

it("stays at the end of what was said while its pane becomes lower", async () => {
  const log = () => console_().getByRole("log");
  await say("help break");
  const left = () =>
    log().evaluate((said) => {
      const end = said.querySelector(".exchanges")!.getBoundingClientRect().bottom;
      return Math.round(end - said.getBoundingClientRect().bottom);
    });
  await user.until(async () => (await left()) <= 0, "for the end of what was said");
  await user.page.setViewportSize({ width: 1280, height: 560 });
  await user.until(async () => log().evaluate((said) => said.scrollHeight > said.clientHeight), "for less room than words");
  expect(await left()).toBeLessThanOrEqual(0);
  await user.page.setViewportSize({ width: 1440, height: 900 });
});

it("shows values behind the lines that name them, up to the current one", async () => {
  await user.page.locator(".cm-remark").getByText("volts = ").first().waitFor();
  await user.command("Show values in the source");
  await user.page.locator(".cm-remark").first().waitFor({ state: "detached" });
  await user.command("Show values in the source");
  await user.page.locator(".cm-remark").first().waitFor();
});

it("goes to a function by its name, and back to where the program is", async () => {
  await user.page.locator(".cm-current").waitFor();
  await user.page.keyboard.press("Escape");
  await user.page.locator("body").click({ position: { x: 2, y: 2 } });
  await user.page.keyboard.press("@");
  const dialog = user.page.getByRole("dialog");
  await dialog.getByRole("combobox").fill("@main");
  await dialog.getByRole("option").first().waitFor();
  await user.page.keyboard.press("Enter");
  await dialog.waitFor({ state: "detached" });
  await user.page.getByRole("button", { name: "Follow" }).first().waitFor();
});

it("marks lines that no universe has come to", async () => {
  await say("suggest inputs 1 coverage");
  await user.page.locator(".cm-reached").first().waitFor();
  await user.page.locator(".cm-missed").first().waitFor();
});

it("has had no error on the way", () => expect(user.problems).toEqual([]));
