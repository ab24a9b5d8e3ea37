import { formatRfc2822 } from '../../lib/time.ts';
import type { FeedItem, FeedTranscript } from './feed.ts';
import { asciiUrl, cutDescription } from './feed-text.ts';
import { writePeople } from './write-person.ts';
import { cdataElement, emptyElement, parentElement, textElement } from './xml.ts';

/** One `<item>`, every line of it ending in a newline. */
export function writeItem(item: FeedItem): string {
  return parentElement(
    'item',
    {},
    textElement('title', item.title) +
      textElement('itunes:title', item.title) +
      textElement('guid', item.guid, { isPermaLink: false }) +
      textElement('pubDate', formatRfc2822(item.publishedAt)) +
      textElement('link', asciiUrl(item.linkUrl)) +
      emptyElement('enclosure', {
        url: asciiUrl(item.enclosure.url),
        length: item.enclosure.lengthBytes ?? 0,
        type: item.enclosure.type,
      }) +
      textElement('itunes:duration', wholeSeconds(item.durationSeconds)) +
      writeNumbers(item) +
      textElement('itunes:explicit', item.explicit) +
      textElement('itunes:subtitle', item.subtitle) +
      textElement('description', cutDescription(item.description)) +
      cdataElement('content:encoded', item.contentHtml) +
      (item.imageUrl ? emptyElement('itunes:image', { href: asciiUrl(item.imageUrl) }) : '') +
      writePeople(item.people) +
      item.transcripts.map(writeTranscript).join('') +
      writeChapters(item.chaptersUrl),
  );
}

/** Nothing is 0 seconds long: that would be a duration nobody knows. */
function wholeSeconds(seconds: number | undefined): number | undefined {
  return seconds ? Math.max(1, Math.round(seconds)) : undefined;
}

/** Apple takes no season or episode 0; the other namespace does. */
function writeNumbers({ season, episode, episodeType }: FeedItem): string {
  return (
    textElement('itunes:season', season || undefined) +
    textElement('podcast:season', season) +
    textElement('itunes:episode', episode || undefined) +
    textElement('podcast:episode', episode) +
    textElement('itunes:episodeType', episodeType)
  );
}

function writeTranscript({ url, type, language, rel }: FeedTranscript): string {
  return emptyElement('podcast:transcript', { url: asciiUrl(url), type, language, rel });
}

function writeChapters(url: string | undefined): string {
  if (url === undefined) return '';
  const type = 'application/json+chapters';
  return emptyElement('podcast:chapters', { url: asciiUrl(url), type });
}
