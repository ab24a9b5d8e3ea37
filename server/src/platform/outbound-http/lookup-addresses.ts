import { promises as dns } from 'node:dns';
import { HostsFile } from './hosts-file.ts';
import { OutboundError } from './outbound-http.ts';

/** All addresses of a host name, IPv4 and IPv6; rejects if there is no such host. */
export type LookupAddresses = (hostname: string) => Promise<readonly string[]>;

interface Resolvers {
  /** Any number of names at once. */
  readonly dns?: Record<'resolve4' | 'resolve6', LookupAddresses>;
  /** Node gives it two threads, which it shares with nothing, but which a name may hold for long. */
  readonly system?: LookupAddresses;
  readonly hosts?: Pick<HostsFile, 'names'>;
}

/** Names that wait for the system's resolver. */
const mostWaiting = 32;

/**
 * Asks DNS directly, so that names whose servers do not answer delay no others: the system's
 * resolver would answer two at a time. What DNS does not answer, the system may (/etc/hosts, names
 * of the local network), one name at a time.
 */
export function createLookup({
  dns: direct = new dns.Resolver({ timeout: 1_500, tries: 2 }),
  system = lookupBySystem,
  hosts = new HostsFile(),
}: Resolvers = {}): LookupAddresses {
  let turn: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  const askSystem: LookupAddresses = async (hostname) => {
    if (waiting >= mostWaiting) {
      throw new OutboundError('unreachable', `${hostname}: too many names are not answered`);
    }
    waiting += 1;
    const found = turn.then(() => system(hostname));
    turn = found
      .catch(() => undefined)
      .finally(() => {
        waiting -= 1;
      });
    return found;
  };
  return async (hostname) => {
    // Also tells what the system calls `localhost`.
    if (!hostname.includes('.') || (await hosts.names(hostname))) return system(hostname);
    const answers = await Promise.allSettled([
      direct.resolve4(hostname),
      direct.resolve6(hostname),
    ]);
    const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    return found.length > 0 ? found : askSystem(hostname);
  };
}

const lookupBySystem: LookupAddresses = async (hostname) => {
  const found = await dns.lookup(hostname, { all: true });
  return found.map(({ address }) => address);
};
