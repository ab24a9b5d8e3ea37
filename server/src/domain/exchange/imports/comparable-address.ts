import { trimEndOf } from '../../../lib/trim-end.ts';

/** Ignores the scheme, `www.` and a trailing slash. */
export function comparable(address: string): string {
  const url = URL.parse(address);
  if (url === null) return address;
  const path = trimEndOf(url.pathname, '/');
  return `${url.host.replace(/^www\./, '')}${path}${url.search}`;
}
