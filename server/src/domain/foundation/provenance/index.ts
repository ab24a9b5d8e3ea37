// Recognizes imported episodes again without revealing where they came from: the fingerprints of
// normalisation v1, the redirect hosts that they remove, and who may see them.
export { fingerprintEnclosure, fingerprintGuid } from './fingerprint.ts';
export { findPrefixes, isKnownPrefix } from './normalize-enclosure.ts';
export { PUBLISHED_REDIRECTS, parseRedirectTable } from './redirect-table.ts';
export { visibleFingerprints } from './visible-fingerprints.ts';
