/** A program that fails: what one sees of it, and the way back. */
import { expect, it } from "vitest";
import { visits, type TestPage } from "./harness";

let user: TestPage;

visits(["examples/while/while.wasm"], async (page) => {
  user = page;
  await user.mock("high", "chip_digital_read(2)");
  await user.page.locator('[data-input="chip_digital_read(2)"]').waitFor();
  await user.page.getByRole("cell", { name: "i", exact: true }).waitFor();
  await user.page.getByRole("cell", { name: "sensorMin", exact: true }).waitFor();
  await user.press("F5");
});

const banner = () => user.page.getByRole("alert");

it("says how it failed, where, and after which readings", async () => {
  await banner().getByText("trap: integer divide by zero").waitFor();
  await banner().getByRole("button", { name: "while.ts:39" }).waitFor();
  await banner().getByRole("button", { name: "chip_digital_read(2) = high" }).waitFor();
  await user.page.locator(".cm-failed", { hasText: "let brightness" }).waitFor();
});

it("says so in the width that there is", async () => {
  await user.page.setViewportSize({ width: 1100, height: 800 });
  expect((await user.page.getByRole("main").boundingBox())!.width).toBe(1100);
  await user.page.setViewportSize({ width: 1440, height: 900 });
});

it("still has the variables of the function that failed", async () => {
  await user.page.getByRole("cell", { name: "reading", exact: true }).waitFor();
  await user.page.getByRole("cell", { name: "brightness", exact: true }).waitFor();
});

it("says what a value was before, and where", async () => {
  const value = user.page.getByRole("row", { name: /sensorMin/ }).getByRole("button");
  const told = async () => (await value.getAttribute("title")) ?? "";
  await user.until(async () => (await told()).includes("sensorMin: 1023 → 0, since 0.0"), "for its history");
});

it("goes to whoever wrote what is wrong, and back", async () => {
  await user.moving(() => banner().getByRole("button", { name: "Who wrote this" }).click());
  await banner().waitFor({ state: "detached" });
  await user.page.keyboard.press("F5");
  await banner().waitFor();
});

it("goes back from there by a button", async () => {
  await user.moving(() => banner().getByRole("button", { name: "Step back" }).click());
  await banner().waitFor({ state: "detached" });
  await user.page.locator(".cm-failed").waitFor({ state: "detached" });
});

it("has had no error on the way", () => expect(user.problems).toEqual([]));
