/** Longer texts are not titles, and segmentation is slow. */
const longestSegmented = 400;
const japanese = /^ja(?:-|$)/i;
const korean = /^ko(?:-|$)/i;
const segmenter = new Intl.Segmenter('ja', { granularity: 'word' });

/**
 * Endings, particles and closing marks stay with the word before them, opening marks with the next. No
 * line begins with a small letter: those that ICU doesn't know as words are cut before one.
 */
const leans =
  /^(?:[\p{sc=Hiragana}ー々、。，．！？!?：；」』）】〉》)\]…・]+$|[ァィゥェォッャュョヮー])/u;
const opens = /^[「『（【〈《([]+$/u;

/**
 * The parts of a title that a line should not break, in order. Japanese has no spaces, and browsers and Pango
 * break it inside words, as they do with Korean. A title in another language is one part.
 */
export function splitPhrases(title: string, language: string): string[] {
  if (title.length > longestSegmented) return [title];
  if (korean.test(language)) return title.split(/(?<= )/);
  if (!japanese.test(language)) return [title];
  const phrases: string[] = [];
  let isOpen = false;
  for (const { segment } of segmenter.segment(title)) {
    const last = phrases.at(-1);
    if (last !== undefined && (isOpen || leans.test(segment)))
      phrases.push(`${phrases.pop()}${segment}`);
    else phrases.push(segment);
    isOpen = opens.test(segment);
  }
  return phrases;
}
