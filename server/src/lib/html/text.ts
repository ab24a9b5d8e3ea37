// Control characters except tab and newline, lone surrogates, and the two code points that XML 1.0
// forbids. No feed can carry them.
const forbidden = /[\p{Cs}\uFFFE\uFFFF[\p{Cc}--[\t\n]]]/gv;

/** Converts line ends to `\n` and drops characters that feeds and pages cannot hold. */
export function removeForbiddenCharacters(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(forbidden, '');
}
