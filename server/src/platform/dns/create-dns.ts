import { promises } from 'node:dns';
import { setTimeout as sleep } from 'node:timers/promises';
import { canonicalAddress } from '../../lib/canonical-address.ts';
import type { Dns, Lookup } from './dns.ts';

/** The limit for one name, whatever the servers do, in limits of one try. */
const mostTries = 4;
const failed: Lookup = { kind: 'failed' };

/** The name doesn't exist, or has no such records. All else says nothing about the name. */
const absent: readonly unknown[] = ['ENODATA', 'ENOTFOUND'];

/** `servers`: `ip:port`, asked in order; by default those of the system. A lookup ends after 8 seconds. */
export function createDns(servers?: readonly string[], tryMs = 2_000): Dns {
  const resolver = new promises.Resolver({ timeout: tryMs, tries: 2 });
  if (servers !== undefined) resolver.setServers(servers);
  const lookUp = (ask: () => Promise<string[]>) => lookUpWithin(mostTries * tryMs, ask);
  return {
    async addresses(host) {
      const lookups = await Promise.all([
        lookUp(async () => (await resolver.resolve4(host)).map(toAddress)),
        lookUp(async () => (await resolver.resolve6(host)).map(toAddress)),
      ]);
      // An address that is missing could be the wrong one.
      if (lookups.some(({ kind }) => kind === 'failed')) return failed;
      return toLookup(lookups.flatMap((one) => (one.kind === 'found' ? one.values : [])));
    },
    texts: (name) =>
      lookUp(async () => (await resolver.resolveTxt(name)).map((parts) => parts.join(''))),
  };
}

function toAddress(text: string): string {
  return canonicalAddress(text) ?? text;
}

async function lookUpWithin(mostMs: number, ask: () => Promise<string[]>): Promise<Lookup> {
  const impatience = new AbortController();
  const late = sleep(mostMs, failed, { signal: impatience.signal }).catch(() => failed);
  try {
    return await Promise.race([ask().then(toLookup), late]);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return absent.includes(code) ? { kind: 'nothing' } : failed;
  } finally {
    impatience.abort();
  }
}

function toLookup(values: readonly string[]): Lookup {
  return values.length === 0 ? { kind: 'nothing' } : { kind: 'found', values };
}
