// Owns how an imported episode is recognized again without showing where it came from: the
// fingerprints of normalisation v1, the redirect hosts they see through, and who may see them.
export { fingerprintEnclosure, fingerprintGuid } from './fingerprint.ts';
export {
  PUBLISHED_REDIRECTS,
  parseRedirectTable,
  type RedirectTable,
} from './redirect-table.ts';
export { visibleFingerprints } from './visible-fingerprints.ts';
