/** Builds the worker that shows turn notices: one script by itself, with the few texts it needs in every language. */
import { join } from "node:path";
import { build, type Plugin, type ResolvedConfig } from "vite";
import { catalogueOf } from "./catalogue.ts";
import { languages } from "./src/texts/languages.ts";

const NAME = "worker.js";
const WANTED = /^(push\.\w+|game\.\w+\.title)$/;

type Texts = Record<string, Record<string, string>>;

/** The texts that are wanted of one language. */
function chosen(language: string): Record<string, string> {
  return Object.fromEntries(Object.entries(catalogueOf(language)).filter(([key]) => WANTED.test(key)));
}

/** What the worker says, by language. */
export function workerTexts(): Texts {
  return Object.fromEntries(languages.map((language) => [language, chosen(language)]));
}

/** Build it: a classic script, because not every browser takes modules here. */
async function bundle({ root, logLevel, build: { outDir } }: ResolvedConfig, write: boolean): Promise<string> {
  const built = await build({
    root,
    configFile: false,
    publicDir: false,
    logLevel: logLevel === "info" ? "warn" : (logLevel ?? "warn"),
    define: { WORKER_TEXTS: JSON.stringify(workerTexts()) },
    build: {
      write,
      outDir,
      emptyOutDir: false,
      target: "es2022",
      rolldownOptions: {
        input: join(root, "src/notices/worker.ts"),
        output: { format: "iife", entryFileNames: NAME },
      },
    },
  });
  const [first] = [built].flat();
  return first && "output" in first ? first.output[0].code : "";
}

export function noticeWorker(): Plugin {
  let config: ResolvedConfig;
  return {
    name: "notice-worker",
    configResolved(resolved) {
      config = resolved;
    },
    async closeBundle() {
      if (config.command === "build") await bundle(config, true);
    },
    configureServer({ middlewares }) {
      middlewares.use(`/${NAME}`, (_, answer, next) => {
        bundle(config, false).then((code) => {
          answer.setHeader("Content-Type", "text/javascript");
          answer.end(code);
        }, next);
      });
    },
  };
}
