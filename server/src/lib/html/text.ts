// Control characters but tab and newline, halves of surrogate pairs, and the two code points that
// XML 1.0 forbids: no feed can carry them, and no reader misses them.
const forbidden = /[\p{Cs}\uFFFE\uFFFF[\p{Cc}--[\t\n]]]/gv;

/** Line ends become `\n`; what neither a feed nor a page can hold is dropped. */
export function removeForbiddenCharacters(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(forbidden, '');
}
