type Color = readonly [number, number, number];

/** The service's default, as on its pages. */
const ownColor = '#1d5b52';
/** WCAG AA for text of any size. */
const textContrast = 4.5;

const grounds = { light: '#fdfcfa', dark: '#161513' } as const;

/**
 * The show's color, changed as little as needed to be readable on a light and a dark background.
 */
export function createAccents(color: string | null): { light: string; dark: string } {
  const brand = parse(color ?? ownColor);
  return {
    light: legibleOn(parse(grounds.light), brand, [0, 0, 0]),
    dark: legibleOn(parse(grounds.dark), brand, [255, 255, 255]),
  };
}

function legibleOn(ground: Color, color: Color, end: Color): string {
  for (let step = 0; step <= 20; step += 1) {
    const mixed = color.map((part, i) => part + (((end[i] ?? 0) - part) * step) / 20);
    const candidate = mixed.map(Math.round) as unknown as Color;
    // The accent also tints the card, so it needs a little more contrast than on a plain
    // background.
    if (contrast(candidate, ground) >= textContrast * 1.12) return `rgb(${candidate})`;
  }
  return `rgb(${end})`;
}

/** Contrast ratio of WCAG 2, from 1 to 21. */
function contrast(one: Color, other: Color): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(color: Color): number {
  const [r = 0, g = 0, b = 0] = color.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function parse(color: string): Color {
  const value = Number.parseInt(color.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}
