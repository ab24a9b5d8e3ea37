import { isIP, isIPv4 } from 'node:net';
import { domainToASCII, domainToUnicode } from 'node:url';
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
  return registeredDomain(name) ?? name;
}

const registeredDomain = (name: string) =>
  getDomain(name, { allowPrivateDomains: true, extractHostname: false });

/** The hosts of sites as URLs spell them, for a search. */
export interface HostsOfSites {
  readonly hosts: readonly string[];
  /** Whose subdomains belong to them. */
  readonly domains: readonly string[];
  /** In CIDR notation, of IPv6 addresses. */
  readonly networks: readonly string[];
}

export function hostsOfSites(sites: readonly string[]): HostsOfSites {
  const names = sites.map((site) => domainToASCII(site) || site);
  const mapped = sites
    .filter(isIPv4)
    .map((address) => new URL(`http://[::ffff:${address}]`).hostname);
  return {
    hosts: [...names, ...mapped],
    // What is a public suffix itself has subdomains of others.
    domains: names.filter((_, index) => registeredDomain(sites[index] ?? '') === sites[index]),
    networks: sites.filter((site) => site.endsWith('::/48')),
  };
}
