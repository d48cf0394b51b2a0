import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

// The boards once more, for the server: one file without a browser, which draws the pictures of links.
export default defineConfig({
  plugins: [svelte({ compilerOptions: { css: "injected" } })],
  publicDir: false,
  ssr: { noExternal: true, target: "webworker" },
  build: {
    ssr: "src/picture/draw.ts",
    outDir: "../src/smalti/server/pages",
    emptyOutDir: false,
    target: "es2022",
    minify: true,
    rolldownOptions: { output: { format: "iife", name: "drawing", entryFileNames: "drawing/draw.js", codeSplitting: false } },
  },
});
