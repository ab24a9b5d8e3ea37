const hueSteps = 24;
/** A picture with less color than this (0 to 1, on average) looks black, white and gray. */
const leastColor = 0.03;
/** The chroma (largest minus smallest of red, green, blue) that `brighten` tries to reach. */
const wantedChroma = 96;

/** The hues of two chosen colors are at least this many steps apart. */
const leastSteps = 2;

/**
 * The main color of a picture, as `#rrggbb`: the average color of the hue with the most strong
 * color. Null for a picture in grays. `pixels` are red, green and blue bytes one after the other.
 */
export function findMainColor(pixels: Uint8Array): string | null {
  return findPictureColors(pixels, 1)[0] ?? null;
}

/** The same for several colors that look different, the one with most first. */
export function findPictureColors(pixels: Uint8Array, most: number): string[] {
  const least = (pixels.length / 3) * leastColor ** 2;
  const chosen: Hue[] = [];
  const ranked = sumHues(pixels).sort((one, other) => other.weight - one.weight);
  for (const hue of ranked) {
    if (chosen.length === most || hue.weight === 0 || hue.weight < least) break;
    if (chosen.every(({ step }) => stepsBetween(step, hue.step) >= leastSteps)) chosen.push(hue);
  }
  return chosen.map(({ r, g, b, weight }) => brighten([r / weight, g / weight, b / weight]));
}

interface Hue {
  readonly step: number;
  weight: number;
  r: number;
  g: number;
  b: number;
}

function sumHues(pixels: Uint8Array): Hue[] {
  const hues = Array.from({ length: hueSteps }, (_, step) => ({
    step,
    weight: 0,
    r: 0,
    g: 0,
    b: 0,
  }));
  for (let i = 0; i + 2 < pixels.length; i += 3) {
    const [r = 0, g = 0, b = 0] = pixels.subarray(i, i + 3);
    const high = Math.max(r, g, b);
    const chroma = high - Math.min(r, g, b);
    const hue = hues[Math.floor(hueOf(r, g, b, high, chroma) * hueSteps) % hueSteps];
    // Squared, so that a little strong color counts more than a weak tint of the whole cover.
    const weight = (chroma / 255) ** 2;
    if (hue === undefined) continue;
    hue.weight += weight;
    hue.r += r * weight;
    hue.g += g * weight;
    hue.b += b * weight;
  }
  return hues;
}

function stepsBetween(one: number, other: number): number {
  const steps = Math.abs(one - other);
  return Math.min(steps, hueSteps - steps);
}

/** An average looks dull. Moves the color away from gray, at most to twice the distance. */
function brighten(color: readonly number[]): string {
  const gray = color.reduce((sum, part) => sum + part) / color.length;
  const chroma = Math.max(...color) - Math.min(...color);
  const factor = Math.min(2, Math.max(1, wantedChroma / chroma));
  const hex = (part: number) =>
    Math.round(Math.min(255, Math.max(0, gray + (part - gray) * factor)))
      .toString(16)
      .padStart(2, '0');
  return `#${color.map(hex).join('')}`;
}

/** The hue from 0 to 1; red is 0. */
function hueOf(r: number, g: number, b: number, high: number, chroma: number): number {
  if (chroma === 0) return 0;
  if (high === r) return ((g - b) / chroma / 6 + 1) % 1;
  return high === g ? ((b - r) / chroma + 2) / 6 : ((r - g) / chroma + 4) / 6;
}
