import { type Color, isBright, legibleOn, readColor } from '../../server/src/lib/color.ts';

/** The service's default, as on its pages. */
const ownColor = '#1d5b52';
/**
 * WCAG AA for text of any size, 4.5. The accent also tints the card, so it needs a little more than
 * on a plain background.
 */
const textContrast = 5.04;

interface Accents {
  /** The show's color, changed as little as needed to be readable on a light background. */
  readonly light: string;
  /** The same on a dark background. It is the show's color itself if that is bright. */
  readonly dark: string;
  readonly isBright: boolean;
}

export function createAccents(color: string | null): Accents {
  const brand = readColor(color ?? ownColor);
  const on = (ground: Color, end: Color) => `rgb(${legibleOn([ground], brand, end, textContrast)})`;
  return {
    light: on([0xfd, 0xfc, 0xfa], [0, 0, 0]),
    dark: on([0x16, 0x15, 0x13], [255, 255, 255]),
    isBright: isBright(brand),
  };
}
