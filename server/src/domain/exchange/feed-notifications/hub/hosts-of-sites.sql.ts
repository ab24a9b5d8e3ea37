import { type RawBuilder, sql } from 'kysely';
import { hostsOfSites } from '../../../../lib/host-site.ts';

/** Whether the host of a row belongs to one of these sites (`siteOfHost`). */
export function isOfSites(sites: readonly string[]): RawBuilder<boolean> {
  if (sites.length === 0) return sql`false`;
  const { hosts, domains, networks } = hostsOfSites(sites);
  // The cast fails for a host that is no address. An IPv4 address in the form of IPv6 has no network.
  return sql`case when host like '[%' then host = any (${hosts}::text[])
      or host not like '[::ffff:%' and trim(both '[]' from host)::inet <<= any (${networks}::cidr[])
    else host = any (${hosts}::text[]) or exists (
      select from unnest(${domains}::text[]) as site (domain)
      where right(host, length(domain) + 1) = '.' || domain) end`;
}
