import type { PublicPodcast } from '../../../domain/public/catalogue/index.ts';
import { readScript, readStyle } from '../assets.ts';
import { paletteStyle } from '../palette.ts';
import { showColor } from '../show-color.ts';

const style = readStyle(
  'base.css',
  'initial.css',
  'listen.css',
  'actions.css',
  'lists.css',
  'element.css',
);

export const listenScript = readScript(new URL('../assets/listen.js', import.meta.url));

/** A listen page follows the reader's system; the show's theme applies only to the player. */
export function listenStyle(show: PublicPodcast): string {
  return paletteStyle(showColor(show), 'auto') + style;
}
