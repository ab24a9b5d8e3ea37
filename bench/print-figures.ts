import { type Figure, type Group, meetsAim } from './bench.ts';

const columnGap = 2;

/** Formats a table: name, value, aim and whether it is met, note. */
export function formatGroup({ title, figures, remarks = [] }: Group): string {
  const rows = figures.map((figure) => [
    figure.name,
    formatValue(figure),
    formatAim(figure),
    { true: 'met', false: 'MISSED', undefined: '' }[String(meetsAim(figure))] ?? '',
    figure.note ?? '',
  ]);
  const widths = rows.reduce<number[]>(
    (widest, row) => row.map((cell, i) => Math.max(cell.length, widest[i] ?? 0)),
    [],
  );
  const lines = rows.map((row) =>
    row
      .map((cell, i) => (i === 1 ? cell.padStart(widths[i] ?? 0) : cell.padEnd(widths[i] ?? 0)))
      .join(' '.repeat(columnGap))
      .trimEnd(),
  );
  return [title, ...lines.map((line) => `  ${line}`), ...remarks].join('\n');
}

function formatValue({ value, unit }: Figure): string {
  if (unit === 'ratio') return value.toFixed(2);
  if (unit === 'count') return value.toFixed(1);
  return `${value < 10 ? value.toFixed(2) : Math.round(value).toLocaleString('en')} ${unit}`;
}

function formatAim({ aim }: Figure): string {
  if (aim === undefined) return '';
  return 'atLeast' in aim ? `≥ ${aim.atLeast}` : `≤ ${aim.atMost}`;
}
