import type { PublicPodcast } from '../../domain/public/catalogue/index.ts';
import {
  type Color,
  contrast,
  formatColor,
  isBright,
  legibleOn,
  mix,
  tryParseColor,
} from '../../lib/color.ts';

export type Theme = PublicPodcast['playerTheme'];

/** So that a gray on black is not the gray of what can't be pressed. */
const neutralContrast = 11;
/** The most by which the parts of a color without a hue differ. */
const neutralRange = 0x10;
const isNeutral = (color: Color) => Math.max(...color) - Math.min(...color) <= neutralRange;

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
  /** The show's color for text and lines; text on it has the background's color. */
  readonly accent: Color;
  /** What is behind the text of a button: the show's color as it is, if it is bright (PAGE-38). */
  readonly fill: Color;
  /** The text on it. */
  readonly label: Color;
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
  /** How much of the band is the show's color, and the least contrast of its white text. */
  readonly band: { readonly share: number; readonly contrast: number };
  /** What makes the band darker. */
  readonly shade: Color;
}

const [black, white]: [Color, Color] = [
  [0, 0, 0],
  [255, 255, 255],
];

const light: ColorScheme = {
  ground: [0xfd, 0xfc, 0xfa],
  ink: [0x1d, 0x1b, 0x18],
  end: black,
  tint: 0.09,
  contrast: textContrast,
  band: { share: 0.92, contrast: 5 },
  shade: [0x1d, 0x1b, 0x18],
};
const dark: ColorScheme = {
  ground: [0x16, 0x15, 0x13],
  ink: [0xee, 0xeb, 0xe6],
  end: white,
  tint: 0.14,
  contrast: 5,
  band: { share: 0.5, contrast: 7 },
  shade: [0x16, 0x15, 0x13],
};
const schemes = { light, dark };

export function createPalette(brandColor: string | null, scheme: 'light' | 'dark'): Palette {
  const brand = tryParseColor(brandColor) ?? ownColor;
  const { ground, ink, end, tint: share, contrast } = schemes[scheme];
  const tint = mix(brand, ground, share);
  const isGray = scheme === 'dark' && isNeutral(brand) && !isBright(brand);
  const accent = legibleOn([ground, tint], brand, end, isGray ? neutralContrast : contrast);
  const [fill, label] = isBright(brand) ? [brand, dark.ground] : [accent, ground];
  return {
    ground,
    ink,
    tint,
    line: mix(ink, ground, 0.14),
    muted: legibleOn([ground, tint], mix(ink, ground, 0.68), end, textContrast),
    accent,
    fill,
    label,
  };
}

/**
 * The colors of the band at the top of a page, whose background is the show's color, made darker if needed.
 * Its text is white; on a light color, it is black.
 */
export function createBand(brandColor: string | null, scheme: 'light' | 'dark'): Palette {
  const brand = tryParseColor(brandColor) ?? ownColor;
  const { shade, band } = schemes[scheme];
  const isLight = scheme === 'light' && isBright(brand);
  const [ink, other] = isLight ? [black, white] : [white, black];
  const ground = isLight
    ? brand
    : legibleOn([white], mix(brand, shade, band.share), shade, band.contrast);
  return {
    ground,
    ink,
    accent: ink,
    fill: ink,
    label: ground,
    tint: mix(other, ground, 0.16),
    line: mix(ink, ground, 0.25),
    muted: legibleOn([ground], mix(ink, ground, 0.75), ink, textContrast),
  };
}

/** The least contrast of white text with the color of a veil, which leaves room for the picture. */
const veilContrast = 18;

/** The colors of a band over a picture, and how much of the veil's color covers that (0 to 1). */
export function createVeil(brandColor: string | null): Palette & { readonly opacity: number } {
  const brand = tryParseColor(brandColor) ?? ownColor;
  const ground = legibleOn([white], mix(brand, black, 0.5), black, veilContrast);
  // White is the worst picture for white text.
  const opacities = Array.from({ length: 20 }, (_, step) => (step + 1) / 20);
  const isLegible = (share: number) => contrast(white, mix(ground, white, share)) >= textContrast;
  return {
    ground,
    ink: white,
    accent: white,
    fill: white,
    label: ground,
    muted: white,
    tint: mix(white, ground, 0.1),
    line: mix(white, ground, 0.25),
    opacity: opacities.find(isLegible) ?? 1,
  };
}

const formatProperties = (palette: Palette) =>
  Object.entries(palette)
    .map(([name, color]) => `--${name}:${formatColor(color)}`)
    .join(';');

/** The color at the top of a page, for the browser's own bars around it. */
export function topColors(
  brandColor: string | null,
  theme: Theme,
  hasPicture: boolean,
): readonly { readonly color: string; readonly scheme?: 'light' | 'dark' }[] {
  if (hasPicture) return [{ color: formatColor(createVeil(brandColor).ground) }];
  const colorIn = (scheme: 'light' | 'dark') => formatColor(createBand(brandColor, scheme).ground);
  if (theme !== 'auto') return [{ color: colorIn(theme) }];
  return (['light', 'dark'] as const).map((scheme) => ({ color: colorIn(scheme), scheme }));
}

/** The palette of everything in a band, as custom properties. */
export function bandStyle(brandColor: string | null, theme: Theme): string {
  const properties = (scheme: 'light' | 'dark') =>
    `.band{${formatProperties(createBand(brandColor, scheme))}}`;
  if (theme !== 'auto') return properties(theme);
  return `${properties('light')}@media (prefers-color-scheme:dark){${properties('dark')}}`;
}

/** The palette of a band with a picture. The system's colors and paper have none. */
export function pictureStyle(brandColor: string | null): string {
  const { opacity, ...palette } = createVeil(brandColor);
  const veil = `rgb(${palette.ground.join(' ')} / ${opacity})`;
  const properties = `.pictured{${formatProperties(palette)};--veil:${veil}}`;
  return `@media screen and (forced-colors:none){${properties}}`;
}

/** The palette as custom properties; `auto` follows the reader's system. */
export function paletteStyle(brandColor: string | null, theme: Theme): string {
  const properties = (scheme: 'light' | 'dark') =>
    formatProperties(createPalette(brandColor, scheme));
  // A sheet that opens from the band has the colors of the page that it covers.
  if (theme !== 'auto') return `:root,.sheet{color-scheme:${theme};${properties(theme)}}`;
  const dark = `@media (prefers-color-scheme:dark){:root,.sheet{${properties('dark')}}}`;
  return `:root,.sheet{color-scheme:light dark;${properties('light')}}${dark}`;
}
