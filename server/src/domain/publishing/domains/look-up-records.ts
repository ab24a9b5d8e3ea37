import { canonicalAddress } from '../../../lib/canonical-address.ts';
import { isInternalAddress } from '../../../lib/internal-address.ts';
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
  const isOurs = (text: string) => text.includes(token);
  const isRightPlace = (address: string) => target.has(address);
  const places = [...new Set(valuesOf(addresses))];
  // Anybody could otherwise ask the resolver of this service what only its own network may know.
  const shown = places.filter((address) => isRightPlace(address) || !isInternalAddress(address));
  const isInternal = shown.length < places.length;
  const txt = [...new Set(valuesOf(texts))].filter((text) => !isInternal || isOurs(text));
  return {
    isRight: txt.some(isOurs) && places.length > 0 && places.every(isRightPlace),
    found: {
      txt: preferring(txt, mostTexts, isOurs).map((text) => printable(text, token)),
      addresses: preferring(shown, mostAddresses, (address) => !isRightPlace(address)),
      isInternal,
      targetAddresses: preferring([...target], mostAddresses, (address) =>
        places.includes(address),
      ),
    },
  };
}

/** At most so many, in their order. If there are more, those that explain the verdict are among them. */
function preferring(
  values: readonly string[],
  most: number,
  explains: (value: string) => boolean,
): string[] {
  const [first, others] = [values.filter(explains), values.filter((value) => !explains(value))];
  const shown = new Set([...first, ...others].slice(0, most));
  return values.filter((value) => shown.has(value));
}

const valuesOf = (lookup: Lookup) => (lookup.kind === 'found' ? lookup.values : []);

/** Anybody may write a record: NUL can't be stored, and control characters can't be shown. */
function printable(text: string, token: string): string {
  const at = text.indexOf(token);
  const from = at + token.length > mostTextChars ? at : 0;
  return text.slice(from, from + mostTextChars).replaceAll(/[^\x20-\x7e]/g, '?');
}
