import { findSiteKey, type LiveSiteKey, listSitePodcastIds } from '../../access/keys/index.ts';
import { type AttemptLimit, consumeAttempt, lockUser } from '../../foundation/accounts/index.ts';
import { type Context, transact } from '../../foundation/context.ts';
import { DomainError } from '../../foundation/errors.ts';
import { requireScope } from '../../foundation/permissions/index.ts';
import { checkAddresses, checkApproval, type GivenAddresses } from './check-connection.ts';
import { type ConnectedSite, connectSite, notifyOfConnection } from './connect-site.ts';
import { enforceSiteLimit } from './connectable-shows.ts';
import { fetchChallenge } from './fetch-challenge.ts';
import type { SiteAddresses } from './site.ts';

export interface Registration extends GivenAddresses {
  /** 32 to 128 characters that the plugin has stored. */
  readonly state: string;
  /** base64url of the SHA-256 of the plugin's verifier. */
  readonly codeChallenge: string;
}

export interface RegisteredSite extends ConnectedSite {
  readonly siteUrl: string;
  /** The id of its key. */
  readonly expiresAt: Date;
}

/** Counts only attempts that make a request. */
const perUser: AttemptLimit = { name: 'site registration', most: 10, windowMs: 60_000 };

/**
 * Binds the acting, unregistered key to a site that proves itself: its plugin must answer the
 * challenge during this call. A repeated call while the site is pending gives a new ping secret; of
 * two concurrent calls the last one's secret is valid. Refuses what `requireRegistrable` says, a site
 * that does not respond (`challenge_unreachable`) or sends something else (`challenge_mismatch`),
 * the 51st site (`site_limit`), and the eleventh attempt in a minute (`rate_limited`).
 */
export async function registerSite(ctx: Context, input: Registration): Promise<RegisteredSite> {
  const { userId, key } = requireScope(ctx, 'site.act');
  const { value: found } = checkAddresses(input);
  const details = checkApproval(input);
  if (found === undefined || details.length > 0) {
    throw new DomainError('invalid', 'The site cannot be registered.', { details });
  }
  requireRegistrable(await findSiteKey(ctx, key.id), found);
  await enforceSiteLimit(ctx, { ...found, userId });
  await consumeAttempt(ctx, [perUser, userId]);
  await fetchChallenge(ctx, { ...input, restRoot: found.restRoot });
  return transact(ctx, async (tx) => {
    const user = await lockUser(tx, userId);
    // Read again: the key may have been revoked or registered during the challenge.
    const current = requireRegistrable(await findSiteKey(tx, key.id), found);
    const transcripts = key.scopes.includes('transcripts:read');
    const connected = await connectSite(tx, { ...found, userId, keyId: key.id, transcripts });
    const { siteUrl } = found;
    const { expiresAt } = key;
    if (current.site === undefined) {
      const podcastIds = await listSitePodcastIds(tx, { userId, keyId: key.id });
      await notifyOfConnection(tx, user, { siteUrl, podcastIds, expiresAt });
    }
    return { ...connected, siteUrl, expiresAt };
  });
}

/**
 * Refuses a key that has ended, that comes from an exchange, or that belongs to another site or to an
 * active one (`forbidden`), and one that names no show whose plan includes the API.
 */
function requireRegistrable(key: LiveSiteKey | undefined, { siteUrl }: SiteAddresses): LiveSiteKey {
  if (key === undefined) throw new DomainError('forbidden', 'This key has ended.');
  const { site, isForRegistration, reachesPlanWithApi } = key;
  if (!isForRegistration) {
    const message = 'This key comes from a code exchange, which has already connected its site.';
    throw new DomainError('forbidden', message);
  }
  if (site !== undefined && (site.status !== 'pending' || site.siteUrl !== siteUrl)) {
    throw new DomainError('forbidden', 'This key already belongs to a site.');
  }
  if (!reachesPlanWithApi) {
    const message = "The plans of this key's podcasts have lapsed or do not include the API.";
    throw new DomainError('plan_upgrade_required', message);
  }
  return key;
}
