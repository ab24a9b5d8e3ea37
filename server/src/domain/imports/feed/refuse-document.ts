import { FeedError } from './feed-error.ts';

const HTML_ROOTS: ReadonlySet<string> = new Set(['html', 'head', 'body']);

function htmlError(): FeedError {
  return new FeedError(
    'html',
    'This is a web page, not a feed; give the address of the RSS feed itself.',
  );
}

/** Refuses what stands where the root should and is known not to lead to a feed. */
export function refuseRoot(name: string): void {
  if (HTML_ROOTS.has(name)) throw htmlError();
  if (name === 'feed' || name === 'atom:feed') {
    throw new FeedError(
      'atom_feed',
      'This is an Atom feed; only RSS feeds can be imported. Most sites that have one have the other.',
    );
  }
  if (name === 'opml') {
    throw new FeedError(
      'not_a_feed',
      'This is an OPML list of podcasts, not a feed; give the address of one feed in it.',
    );
  }
}

/**
 * A document type alone does no harm and is not followed. One that declares anything of its own is
 * refused: entities are how an XML document grows a thousandfold or reads files it should not.
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

/** Why there was no root: `start` is the first text of the document. */
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
