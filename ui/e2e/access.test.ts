/** Who may not see the session: a wrong token, a page from elsewhere. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openBrowser, startSession, type Session } from "./harness";

let browser: Browser;
let session: Session;
let elsewhere: Server;

beforeAll(async () => {
  browser = await openBrowser();
  session = await startSession("examples/blink/blink.wasm");
  elsewhere = createServer((_request, response) => {
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

it("refuses a wrong token", async () => {
  const wrong = new URL(session.url);
  wrong.searchParams.set("token", "0".repeat(32));
  const page = await browser.newPage();
  const response = await page.goto(wrong.href);
  const text = (await page.textContent("body")) ?? "";
  expect(response?.status() === 403 || response?.status() === 401 || /no access/.test(text)).toBe(true);
  await expect(socketOpens(page, wrong)).resolves.toBe(false);
  await page.close();
});

it("refuses a page from elsewhere, though it knows the token", async () => {
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/`);
  expect(await socketOpens(page, new URL(session.url))).toBe(false);
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
  expect(await socketOpens(page, new URL(session.url))).toBe(true);
  await page.close();
});

/** Whether the session says anything to a socket that this page opens. */
function socketOpens(page: { evaluate<T, A>(work: (argument: A) => T | Promise<T>, argument: A): Promise<T> }, address: URL): Promise<boolean> {
  const url = `ws://${address.host}/ws${address.search}`;
  return page.evaluate(
    (to: string) =>
      new Promise<boolean>((tell) => {
        const socket = new WebSocket(to);
        socket.onmessage = () => tell(true);
        socket.onerror = () => tell(false);
        socket.onclose = () => tell(false);
      }),
    url,
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
