/** At a table the site's own frame steps back, so that the game has the screen; styles/frame.css says how. */
import { MediaQuery } from "svelte/reactivity";

const phone = new MediaQuery("max-width: 47.99rem");
let playing = $state(false);

/** Step back as long as a table is shown; returns how to come forward again. */
export function immerse(): () => void {
  const { dataset } = document.documentElement;
  dataset.playing = "";
  playing = true;
  return () => {
    delete dataset.playing;
    playing = false;
  };
}

/** Whether what belongs to the site comes after the page, for eyes and for the tab key alike. */
export function comesLast(): boolean {
  return playing && phone.current;
}
