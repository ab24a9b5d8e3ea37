import { isEmail } from '../../../../lib/email-address.ts';
import { trimEndOf } from '../../../../lib/trim-end.ts';
import { getUser, tagOf } from '../../../foundation/accounts/index.ts';
import type { Context } from '../../../foundation/context.ts';
import { isFeedProved } from '../proof/feed-proofs.sql.ts';
import { refuseImport } from '../refuse-import.ts';
import type { ParsedPodcast } from './feed/parsed-feed.ts';
import type { FetchedDocument } from './fetch-document.ts';

export interface LockRules {
  /** The operator ignores the feed's lock. */
  readonly ignore: boolean;
  /** The user who may have proved ownership of the feed. */
  readonly ownerId: string;
}

type LockedFeed = Pick<FetchedDocument, 'feed' | 'address'>;

/** Throws feed_locked. Returns a note for the report if a lock was overridden. */
export async function checkLock(
  ctx: Context,
  { feed, address }: LockedFeed,
  { ignore, ownerId }: LockRules,
): Promise<string | undefined> {
  if (feed.podcast.locked?.locked !== true) return undefined;
  if (ignore) return 'The feed is locked (podcast:locked); the operator ignored it.';
  const email = lockOwnerOf(feed.podcast);
  if (
    email !== undefined &&
    (await isFeedOwner(ctx, ownerId, { url: address?.permanent, email }))
  ) {
    return 'The feed is locked (podcast:locked); the user has proved to be its owner.';
  }
  throw refuseImport(
    'feed_locked',
    'The feed is locked (podcast:locked). Its owner can unlock it at its current host, or prove ownership ' +
      'with a code sent to the email address in the feed.',
  );
}

/** The address for the code; undefined if the feed names none. */
export function lockOwnerOf({ locked, ownerEmail }: ParsedPodcast): string | undefined {
  return [locked?.owner, ownerEmail].find((email) => email !== undefined && isEmail(email));
}

/**
 * Whether the user has proved to be the feed's owner: with a code for this feed, or because the
 * owner's address is the user's own, which was confirmed when it was set.
 */
export async function isFeedOwner(
  ctx: Context,
  userId: string,
  feed: { readonly url: string | undefined; readonly email: string },
): Promise<boolean> {
  const user = await getUser(ctx, userId);
  if (user.email.toLowerCase() === feed.email.toLowerCase()) return true;
  if (feed.url === undefined) return false;
  return await isFeedProved(ctx.db, userId, tagFeed(ctx, feed.url, feed.email));
}

/** The tag of a feed and its owner; another URL or owner gives another tag. */
export function tagFeed(ctx: Context, url: string, email: string): Buffer {
  return tagOf(ctx, 'feed-owner', comparable(url), email.toLowerCase());
}

/** Ignores the scheme, `www.` and a trailing slash. */
export function comparable(address: string): string {
  const url = URL.parse(address);
  if (url === null) return address;
  const path = trimEndOf(url.pathname, '/');
  return `${url.host.replace(/^www\./, '')}${path}${url.search}`;
}
