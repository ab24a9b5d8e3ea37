/**
 * Connected sites: approvals and their codes, connections, what sites report, and in `feed/` what they
 * are told. A site's podcasts are those that its key names.
 * Tables: site_codes, sites, site_posts, site_podcasts, site_changes, site_contents, site_calls.
 */
export { pluginUrl } from './addresses.ts';
export { type Approval, approveConnection, type ConnectionCode } from './approve-connection.ts';
export {
  type Checked,
  type CheckedRequest,
  type ConnectionRequest,
  checkConnection,
} from './check-connection.ts';
export { listConnectableShows, type ManagedShow } from './connectable-shows.ts';
export { type ExchangedCode, exchangeCode, voidCode } from './exchange-code.ts';
export { listChanges } from './feed/list-changes.ts';
export { purgeSiteContentsJob } from './feed/purge-site-contents.job.ts';
export { type SiteChange, tombstoneReasons } from './feed/site-change.ts';
export type { SiteEpisode } from './feed/site-episode.ts';
export { purgeCodesJob } from './purge-codes.job.ts';
export { type OwnSite, requireOwnSite } from './require-own-site.ts';
export { type Site, type SiteStatus, siteStatuses } from './site.ts';
export { type VerifiedSite, verifySite } from './verify-site.ts';
