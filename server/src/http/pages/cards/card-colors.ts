import type { CardColors } from '../../../domain/public/cards/index.ts';
import {
  type Color,
  contrast,
  formatColor,
  legibleOn,
  mix,
  tryParseColor,
} from '../../../lib/color.ts';

const white: Color = [255, 255, 255];
const black: Color = [0, 0, 0];
const darkInk: Color = [0x17, 0x15, 0x12];
/** Cards are often seen small. */
const inkContrast = 6;
const mutedContrast = 4.5;

/**
 * A card's ground is the show's color itself: with dark letters if that is bright, otherwise as much darker
 * as white letters need.
 */
export function createCardColors(showColor: string): CardColors {
  const color = tryParseColor(showColor) ?? black;
  const isBright = contrast(color, darkInk) >= inkContrast;
  const ink = isBright ? darkInk : white;
  const ground = isBright ? color : legibleOn([white], color, black, inkContrast);
  const tint = mix(isBright ? white : ink, ground, isBright ? 0.35 : 0.12);
  const muted = legibleOn([ground, tint], mix(ink, ground, 0.78), ink, mutedContrast);
  return {
    ground: formatColor(ground),
    ink: formatColor(ink),
    muted: formatColor(muted),
    tint: formatColor(tint),
  };
}
