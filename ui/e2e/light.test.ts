/** The story of seed 001: going back undoes outputs, so the two LEDs never burn together. */
import { expect, it } from "vitest";
import { visits, type TestPage } from "./harness";

const RED = 45;
const BLUE = 56;

let user: TestPage;

visits(["examples/light-sensor/light-sensor.wasm"], (page) => (user = page));

async function lights(): Promise<string> {
  const [red, blue] = [await user.level(RED), await user.level(BLUE)];
  expect([red, blue]).not.toEqual(["high", "high"]);
  return `${red} ${blue}`;
}

it("turns the red LED on when it is dark", async () => {
  await user.breakAt("color_sensor");
  await user.press("F5");
  const slider = user.page.getByRole("slider", { name: "color_sensor(0) returns" });
  await slider.fill("10");
  await user.pane("Mocks");
  await user.page.getByRole("cell", { name: "color_sensor(0)", exact: true }).waitFor();
  await user.press("F5");
  await user.until(async () => (await lights()) === "high low", "for the red LED");
});

it("undoes that when one goes back", async () => {
  await user.press("Alt+F5");
  await user.page.getByText("You are in the past").waitFor();
  await user.until(async () => (await lights()) === "none none", "for both LEDs to be as before");
});

it("turns only the blue LED on when it is bright in another universe", async () => {
  await user.page.getByRole("slider", { name: "color_sensor(0) returns" }).fill("90");
  await user.until(async () => (await user.page.getByRole("cell", { name: "90", exact: true }).count()) === 1, "for the mock");
  await user.press("F5");
  await user.until(async () => (await lights()) === "low high", "for the blue LED");
  const rows = await user.treeRows();
  expect(rows.filter((row) => row.level === 2)).toHaveLength(2);
});

it("never has both on, wherever one slides", async () => {
  for (const row of await user.treeRows()) {
    await user.page.keyboard.press("Control+g");
    await user.page.getByRole("dialog").getByLabel("Place").fill(row.node);
    await user.page.keyboard.press("Enter");
    await user.until(async () => (await user.placeText()) === row.node, `to be at ${row.node}`);
    await lights();
  }
});

it("has had no error on the way", () => expect(user.problems).toEqual([]));
