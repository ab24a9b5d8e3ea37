import { isIP } from 'node:net';
import { domainToUnicode } from 'node:url';
import { getDomain } from 'tldts';
import { clientSite } from './client-network.ts';

/**
 * What all hosts of one owner share, for limits: the domain that someone has registered, one label below a
 * public suffix such as `co.uk` or `github.io`; or the network of an IP address. `host` is that of a URL.
 */
export function siteOfHost(host: string): string {
  const address = host.replace(/^\[(.*)\]$/, '$1');
  if (isIP(address) !== 0) return clientSite(address);
  // The list of suffixes is in Unicode.
  const name = domainToUnicode(host) || host;
  return getDomain(name, { allowPrivateDomains: true, extractHostname: false }) ?? name;
}
