import { promises as dns } from 'node:dns';
import { readFile, stat } from 'node:fs/promises';
import { OutboundError } from './outbound-http.ts';

/** All addresses of a host name, IPv4 and IPv6; rejects if there is no such host. */
export type LookupAddresses = (hostname: string) => Promise<readonly string[]>;

interface Resolvers {
  /** Resolves any number of names at the same time. */
  readonly dns?: Record<'resolve4' | 'resolve6', LookupAddresses>;
  /** It has two threads of its own. A name without a response may block one for long. */
  readonly system?: LookupAddresses;
  readonly hosts?: Pick<HostsFile, 'names'>;
}

/** Names that wait for the system's resolver. */
const mostWaiting = 32;

/**
 * Asks DNS directly, so that a name without a response does not delay others; the system's resolver
 * handles only two names at a time. If DNS does not know a name, the system is asked (/etc/hosts,
 * names of the local network), one name at a time.
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
      throw new OutboundError('unreachable', `${hostname}: too many look-ups are waiting`);
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
    // The system knows names such as `localhost`.
    if (!hostname.includes('.') || (await hosts.names(hostname))) return system(hostname);
    const responses = await Promise.allSettled([
      direct.resolve4(hostname),
      direct.resolve6(hostname),
    ]);
    const found = responses.flatMap((response) =>
      response.status === 'fulfilled' ? response.value : [],
    );
    return found.length > 0 ? found : askSystem(hostname);
  };
}

const lookupBySystem: LookupAddresses = async (hostname) => {
  const found = await dns.lookup(hostname, { all: true });
  return found.map(({ address }) => address);
};

const mostBytes = 4_000_000;

/** The names of a hosts file, in lower case; read again after it has changed. */
export class HostsFile {
  readonly #path: string;
  #names: ReadonlySet<string> = new Set();
  #version = '';

  constructor(path = '/etc/hosts') {
    this.#path = path;
  }

  /** False also if there is no such file. */
  async names(hostname: string): Promise<boolean> {
    try {
      const { mtimeMs, size } = await stat(this.#path);
      const version = `${mtimeMs} ${size}`;
      if (version !== this.#version && size <= mostBytes) {
        this.#names = parse(await readFile(this.#path, 'utf8'));
        this.#version = version;
      }
    } catch {
      return false;
    }
    return this.#names.has(hostname.toLowerCase().replace(/\.$/, ''));
  }
}

function parse(text: string): Set<string> {
  const names = new Set<string>();
  for (const line of text.split('\n')) {
    const [entry = ''] = line.split('#', 1);
    const [, ...found] = entry.trim().split(/\s+/);
    for (const name of found) names.add(name.toLowerCase());
  }
  return names;
}
