import { formatPlayTime } from '../../../lib/duration.ts';
import { isFractionalNumber } from '../../../lib/fractional-number.ts';
import { formatRfc2822 } from '../../../lib/time.ts';
import { asciiUrl } from '../../../lib/web-url.ts';
import type { FeedItem, FeedTranscript } from './feed.ts';
import {
  cutDescription,
  cutSubtitle,
  writeCard,
  writeExtraElements,
  writeImages,
  writePeople,
} from './write-parts.ts';
import { cdataElement, emptyElement, parentElement, textElement } from './xml.ts';

/** Writes one `<item>`; every line ends with a newline. */
export function writeItem(item: FeedItem): string {
  return parentElement(
    'item',
    {},
    textElement('title', item.title) +
      textElement('itunes:title', item.itunesTitle ?? item.title) +
      textElement('guid', item.guid, { isPermaLink: item.guidIsPermalink }) +
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
      textElement('itunes:block', item.itunesBlock ? 'Yes' : undefined) +
      textElement('itunes:subtitle', cutSubtitle(item.subtitle)) +
      textElement('description', cutDescription(item.description)) +
      cdataElement('content:encoded', item.contentHtml) +
      (item.imageUrl ? emptyElement('itunes:image', { href: asciiUrl(item.imageUrl) }) : '') +
      writeImages(item.images) +
      writeCard(item.cardUrl) +
      writePeople(item.people) +
      item.transcripts.map(writeTranscript).join('') +
      writeChapters(item.chaptersUrl) +
      writeSimpleChapters(item.chapters) +
      writeExtraElements(item.extraElements),
  );
}

/** A duration of 0 is unknown. */
function wholeSeconds(seconds: number | undefined): number | undefined {
  return seconds ? Math.max(1, Math.round(seconds)) : undefined;
}

/** Apple accepts no season or episode 0; the other namespace does. */
function writeNumbers(item: FeedItem): string {
  const { season, seasonName: name, episode, episodeDisplay: display } = item;
  const isFraction = episode === undefined && isFractionalNumber(display);
  return (
    textElement('itunes:season', season || undefined) +
    textElement('podcast:season', season, { name }) +
    textElement('itunes:episode', episode || undefined) +
    (isFraction
      ? textElement('podcast:episode', display)
      : textElement('podcast:episode', episode, { display })) +
    textElement('itunes:episodeType', item.episodeType)
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

/** Podlove Simple Chapters 1.2. */
function writeSimpleChapters(chapters: FeedItem['chapters']): string {
  if (chapters.length === 0) return '';
  const elements = chapters.map(({ startMs, title, linkUrl, imageUrl }) =>
    emptyElement('psc:chapter', {
      start: formatPlayTime(startMs),
      title,
      href: linkUrl && asciiUrl(linkUrl),
      image: imageUrl && asciiUrl(imageUrl),
    }),
  );
  return parentElement('psc:chapters', { version: '1.2' }, elements.join(''));
}
