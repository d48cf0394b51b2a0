/** Which texts the server needs, for what other sites show of a link; they are built beside the boards. */
const own = ["preview.title", "preview.result", "preview.position", "preview.unfinished", "preview.seat"];
const borrowed = /^(?:game\.[\w-]+\.title|bot\.[\w-]+)$/;

export function isForPreviews(key: string): boolean {
  return own.includes(key) || borrowed.test(key);
}
