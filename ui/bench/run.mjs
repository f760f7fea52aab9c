/**
 * `npm run bench`: frame times of a tree of 100,000 nodes in headless Chromium, as JSON on standard
 * output.
 */
import { createServer } from "node:http";
import { readFileSync, existsSync, rmSync } from "node:fs";
import { extname, join } from "node:path";
import { build } from "vite";
import { openBrowser } from "../e2e/browser.mjs";

const NODES = 100_000;
/** @type {Record<string, string>} */
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css" };
const files = join(import.meta.dirname, "../dist-bench");

await build({ configFile: join(import.meta.dirname, "vite.config.ts"), logLevel: "error" });
const server = createServer((request, response) => {
  const name = new URL(request.url ?? "/", "http://localhost").pathname;
  const file = join(files, name === "/" ? "index.html" : name);
  if (!existsSync(file)) return void response.writeHead(404).end();
  response.writeHead(200, { "content-type": TYPES[extname(file)] ?? "application/octet-stream" });
  response.end(readFileSync(file));
});
await new Promise((ready) => server.listen(0, "127.0.0.1", () => ready(null)));
const address = server.address();
const port = typeof address === "object" ? address?.port : address;
const browser = await openBrowser();
try {
  const page = await browser.newPage({ viewport: { width: 1200, height: 800 } });
  await page.goto(`http://127.0.0.1:${port}/`);
  await page.waitForFunction("typeof measure === 'function'");
  const figures = await page.evaluate(`measure(${NODES})`);
  console.log(JSON.stringify(figures, null, 2));
} finally {
  await browser.close();
  server.close();
  rmSync(files, { recursive: true, force: true });
}
