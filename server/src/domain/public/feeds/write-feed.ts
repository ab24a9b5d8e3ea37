import { feedGenerator } from '../../../lib/feed-generator.ts';
import { formatRfc2822 } from '../../../lib/time.ts';
import { asciiUrl } from '../../../lib/web-url.ts';
import type { FeedCategory, FeedChannel, FeedImage, FeedTrailer } from './feed.ts';
import {
  cutDescription,
  cutSubtitle,
  writeCard,
  writeExtraElements,
  writeImages,
  writePeople,
} from './write-parts.ts';
import { emptyElement, parentElement, textElement } from './xml.ts';

const NAMESPACES = [
  'xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"',
  'xmlns:podcast="https://podcastindex.org/namespace/1.0"',
  'xmlns:content="http://purl.org/rss/1.0/modules/content/"',
  'xmlns:psc="http://podlove.org/simple-chapters"',
  'xmlns:atom="http://www.w3.org/2005/Atom"',
].join(' ');

/**
 * Everything before the items. The feed is RSS 2.0 that meets the requirements of Apple, PSP-1 and
 * the Podcasting 2.0 namespace, and is always well-formed.
 */
export function writeFeedStart(channel: FeedChannel): string {
  const start = `<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0" ${NAMESPACES}>\n<channel>\n`;
  return start + writeChannel(channel);
}

export const feedEnd = '</channel>\n</rss>\n';

/** Writes the channel without its items, in the order of Apple's and PSP-1's tables. */
function writeChannel(channel: FeedChannel): string {
  return (
    writeLinks(channel) +
    textElement('title', channel.title) +
    textElement('link', asciiUrl(channel.linkUrl)) +
    textElement('description', cutDescription(channel.description) || channel.title) +
    textElement('language', channel.language) +
    textElement('copyright', channel.copyright) +
    textElement('lastBuildDate', formatRfc2822(channel.lastBuildAt)) +
    textElement('generator', feedGenerator) +
    writeApple(channel) +
    writePodcasting(channel) +
    writeExtraElements(channel.extraElements)
  );
}

function writeLinks({ selfUrl, hubUrls = [], paging }: FeedChannel): string {
  const link = (rel: string, url: string | undefined, type?: string): string =>
    url === undefined ? '' : emptyElement('atom:link', { rel, href: asciiUrl(url), type });
  const feed = 'application/rss+xml';
  return (
    link('self', selfUrl, feed) +
    hubUrls.map((hubUrl) => link('hub', hubUrl)).join('') +
    link('first', paging?.first, feed) +
    link('next', paging?.next, feed)
  );
}

function writeApple(channel: FeedChannel): string {
  const { owner, newFeedUrl } = channel;
  return (
    textElement('itunes:author', channel.author) +
    textElement('itunes:subtitle', cutSubtitle(channel.subtitle)) +
    writeImage(channel) +
    writeCategories(channel.categories) +
    textElement('itunes:explicit', channel.explicit) +
    textElement('itunes:type', channel.showType) +
    (owner === undefined
      ? ''
      : parentElement(
          'itunes:owner',
          {},
          textElement('itunes:name', owner.name) + textElement('itunes:email', owner.email),
        )) +
    textElement('itunes:new-feed-url', newFeedUrl && asciiUrl(newFeedUrl)) +
    textElement('itunes:block', channel.itunesBlock ? 'Yes' : undefined) +
    textElement('itunes:complete', channel.complete ? 'Yes' : undefined)
  );
}

function writeImage({ imageUrl, title, linkUrl }: FeedChannel): string {
  if (imageUrl === undefined) return '';
  const url = asciiUrl(imageUrl);
  const plain =
    textElement('url', url) + textElement('title', title) + textElement('link', asciiUrl(linkUrl));
  return emptyElement('itunes:image', { href: url }) + parentElement('image', {}, plain);
}

/** Groups subcategories by category. */
function writeCategories(categories: readonly FeedCategory[]): string {
  const within = new Map<string, string>();
  for (const { category, subcategory } of categories) {
    const inner = subcategory ? emptyElement('itunes:category', { text: subcategory }) : '';
    within.set(category, (within.get(category) ?? '') + inner);
  }
  return [...within]
    .map(([text, inner]) =>
      inner === ''
        ? emptyElement('itunes:category', { text })
        : parentElement('itunes:category', { text }, inner),
    )
    .join('');
}

function writePodcasting(channel: FeedChannel): string {
  const { funding, locked, lockedOwner } = channel;
  return (
    textElement('podcast:guid', channel.guid) +
    textElement('podcast:locked', locked ? 'yes' : 'no', { owner: lockedOwner }) +
    textElement('podcast:medium', channel.medium) +
    funding
      .map(({ url, text }) => textElement('podcast:funding', text || url, { url: asciiUrl(url) }))
      .join('') +
    (channel.usesPodping === true ? emptyElement('podcast:podping', { usesPodping: 'true' }) : '') +
    writeImages(channel.images) +
    writeCard(channel.cardUrl) +
    writeSources(channel.images) +
    writePeople(channel.people) +
    channel.trailers.map(writeTrailer).join('')
  );
}

/** The same for apps that know an earlier version of the namespace. */
function writeSources(images: readonly FeedImage[]): string {
  if (images.length === 0) return '';
  const srcset = images.map(({ url, width }) => `${asciiUrl(url)} ${width}w`).join(', ');
  return emptyElement('podcast:images', { srcset });
}

function writeTrailer(trailer: FeedTrailer): string {
  return textElement('podcast:trailer', trailer.title, {
    pubdate: formatRfc2822(trailer.publishedAt),
    url: asciiUrl(trailer.url),
    length: trailer.lengthBytes,
    type: trailer.type,
    season: trailer.season,
  });
}
