import { defineConfig } from "vitest/config";

// What comes out is embedded in the binary and served under a policy that forbids inline scripts,
// so nothing is inlined and names carry a hash.
export default defineConfig({
  base: "./",
  build: {
    target: "es2022",
    outDir: "dist",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1500,
  },
  worker: { format: "es" },
  test: { include: ["test/**/*.test.ts"] },
});
