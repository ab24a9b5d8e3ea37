import { fileURLToPath } from 'node:url';
import ipaddr from 'ipaddr.js';
import type { Log } from '../log/log.ts';
import type { Geo, Place } from './geo.ts';
import { loadNetworkTable } from './load-network-table.ts';
import type { NetworkTable } from './network-table.ts';

const nowhere: Place = { country: null, network: null };

const countriesFile = import.meta.resolve(
  '@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb',
);

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
  const [findCountry, networks] = await Promise.all([readCountries(), loadNetworkTable()]);
  return { findCountry, networks };
}

async function readCountries(): Promise<GeoData['findCountry']> {
  const { open } = await import('maxmind');
  const countries = await open(fileURLToPath(countriesFile), { cache: { max: 1 } });
  return (ip) => {
    const found = countries.get(ip) as { readonly country_code?: string } | null;
    return found?.country_code ?? null;
  };
}
