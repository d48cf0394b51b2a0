/** What the browser shows round the page: the colour of its frame, and what search engines and previews say. */

/** Give the browser's frame the colour of our header, whichever theme is shown. */
export function paintFrame(): void {
  const header = document.querySelector("#app > header");
  if (!header) return;
  const colour = getComputedStyle(header).backgroundColor;
  for (const meta of document.querySelectorAll<HTMLMetaElement>("meta[name=theme-color]")) meta.content = colour;
}

/** Keep the frame right when the system turns from day to night; returns how to stop. */
export function followSystem(): () => void {
  const night = matchMedia("(prefers-color-scheme: dark)");
  night.addEventListener("change", paintFrame);
  return () => night.removeEventListener("change", paintFrame);
}

/** Describe the site in the reader's language. */
export function describe(text: string): void {
  const meta = document.querySelector<HTMLMetaElement>("meta[name=description]");
  if (meta) meta.content = text;
}
