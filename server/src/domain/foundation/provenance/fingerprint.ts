import { hash } from 'node:crypto';
import type { RedirectTable } from '../context.ts';
import { normalizeEnclosure } from './normalize-enclosure.ts';
import { PUBLISHED_REDIRECTS } from './redirect-table.ts';

/**
 * The fingerprint of an imported item's audio address: 64 lowercase hex characters, or null if it
 * is rejected.
 */
export function fingerprintEnclosure(
  url: string | null,
  table: RedirectTable = PUBLISHED_REDIRECTS,
): string | null {
  return url === null ? null : sha256OrNull(normalizeEnclosure(url, table));
}

/**
 * The fingerprint of an imported item's GUID: 64 lowercase hex characters, or null if it is blank.
 */
export function fingerprintGuid(guid: string | null): string | null {
  return guid === null ? null : sha256OrNull(normalizeGuid(guid));
}

/** Null stays null: it is never hashed as a word. */
function sha256OrNull(normalized: string | null): string | null {
  return normalized === null ? null : hash('sha256', normalized, 'hex');
}

/**
 * The form in which a GUID is hashed: without the ECMAScript white space around it, which `trim`
 * removes (U+FEFF is one, U+0085 is not), otherwise unchanged. Null if nothing is left.
 */
export function normalizeGuid(value: string): string | null {
  const guid = value.trim();
  return guid === '' ? null : guid;
}
