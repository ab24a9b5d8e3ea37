const hueSteps = 24;
/** Below this share of full colour, over the whole picture, it is black, white and grey to the eye. */
const leastColour = 0.03;
/** Difference of the strongest and the weakest part that is a colour of its own. */
const wantedChroma = 96;

/**
 * The colour that a picture is painted with most, as `#rrggbb`: of all hues the one with the most
 * strong colour in it, as it is on average. Null for a picture in greys. `pixels` are red, green and
 * blue bytes one after the other.
 */
export function findMainColour(pixels: Uint8Array): string | null {
  const sums = Array.from({ length: hueSteps }, () => ({ weight: 0, r: 0, g: 0, b: 0 }));
  for (let i = 0; i + 2 < pixels.length; i += 3) {
    const [r = 0, g = 0, b = 0] = pixels.subarray(i, i + 3);
    const high = Math.max(r, g, b);
    const chroma = high - Math.min(r, g, b);
    const sum = sums[Math.floor(hueOf(r, g, b, high, chroma) * hueSteps) % hueSteps];
    // The square: a little strong colour says more of a cover than a tinge all over it.
    const weight = (chroma / 255) ** 2;
    if (sum === undefined) continue;
    sum.weight += weight;
    sum.r += r * weight;
    sum.g += g * weight;
    sum.b += b * weight;
  }
  const best = sums.reduce((one, other) => (other.weight > one.weight ? other : one));
  if (best.weight < (pixels.length / 3) * leastColour ** 2 || best.weight === 0) return null;
  return brighten([best.r / best.weight, best.g / best.weight, best.b / best.weight]);
}

/** An average is duller than what it is made of: its parts are moved away from grey, to twice as far. */
function brighten(colour: readonly number[]): string {
  const grey = colour.reduce((sum, part) => sum + part) / colour.length;
  const chroma = Math.max(...colour) - Math.min(...colour);
  const factor = Math.min(2, Math.max(1, wantedChroma / chroma));
  const hex = (part: number) =>
    Math.round(Math.min(255, Math.max(0, grey + (part - grey) * factor)))
      .toString(16)
      .padStart(2, '0');
  return `#${colour.map(hex).join('')}`;
}

/** 0 to 1, once round the wheel from red. */
function hueOf(r: number, g: number, b: number, high: number, chroma: number): number {
  if (chroma === 0) return 0;
  if (high === r) return ((g - b) / chroma / 6 + 1) % 1;
  return high === g ? ((b - r) / chroma + 2) / 6 : ((r - g) / chroma + 4) / 6;
}
