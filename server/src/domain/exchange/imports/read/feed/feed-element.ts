import { isOwnElement } from '../../../../publishing/podcasts/extra-elements/index.ts';
import type { FeedLevel } from '../../../../publishing/podcasts/index.ts';

/** A complete element of a feed that we know. */
export interface FeedElement {
  /** As `canonicalName` gives it. */
  readonly name: string;
  /** Names in lower case; the first of repeated attributes. */
  readonly attributes: ReadonlyMap<string, string>;
  /** References are resolved. Unescaped HTML in the text is included as markup. */
  readonly text: string;
  /**
   * Some of the text was in CDATA. There XML knows no references, but most feeds use them by
   * mistake.
   */
  readonly hasCdata: boolean;
  readonly children: readonly FeedElement[];
}

/** Elements that contain elements; all others that we keep contain text. */
const CONTAINERS: ReadonlySet<string> = new Set([
  'image',
  'itunes:owner',
  'itunes:category',
  'atom:author',
  'atom:contributor',
  'psc:chapters',
  'media:group',
]);

const TEXTS: ReadonlySet<string> = new Set([
  ...['title', 'link', 'description', 'language', 'copyright', 'url', 'generator'],
  ...['guid', 'pubdate', 'enclosure'],
  ...['itunes:title', 'itunes:subtitle', 'itunes:summary', 'itunes:author', 'itunes:name'],
  ...['itunes:email', 'itunes:image', 'itunes:explicit', 'itunes:type', 'itunes:new-feed-url'],
  ...['itunes:complete', 'itunes:block', 'itunes:duration', 'itunes:season', 'itunes:episode'],
  'itunes:episodetype',
  ...['googleplay:author', 'googleplay:image', 'googleplay:explicit', 'googleplay:description'],
  'googleplay:owner',
  ...['content:encoded', 'atom:link', 'atom:name', 'atom:uri', 'atom:published'],
  'atom:updated',
  ...['dc:creator', 'dc:date', 'dc:language'],
  ...['psc:chapter', 'media:content'],
]);

/** `extra`: of the Podcasting 2.0 namespace, and passed on with its content. */
export type ElementUse = 'container' | 'text' | 'extra' | 'none';

export function useOfElement(name: string, level: FeedLevel): ElementUse {
  if (CONTAINERS.has(name)) return 'container';
  if (TEXTS.has(name)) return 'text';
  if (!name.startsWith(PODCAST)) return 'none';
  return isOwnElement(level, name.slice(PODCAST.length)) ? 'text' : 'extra';
}

const PODCAST = 'podcast:';

const NEVER_IN_HTML = new Set(['guid', 'pubdate', 'enclosure', 'description']);

/**
 * True for elements that are not HTML: if one opens in a text, the text was left open by mistake.
 */
export function endsOpenText(name: string): boolean {
  const isOurs = name.startsWith(PODCAST) || CONTAINERS.has(name) || TEXTS.has(name);
  return isOurs && (name.includes(':') || NEVER_IN_HTML.has(name));
}

export function childrenNamed(element: FeedElement, name: string): FeedElement[] {
  return element.children.filter((child) => child.name === name);
}

export function childNamed(element: FeedElement, name: string): FeedElement | undefined {
  return element.children.find((child) => child.name === name);
}
