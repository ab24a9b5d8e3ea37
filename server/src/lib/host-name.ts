import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';

/** Why a text is not the name of a host on the Internet. */
export type HostNameProblem =
  | 'form'
  | 'characters'
  | 'length'
  | 'port'
  | 'address'
  | 'single_label';

/** Longer text is refused before it is looked at. */
const mostChars = 500;
/** A name may have 253 characters; the record beside it begins with `_podstead.`. */
export const mostHostChars = 243;
export const mostLabelChars = 63;

const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** A host's name as it is stored: in lower-case punycode, without a final dot. Or what is wrong. */
export function parseHostName(
  text: string,
): { readonly host: string } | { readonly problem: HostNameProblem } {
  const typed = text.trim();
  if (typed === '') return { problem: 'form' };
  if (typed.length > mostChars) return { problem: 'length' };
  if (isIP(typed.replace(/^\[([^\]]*)\]$/, '$1')) !== 0) return { problem: 'address' };
  // The parser of URLs would decode a percent sign, and drop a tab.
  if (/[\s%/?#@\\[\]]/.test(typed)) return { problem: 'form' };
  if (typed.includes(':')) return { problem: 'port' };
  const ascii = domainToASCII(typed);
  const host = ascii.endsWith('.') ? ascii.slice(0, -1) : ascii;
  // It reads 127.1 and 0x7f000001 as addresses, too.
  if (isIP(host) !== 0) return { problem: 'address' };
  const labels = host.split('.');
  if (/[^a-z0-9.-]/.test(host)) return { problem: 'characters' };
  if (host.length > mostHostChars || labels.some(({ length }) => length > mostLabelChars))
    return { problem: 'length' };
  if (!labels.every((one) => label.test(one))) return { problem: 'form' };
  return labels.length < 2 ? { problem: 'single_label' } : { host };
}

/**
 * The host that a request names in `Host`, or in a target with a scheme, as it would be stored: without
 * its port and final dot. Undefined if no stored name can be equal to it: `name:80@host` is another host.
 */
export function requestedHost(authority: string): string | undefined {
  const colon = authority.indexOf(':');
  const name = (colon === -1 ? authority : authority.slice(0, colon)).toLowerCase();
  if (colon !== -1 && !/^\d*$/.test(authority.slice(colon + 1))) return undefined;
  const host = name.endsWith('.') ? name.slice(0, -1) : name;
  return /^[a-z0-9.-]{3,243}$/.test(host) ? host : undefined;
}
