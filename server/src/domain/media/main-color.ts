const hueSteps = 24;
/** Below this share of full color, over the whole picture, it is black, white and gray to the eye. */
const leastColor = 0.03;
/** Difference of the strongest and the weakest part that is a color of its own. */
const wantedChroma = 96;

/**
 * The color that a picture is painted with most, as `#rrggbb`: of all hues the one with the most
 * strong color in it, as it is on average. Null for a picture in grays. `pixels` are red, green and
 * blue bytes one after the other.
 */
export function findMainColor(pixels: Uint8Array): string | null {
  const sums = Array.from({ length: hueSteps }, () => ({ weight: 0, r: 0, g: 0, b: 0 }));
  for (let i = 0; i + 2 < pixels.length; i += 3) {
    const [r = 0, g = 0, b = 0] = pixels.subarray(i, i + 3);
    const high = Math.max(r, g, b);
    const chroma = high - Math.min(r, g, b);
    const sum = sums[Math.floor(hueOf(r, g, b, high, chroma) * hueSteps) % hueSteps];
    // The square: a little strong color says more of a cover than a tinge all over it.
    const weight = (chroma / 255) ** 2;
    if (sum === undefined) continue;
    sum.weight += weight;
    sum.r += r * weight;
    sum.g += g * weight;
    sum.b += b * weight;
  }
  const best = sums.reduce((one, other) => (other.weight > one.weight ? other : one));
  if (best.weight < (pixels.length / 3) * leastColor ** 2 || best.weight === 0) return null;
  return brighten([best.r / best.weight, best.g / best.weight, best.b / best.weight]);
}

/** An average is duller than what it is made of: its parts are moved away from gray, to twice as far. */
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

/** 0 to 1, once round the wheel from red. */
function hueOf(r: number, g: number, b: number, high: number, chroma: number): number {
  if (chroma === 0) return 0;
  if (high === r) return ((g - b) / chroma / 6 + 1) % 1;
  return high === g ? ((b - r) / chroma + 2) / 6 : ((r - g) / chroma + 4) / 6;
}
