/** Red, green and blue, 0 to 255. */
export type Color = readonly [number, number, number];

/** Reads `#rrggbb`; undefined for anything else. */
export function tryParseColor(text: string | null): Color | undefined {
  const [, r, g, b] = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(text ?? '') ?? [];
  if (r === undefined || g === undefined || b === undefined) return undefined;
  return [Number.parseInt(r, 16), Number.parseInt(g, 16), Number.parseInt(b, 16)];
}

export function formatColor(color: Color): string {
  return `#${color.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

/** `share` of the first color (0 to 1), the rest of the second. */
export function mix(one: Color, other: Color, share: number): Color {
  const blend = (i: 0 | 1 | 2) => Math.round(one[i] * share + other[i] * (1 - share));
  return [blend(0), blend(1), blend(2)];
}

/** Contrast ratio of WCAG 2, from 1 to 21. */
export function contrast(one: Color, other: Color): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** Moves the color towards `end`, as little as needed to be legible on all of `grounds`. */
export function legibleOn(
  grounds: readonly Color[],
  color: Color,
  end: Color,
  ratio: number,
): Color {
  for (let step = 0; step < 20; step += 1) {
    const candidate = mix(end, color, step / 20);
    if (grounds.every((ground) => contrast(candidate, ground) >= ratio)) return candidate;
  }
  return end;
}

function luminance(color: Color): number {
  const [r, g, b] = color.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

const fullTurn = 360;

interface Colored {
  readonly id: string;
  readonly brandColor: string | null;
  readonly artwork: { readonly color: string | null } | null;
}

/** Of covers that have none: beside black and white, a color would look like a mistake. */
const gray = '#55555a';

/**
 * The color of a show: its own, else that of its artwork, else one derived from its id, so that
 * shows look different.
 */
export function showColor({ brandColor, artwork, id }: Colored): string {
  if (brandColor !== null) return brandColor;
  if (artwork !== null) return artwork.color ?? gray;
  return colorOfHue(Number.parseInt(id.slice(-4), 16) % fullTurn);
}

/** The color of a show's player, wherever it is. */
export function playerColor(show: Colored & { readonly playerColor: string | null }): string {
  return show.playerColor ?? showColor(show);
}

/** Vivid enough to distinguish, dark enough for most uses; pages adjust it for legibility. */
function colorOfHue(hue: number): string {
  const [saturation, lightness] = [0.48, 0.34];
  const part = (n: number) => {
    const k = (n + hue / 30) % 12;
    const share = Math.max(-1, Math.min(k - 3, 9 - k, 1));
    return Math.round(255 * (lightness - saturation * lightness * share));
  };
  return formatColor([part(0), part(8), part(4)]);
}
