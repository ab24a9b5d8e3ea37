export type CsvCell = string | number | null;

/**
 * A table as CSV for spreadsheets: UTF-8 with a byte order mark, CRLF, quotes where they are
 * needed.
 */
export function writeCsv(rows: readonly (readonly CsvCell[])[]): string {
  return `\uFEFF${rows.map((row) => row.map(writeCell).join(',')).join('\r\n')}\r\n`;
}

/** A text that begins like a formula gets an apostrophe: a spreadsheet must not compute a title. */
function writeCell(cell: CsvCell): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  const text = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
