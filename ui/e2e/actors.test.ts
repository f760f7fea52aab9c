/** Actors: who there is, who is next, their turns in space and time, and how all of it can end. */
import type { Locator } from "playwright-core";
import { describe, expect, it } from "vitest";
import { serious } from "./axe";
import { visits, type TestPage } from "./harness";

let user: TestPage;

const actor = (name: string): Locator => user.page.getByRole("list", { name: "All actors" }).getByRole("listitem", { name, exact: true });
const inbox = (name: string): Locator => user.page.getByRole("list", { name: `What waits for ${name}` });
const turns = (): Locator => user.page.getByRole("region", { name: "Turns", exact: true });

/** Where the bar of a turn, or a state of the graph, is drawn. */
async function drawnAt(drawing: string, what: string | number): Promise<{ x: number; y: number }> {
  const canvas = user.page.locator(`${drawing} canvas`);
  const box = (await canvas.boundingBox())!;
  const at = await canvas.evaluate(
    (element, name) => (element as HTMLCanvasElement & { pointOf(name: string | number): { x: number; y: number } | null }).pointOf(name),
    what,
  );
  if (at === null) throw new Error(`${what} is not drawn`);
  return { x: box.x + at.x, y: box.y + at.y };
}

describe("a program of actors", () => {
  visits(["examples/bad-interleaving/bad-interleaving.wasm"], (page) => (user = page));

  it("goes from turn to turn, and back", async () => {
    await actor("main").waitFor();
    expect(await user.press("t")).toBe("0.1");
    await turns().getByText("client1 handles start(1)").waitFor();
    expect(await user.press("t")).toBe("0.2");
    expect(await user.press("t")).toBe("0.3");
    expect(await user.press("Shift+T")).toBe("0.2");
    await turns().getByText("math handles double(12)").waitFor();
    expect(await user.moving(() => turns().getByRole("button", { name: "Next turn" }).click())).toBe("0.3");
  });

  it("shows what waits for whom, and who can be next", async () => {
    await user.press("e");
    await turns().getByText("Who is next?").waitFor();
    const choices = turns().getByRole("group").getByRole("button");
    expect(await choices.allTextContents()).toEqual(["math: getResult from client1", "math: double from client2"]);
    const waiting = async () => (await inbox("math").getByRole("listitem").allTextContents()).join();
    await user.until(async () => (await waiting()) === "getResult()from client1,double(33)from client2", "for both messages");
    await actor("client1").getByText("waits for the answer to getResult").waitFor();
    // Nothing is being executed, and nothing has gone wrong with that.
    expect(await user.page.locator(".error-text").count()).toBe(0);
  });

  it("gives a turn to whom one likes", async () => {
    await user.moving(() => turns().getByRole("button", { name: "math: double from client2" }).click());
    await turns().getByText("math handles double(33)").waitFor();
    await actor("math").getByText("handles double(33) from client2").waitFor();
    // From the inbox as well, when this turn is over.
    await user.moving(() => inbox("math").getByRole("button", { name: "getResult()" }).click());
    await turns().getByText("math handles getResult()").waitFor();
  });

  it("slides to a turn that is clicked, and moves along when it is dragged", async () => {
    const first = await drawnAt(".diagram", "0.1");
    expect(await user.moving(() => user.page.mouse.click(first.x, first.y))).toBe("0.1");
    await user.page.mouse.move(first.x, first.y);
    await user.page.mouse.down();
    const third = await drawnAt(".diagram", "0.3");
    await user.page.mouse.move(third.x, third.y, { steps: 6 });
    await user.page.mouse.up();
    await user.until(async () => (await user.placeText()) === "0.3", "for the third turn");
  });

  it("is walked with the keyboard, and read as a list", async () => {
    await user.page.locator(".diagram canvas").focus();
    await user.page.keyboard.press("Home");
    await user.page.keyboard.press("ArrowRight");
    await user.page.keyboard.press("ArrowRight");
    await user.page.getByText(/math: double from client1 · handles double\(12\)/).waitFor();
    expect(await user.press("Enter")).toBe("0.2");
    await user.page.getByRole("button", { name: "Show the turns as a list" }).click();
    const list = user.page.getByRole("region", { name: "Turns as a list" });
    await list.getByText(/client1: start from main .* sends double\(12\) to math, getResult\(\) to math/).waitFor();
    expect(await user.moving(() => list.getByRole("button").first().click())).toBe("0.0");
    await user.page.getByRole("button", { name: "Show the turns as a drawing" }).click();
  });

  it("lets an actor wait, and go on", async () => {
    await user.press("t");
    await actor("client1").getByRole("button", { name: "Let client1 wait" }).click();
    await actor("client1").getByText("paused", { exact: true }).waitFor();
    await actor("client1").getByRole("button", { name: "Let client1 go on" }).click();
    await actor("client1").getByText("paused", { exact: true }).waitFor({ state: "detached" });
  });

  it("runs to the next turn of one actor, and back to its last one", async () => {
    await user.moving(() => actor("client2").getByRole("button", { name: "Run to the next turn of client2" }).click());
    await turns().getByText("client2 handles start(1)").waitFor();
    await user.moving(() => actor("client1").getByRole("button", { name: "Back to the last turn of client1" }).click());
    await turns().getByText("client1 handles start(1)").waitFor();
  });

  it("says nothing of values where a path is made of turns", async () => {
    await user.command("Go back to the start");
    const found = await user.suggest({});
    expect(found).toContain("math: double from client1");
    expect(found).not.toContain("happens");
    expect((await user.treeRows()).map((row) => row.text).join()).not.toMatch(/happens|then reads| = /);
  });

  it("has a graph of all states, with each end a click away", async () => {
    await user.pane("Graph");
    await user.page.getByRole("button", { name: "Draw", exact: true }).click();
    const ends = user.page.getByRole("list", { name: "How universes end" }).getByRole("listitem");
    await ends.first().waitFor();
    expect((await ends.getByRole("button").allTextContents()).sort()).toEqual([
      "math: result = 24, client1: res = 24",
      "math: result = 66, client1: res = 24",
      "math: result = 66, client1: res = 66",
    ]);
    expect((await ends.locator(".badge").allTextContents()).join()).toBe("finished,finished,finished");
    expect((await ends.locator(".ways").allTextContents()).sort().join()).toBe("3 ways,3 ways,9 ways");
    await user.moving(() => ends.filter({ hasText: "result = 66, client1: res = 66" }).getByRole("button").click());
    await user.page.getByRole("contentinfo").getByText("the program finished").waitFor();
    await user.pane("Board");
    expect(await user.page.locator(".transcript").textContent()).toBe("66\n");
    await user.pane("Actors");
  });

  it("finds states by what holds in them, and goes to one that is clicked twice", async () => {
    await user.page.getByRole("searchbox", { name: "Find states" }).fill("client1: res == 66");
    await user.page.keyboard.press("Enter");
    const found = user.page.getByRole("list", { name: "What was found" }).getByRole("listitem");
    await found.first().waitFor();
    expect(await found.count()).toBe(1);
    const start = await drawnAt(".graph-canvas", 0);
    expect(await user.moving(() => user.page.mouse.dblclick(start.x, start.y))).toBe("0.0");
  });

  it("shows more of the graph by hand, from a state that was not explored further", async () => {
    await user.page.getByRole("spinbutton", { name: "Choices at most" }).fill("1");
    await user.page.getByRole("button", { name: "Draw", exact: true }).click();
    await user.page.getByText("2 not explored further").waitFor();
    const state = await drawnAt(".graph-canvas", 2);
    await user.page.mouse.click(state.x, state.y);
    await user.page.getByRole("spinbutton", { name: "Choices to show" }).fill("2");
    await user.page.getByRole("button", { name: "Expand", exact: true }).click();
    await user.page.getByText(/state 2 · somebody's turn$/).waitFor();
    await user.page.getByRole("spinbutton", { name: "Choices at most" }).fill("");
  });

  it.each(["dark", "light"])("has no serious findings in %s colours", async (colours) => {
    // Where somebody is next, all that is there for actors is seen.
    await turns().getByRole("button", { name: "End of turn" }).click();
    await turns().getByText("Who is next?").waitFor();
    const other = user.page.getByRole("button", { name: `Use ${colours} colours` });
    if (await other.isVisible()) await other.click();
    expect(await serious(user, colours)).toEqual([]);
    await user.press("t");
    expect(user.problems).toEqual([]);
  });
});

describe("a crowd", () => {
  visits(["ui/e2e/crowd.wat"], (page) => (user = page));

  it("is drawn with thirty lanes and thousands of turns", async () => {
    await user.press("F5");
    await user.page.getByText("2,000 turns of 31 actors").waitFor();
    await user.page.getByRole("button", { name: "Show all turns at once" }).click();
    const node = "0.1500";
    const at = await drawnAt(".diagram", node);
    expect(await user.moving(() => user.page.mouse.click(at.x, at.y))).toMatch(/^0\.(149\d|150\d)$/);
    const isSeen = (actor: Element) => {
      const [own, around] = [actor.getBoundingClientRect(), actor.closest(".content")!.getBoundingClientRect()];
      return own.top >= around.top && own.bottom <= around.bottom;
    };
    await user.until(async () => user.page.locator(".actor.current").evaluate(isSeen), "for the actor whose turn it is");
    expect(user.problems).toEqual([]);
  });
});

describe("a system of several programs", () => {
  visits(["examples/lost-update/system.toml"], (page) => (user = page));

  it("has the files of the one that runs, with their breakpoints", async () => {
    const file = user.page.getByLabel("File");
    for (const [place, path] of [
      ["0.1", "gauge-a.ts"],
      ["0.2", "gateway.ts"],
      ["0.3", "gauge-b.ts"],
    ]) {
      expect(await user.press("t")).toBe(place);
      await user.until(async () => (await file.inputValue()) === path, `for ${path}`);
    }
    await user.page.locator(".cm-line", { hasText: "report();" }).last().click();
    await user.page.keyboard.press("F9");
    await user.page.locator(".cm-dot.on").first().waitFor();
    expect(user.problems).toEqual([]);
  });
});

describe("a program without actors", () => {
  visits(["examples/light-sensor/light-sensor.wasm"], (page) => (user = page));

  it("has nothing for them", async () => {
    await user.page.locator(".mw-tab", { hasText: "Multiverse" }).waitFor();
    expect(await user.page.locator(".mw-tab", { hasText: /Actors|Space-time/ }).count()).toBe(0);
    expect(await turns().count()).toBe(0);
  });
});
