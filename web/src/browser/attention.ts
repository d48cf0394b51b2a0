/** Saying that it is somebody's turn to one who looks elsewhere: the tab's icon and two soft notes. */

const NOTES = [587.33, 783.99];
const LOUDNESS = 0.09;
let context: AudioContext | null = null;

/** Show in the tab's icon whether it is my turn. */
export function setIcon(mine: boolean): void {
  const icon = document.querySelector<HTMLLinkElement>('link[rel~="icon"]');
  if (icon) icon.href = mine ? "/favicon-turn.svg" : "/favicon.svg";
}

/** Play two soft notes, the second higher. */
export function chime(): void {
  try {
    context ??= new AudioContext();
    const now = context.currentTime;
    for (const [index, pitch] of NOTES.entries()) play(context, pitch, now + 0.16 * index);
  } catch {
    // A browser without sound, or one that does not allow it yet: the title and the icon have to do.
  }
}

function play(sound: AudioContext, pitch: number, from: number): void {
  const [note, loudness] = [sound.createOscillator(), sound.createGain()];
  note.type = "sine";
  note.frequency.value = pitch;
  loudness.gain.setValueAtTime(0, from);
  loudness.gain.linearRampToValueAtTime(LOUDNESS, from + 0.02);
  loudness.gain.exponentialRampToValueAtTime(0.0001, from + 0.7);
  note.connect(loudness).connect(sound.destination);
  note.start(from);
  note.stop(from + 0.75);
}
