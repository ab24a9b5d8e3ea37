/**
 * Keys: their secrets, what each may read, where it was used from.
 * Tables: api_keys, api_key_secrets, api_key_podcasts, api_key_places.
 */

export {
  findKeyPrincipal,
  getKeyIdentity,
  type KeyIdentity,
  listReachedPodcasts,
} from './acting-key.ts';
export { changeKeys, getKey, proveForKeys, type WithPassword } from './change-keys.ts';
export { checkGrace, checkKey, type KeyFields } from './check-key.ts';
export { consumeNewKey, createKey, type NewKey } from './create-key.ts';
export { type CutOff, cutOffPodcastKeys } from './cut-off-podcast-keys.ts';
export {
  type ExpiryDays,
  expiryChoicesDays,
  type Grace,
  graces,
  type Key,
  type KeyPodcasts,
  type KeyRights,
  type KeyState,
  type KeyUse,
  type KeyWithSecret,
  keyRightsOf,
  keyStateOf,
  maxActiveKeys,
  maxNamedPodcasts,
  registrationMs,
} from './key.ts';
export type { LiveSiteKey } from './key-principals.sql.ts';
export { createKeyUseRecorder, type KeyUseRecorder } from './key-use-recorder.ts';
export { deleteFromSiteKeys } from './keys.sql.ts';
export { listKeys } from './list-keys.ts';
export { describePodcasts } from './notify-of-key.ts';
export { purgeEndedKeysJob } from './purge-ended-keys.job.ts';
export type { ReachedPodcast } from './reach.sql.ts';
export { remindOfExpiryJob } from './remind-of-expiry.job.ts';
export { revokeAllKeys, revokeKey } from './revoke-key.ts';
export { type RollKey, rollKey } from './roll-key.ts';
export {
  bindSiteKey,
  changeSitePodcasts,
  findSiteKey,
  type IssuedSiteKey,
  issueSiteKey,
  listSitePodcastIds,
  type NewSiteKey,
  revokeSiteKey,
} from './site-keys.ts';
export { type WidenKey, widenKey } from './widen-key.ts';
