import type { PublicPodcast } from '../../domain/public/catalogue/index.ts';
import { type Color, formatColor, legibleOn, mix, tryParseColor } from './color.ts';

export type Theme = PublicPodcast['playerTheme'];

/** The colors of a page, light or dark, derived from one color of the show. */
export interface Palette {
  readonly ground: Color;
  readonly ink: Color;
  /** Secondary text. */
  readonly muted: Color;
  /** Decorative rules and borders. */
  readonly line: Color;
  /** The background with a tint of the show's color. */
  readonly tint: Color;
  /** The show's color for text and buttons; text on it has the background's color. */
  readonly accent: Color;
}

const ownColor: Color = [0x1d, 0x5b, 0x52];
/** WCAG AA for text of any size. */
const textContrast = 4.5;

interface ColorScheme {
  readonly ground: Color;
  readonly ink: Color;
  readonly end: Color;
  readonly tint: number;
  /** For the accent. A color on black looks dimmer than its ratio; the player does the same. */
  readonly contrast: number;
}

const light: ColorScheme = {
  ground: [0xfd, 0xfc, 0xfa],
  ink: [0x1d, 0x1b, 0x18],
  end: [0, 0, 0],
  tint: 0.09,
  contrast: textContrast,
};
const dark: ColorScheme = {
  ground: [0x16, 0x15, 0x13],
  ink: [0xee, 0xeb, 0xe6],
  end: [255, 255, 255],
  tint: 0.14,
  contrast: 5,
};
const schemes = { light, dark };

export function createPalette(brandColor: string | null, scheme: 'light' | 'dark'): Palette {
  const brand = tryParseColor(brandColor) ?? ownColor;
  const { ground, ink, end, tint: share, contrast } = schemes[scheme];
  const tint = mix(brand, ground, share);
  return {
    ground,
    ink,
    tint,
    line: mix(ink, ground, 0.14),
    muted: legibleOn([ground, tint], mix(ink, ground, 0.68), end, textContrast),
    accent: legibleOn([ground, tint], brand, end, contrast),
  };
}

/** The palette as custom properties; `auto` follows the reader's system. */
export function paletteStyle(brandColor: string | null, theme: Theme): string {
  const properties = (scheme: 'light' | 'dark') =>
    Object.entries(createPalette(brandColor, scheme))
      .map(([name, color]) => `--${name}:${formatColor(color)}`)
      .join(';');
  if (theme !== 'auto') return `:root{color-scheme:${theme};${properties(theme)}}`;
  const dark = `@media (prefers-color-scheme:dark){:root{${properties('dark')}}}`;
  return `:root{color-scheme:light dark;${properties('light')}}${dark}`;
}
