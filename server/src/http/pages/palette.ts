import type { Show } from '../../domain/catalogue/index.ts';
import { type Colour, formatColour, legibleOn, mix, tryParseColour } from './colour.ts';

export type Theme = Show['playerTheme'];

/** What a page is painted with, light or dark, from one colour of the show. */
export interface Palette {
  readonly ground: Colour;
  readonly ink: Colour;
  /** Of secondary text. */
  readonly muted: Colour;
  /** Of rules and edges that nothing depends on. */
  readonly line: Colour;
  /** The ground with a touch of the show's colour. */
  readonly tint: Colour;
  /** The show's colour as text and as a button's face; text of the ground's colour stands on it. */
  readonly accent: Colour;
}

const ownColour: Colour = [0x1d, 0x5b, 0x52];
/** AA for text of any size. */
const textContrast = 4.5;

const schemes = {
  light: { ground: [0xfd, 0xfc, 0xfa], ink: [0x1d, 0x1b, 0x18], end: [0, 0, 0], tint: 0.09 },
  dark: { ground: [0x16, 0x15, 0x13], ink: [0xee, 0xeb, 0xe6], end: [255, 255, 255], tint: 0.14 },
} as const satisfies Record<string, { ground: Colour; ink: Colour; end: Colour; tint: number }>;

export function createPalette(brandColor: string | null, scheme: 'light' | 'dark'): Palette {
  const brand = tryParseColour(brandColor) ?? ownColour;
  const { ground, ink, end, tint: share } = schemes[scheme];
  const tint = mix(brand, ground, share);
  return {
    ground,
    ink,
    tint,
    line: mix(ink, ground, 0.14),
    muted: legibleOn([ground, tint], mix(ink, ground, 0.68), end, textContrast),
    accent: legibleOn([ground, tint], brand, end, textContrast),
  };
}

/** The palette as custom properties; `auto` follows the reader's system. */
export function paletteStyle(brandColor: string | null, theme: Theme): string {
  const properties = (scheme: 'light' | 'dark') =>
    Object.entries(createPalette(brandColor, scheme))
      .map(([name, colour]) => `--${name}:${formatColour(colour)}`)
      .join(';');
  if (theme !== 'auto') return `:root{color-scheme:${theme};${properties(theme)}}`;
  const dark = `@media (prefers-color-scheme:dark){:root{${properties('dark')}}}`;
  return `:root{color-scheme:light dark;${properties('light')}}${dark}`;
}
