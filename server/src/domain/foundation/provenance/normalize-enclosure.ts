import type { RedirectTable } from '../context.ts';
import { type Address, type ColorScheme, tryParseAddress } from './address.ts';
import { findRedirect } from './redirect-table.ts';

/** ASCII white space, C0 controls, DEL and the backslash; C1 controls are allowed. */
const REFUSED = /[^!-[\]-~\u0080-\uffff]/;
const MALFORMED_ESCAPE = /%(?![0-9a-f]{2})/i;
const ESCAPE = /%[0-9a-f]{2}/gi;

/**
 * The form in which an enclosure address is hashed: `scheme://host[:port]/path`, by normalisation
 * v1 (PRINT-5 to PRINT-14). Null if it is rejected. Takes linear time.
 */
export function normalizeEnclosure(value: string, table: RedirectTable): string | null {
  const text = value.trim();
  if (REFUSED.test(text)) return null;
  const wrapped = tryParseAddress(text);
  const address = wrapped && stripRedirects(wrapped, table);
  if (address === undefined || MALFORMED_ESCAPE.test(address.path)) return null;
  const path = address.path.replace(ESCAPE, (escaped) => escaped.toUpperCase());
  return `${address.scheme}://${address.host}${path === '' ? '/' : path}`;
}

const MAX_REMOVALS = 32;
const ANY_SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i;

/**
 * Removes measurement redirects, outermost first, until none is left ("Import provenance
 * fingerprints", step 2). Undefined if a prefix has no valid target behind it, or if there are more
 * than 32.
 */
function stripRedirects(address: Address, table: RedirectTable): Address | undefined {
  let current = address;
  for (let removals = 0; removals <= MAX_REMOVALS; removals += 1) {
    const redirect = findRedirect(current, table);
    if (redirect === undefined) return current;
    const target = current.path.slice(redirect.prefixLength);
    const next = readTarget(target, redirect.defaultScheme);
    if (next === undefined) return undefined;
    current = next;
  }
  return undefined;
}

/** The prefixes that step 2 removes from a URL, outermost first, each as an https URL. */
export function findPrefixes(value: string, table: RedirectTable): string[] {
  const prefixes: string[] = [];
  let current = REFUSED.test(value.trim()) ? undefined : tryParseAddress(value.trim());
  while (current !== undefined && prefixes.length < MAX_REMOVALS) {
    const redirect = findRedirect(current, table);
    if (redirect === undefined) return prefixes;
    const { host, path } = current;
    prefixes.push(`https://${host}${path.slice(0, redirect.prefixLength)}`);
    current = readTarget(path.slice(redirect.prefixLength), redirect.defaultScheme);
  }
  return [];
}

/** Whether fingerprints leave out this prefix, whole. */
export function isKnownPrefix(prefix: string, table: RedirectTable): boolean {
  const start = prefix.endsWith('/') ? prefix : `${prefix}/`;
  return normalizeEnclosure(`${start}audio.example/a.mp3`, table) === 'https://audio.example/a.mp3';
}

/**
 * A target is used as it is written. It is never decoded, so an escaped address is not an address.
 */
function readTarget(target: string, defaultScheme: ColorScheme): Address | undefined {
  if (ANY_SCHEME.test(target)) return tryParseAddress(target);
  const authorityMark = target.startsWith('//') ? '' : '//';
  return tryParseAddress(`${defaultScheme}:${authorityMark}${target}`);
}
