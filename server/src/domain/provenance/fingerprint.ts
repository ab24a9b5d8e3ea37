import { hash } from 'node:crypto';
import { normaliseEnclosure } from './normalise-enclosure.ts';
import { normaliseGuid } from './normalise-guid.ts';
import { PUBLISHED_REDIRECTS, type RedirectTable } from './redirect-table.ts';

/** Of an imported item's audio address: 64 lowercase hex characters, or null if it is rejected. */
export function fingerprintEnclosure(
  url: string | null,
  table: RedirectTable = PUBLISHED_REDIRECTS,
): string | null {
  return url === null ? null : sha256OrNull(normaliseEnclosure(url, table));
}

/** Of an imported item's GUID: 64 lowercase hex characters, or null if it is blank. */
export function fingerprintGuid(guid: string | null): string | null {
  return guid === null ? null : sha256OrNull(normaliseGuid(guid));
}

/** Null stays null: the word is never hashed. */
function sha256OrNull(normalised: string | null): string | null {
  return normalised === null ? null : hash('sha256', normalised, 'hex');
}
