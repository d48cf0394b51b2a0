import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";
import { noticeWorker } from "./notice-worker.ts";

// The server serves what is built here; while working on pages, `npm run dev` passes the API on to it.
const SERVER = process.env.SMALTI_SERVER ?? "http://127.0.0.1:8765";

export default defineConfig({
  plugins: [svelte(), noticeWorker()],
  build: {
    outDir: "../src/smalti/server/pages",
    emptyOutDir: true,
    target: "es2022",
    modulePreload: { polyfill: false },
  },
  server: { fs: { allow: [".", "../src/smalti"] }, proxy: { "/api": { target: SERVER, ws: true } } },
});
