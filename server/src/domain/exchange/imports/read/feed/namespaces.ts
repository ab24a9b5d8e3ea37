import { trimEndOf } from '../../../../../lib/trim-end.ts';

/** The known namespaces in scope: prefix → the usual prefix of that namespace. */
export type NamespaceScope = ReadonlyMap<string, string>;

/** The beginnings of all its addresses, including that of its repository. */
const PODCAST = ['podcastindex.org/namespace', 'github.com/podcastindex-org/podcast-namespace'];

/** Addresses without scheme and trailing slash, in lower case, because feeds differ in these. */
const KNOWN: ReadonlyMap<string, string> = new Map([
  ['www.itunes.com/dtds/podcast-1.0.dtd', 'itunes'],
  ['itunes.com/dtds/podcast-1.0.dtd', 'itunes'],
  ['purl.org/rss/1.0/modules/content', 'content'],
  ['www.w3.org/2005/atom', 'atom'],
  ['purl.org/atom/ns', 'atom'],
  ['podlove.org/simple-chapters', 'psc'],
  ['search.yahoo.com/mrss', 'media'],
  ['www.rssboard.org/media-rss', 'media'],
  ['www.google.com/schemas/play-podcasts/1.0', 'googleplay'],
  ['purl.org/dc/elements/1.1', 'dc'],
]);

/** What a prefix means if it is not declared, or declared with an unknown address. */
const USUAL: NamespaceScope = new Map([
  ['itunes', 'itunes'],
  ['podcast', 'podcast'],
  ['content', 'content'],
  ['atom', 'atom'],
  ['atom10', 'atom'],
  ['a10', 'atom'],
  ['psc', 'psc'],
  ['media', 'media'],
  ['googleplay', 'googleplay'],
  ['dc', 'dc'],
]);

/** Longer addresses are unknown, and not compared. */
const MAX_ADDRESS_CHARS = 200;

/** A scope is copied by each element with a declaration, so it must stay small. */
const MAX_DECLARATIONS = 32;

export const NO_NAMESPACES: NamespaceScope = new Map();

function knownPrefix(address: string): string | undefined {
  if (address.length > MAX_ADDRESS_CHARS) return undefined;
  const lower = address.trim().toLowerCase();
  const bare = trimEndOf(lower.replace(/^https?:\/\//, ''), '/#');
  return PODCAST.some((start) => bare.startsWith(start)) ? 'podcast' : KNOWN.get(bare);
}

/** The scope inside an element with these attributes (names and values as written). */
export function declareNamespaces(
  outer: NamespaceScope,
  attributes: Readonly<Record<string, string>>,
): NamespaceScope {
  let scope: Map<string, string> | undefined;
  for (const name of Object.keys(attributes)) {
    if (!name.startsWith('xmlns')) continue;
    const prefix = name === 'xmlns' ? '' : name.slice('xmlns:'.length).toLowerCase();
    const known = knownPrefix(attributes[name] ?? '');
    scope ??= new Map(outer);
    if (known === undefined) scope.delete(prefix);
    else if (scope.size < MAX_DECLARATIONS) scope.set(prefix, known);
  }
  return scope ?? outer;
}

/**
 * The name of an element as we use it, in lower case: `title`, `itunes:author`, `podcast:person`,
 * whatever prefix the feed uses. An unknown prefix stays as it is.
 */
export function canonicalName(scope: NamespaceScope, rawName: string): string {
  const name = rawName.toLowerCase();
  const colon = name.indexOf(':');
  const prefix = colon === -1 ? '' : name.slice(0, colon);
  const local = colon === -1 ? name : name.slice(colon + 1);
  const known = scope.get(prefix) ?? USUAL.get(prefix) ?? prefix;
  return known === '' ? local : `${known}:${local}`;
}

/** The same name for people and for our feed: our prefix, and the rest as it was written. */
export function writtenName(canonical: string, rawName: string): string {
  const colon = canonical.indexOf(':');
  const prefix = colon === -1 ? '' : canonical.slice(0, colon + 1);
  return prefix + rawName.slice(rawName.indexOf(':') + 1);
}
