/** What one sees and does while the program runs. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser, openPage, startSession, type Session, type TestPage } from "./harness";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

const MOMENT = "Moment in this universe";

/** Where the timeline has come to. */
async function moment(user: TestPage): Promise<number> {
  return Number(await user.page.getByRole("slider", { name: MOMENT }).getAttribute("aria-valuenow"));
}

/** The picture on the board's display: where it is not black, row by row. */
function picture(user: TestPage): Promise<string> {
  return user.page.locator("canvas.display").evaluate((element) => {
    const canvas = element as HTMLCanvasElement;
    const { data } = canvas.getContext("2d")!.getImageData(0, 0, canvas.width, canvas.height);
    const lit: number[] = [];
    for (let at = 0; at < data.length; at += 4) if (data[at]! + data[at + 1]! + data[at + 2]! > 0) lit.push(at / 4);
    return lit.join(" ");
  });
}

/** The leftmost point of the paddle, which is the lowest thing on the display. */
async function paddle(user: TestPage): Promise<number> {
  const lit = (await picture(user)).split(" ").map(Number);
  const width = Number(await user.page.locator("canvas.display").getAttribute("width"));
  return (lit.at(-1) ?? 0) % width;
}

async function stop(user: TestPage): Promise<void> {
  await user.page.keyboard.press("Shift+F5");
  await user.page.getByRole("contentinfo").getByRole("progressbar").waitFor({ state: "detached" });
  // The last picture comes after the answer.
  await user.until(async () => {
    const [shown, at] = [await picture(user), await moment(user)];
    await user.page.waitForTimeout(1000);
    return (await picture(user)) === shown && (await moment(user)) === at;
  }, "for the picture to stand still");
}

describe("a program that runs", () => {
  let session: Session;
  let user: TestPage;
  beforeAll(async () => {
    session = await startSession("examples/breakout/breakout.wasm");
    user = await openPage(browser, session.url);
  });
  afterAll(() => session.stop());

  it("is seen by a page that comes later, which can stop it", async () => {
    await user.page.keyboard.press("P");
    await user.page.locator("canvas.display").waitFor();
    await user.page.reload();
    await user.page.getByText("Connected", { exact: true }).waitFor();
    await user.page.locator("canvas.display").waitFor();
    await user.page.getByText("chip_analog_read(36)").first().waitFor();
    await user.until(async () => /^0\.\d+/.test(await user.placeText()), "for the place");
    await user.until(async () => Number.parseInt((await user.page.locator(".tree-pane .count").textContent()) ?? "0") > 5, "for the tree");
    await user.page.getByText(/page 1 is at work/).waitFor();
    await stop(user);
  });

  it("is seen in motion", async () => {
    const before = await moment(user);
    await user.page.keyboard.press("P");
    await user.until(async () => (await moment(user)) > before, "for the timeline to grow");
    const shown = await picture(user);
    await user.until(async () => (await picture(user)) !== shown, "for the ball to move");
    const nodes = () => user.page.locator(".tree-pane .count").textContent();
    const some = await nodes();
    await user.until(async () => (await nodes()) !== some, "for the tree to grow");
    await stop(user);
  });

  it("is played by moving its inputs, and dragged back", async () => {
    const slider = user.page.getByRole("slider", { name: "chip_analog_read(36) returns" });
    await user.page.keyboard.press("P");
    await slider.press("End");
    await user.until(async () => (await paddle(user)) > 110, "for the paddle to go right");
    await slider.press("Home");
    await user.until(async () => (await paddle(user)) < 40, "for the paddle to go left");
    await stop(user);
    const end = await moment(user);
    const shown = await picture(user);

    const bar = user.page.getByRole("slider", { name: MOMENT });
    const box = (await bar.boundingBox())!;
    const y = box.y + box.height / 2;
    await user.page.mouse.move(box.x + box.width - 2, y);
    await user.page.mouse.down();
    for (let part = 9; part >= 3; part--) await user.page.mouse.move(box.x + (box.width * part) / 10, y);
    await user.page.mouse.up();
    await user.until(async () => (await moment(user)) < end / 2, "to be in the past");
    await user.until(async () => (await picture(user)) !== shown, "for the picture to be an earlier one");

    // What was played is recorded: at its end, everything is as it was.
    await user.page.getByRole("button", { name: "You are in the past" }).click();
    await user.until(async () => (await moment(user)) === end, "to be back");
    await user.until(async () => (await picture(user)) === shown, "for the same picture");
    expect(user.problems).toEqual([]);
  });
});
