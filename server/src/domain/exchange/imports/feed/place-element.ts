import type { FeedLevel } from '../../../publishing/podcasts/index.ts';
import { endsOpenText, useOfElement } from './feed-element.ts';

/**
 * What an element is to us, by where it stands:
 * `outside` before the root · `root` rss · `channel` · `item` · `container` and `text` are kept ·
 * `html` is markup within a text · `extra` is passed on, `skipped` left out, with all that is in it.
 */
export type Place =
  | 'outside'
  | 'root'
  | 'channel'
  | 'item'
  | 'container'
  | 'text'
  | 'html'
  | 'extra'
  | 'skipped';

const ROOTS: ReadonlySet<string> = new Set(['rss', 'rdf:rdf']);

/**
 * At the top of the document everything is outside. An item begins wherever `item` opens, whatever
 * element is still open; RSS 0.9 and 1.0 have items beside the channel.
 */
export function placeElement(parent: Place, name: string, level: FeedLevel): Place {
  if (parent === 'outside') {
    if (ROOTS.has(name)) return 'root';
    return name === 'channel' ? 'channel' : 'outside';
  }
  if (name === 'item') return 'item';
  switch (parent) {
    case 'root':
      return name === 'channel' ? 'channel' : 'skipped';
    case 'text':
    case 'html':
      return endsOpenText(name) ? useOf(name, level) : 'html';
    case 'extra':
    case 'skipped':
      return parent;
    default:
      return useOf(name, level);
  }
}

function useOf(name: string, level: FeedLevel): Place {
  const use = useOfElement(name, level);
  return use === 'none' ? 'skipped' : use;
}
