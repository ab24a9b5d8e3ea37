/** 0 to 255 for each equal part of the duration. */
export type Peaks = readonly number[];

interface Drawing {
  readonly peaks: Peaks | null;
  /** How much of it has been played: 0 to 1. */
  readonly played: number;
}

const barWidth = 2;
const gap = 1;
const leastHeight = 2;

/**
 * Draws bars from left to right, sharp on every screen. The colors are those of the canvas's style:
 * `color` of what was played, `outline-color` of the rest.
 */
export function drawWaveform(canvas: HTMLCanvasElement, { peaks, played }: Drawing): void {
  const { clientWidth: width, clientHeight: height } = canvas;
  const ratio = window.devicePixelRatio || 1;
  const [pixelWidth, pixelHeight] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== pixelWidth) canvas.width = pixelWidth;
  if (canvas.height !== pixelHeight) canvas.height = pixelHeight;
  const context = canvas.getContext('2d');
  if (context === null || width === 0) return;
  const { color, outlineColor } = getComputedStyle(canvas);
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  const count = Math.max(1, Math.floor(width / (barWidth + gap)));
  const bars = peaks === null || peaks.length === 0 ? null : resample(peaks, count);
  for (let bar = 0; bar < count; bar += 1) {
    const barHeight = Math.max(leastHeight, ((bars?.[bar] ?? 0) / 255) * height);
    context.fillStyle = (bar + 0.5) / count <= played ? color : outlineColor;
    context.fillRect(bar * (barWidth + gap), (height - barHeight) / 2, barWidth, barHeight);
  }
}

/** The loudest part that falls on each bar. */
function resample(peaks: Peaks, count: number): number[] {
  return Array.from({ length: count }, (_, bar) => {
    const from = Math.floor((bar * peaks.length) / count);
    const to = Math.max(from + 1, Math.floor(((bar + 1) * peaks.length) / count));
    return Math.max(...peaks.slice(from, to));
  });
}
