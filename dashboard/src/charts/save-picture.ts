import type uPlot from 'uplot';
import { formatDays } from '../lib/format-days.ts';
import { type FileSubject, fileNameAbout, saveFile } from '../lib/save-file.ts';
import type { ChartModel } from './chart-model.ts';

const margin = 16;
const line = 22;

/** Saves a chart as PNG with its titles and legend, as large as the screen shows it. */
export function savePicture(
  model: ChartModel,
  subject: FileSubject,
  plot: uPlot,
  legend: HTMLElement,
): void {
  const source = plot.ctx.canvas;
  const ratio = source.width / plot.width;
  const swatches = [...legend.querySelectorAll<HTMLElement>('li')].map((item) => ({
    text: item.textContent ?? '',
    color: getComputedStyle(item.firstElementChild ?? item).color,
  }));
  const head = margin + line * (2 + swatches.length);
  const canvas = document.createElement('canvas');
  canvas.width = source.width + 2 * margin * ratio;
  canvas.height = source.height + (head + margin) * ratio;
  const context = canvas.getContext('2d');
  if (context === null) return;
  const { backgroundColor, color } = getComputedStyle(plot.root.parentElement ?? plot.root);
  context.fillStyle = backgroundColor;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(source, margin * ratio, head * ratio);
  context.scale(ratio, ratio);
  write(context, { text: subject.title, color, font: '600 16px system-ui, sans-serif' }, 0);
  const font = '13px system-ui, sans-serif';
  const { from, to } = subject.days;
  write(context, { text: `${model.title} · ${formatDays(from, to)}`, color, font }, 1);
  for (const [index, swatch] of swatches.entries()) {
    // The words leave room for the square.
    write(context, { text: `\u2003 ${swatch.text}`, color, font }, index + 2);
    write(context, { text: '■', color: swatch.color, font }, index + 2);
  }
  canvas.toBlob((blob) => {
    if (blob !== null) saveFile(fileNameAbout(subject, model.title, 'png'), blob);
  }, 'image/png');
}

function write(
  context: CanvasRenderingContext2D,
  { text, color, font }: { readonly text: string; readonly color: string; readonly font: string },
  row: number,
): void {
  const isReversed = document.documentElement.dir === 'rtl';
  const width = context.canvas.width / context.getTransform().a;
  context.font = font;
  context.fillStyle = color;
  context.direction = isReversed ? 'rtl' : 'ltr';
  context.textAlign = 'start';
  const [x, y] = [isReversed ? width - margin : margin, margin + line * (row + 0.6)];
  // A text that is too long gets narrower letters.
  context.fillText(text, x, y, width - 2 * margin);
}
