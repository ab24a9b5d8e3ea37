import { formatRfc2822 } from '../../lib/time.ts';
import type { FeedCategory, FeedChannel, FeedTrailer } from './feed.ts';
import { asciiUrl, cutDescription } from './feed-text.ts';
import { writePeople } from './write-person.ts';
import { emptyElement, parentElement, textElement } from './xml.ts';

const GENERATOR = 'Podstead';

/** What a channel holds besides its items, in the order of Apple's and PSP-1's tables. */
export function writeChannel(channel: FeedChannel): string {
  return (
    writeLinks(channel) +
    textElement('title', channel.title) +
    textElement('link', asciiUrl(channel.linkUrl)) +
    textElement('description', cutDescription(channel.description) || channel.title) +
    textElement('language', channel.language) +
    textElement('copyright', channel.copyright) +
    textElement('lastBuildDate', formatRfc2822(channel.lastBuildAt)) +
    textElement('generator', GENERATOR) +
    writeApple(channel) +
    writePodcasting(channel)
  );
}

function writeLinks({ selfUrl, hubUrl, paging }: FeedChannel): string {
  const link = (rel: string, url: string | undefined, type?: string): string =>
    url === undefined ? '' : emptyElement('atom:link', { rel, href: asciiUrl(url), type });
  const feed = 'application/rss+xml';
  return (
    link('self', selfUrl, feed) +
    link('hub', hubUrl) +
    link('first', paging?.first, feed) +
    link('previous', paging?.previous, feed) +
    link('next', paging?.next, feed) +
    link('last', paging?.last, feed)
  );
}

function writeApple(channel: FeedChannel): string {
  const { owner, newFeedUrl } = channel;
  return (
    textElement('itunes:author', channel.author) +
    writeImage(channel) +
    channel.categories.map(writeCategory).join('') +
    textElement('itunes:explicit', channel.explicit) +
    textElement('itunes:type', channel.showType) +
    (owner === undefined
      ? ''
      : parentElement(
          'itunes:owner',
          {},
          textElement('itunes:name', owner.name) + textElement('itunes:email', owner.email),
        )) +
    textElement('itunes:new-feed-url', newFeedUrl && asciiUrl(newFeedUrl))
  );
}

function writeImage({ imageUrl, title, linkUrl }: FeedChannel): string {
  if (imageUrl === undefined) return '';
  const url = asciiUrl(imageUrl);
  const plain =
    textElement('url', url) + textElement('title', title) + textElement('link', asciiUrl(linkUrl));
  return emptyElement('itunes:image', { href: url }) + parentElement('image', {}, plain);
}

function writeCategory({ category, subcategory }: FeedCategory): string {
  if (!subcategory) return emptyElement('itunes:category', { text: category });
  const inner = emptyElement('itunes:category', { text: subcategory });
  return parentElement('itunes:category', { text: category }, inner);
}

function writePodcasting(channel: FeedChannel): string {
  const { funding, locked, lockedOwner } = channel;
  return (
    textElement('podcast:guid', channel.guid) +
    textElement('podcast:locked', locked ? 'yes' : 'no', { owner: lockedOwner }) +
    textElement('podcast:medium', 'podcast') +
    (funding === undefined
      ? ''
      : textElement('podcast:funding', funding.text || funding.url, {
          url: asciiUrl(funding.url),
        })) +
    writePeople(channel.people) +
    channel.trailers.map(writeTrailer).join('') +
    emptyElement('podcast:podping', { usesPodping: channel.usesPodping })
  );
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
