type Colour = readonly [number, number, number];

/** The service's own, as on its pages. */
const ownColour = '#1d5b52';
/** AA for text of any size. */
const textContrast = 4.5;

const grounds = { light: '#fdfcfa', dark: '#161513' } as const;

/** The show's colour, moved as little as it takes to be read on a light and on a dark ground. */
export function createAccents(color: string | null): { light: string; dark: string } {
  const brand = parse(color ?? ownColour);
  return {
    light: legibleOn(parse(grounds.light), brand, [0, 0, 0]),
    dark: legibleOn(parse(grounds.dark), brand, [255, 255, 255]),
  };
}

function legibleOn(ground: Colour, colour: Colour, end: Colour): string {
  for (let step = 0; step <= 20; step += 1) {
    const mixed = colour.map((part, i) => part + (((end[i] ?? 0) - part) * step) / 20);
    const candidate = mixed.map(Math.round) as unknown as Colour;
    // The card is tinted with the very colour: a little more than needed on the bare ground.
    if (contrast(candidate, ground) >= textContrast * 1.12) return `rgb(${candidate})`;
  }
  return `rgb(${end})`;
}

/** Of WCAG 2, 1 to 21. */
function contrast(one: Colour, other: Colour): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(colour: Colour): number {
  const [r = 0, g = 0, b = 0] = colour.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function parse(color: string): Colour {
  const value = Number.parseInt(color.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}
