import { tryNormalizeLink } from '../../../lib/html/link.ts';
import { type ExtraElement, readElements } from '../../publishing/podcasts/index.ts';

/** It is the key of a row, and an index has no longer ones. */
const longestUrl = 2000;

/** The post in the fediverse that an episode names first; undefined if it names none. */
export function findPostUrl(elements: readonly ExtraElement[]): string | undefined {
  const { socialInteract: posts = [] } = readElements('episode', elements);
  const inOrder = posts
    .filter(({ protocol }) => protocol === 'activitypub')
    .toSorted((one, other) => Number(one['priority'] ?? 0) - Number(other['priority'] ?? 0));
  for (const { uri } of inOrder) {
    const link = tryNormalizeLink(String(uri ?? ''), ['https:', 'http:']);
    if (link === undefined) continue;
    const url = new URL(link);
    url.hash = '';
    if (url.href.length <= longestUrl) return url.href;
  }
  return undefined;
}

/** Pages of posts: Mastodon and its relatives, GoToSocial, Pleroma and Akkoma. */
const statusPaths = [
  /^(?:\/web|\/deck)?\/@[^/]+\/(?:statuses\/)?(\w{1,64})\/?$/,
  /^\/(?:ap\/)?users\/[^/]+\/statuses\/(\w{1,64})\/?$/,
  /^\/notice\/(\w{1,64})\/?$/,
];

export interface StatusRef {
  readonly id: string;
  /** `GET /api/v1/statuses/:id/context` of Mastodon's API, which servers of many kinds have. */
  readonly contextUrl: string;
}

/** Undefined: the page is not that of a server with Mastodon's API. */
export function findStatus(postUrl: string): StatusRef | undefined {
  const { origin, pathname } = new URL(postUrl);
  for (const path of statusPaths) {
    const id = path.exec(pathname)?.[1];
    if (id !== undefined) return { id, contextUrl: `${origin}/api/v1/statuses/${id}/context` };
  }
  return undefined;
}
