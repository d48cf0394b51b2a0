import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig, type Plugin } from "vite";
import { catalogueOf } from "./catalogue.ts";
import { isForPreviews } from "./src/picture/previews.ts";
import { languages } from "./src/texts/languages.ts";

/** The texts of a language that the server needs. */
function chosen(language: string): Record<string, string> {
  return Object.fromEntries(Object.entries(catalogueOf(language)).filter(([key]) => isForPreviews(key)));
}

const previews: Plugin = {
  name: "previews",
  generateBundle() {
    const source = JSON.stringify(Object.fromEntries(languages.map((language) => [language, chosen(language)])));
    this.emitFile({ type: "asset", fileName: "drawing/previews.json", source });
  },
};

// The boards once more, for the server: one file without a browser, which draws the pictures of links, and their words.
export default defineConfig({
  plugins: [svelte({ compilerOptions: { css: "injected" } }), previews],
  publicDir: false,
  ssr: { noExternal: true, external: ["node:async_hooks"], target: "webworker" }, // Svelte asks for it in vain
  build: {
    ssr: "src/picture/draw.ts",
    outDir: "../src/smalti/server/pages",
    emptyOutDir: false,
    target: "es2022",
    minify: true,
    rolldownOptions: {
      output: { format: "iife", name: "drawing", entryFileNames: "drawing/draw.js", codeSplitting: false },
    },
  },
});
