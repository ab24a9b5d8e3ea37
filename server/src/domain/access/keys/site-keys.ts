import { maxChars } from '../../../lib/limits.ts';
import { newId } from '../../../lib/uuid.ts';
import type { Context } from '../../foundation/context.ts';
import type { Scope } from '../../foundation/enumerations.ts';
import { namePodcasts } from './change-keys.ts';
import { alreadyExists, issueSecret } from './create-key.ts';
import { siteKeyDays } from './key.ts';
import { type LiveSiteKey, selectLiveSiteKey } from './key-principals.sql.ts';
import {
  deleteNamedPodcasts,
  insertKey,
  lockKey,
  lockKeys,
  revokeKeys,
  updateKeyName,
} from './keys.sql.ts';
import { selectNamedPodcastIds } from './reach.sql.ts';

export interface NewSiteKey {
  /** The client may choose it, so that a repeated request makes one key; default: a new id. */
  readonly id?: string | undefined;
  readonly userId: string;
  /** The site's address, or what its owner calls it until it is registered. */
  readonly name: string;
  readonly podcastIds: readonly string[];
  readonly transcripts: boolean;
  /** Made for a command line, where a site registers it. */
  readonly forRegistration?: boolean;
}

/** A site's key with its secret, which is never shown again. */
export interface IssuedSiteKey {
  readonly id: string;
  readonly secret: string;
  readonly scopes: readonly Scope[];
  readonly expiresAt: Date;
}

/**
 * Makes the key of a site, for a year. Its caller has checked that the user may connect the
 * podcasts, and has locked the user.
 */
export async function issueSiteKey(tx: Context, input: NewSiteKey): Promise<IssuedSiteKey> {
  const { userId, podcastIds, transcripts, forRegistration = false } = input;
  const id = input.id?.toLowerCase() ?? newId();
  const createdAt = tx.clock.now();
  const scopes: readonly Scope[] = [
    'podcasts:read',
    'episodes:read',
    ...(transcripts ? (['transcripts:read'] as const) : []),
    'sites:write',
  ];
  const isNew = await insertKey(tx.db, {
    ...{ id, userId, scopes, createdAt, forRegistration },
    kind: 'site',
    name: input.name.slice(0, maxChars.keyName),
    allPodcasts: false,
  });
  if (!isNew) throw alreadyExists();
  await namePodcasts(tx, { id, userId }, podcastIds);
  const expiresInDays = siteKeyDays;
  const { secret, expiresAt } = await issueSecret(tx, { keyId: id, createdAt, expiresInDays });
  return { id, secret, scopes, expiresAt };
}

/** Ends a site's key, from the next request on. Its caller has locked the user. */
export async function revokeSiteKey(tx: Context, keyId: string): Promise<void> {
  await revokeKeys(tx.db, [keyId], tx.clock.now());
}

/**
 * A site's key that works, and the site that it belongs to, if any. In a transaction that has locked
 * the user, nobody else changes either until it ends.
 */
export async function findSiteKey(ctx: Context, keyId: string): Promise<LiveSiteKey | undefined> {
  return selectLiveSiteKey(ctx.db, keyId, ctx.clock.now());
}

/**
 * Names a site's key after its site and ends the key that it replaces, if any. Its caller has locked
 * the user. A cut-off locks keys without locking their users.
 */
export async function bindSiteKey(
  tx: Context,
  binding: {
    readonly keyId: string;
    readonly siteUrl: string;
    readonly replacedId: string | undefined;
  },
): Promise<void> {
  const { keyId, siteUrl, replacedId } = binding;
  await lockKeys(tx.db, [keyId, ...(replacedId === undefined ? [] : [replacedId])]);
  await updateKeyName(tx.db, keyId, siteUrl.slice(0, maxChars.keyName));
  if (replacedId !== undefined) await revokeSiteKey(tx, replacedId);
}

/** The podcasts of a site, less those that its key was cut off from or its user has left. */
export async function listSitePodcastIds(
  ctx: Context,
  { userId, keyId }: { readonly userId: string; readonly keyId: string },
): Promise<string[]> {
  return selectNamedPodcastIds(ctx.db, { userId, key: { id: keyId } });
}

/** Its caller has checked that the user may connect what is added, and has locked the user. */
export async function changeSitePodcasts(
  tx: Context,
  { keyId, userId }: { readonly keyId: string; readonly userId: string },
  { added, removed }: { readonly added: readonly string[]; readonly removed: readonly string[] },
): Promise<void> {
  // A cut-off locks keys without locking their users.
  await lockKey(tx.db, keyId);
  await deleteNamedPodcasts(tx.db, keyId, removed);
  await namePodcasts(tx, { id: keyId, userId }, added);
}
