import { v5, v7 } from 'uuid';

const FORM = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** Of the Podcasting 2.0 namespace's `podcast:guid`. */
const PODCAST_NAMESPACE = 'ead4c236-bf58-58c6-a2c6-a6b28d128cb6';

/** A UUIDv7: rows made one after another lie beside each other in an index. */
export function newId(): string {
  return v7();
}

/** The form of a UUID of any version, in either case (decisions.md §2). */
export function isUuid(text: string): boolean {
  return text.length === 36 && FORM.test(text);
}

/** The GUID of the podcast first published at this feed address, less its scheme and last `/`s. */
export function podcastGuid(feedUrl: string): string {
  const name = feedUrl.replace(/^[a-z][a-z0-9+.-]*:\/\//i, '');
  let end = name.length;
  while (name[end - 1] === '/') end -= 1;
  return v5(name.slice(0, end), PODCAST_NAMESPACE);
}
