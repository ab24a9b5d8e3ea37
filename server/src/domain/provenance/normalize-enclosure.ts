import { tryParseAddress } from './address.ts';
import type { RedirectTable } from './redirect-table.ts';
import { stripRedirects } from './strip-redirects.ts';

/** ASCII white space, C0 controls, DEL and the backslash; C1 controls are allowed. */
const REFUSED = /[^!-[\]-~\u0080-\uffff]/;
const MALFORMED_ESCAPE = /%(?![0-9a-f]{2})/i;
const ESCAPE = /%[0-9a-f]{2}/gi;

/**
 * The form in which an enclosure address is hashed: `scheme://host[:port]/path`, by normalisation
 * v1 (the contract, "Import provenance fingerprints"). Null if it is rejected. Takes linear time.
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
