const leadChars = 420;

/**
 * Splits a text into its first paragraphs and the rest, behind "Read more". The lead has at least
 * one paragraph.
 */
export function splitLead(text: string): [lead: string, rest: string] {
  const paragraphs = text.trim().split(/\n[ \t]*\n\s*/);
  let length = 0;
  const end = paragraphs.findIndex((paragraph, index) => {
    length += paragraph.length;
    return index > 0 && length > leadChars;
  });
  if (end === -1) return [paragraphs.join('\n\n'), ''];
  return [paragraphs.slice(0, end).join('\n\n'), paragraphs.slice(end).join('\n\n')];
}
