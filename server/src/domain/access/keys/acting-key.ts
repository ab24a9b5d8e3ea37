import { timingSafeEqual } from 'node:crypto';
import { hashApiKey } from '../../../lib/api-key.ts';
import { type Page, toPage } from '../../../lib/list-page.ts';
import { planNameOf } from '../../foundation/accounts/index.ts';
import type { Context } from '../../foundation/context.ts';
import { DomainError } from '../../foundation/errors.ts';
import { requireScope } from '../../foundation/permissions/index.ts';
import { type KeyPrincipal, requireKey } from '../../foundation/principal.ts';
import type { Resource } from '../../foundation/relation.ts';
import type { PodcastPosition } from '../../publishing/podcasts/index.ts';
import type { KeyPodcasts } from './key.ts';
import { selectKeyPrincipal } from './key-principals.sql.ts';
import { type ReachedPodcast, selectNamedPodcastIds, selectReachedPodcasts } from './reach.sql.ts';

/**
 * Finds the key with this secret, and its relation to the resource. Every request runs this one
 * statement, so a revoked right is gone with the next request. Undefined for a key that is unknown,
 * revoked or expired.
 */
export async function findKeyPrincipal(
  ctx: Context,
  secret: string,
  resource?: Resource,
): Promise<KeyPrincipal | undefined> {
  const hash = hashApiKey(secret);
  const found = await selectKeyPrincipal(ctx.db, hash, resource, ctx.clock.now());
  return found !== undefined && timingSafeEqual(found.hash, hash) ? found.principal : undefined;
}

/** Who a key belongs to, and what it is limited to. */
export interface KeyIdentity
  extends Pick<KeyPrincipal, 'kind' | 'userId' | 'key' | 'user' | 'site'> {
  /** Less what it was cut off from, and what its user has left. */
  readonly podcasts: KeyPodcasts;
  readonly planName: string;
}

/** Of the acting key. Throws `forbidden` until its user has accepted the current terms. */
export async function getKeyIdentity(ctx: Context): Promise<KeyIdentity> {
  const principal = requireKey(ctx);
  const { kind, userId, key, user, site } = principal;
  const { terms } = ctx.installation;
  if (terms !== undefined && user.acceptedTerms !== terms.version) {
    throw new DomainError('forbidden', 'The user has not accepted the current terms in the app.');
  }
  const podcasts = key.allPodcasts ? 'all' : await selectNamedPodcastIds(ctx.db, principal);
  return { kind, userId, key, user, site, podcasts, planName: planNameOf(user.plan) };
}

/**
 * Lists the podcasts for which `podcast.read` is allowed to the acting key at this moment, oldest
 * first.
 */
export async function listReachedPodcasts(
  ctx: Context,
  page: { readonly limit: number; readonly after?: PodcastPosition | undefined },
): Promise<Page<ReachedPodcast, PodcastPosition>> {
  const principal = requireScope(ctx, 'podcast.read');
  const rows = await selectReachedPodcasts(ctx.db, principal, { ...page, limit: page.limit + 1 });
  return toPage(rows, page.limit, ({ createdAt, id }) => ({ createdAt, id }));
}
