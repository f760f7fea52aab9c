/** A real debugger with its page in a real browser. */
import { spawn, type ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Browser, BrowserContext, Locator, Page } from "playwright-core";
import { afterAll, beforeAll } from "vitest";
import { openBrowser } from "./browser.mjs";

export { openBrowser };

export const ROOT = resolve(import.meta.dirname, "../..");

/** The debugger: named by `MW`, else the one that was built last. */
export function findDebugger(): string {
  const target = process.env["CARGO_TARGET_DIR"] ?? resolve(ROOT, "target");
  const places = [process.env["MW"], resolve(target, "release/mw"), resolve(target, "debug/mw")];
  const found = places.find((place) => place !== undefined && existsSync(place));
  if (found === undefined) throw new Error("there is no mw; run `cargo build` first, or name it with MW=…");
  return found;
}

export interface Session {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts the debugger with the page alone, and waits for its address. */
export function startSession(...words: string[]): Promise<Session> {
  return start(["debug", "--no-browser", ...words]);
}

/** The same with the program on a device. */
export function startOnDevice(address: string, ...words: string[]): Promise<Session> {
  return start(["attach", address, "--no-browser", ...words]);
}

/** The same with words and variables of one's own. */
export async function start([command, ...words]: [string, ...string[]], variables: Record<string, string> = {}): Promise<Session> {
  const child: ChildProcess = spawn(findDebugger(), [command, "--no-terminal", ...words], {
    cwd: ROOT,
    stdio: ["ignore", "ignore", "pipe"],
    env: { ...process.env, NO_COLOR: "1", ...variables },
  });
  const ended = new Promise<void>((done) => child.once("exit", () => done()));
  let said = "";
  const url = await new Promise<string>((found, failed) => {
    child.stderr!.on("data", (data: Buffer) => {
      said += data.toString();
      const match = /http:\/\/[^\s]+/.exec(said);
      if (match !== null) found(match[0]);
    });
    child.once("exit", () => failed(new Error(`mw ended: ${said}`)));
  });
  return {
    url,
    async stop() {
      child.kill("SIGINT");
      await ended;
    },
  };
}

export interface Look {
  readonly theme?: "dark" | "light";
  readonly width?: number;
  readonly height?: number;
}

/** Opens a page in a window of its own; whatever goes wrong in it fails the test. */
export async function openPage(browser: Browser, url: string, look: Look = {}): Promise<TestPage> {
  const context = await browser.newContext({
    viewport: { width: look.width ?? 1440, height: look.height ?? 900 },
    colorScheme: look.theme ?? "dark",
    reducedMotion: "reduce",
  });
  return openIn(context, url);
}

export async function openIn(context: BrowserContext, url: string): Promise<TestPage> {
  const page = await context.newPage();
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error") problems.push(message.text());
  });
  await page.goto(url);
  await page.getByText("Connected", { exact: true }).waitFor();
  return new TestPage(page, problems);
}

/** Has a session and a page on it for all tests of a file; `welcome` is called with the page before them. */
export function visits(words: readonly string[], welcome: (user: TestPage) => unknown): void {
  let browser: Browser | undefined;
  let session: Session | undefined;
  beforeAll(async () => {
    browser = await openBrowser();
    session = await startSession(...words);
    await welcome(await openPage(browser, session.url));
  });
  afterAll(async () => {
    await browser?.close();
    await session?.stop();
  });
}

/** A page, and what one does with it. */
export class TestPage {
  constructor(
    readonly page: Page,
    readonly problems: string[],
  ) {}

  /** The place as the status bar has it. */
  get place(): Locator {
    return this.page.getByRole("contentinfo").getByRole("button").first();
  }

  async placeText(): Promise<string> {
    return (await this.place.textContent()) ?? "";
  }

  /** Does something that moves the session, and waits until the page shows another place. */
  async moving(action: () => Promise<void>): Promise<string> {
    const before = await this.placeText();
    await action();
    await this.until(async () => (await this.placeText()) !== before, `to leave ${before}`);
    // Places on the way are shown, too: it has arrived when nothing is under way.
    await this.page.getByRole("contentinfo").getByRole("progressbar").waitFor({ state: "detached" });
    return this.placeText();
  }

  press(key: string): Promise<string> {
    return this.moving(() => this.page.keyboard.press(key));
  }

  /** Brings a pane to the front. */
  async pane(title: string): Promise<void> {
    await this.page.locator(".mw-tab", { hasText: title }).first().click();
  }

  async command(title: string): Promise<void> {
    await this.page.keyboard.press("Control+Shift+P");
    await this.page.getByRole("combobox", { name: "Command" }).fill(title);
    await this.page.keyboard.press("Enter");
  }

  async breakAt(trigger: string): Promise<void> {
    await this.command("Add a breakpoint…");
    const dialog = this.page.getByRole("dialog");
    await dialog.getByLabel("Stops at").fill(trigger);
    await dialog.getByRole("button", { name: "Add", exact: true }).click();
    await dialog.waitFor({ state: "detached" });
  }

  async mock(value: string, call?: string): Promise<void> {
    await this.page.getByRole("button", { name: "Mock", exact: true }).click();
    const dialog = this.page.getByRole("dialog");
    if (call !== undefined) await dialog.getByLabel("Which input").fill(call);
    await dialog.getByLabel("Returns").fill(value);
    await dialog.getByRole("button", { name: "Mock", exact: true }).click();
    await dialog.waitFor({ state: "detached" });
  }

  async suggest(bounds: Record<string, string>): Promise<string> {
    await this.page.getByRole("button", { name: "Suggest paths" }).click();
    const dialog = this.page.getByRole("dialog");
    for (const [label, value] of Object.entries(bounds)) await dialog.getByLabel(label).fill(value);
    await dialog.getByRole("button", { name: "Suggest", exact: true }).click();
    const found = dialog.getByRole("region", { name: "What was found" });
    await found.waitFor();
    const text = (await found.textContent()) ?? "";
    await dialog.getByRole("button", { name: "Close", exact: true }).click();
    return text;
  }

  /** The rows of the tree as the list has them. */
  async treeRows(): Promise<{ level: number; text: string; node: string; isHere: boolean }[]> {
    const list = this.page.getByRole("button", { name: "Show the tree as a list" });
    const wasDrawing = await list.isVisible();
    if (wasDrawing) await list.click();
    await this.page.getByRole("treeitem").first().waitFor();
    const rows = await this.page.getByRole("treeitem").evaluateAll((items) =>
      items.map((item) => ({
        level: Number(item.getAttribute("aria-level")),
        text: [...item.querySelectorAll(".mono:not(.faint), .badge:not(.past)")].map((part) => part.textContent).join(" · "),
        node: item.querySelector(".faint")?.textContent ?? "",
        isHere: item.getAttribute("aria-current") === "location",
      })),
    );
    if (wasDrawing) await this.page.getByRole("button", { name: "Show the tree as a drawing" }).click();
    return rows;
  }

  /** A point of the page at which a node is drawn, or the mark of where one stands (`here`). */
  async pointOf(node: string): Promise<{ x: number; y: number }> {
    const canvas = this.page.locator(".tree-canvas canvas");
    await this.until(() => canvas.evaluate((element) => "pointOf" in element), "for the drawing");
    const box = (await canvas.boundingBox())!;
    const at = await canvas.evaluate((element, name) => {
      return (element as HTMLCanvasElement & { pointOf(node: string): { x: number; y: number } | null }).pointOf(name);
    }, node);
    if (at === null) throw new Error(`${node} is not drawn`);
    return { x: box.x + at.x, y: box.y + at.y };
  }

  /** The level of a pin as the board shows it; `none` until the program has used it. */
  async level(pin: number): Promise<string> {
    // In one go: the pin may be gone a moment later.
    const levels = await this.page
      .locator(`[data-pin="${pin}"]`)
      .evaluateAll((shown) => shown.map((one) => one.getAttribute("data-level")));
    return levels[0] ?? "none";
  }

  async until(holds: () => Promise<boolean>, what: string): Promise<void> {
    for (let tries = 0; tries < 300; tries++) {
      if (await holds()) return;
      await this.page.waitForTimeout(50);
    }
    throw new Error(`waited in vain ${what}`);
  }
}
