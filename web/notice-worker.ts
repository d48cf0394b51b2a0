/** Builds the worker that shows turn notices: one script by itself, with the few texts it needs in every language. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { build, type Plugin, type ResolvedConfig } from "vite";

const NAME = "worker.js";
const WANTED = /^(push\.\w+|game\.\w+\.title)$/;

type Texts = Record<string, Record<string, string>>;

/** The texts that are wanted of one language. */
function chosen(folder: string): Record<string, string> {
  const files = readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf-8"));
  const parts = files.map((text) => JSON.parse(text) as Record<string, string>);
  return Object.fromEntries(parts.flatMap(Object.entries).filter(([key]) => WANTED.test(key)));
}

/** What the worker says, by language. */
export function workerTexts(root: string): Texts {
  const folder = join(root, "src/texts");
  const languages = readdirSync(folder, { withFileTypes: true }).filter((found) => found.isDirectory());
  return Object.fromEntries(languages.map(({ name }) => [name, chosen(join(folder, name))]));
}

/** Build it: a classic script, because not every browser takes modules here. */
async function bundle({ root, logLevel, build: { outDir } }: ResolvedConfig, write: boolean): Promise<string> {
  const built = await build({
    root,
    configFile: false,
    publicDir: false,
    logLevel: logLevel === "info" ? "warn" : (logLevel ?? "warn"),
    define: { WORKER_TEXTS: JSON.stringify(workerTexts(root)) },
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
