import { Parser } from 'htmlparser2';

const MAX_LINKS = 10;
const FEED_TYPE = 'application/rss+xml';

/**
 * The URLs of the feeds that a web page names with `<link rel="alternate">`, those of podcasts
 * first. Takes linear time.
 */
export function findFeedLinks(html: string, pageUrl: string): string[] {
  const links = new Map<string, boolean>();
  let base = pageUrl;
  const parser = new Parser({
    onopentag(name, { href = '', rel = '', type = '', title = '' }) {
      if (name === 'base') base = URL.parse(href, pageUrl)?.href ?? base;
      if (name !== 'link' || links.size === MAX_LINKS) return;
      const isFeed =
        rel.toLowerCase().split(/\s+/).includes('alternate') &&
        type.trim().toLowerCase() === FEED_TYPE;
      const url = isFeed ? URL.parse(href.trim(), base) : null;
      if (url === null || !/^https?:$/.test(url.protocol)) return;
      links.set(url.href, /podcast/i.test(`${title} ${href}`));
    },
  });
  parser.end(html);
  return [...links].sort(([, one], [, other]) => Number(other) - Number(one)).map(([url]) => url);
}
