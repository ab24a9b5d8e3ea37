/** Cuts at the end of a word if that keeps most of the text; never inside a character. */
export function shorten(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const cut = text.slice(0, maxLength - 1).toWellFormed();
  const space = cut.lastIndexOf(' ');
  const whole = space > maxLength * 0.6 ? cut.slice(0, space) : cut.replace(/\uFFFD$/, '');
  return `${whole.trimEnd()}…`;
}
