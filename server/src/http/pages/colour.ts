/** Red, green and blue, 0 to 255. */
export type Colour = readonly [number, number, number];

/** Reads `#rrggbb`; undefined for anything else. */
export function tryParseColour(text: string | null): Colour | undefined {
  const [, r, g, b] = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(text ?? '') ?? [];
  if (r === undefined || g === undefined || b === undefined) return undefined;
  return [Number.parseInt(r, 16), Number.parseInt(g, 16), Number.parseInt(b, 16)];
}

export function formatColour(colour: Colour): string {
  return `#${colour.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

/** `share` of the one (0 to 1), the rest of the other. */
export function mix(one: Colour, other: Colour, share: number): Colour {
  const blend = (i: 0 | 1 | 2) => Math.round(one[i] * share + other[i] * (1 - share));
  return [blend(0), blend(1), blend(2)];
}

/** Contrast ratio of WCAG 2, 1 to 21. */
export function contrast(one: Colour, other: Colour): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** The colour moved towards `end` just as far as it takes to be read on every one of `grounds`. */
export function legibleOn(
  grounds: readonly Colour[],
  colour: Colour,
  end: Colour,
  ratio: number,
): Colour {
  for (let step = 0; step < 20; step += 1) {
    const candidate = mix(end, colour, step / 20);
    if (grounds.every((ground) => contrast(candidate, ground) >= ratio)) return candidate;
  }
  return end;
}

function luminance(colour: Colour): number {
  const [r, g, b] = colour.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
