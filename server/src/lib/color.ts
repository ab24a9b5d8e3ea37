/** Red, green and blue, 0 to 255. */
export type Color = readonly [number, number, number];

/** Reads `#rrggbb`; undefined for anything else. */
export function tryParseColor(text: string | null): Color | undefined {
  return text !== null && /^#[0-9a-f]{6}$/i.test(text) ? readColor(text) : undefined;
}

/** Reads a text that is known to be `#rrggbb`. */
export function readColor(text: string): Color {
  const value = Number.parseInt(text.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
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
  const ratio = (luminance(one) + 0.05) / (luminance(other) + 0.05);
  return Math.max(ratio, 1 / ratio);
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

/**
 * Whether white text on this color has a contrast below 3, too little even if it is large. Dark text is
 * legible on such a color, so it need not be changed.
 */
export function isBright(color: Color): boolean {
  return luminance(color) > 0.3;
}

function luminance(color: Color): number {
  const [r, g, b] = color.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
