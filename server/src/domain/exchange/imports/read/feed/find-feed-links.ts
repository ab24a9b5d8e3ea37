import { Parser } from 'htmlparser2';
import { tryParseJson } from '../../../../../lib/parse-json.ts';

const MAX_LINKS = 10;
const FEED_TYPE = 'application/rss+xml';
/** In the data that a page gives to its own scripts, as Apple Podcasts does. */
const feedUrlInData = /"feedUrl"\s*:\s*("https?:[^"\s]{1,2000}")/g;

/** What says that a URL is that of a feed, the most certain first. */
type Evidence = 'podcast' | 'feed' | 'data' | 'button';
const order: readonly Evidence[] = ['podcast', 'feed', 'data', 'button'];

/**
 * The URLs of the feeds that a web page names, at most ten: with `<link rel="alternate">`, those of podcasts
 * first, then in its data, as pages of Apple Podcasts do, and last with a link called “RSS”, as pages of
 * Podcast Index have when a browser saves them. Without `pageUrl`, absolute ones. Takes linear time.
 */
export function findFeedLinks(html: string, pageUrl?: string): string[] {
  const links = new Map<string, Evidence>();
  let base = pageUrl;
  let isInScript = false;
  const add = (href: string, evidence: Evidence) => {
    const url = URL.parse(href.trim(), base);
    if (url === null || !/^https?:$/.test(url.protocol)) return;
    if (!links.has(url.href) && links.size < MAX_LINKS) links.set(url.href, evidence);
  };
  const parser = new Parser({
    onopentag(name, { href = '', rel = '', type = '', title = '' }) {
      isInScript = name === 'script';
      if (name === 'base') base = URL.parse(href, pageUrl)?.href ?? base;
      if (name === 'link' && isAlternate(rel) && type.trim().toLowerCase() === FEED_TYPE)
        add(href, /podcast/i.test(`${title} ${href}`) ? 'podcast' : 'feed');
      if (name === 'a' && /^\s*rss(?:\s+feed)?\s*$/i.test(title)) add(href, 'button');
    },
    ontext(text) {
      if (!isInScript) return;
      for (const [, quoted] of text.matchAll(feedUrlInData)) {
        const url = tryParseJson(quoted ?? '');
        if (typeof url === 'string') add(url, 'data');
      }
    },
    onclosetag() {
      isInScript = false;
    },
  });
  parser.end(html);
  return [...links]
    .sort(([, one], [, other]) => order.indexOf(one) - order.indexOf(other))
    .map(([url]) => url);
}

function isAlternate(rel: string): boolean {
  return rel.toLowerCase().split(/\s+/).includes('alternate');
}
