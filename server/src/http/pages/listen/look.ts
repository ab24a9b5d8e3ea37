import type { Show } from '../../../domain/catalogue/index.ts';
import { readScript, readStyle } from '../assets.ts';
import { paletteStyle } from '../palette.ts';

const style = readStyle('base.css', 'listen.css', 'lists.css');

export const listenScript = readScript(new URL('../assets/listen.js', import.meta.url));

/** A listen page follows the reader's system; the theme is the player's. */
export function listenStyle(show: Show): string {
  return paletteStyle(show.brandColor, 'auto') + style;
}
