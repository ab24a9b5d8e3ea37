import { canonicalAddress } from '../../../lib/canonical-address.ts';
import type { Dns, Lookup } from '../../../platform/dns/dns.ts';
import { type FoundRecords, type OwnDomain, txtNameOf } from './domain.ts';

/** Undefined: a name server has failed, so nothing is known. */
export type Verdict = { readonly isRight: boolean; readonly found: FoundRecords } | undefined;

/** For the database and the screen. */
const [mostTexts, mostTextChars, mostAddresses] = [10, 255, 20];

/** The addresses of DOMAIN_TARGET. Undefined if a name of it has none now: that is not the domain's fault. */
export async function lookUpTarget(
  dns: Dns,
  target: readonly string[],
): Promise<ReadonlySet<string> | undefined> {
  const lookups = await Promise.all(
    target.map(async (place): Promise<Lookup> => {
      const address = canonicalAddress(place);
      return address === undefined
        ? await dns.addresses(place)
        : { kind: 'found', values: [address] };
    }),
  );
  const addresses = new Set<string>();
  for (const lookup of lookups) {
    if (lookup.kind !== 'found') return undefined;
    for (const address of lookup.values) addresses.add(address);
  }
  return addresses;
}

/** Whether a TXT record has the token and every address is one of the target's (DOMAIN-2). */
export async function lookUpRecords(
  dns: Dns,
  { host, token }: Pick<OwnDomain, 'host' | 'token'>,
  target: ReadonlySet<string>,
): Promise<Verdict> {
  const [texts, addresses] = await Promise.all([dns.texts(txtNameOf(host)), dns.addresses(host)]);
  if (texts.kind === 'failed' || addresses.kind === 'failed') return undefined;
  const txt = valuesOf(texts);
  const places = valuesOf(addresses);
  return {
    isRight:
      txt.some((text) => text.includes(token)) &&
      places.length > 0 &&
      places.every((address) => target.has(address)),
    found: {
      txt: txt.slice(0, mostTexts).map(printable),
      addresses: places.slice(0, mostAddresses),
      targetAddresses: [...target].slice(0, mostAddresses),
    },
  };
}

const valuesOf = (lookup: Lookup) => (lookup.kind === 'found' ? lookup.values : []);

/** Anybody may write a record: NUL can't be stored, and control characters can't be shown. */
function printable(text: string): string {
  return text.slice(0, mostTextChars).replaceAll(/[^\x20-\x7e]/g, '?');
}
