import { defineConfig } from "vitest/config";

/** One browser and one debugger at a time: what is tested is what a person would see. */
export default defineConfig({
  test: {
    include: ["e2e/**/*.test.ts"],
    fileParallelism: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    teardownTimeout: 10_000,
  },
});
