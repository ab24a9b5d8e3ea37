import { domainToUnicode } from 'node:url';
import { decodeHTMLStrict } from 'entities';

/** A summary is at the beginning of a text. */
const mostChars = 8_000;
const longestHeading = 60;
const listItem = /^(?:[-*+•‣▪●○–—·]|\d{1,3}[.)])\s/u;
/** A line of a list of chapters. */
const timeMark = /^[([]?\d{1,2}:\d{2}(?!\d)/;
const linkInBrackets = / ?\((?:https?:\/\/|mailto:)[^\s()]*\)/giu;
const bareLink = /(?<![\w@])(?:https?:\/\/|mailto:|www\.)\S+/giu;
const wordBefore = /^[\p{L}\d] $/u;
const openBracket = / ?\((?=\s|$)/gu;
const sentenceEnd = /[.!?…。！？؟۔।]["'”’»)\]]*$/u;

/**
 * What a show or an episode is about, for search engines, links and lists: the subtitle, otherwise the first
 * paragraph of the text. Lists, links and headings are not a summary. Empty if there is none. `text`: plain, with
 * blank lines between paragraphs.
 */
export function summarize(about: {
  readonly subtitle: string | null;
  readonly description: string;
}): string {
  const subtitle = about.subtitle?.trim() ?? '';
  if (subtitle !== '') return decodeHTMLStrict(subtitle);
  let heading = '';
  for (const part of about.description
    .slice(0, mostChars)
    .toWellFormed()
    .split(/\n\s*\n/)) {
    const paragraph = readProse(part);
    if (isHeading(paragraph)) heading ||= paragraph;
    else if (paragraph !== '') return paragraph;
  }
  return heading;
}

/** A paragraph without list, links and what introduces them; empty if nothing is left. */
function readProse(part: string): string {
  const lines = part
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const prose = lines.filter((line) => !listItem.test(line) && !timeMark.test(line));
  const text = prose.join(' ');
  const unlinked = prose.map(withoutLinks).join(' ').replace(/\s+/g, ' ').trim();
  const hasLeft = prose.length < lines.length || unlinked.length < text.length;
  const introduces = hasLeft && /[:：]$/u.test(unlinked);
  return introduces || !/\p{L}/u.test(unlinked) ? '' : decodeHTMLStrict(unlinked);
}

/** Of a link that is a part of a sentence, the host stays. */
function withoutLinks(line: string): string {
  let endOfLast = -1;
  const unlinked = line.replace(linkInBrackets, '').replace(bareLink, (link, at: number, all) => {
    const followsLink = at - 1 === endOfLast;
    endOfLast = at + link.length;
    return !followsLink && wordBefore.test(all.slice(Math.max(0, at - 2), at)) ? hostOf(link) : '';
  });
  return unlinked.replace(openBracket, '');
}

/** With the punctuation of the sentence, which the pattern of links includes. */
function hostOf(link: string): string {
  let end = link.length;
  while (end > 0 && '.,;!?)]…'.includes(link.charAt(end - 1))) end -= 1;
  const address = link.slice(0, end);
  const url = URL.parse(/^www\./i.test(address) ? `https://${address}` : address);
  const host = domainToUnicode(url?.hostname.replace(/^www\./, '') ?? '');
  return host === '' ? '' : host + link.slice(end);
}

const isHeading = (paragraph: string) =>
  paragraph !== '' && paragraph.length <= longestHeading && !sentenceEnd.test(paragraph);
