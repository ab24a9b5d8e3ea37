/**
 * Connected sites: approvals and their codes, connections, what sites report, and in `feed/` what they
 * are told. A site's podcasts are those that its key names.
 * Tables: site_codes, sites, site_posts, site_podcasts, site_changes, site_contents, site_calls.
 */
export { maxAddressChars, pluginUrl } from './addresses.ts';
export { type Approval, approveConnection, type ConnectionCode } from './approve-connection.ts';
export { changeShows } from './change-shows.ts';
export {
  type Checked,
  type CheckedRequest,
  type ConnectionRequest,
  checkAddresses,
  checkApproval,
  checkConnection,
  checkReported,
  type GivenAddresses,
} from './check-connection.ts';
export { listConnectableShows } from './connectable-shows.ts';
export {
  createUnregisteredSiteKey,
  type NewUnregisteredSiteKey,
  type UnregisteredSiteKey,
} from './create-unregistered-site-key.ts';
export { disconnectSite, endConnection, type RevokedSite } from './disconnect-site.ts';
export { type ExchangedCode, exchangeCode, voidCode } from './exchange-code.ts';
export { listChanges } from './feed/list-changes.ts';
export { purgeRecentContentsJob, purgeSiteContentsJob } from './feed/purge-site-contents.job.ts';
export {
  type SiteChange,
  type SiteEpisode,
  type TombstoneReason,
  tombstoneReasons,
} from './feed/site-episode.ts';
export { findSiteAt, getSite, listSitePosts, listSites } from './list-sites.ts';
export { endOf, type ListedSite, mayStay, type SiteShow } from './listed-site.ts';
export {
  type ListedPost,
  type PostReport,
  postStates,
  type ReportedVersions,
  type SitePost,
} from './posts.sql.ts';
export { purgeCodesJob } from './purge-codes.job.ts';
export { purgeEndedSitesJob } from './purge-ended-sites.job.ts';
export { type RegisteredSite, type Registration, registerSite } from './register-site.ts';
export { type Health, type ReceivedHealth, reportHealth } from './report-health.ts';
export {
  maxReportedPosts,
  type RefusedReport,
  reportPost,
  reportPosts,
} from './report-post.ts';
export {
  isConnected,
  type OwnSite,
  requireOwnSite,
  type Site,
  type SiteStatus,
  siteStatuses,
} from './site.ts';
export type { ManagedShow, SitePosition } from './sites.sql.ts';
export { type VerifiedSite, verifySite } from './verify-site.ts';
