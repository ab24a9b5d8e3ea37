import type { Static } from 'typebox';
import type {
  ExchangedCode,
  ReceivedHealth,
  RegisteredSite,
  ReportedVersions,
  RevokedSite,
  SitePost,
  VerifiedSite,
} from '../../../domain/sites/index.ts';
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

export function presentRegisteredSite(site: RegisteredSite): Static<typeof schemas.RegisteredSite> {
  return {
    site_id: site.siteId,
    site_url: site.siteUrl,
    status: 'pending',
    ping_secret: site.pingSecret,
    expires_at: site.expiresAt.toISOString(),
  };
}

export function presentReceivedHealth(health: ReceivedHealth): Static<typeof schemas.SiteHealth> {
  const { siteId, status, receivedAt } = health;
  return { site_id: siteId, status, received_at: receivedAt.toISOString() };
}

export function presentSitePost(post: SitePost): Static<typeof schemas.SitePost> {
  return {
    episode_id: post.episodeId,
    state: post.state,
    post_url: post.postUrl,
    wp_post_id: post.wpPostId,
    content_hash: post.contentHash,
    up_to_date: post.isUpToDate,
    reported_at: post.reportedAt.toISOString(),
  };
}

export function presentRevokedSite(site: RevokedSite): Static<typeof schemas.DisconnectedSite> {
  const { siteId, revokedAt } = site;
  return { site_id: siteId, status: 'revoked', revoked_at: revokedAt.toISOString() };
}

interface GivenVersions {
  readonly plugin_version: string;
  readonly wp_version: string;
  readonly php_version: string;
}

export function readVersions(body: GivenVersions): ReportedVersions {
  return { plugin: body.plugin_version, wordpress: body.wp_version, php: body.php_version };
}
