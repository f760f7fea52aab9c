/** Who may not see the session: a wrong token, a page from elsewhere. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openBrowser, start, startSession, type Session } from "./harness";

let browser: Browser;
let session: Session;
let elsewhere: Server;
/** What another server on this machine was sent. */
const sent: string[] = [];

beforeAll(async () => {
  browser = await openBrowser();
  session = await startSession("examples/blink/blink.wasm");
  elsewhere = createServer((request, response) => {
    sent.push(request.rawHeaders.join(" "));
    response.setHeader("content-type", "text/html");
    response.end("<title>elsewhere</title>");
  });
  await new Promise<void>((ready) => elsewhere.listen(0, "127.0.0.1", ready));
});

afterAll(async () => {
  await browser?.close();
  await session?.stop();
  elsewhere?.close();
});

const tokenOf = (url: string) => new URLSearchParams(new URL(url).hash.slice(1)).get("token")!;

it("refuses a wrong token", async () => {
  const page = await browser.newPage();
  await page.goto(session.url.replace(tokenOf(session.url), "0".repeat(32)));
  await page.getByText("This page has no access to the session.").waitFor();
  await page.getByText("open the address that mw printed").waitFor();
  expect(await socketOpens(page, "0".repeat(32))).toBe(false);
  await page.close();
});

it("refuses a page from elsewhere, though it knows the token", async () => {
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/`);
  expect(await socketOpens(page, tokenOf(session.url))).toBe(false);
  const fetched = await page.evaluate(
    (url) =>
      fetch(url).then(
        () => "read",
        () => "refused",
      ),
    session.url,
  );
  expect(fetched).toBe("refused");
  await page.close();
});

it("lets the session's own page in", async () => {
  const page = await browser.newPage();
  await page.goto(session.url);
  expect(await socketOpens(page, tokenOf(session.url))).toBe(true);
  await page.close();
});

it("keeps the token in its tab: in no cookie, in no address, for no other server or tab", async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  const token = tokenOf(session.url);
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url().replace(/#.*/, "")));
  await page.goto(session.url);
  const connected = page.getByText("Connected", { exact: true });
  await connected.waitFor();
  expect(page.url()).not.toContain(token);
  expect(await context.cookies()).toEqual([]);
  expect(asked.filter((url) => url.includes(token))).toEqual([]);
  // It is loaded again with it,
  await page.reload();
  await connected.waitFor();
  // another server of this machine is not told it,
  const port = (elsewhere.address() as AddressInfo).port;
  const other = await context.newPage();
  await other.goto(`http://127.0.0.1:${port}/`);
  expect(sent.some((headers) => headers.includes(token))).toBe(false);
  // and neither is another tab.
  await other.goto(session.url.replace(/#.*/, ""));
  await other.getByText("This page has no access to the session.").waitFor();
  // The address of a session, opened where another one was, begins anew.
  await other.goto(session.url);
  await other.getByText("Connected", { exact: true }).waitFor();
  expect(other.url()).not.toContain(token);
  await context.close();
});

it("leads the browser to the page by a file, which is gone then", async () => {
  const folder = mkdtempSync(join(tmpdir(), "manyworlds-"));
  const words = join(folder, "words");
  writeFileSync(join(folder, "xdg-open"), `#!/bin/sh\necho "$1" > "${words}.part" && mv "${words}.part" "${words}"\n`, { mode: 0o755 });
  const path = `${folder}:${process.env["PATH"]}`;
  const opened = await start(["debug", "examples/blink/blink.wasm"], { PATH: path, DISPLAY: ":0" });
  const page = await browser.newPage();
  while (!existsSync(words)) await page.waitForTimeout(20);
  const door = readFileSync(words, "utf8").trim();
  await page.goto(`file://${door}`);
  await page.getByText("Connected", { exact: true }).waitFor();
  expect(page.url()).toBe(opened.url.replace(/#.*/, ""));
  expect(existsSync(door)).toBe(false);
  await page.close();
  await opened.stop();
  rmSync(folder, { recursive: true });
});

/** Whether the session says anything to a socket that this page opens. */
function socketOpens(page: Page, token: string): Promise<boolean> {
  return page.evaluate(
    ([to, said]) =>
      new Promise<boolean>((tell) => {
        const socket = new WebSocket(to!, ["manyworlds", said!]);
        socket.onmessage = () => tell(true);
        socket.onerror = () => tell(false);
        socket.onclose = () => tell(false);
      }),
    [`ws://${new URL(session.url).host}/ws`, token],
  );
}

it("says so in a page whose session is over", async () => {
  const port = 20_000 + Math.floor(Math.random() * 20_000);
  const first = await startSession("--port", String(port), "examples/blink/blink.wasm");
  const page = await browser.newPage();
  await page.goto(first.url);
  await page.getByText("Connected", { exact: true }).waitFor();
  await first.stop();
  await page.getByText("The connection to the debugger is lost.").waitFor();
  const second = await startSession("--port", String(port), "examples/blink/blink.wasm");
  await page.getByText("This page has no access to the session.").waitFor();
  await page.close();
  await second.stop();
});
