/** What axe finds in a page. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import type { TestPage } from "./harness";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** The serious findings, with what was looked at. */
export async function serious(user: TestPage, what: string): Promise<string[]> {
  await user.page.evaluate(AXE);
  const results = (await user.page.evaluate("axe.run(document, { resultTypes: ['violations'] })")) as AxeResults;
  return results.violations
    .filter((violation) => violation.impact === "serious" || violation.impact === "critical")
    .map((violation) => `${what}: ${violation.id}: ${violation.nodes.map((node) => `${node.html} ${node.failureSummary}`).slice(0, 3).join("; ")}`);
}
