import { v5, v7 } from 'uuid';
import { trimEndOf } from './trim-end.ts';

/** The pattern of a UUID, as a regular expression without anchors. */
export const uuidPattern = '[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}';
const FORM = new RegExp(`^${uuidPattern}$`);
/** The Podcasting 2.0 namespace for `podcast:guid`. */
const PODCAST_NAMESPACE = 'ead4c236-bf58-58c6-a2c6-a6b28d128cb6';

/** The one before all others. */
export const nilId = '00000000-0000-0000-0000-000000000000';

/** A UUIDv7: rows created together are close in an index. */
export function newId(): string {
  return v7();
}

/** True for a UUID of any version, in either case. */
export function isUuid(text: string): boolean {
  return text.length === 36 && FORM.test(text);
}

/**
 * The GUID of the podcast first published at this feed URL, without scheme and trailing slashes.
 */
export function podcastGuid(feedUrl: string): string {
  const name = feedUrl.replace(/^[a-z][a-z0-9+.-]*:\/\//i, '');
  return v5(trimEndOf(name, '/'), PODCAST_NAMESPACE);
}
