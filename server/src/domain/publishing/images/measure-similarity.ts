/** Pixels of one block: the usual window is about as large. */
const blockPx = 8;
const blockArea = blockPx * blockPx;
/** The usual constants, for values up to 255. */
const c1 = (0.01 * 255) ** 2;
const c2 = (0.03 * 255) ** 2;

/**
 * The structural similarity (SSIM) of two pictures of the same size, of blocks and channels on
 * average: 1 if they are equal. Rows and columns beyond the last whole block do not count.
 */
export function measureSimilarity(
  one: {
    readonly data: Uint8Array;
    readonly width: number;
    readonly height: number;
    readonly channels: number;
  },
  other: Uint8Array,
): number {
  const { data, width, height, channels } = one;
  let sum = 0;
  let blocks = 0;
  for (let y = 0; y + blockPx <= height; y += blockPx) {
    for (let x = 0; x + blockPx <= width; x += blockPx) {
      for (let channel = 0; channel < channels; channel += 1) {
        const start = (y * width + x) * channels + channel;
        sum += compareBlocks(data, other, { start, step: channels, row: width * channels });
        blocks += 1;
      }
    }
  }
  return blocks === 0 ? 1 : sum / blocks;
}

function compareBlocks(
  one: Uint8Array,
  other: Uint8Array,
  { start, step, row }: { readonly start: number; readonly step: number; readonly row: number },
): number {
  let [sumA, sumB, squaresA, squaresB, products] = [0, 0, 0, 0, 0];
  for (let line = start; line < start + blockPx * row; line += row) {
    for (let at = line; at < line + blockPx * step; at += step) {
      const a = one[at] as number;
      const b = other[at] as number;
      sumA += a;
      sumB += b;
      squaresA += a * a;
      squaresB += b * b;
      products += a * b;
    }
  }
  const [meanA, meanB] = [sumA / blockArea, sumB / blockArea];
  const varianceA = squaresA / blockArea - meanA * meanA;
  const varianceB = squaresB / blockArea - meanB * meanB;
  const covariance = products / blockArea - meanA * meanB;
  const alike = (2 * meanA * meanB + c1) * (2 * covariance + c2);
  return alike / ((meanA * meanA + meanB * meanB + c1) * (varianceA + varianceB + c2));
}
