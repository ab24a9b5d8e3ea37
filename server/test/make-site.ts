import { createHash } from 'node:crypto';
import {
  approveConnection,
  checkConnection,
  createUnregisteredSiteKey,
  exchangeCode,
  listConnectableShows,
  pluginUrl,
  requireOwnSite,
  type UnregisteredSiteKey,
  verifySite,
} from '../src/domain/exchange/sites/index.ts';
import type { Context } from '../src/domain/foundation/context.ts';
import { anyone } from '../src/domain/foundation/principal.ts';
import type { Podcast } from '../src/domain/publishing/podcasts/index.ts';
import { newSecretToken } from '../src/lib/secret-token.ts';
import { newId } from '../src/lib/uuid.ts';
import { actWithKey } from './act-with-key.ts';

interface MadeSite {
  readonly siteId: string;
  readonly siteUrl: string;
  /** The address that receives pings. */
  readonly pingUrl: string;
  readonly keyId: string;
  /** The secret of its key. */
  readonly secret: string;
  readonly pingSecret: string;
  /** Acts as the site. */
  readonly ctx: Context;
}

/** The versions that every plugin here reports. */
const versions = { plugin: '1.0.0', wordpress: '6.9', php: '8.4.1' };

/**
 * Connects a site to shows of `user`, as plugins do; by default, it becomes active. Without
 * `podcasts`, connects all shows that the user can connect.
 */
export async function makeSite(
  ctx: Context,
  user: { readonly id: string },
  podcasts?: readonly Pick<Podcast, 'id'>[],
  options: {
    readonly transcripts?: boolean;
    readonly active?: boolean;
    readonly siteUrl?: string;
    readonly restRoot?: string;
  } = {},
): Promise<MadeSite> {
  const { transcripts = false, active = true, siteUrl = newSiteUrl() } = options;
  const { restRoot = `${siteUrl}wp-json/` } = options;
  const asUser: Context = { ...ctx, principal: { kind: 'user', userId: user.id } };
  const shows =
    podcasts ??
    (await listConnectableShows(asUser, { limit: 1_000 })).items.filter((show) => !show.obstacle);
  const codeVerifier = newSecretToken();
  const request = checkConnection({
    siteUrl,
    restRoot,
    redirectUri: `${siteUrl}wp-admin/admin.php?page=podstead`,
    state: newSecretToken(),
    codeChallenge: challengeOf(codeVerifier),
    codeChallengeMethod: 'S256',
  });
  if (request.value === undefined) throw new Error(JSON.stringify(request.details));
  const podcastIds = shows.map(({ id }) => id);
  const approval = { ...request.value, userId: user.id, podcastIds, transcripts };
  const { code } = await approveConnection(asUser, approval);
  const exchange = { code, codeVerifier };
  const connected = await exchangeCode({ ...ctx, principal: anyone }, exchange);
  const { siteId, apiKey: secret, pingSecret } = connected;
  if (active) await verifySite(await actWithKey(ctx, secret), { siteId, versions });
  const acting = await actWithKey(ctx, secret);
  const { keyId } = requireOwnSite(acting, 'site.act', siteId);
  const pingUrl = pluginUrl(restRoot, 'ping');
  return { siteId, siteUrl, pingUrl, keyId, secret, pingSecret, ctx: acting };
}

/** A key that waits for its site's registration. */
export function makeUnregisteredKey(
  ctx: Context,
  user: { readonly id: string },
  podcasts: readonly Pick<Podcast, 'id'>[],
  options: { readonly transcripts?: boolean; readonly currentPassword?: string } = {},
): Promise<UnregisteredSiteKey> {
  const { transcripts = false, currentPassword } = options;
  const podcastIds = podcasts.map(({ id }) => id);
  const input = { userId: user.id, podcastIds, transcripts, currentPassword };
  return createUnregisteredSiteKey(ctx, input);
}

/** The S256 challenge of a verifier. */
export function challengeOf(codeVerifier: string): string {
  return createHash('sha256').update(codeVerifier).digest('base64url');
}

/** A home address that no other site has. */
export function newSiteUrl(): string {
  return `https://blog-${newId().slice(-12)}.example/`;
}
