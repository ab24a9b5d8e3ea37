/** Reduces any number of peaks to `count` bars from 0 to 1: each the maximum of its section. */
export function toBars(peaks: readonly number[], count: number): number[] {
  const loudest = Math.max(1, ...peaks);
  return Array.from({ length: count }, (_, bar) => {
    const from = Math.floor((bar * peaks.length) / count);
    const to = Math.max(from + 1, Math.floor(((bar + 1) * peaks.length) / count));
    return Math.max(...peaks.slice(from, to)) / loudest;
  });
}

/**
 * The bars as one polygon in percent, for `clip-path`: along their tops and back along their
 * bottoms. Between two bars both lines run along the middle and enclose nothing.
 */
export function toPolygon(bars: readonly number[]): string {
  const share = 0.62;
  const least = 0.06;
  const points = (up: boolean) =>
    bars.map((height, i) => {
      const y = 50 + (up ? -50 : 50) * Math.max(least, height);
      const x = (offset: number) => ((100 * (i + offset)) / bars.length).toFixed(2);
      const corners = [`${x(0)}% 50%`, `${x(0)}% ${y.toFixed(1)}%`];
      const back = [`${x(share)}% ${y.toFixed(1)}%`, `${x(share)}% 50%`];
      return up ? [...corners, ...back] : [...back.reverse(), ...corners.reverse()];
    });
  return `polygon(${[...points(true).flat(), ...points(false).reverse().flat()].join()})`;
}
