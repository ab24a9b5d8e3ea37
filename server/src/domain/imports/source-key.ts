import { hash } from 'node:crypto';

const longestKeyBytes = 2000;

/** As much of a feed's item as it takes. */
interface SourceItem {
  readonly guid: string | undefined;
  readonly enclosure: { readonly url: string } | undefined;
  readonly title?: string | undefined;
  readonly publishedAt?: Date | undefined;
}

/**
 * What a later run of the import recognises an item by: its GUID, else its enclosure's address,
 * else what little there is. Never shown to anyone. A GUID is trimmed already and nothing else.
 */
export function sourceKeyOf(item: SourceItem): string {
  if (item.guid !== undefined) return item.guid;
  const url = item.enclosure?.url;
  // The key is indexed, and an index holds no more than this.
  if (url !== undefined && Buffer.byteLength(url) <= longestKeyBytes) return `enclosure:${url}`;
  const said = [url, item.title, item.publishedAt?.toISOString()];
  return `item:${hash('sha256', JSON.stringify(said), 'hex')}`;
}
