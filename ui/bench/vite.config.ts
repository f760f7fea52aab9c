import { defineConfig } from "vite";

export default defineConfig({
  root: import.meta.dirname,
  base: "./",
  build: { outDir: "../dist-bench", emptyOutDir: true, target: "es2022" },
  worker: { format: "es" },
});
