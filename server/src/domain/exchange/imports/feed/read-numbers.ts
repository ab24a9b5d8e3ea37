import { isFractionalNumber } from '../../../../lib/fractional-number.ts';
import { childNamed, childrenNamed, type FeedElement } from './feed-element.ts';
import { tryParseLine, tryParseWholeNumber } from './field-text.ts';
import type { ParsedItem } from './parsed-feed.ts';
import type { UnreadElements } from './unread-elements.ts';

const MAX_SEASON = 9_999;
const MAX_EPISODE = 1_000_000;
const DISPLAY_CHARS = 128;

type Numbers = Pick<ParsedItem, 'season' | 'seasonName' | 'episode' | 'episodeDisplay'>;

/**
 * Season and episode of an item. A fractional episode can only be displayed. Numbers that have no
 * place are counted as unread.
 */
export function readNumbers(item: FeedElement, unread: UnreadElements): Numbers {
  const [seasonTag] = childrenNamed(item, 'podcast:season');
  const [episodeTag] = childrenNamed(item, 'podcast:episode');
  const display = tryParseLine(episodeTag?.attributes.get('display'), DISPLAY_CHARS);
  const text = episodeTag?.text.trim() ?? '';
  const fraction = display === undefined && isFractionalNumber(text) ? text : undefined;
  return {
    season: readNumber(item, 'season', { max: MAX_SEASON, unread }),
    seasonName: tryParseLine(seasonTag?.attributes.get('name'), DISPLAY_CHARS),
    episode: readNumber(item, 'episode', { max: MAX_EPISODE, unread, fraction }),
    episodeDisplay: display ?? fraction,
  };
}

/** Apple's element counts if both have a number. */
function readNumber(
  item: FeedElement,
  name: 'season' | 'episode',
  rules: {
    readonly max: number;
    readonly unread: UnreadElements;
    readonly fraction?: string | undefined;
  },
): number | undefined {
  const { max, unread, fraction } = rules;
  const apples = childNamed(item, `itunes:${name}`)?.text.trim() ?? '';
  const [first, ...others] = childrenNamed(item, `podcast:${name}`).map(({ text }) => text.trim());
  const apple = tryParseWholeNumber(apples, max);
  const number = apple ?? tryParseWholeNumber(first, max);
  const isKept = !first || first === fraction || tryParseWholeNumber(first, max) === (number ?? -1);
  if (apples !== '' && apple === undefined) unread.add('item', `itunes:${name}`);
  const lost = others.length + (isKept ? 0 : 1);
  if (lost > 0) unread.add('item', `podcast:${name}`, lost);
  return number;
}
