import { hash } from 'node:crypto';
import { carriesCredential } from '../../../../lib/credential.ts';

/** The limit of an index entry for keys and GUIDs. */
export const maxGuidBytes = 2000;

/** The required part of a feed's item. */
interface SourceItem {
  readonly guid: string | undefined;
  readonly enclosure: { readonly url: string } | undefined;
  readonly title?: string | undefined;
  readonly publishedAt?: Date | undefined;
}

/**
 * The key by which later imports recognize an item: its GUID, else its enclosure's URL, else a hash
 * of the rest. Never published. GUIDs are only trimmed.
 */
export function sourceKeyOf(item: SourceItem): string {
  if (item.guid !== undefined) return item.guid;
  const url = item.enclosure?.url;
  if (url !== undefined && Buffer.byteLength(url) <= maxGuidBytes) return `enclosure:${url}`;
  const said = [url, item.title, item.publishedAt?.toISOString()];
  return `item:${hash('sha256', JSON.stringify(said), 'hex')}`;
}

/**
 * The GUID in our feed: the item's, else the URL of its audio, as in apps. A GUID with a credential
 * is not published.
 */
export function feedGuidOf(
  guid: string | undefined,
  enclosureUrl: string | undefined,
): string | undefined {
  const wanted = guid ?? enclosureUrl;
  if (wanted === undefined || carriesCredential(wanted)) return undefined;
  return Buffer.byteLength(wanted) <= maxGuidBytes ? wanted : undefined;
}
