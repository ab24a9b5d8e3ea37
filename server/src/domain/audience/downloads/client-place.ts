import type { Geo } from '../../../platform/geo/geo.ts';

/** What is known of a client's address once the address is gone. */
export interface ClientPlace {
  readonly country: string | null;
  readonly network: number | null;
}

/** The country of an address and the number of its network. Never rejects. */
export async function locateClient(geo: Geo, address: string): Promise<ClientPlace> {
  const { country, network } = await geo.locate(address);
  const [, number] = /^AS(\d{1,10})\b/.exec(network ?? '') ?? [];
  return { country, network: number === undefined ? null : Number(number) };
}
