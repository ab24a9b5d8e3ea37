import type { Show } from '../../../domain/catalogue/index.ts';
import { readScript, readStyle } from '../assets.ts';
import { paletteStyle } from '../palette.ts';

const style = readStyle('base.css', 'listen.css');

export const listenScript = readScript('listen.js');

/** A listen page follows the reader's system; the theme is the player's. */
export function listenStyle(show: Show): string {
  return paletteStyle(show.brandColor, 'auto') + style;
}
