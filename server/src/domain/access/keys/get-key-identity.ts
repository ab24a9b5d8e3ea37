import { planNameOf } from '../../foundation/accounts/index.ts';
import type { Context } from '../../foundation/context.ts';
import { DomainError } from '../../foundation/errors.ts';
import { type KeyPrincipal, requireKey } from '../../foundation/principal.ts';
import type { KeyPodcasts } from './key.ts';
import { selectNamedPodcastIds } from './reach.sql.ts';

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
