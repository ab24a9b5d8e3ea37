import type { Static } from 'typebox';
import type { ExchangedCode, VerifiedSite } from '../../../domain/sites/index.ts';
import type * as schemas from './schemas.ts';

export function presentExchangedCode(
  exchanged: ExchangedCode,
): Static<typeof schemas.ExchangedCode> {
  return {
    site_id: exchanged.siteId,
    api_key: exchanged.apiKey,
    ping_secret: exchanged.pingSecret,
    expires_at: exchanged.expiresAt.toISOString(),
    scopes: [...exchanged.scopes],
    podcasts: [...exchanged.podcastIds],
  };
}

export function presentVerifiedSite(site: VerifiedSite): Static<typeof schemas.VerifiedSite> {
  const { siteId, activated, podcastIds } = site;
  return { site_id: siteId, status: 'active', activated, podcasts: [...podcastIds] };
}
