/**
 * The editor's replacement for a picture of another host, because the page loads nothing from
 * there.
 */
export function picturePlaceholder(src: unknown, alt: unknown): { src: string; words: string } {
  const host = URL.parse(String(src))?.hostname ?? '';
  return { src: String(src), words: typeof alt === 'string' && alt !== '' ? alt : host };
}

/** The words of a table or a list of terms: the cells of each row, one row below the other. */
export function keptPlaceholder(element: HTMLElement): string {
  const rows = [...element.querySelectorAll('tr, dt, dd')];
  return rows
    .map((row) => [...(row.children.length > 0 ? row.children : [row])])
    .map((cells) => cells.map((cell) => cell.textContent?.trim() ?? '').join('  '))
    .join('\n');
}
