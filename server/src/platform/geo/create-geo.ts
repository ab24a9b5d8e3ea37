import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import ipaddr from 'ipaddr.js';
import type { Log } from '../log/log.ts';
import type { Geo, Place } from './geo.ts';
import { type NetworkData, NetworkTable } from './network-table.ts';

const nowhere: Place = { country: null, network: null };

const files = {
  countries: import.meta.resolve(
    '@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb',
  ),
  ipv4: import.meta.resolve('@ip-location-db/asn/asn-ipv4-num.csv'),
  ipv6: import.meta.resolve('@ip-location-db/asn/asn-ipv6-num.csv'),
};

/** Locations come from installed packages: no address leaves the machine. */
export function createGeo(log: Log): Geo {
  let data: Promise<GeoData | undefined> | undefined;
  return {
    async locate(ip) {
      data ??= readGeoData().catch((error: unknown) => {
        log.error({ err: error }, 'the location data cannot be read; locations are unknown');
        return undefined;
      });
      const read = await data;
      if (read === undefined || !ipaddr.isValid(ip)) return nowhere;
      // An IPv4-mapped IPv6 address counts as IPv4.
      const address = ipaddr.process(ip);
      return {
        country: read.findCountry(address.toString()),
        network: read.networks.find(Uint8Array.from(address.toByteArray())),
      };
    },
  };
}

interface GeoData {
  findCountry(ip: string): string | null;
  readonly networks: NetworkTable;
}

async function readGeoData(): Promise<GeoData> {
  const [findCountry, networks] = await Promise.all([readCountries(), readNetworkTable()]);
  return { findCountry, networks };
}

async function readCountries(): Promise<GeoData['findCountry']> {
  const { open } = await import('maxmind');
  const countries = await open(fileURLToPath(files.countries), { cache: { max: 1 } });
  return (ip) => {
    const found = countries.get(ip) as { readonly country_code?: string } | null;
    return found?.country_code ?? null;
  };
}

/** In a thread, because it takes a second. */
async function readNetworkTable(): Promise<NetworkTable> {
  const thread = new Worker(new URL('./networks-thread.ts', import.meta.url), {
    // Millions of temporary strings would otherwise enlarge this process permanently.
    resourceLimits: { maxYoungGenerationSizeMb: 2 },
    workerData: { ipv4: fileURLToPath(files.ipv4), ipv6: fileURLToPath(files.ipv6) },
  });
  thread.unref();
  const [data] = (await once(thread, 'message')) as [NetworkData];
  return new NetworkTable(data);
}
