import { FileError } from '../../../../foundation/errors.ts';

export type FeedRefusal =
  | 'not_a_feed'
  | 'html'
  | 'atom_feed'
  | 'empty'
  | 'no_channel'
  | 'too_large'
  | 'too_many_items'
  | 'too_deep'
  | 'xml_entities';

/** A document that cannot be read at all. The message is public and says what to do. */
export class FeedError extends FileError<FeedRefusal> {}

/** A web page instead of a feed, with the URLs of the feeds that it names. */
export class WebPageError extends FeedError {
  readonly feeds: readonly string[];

  constructor(message: string, feeds: readonly string[]) {
    super('html', message);
    this.feeds = feeds;
  }
}

const HTML_ROOTS: ReadonlySet<string> = new Set(['html', 'head', 'body']);

function htmlError(): FeedError {
  return new FeedError(
    'html',
    'This is a web page, not a feed. Use the URL of the RSS feed itself.',
  );
}

/** Refuses root elements that cannot lead to a feed. */
export function refuseRoot(name: string): void {
  if (HTML_ROOTS.has(name)) throw htmlError();
  if (name === 'feed' || name === 'atom:feed') {
    throw new FeedError(
      'atom_feed',
      'This is an Atom feed; only RSS feeds can be imported. Most sites have both.',
    );
  }
  if (name === 'opml') {
    throw new FeedError(
      'not_a_feed',
      'This is an OPML list of podcasts, not a feed. Use the URL of one of its feeds.',
    );
  }
}

/**
 * A plain document type is harmless and ignored. One with declarations is refused: entities can
 * expand a document a thousandfold or read other files.
 */
export function refuseDeclaration(declaration: string): void {
  if (/^!doctype\s+html/i.test(declaration)) throw htmlError();
  const bare = declaration.replace(/"[^"]*"|'[^']*'/g, '');
  if (/^!(?:entity|element|attlist|notation)/i.test(bare) || /^!doctype[^[]*\[/i.test(bare)) {
    throw new FeedError(
      'xml_entities',
      'The feed declares its own XML entities (a document type with declarations), which is refused.',
    );
  }
}

/** Why there was no root element: `start` is the beginning of the document. */
export function explainMissingRoot(start: string): FeedError {
  const text = start.replace(/^\uFEFF/, '').trim();
  if (text === '') return new FeedError('empty', 'The document is empty: there is no feed in it.');
  if (text.startsWith('{') || text.startsWith('[')) {
    return new FeedError('not_a_feed', 'This is JSON, not an RSS feed.');
  }
  if (text.startsWith('\u001f') || text.startsWith('PK\u0003')) {
    return new FeedError('not_a_feed', 'This is a compressed file, not an RSS feed.');
  }
  return new FeedError('not_a_feed', 'This is not an RSS feed: it has no <rss> element.');
}
