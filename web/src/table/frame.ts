/** At a table the site's own frame steps back, so that the game has the screen; base.css says how. */
export function stepBack(): () => void {
  const { dataset } = document.documentElement;
  dataset.playing = "";
  return () => delete dataset.playing;
}
