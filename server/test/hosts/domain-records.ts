import type { Dns, Lookup } from '../../src/platform/dns/dns.ts';

const nothing: Lookup = { kind: 'nothing' };

/** Name servers that a test writes records into. Other names don't exist. */
export class DomainRecords implements Dns {
  readonly #texts = new Map<string, readonly string[]>();
  readonly #addresses = new Map<string, readonly string[]>();
  /** No name server responds. */
  isAway = false;
  /** Hosts whose own name servers don't respond. */
  readonly silent = new Set<string>();
  /** Called before each response. */
  onQuestion: (name: string) => Promise<void> | void = () => undefined;

  /** The records of a host; those left out don't exist. */
  set(
    host: string,
    { txt, addresses }: { txt?: string | readonly string[]; addresses?: readonly string[] },
  ): void {
    this.#texts.delete(`_podstead.${host}`);
    this.#addresses.delete(host);
    if (txt !== undefined) this.#texts.set(`_podstead.${host}`, [txt].flat());
    if (addresses !== undefined) this.#addresses.set(host, addresses);
  }

  addresses(host: string): Promise<Lookup> {
    return this.#respond(host, this.#addresses);
  }

  texts(name: string): Promise<Lookup> {
    return this.#respond(name, this.#texts);
  }

  async #respond(name: string, records: Map<string, readonly string[]>): Promise<Lookup> {
    await this.onQuestion(name);
    if (this.isAway || this.silent.has(name)) return { kind: 'failed' };
    const values = records.get(name);
    return values === undefined ? nothing : { kind: 'found', values };
  }
}

/** Where the tests' shows are served. */
export const servedAt = '203.0.113.7';

/** Records of a service at test.local, which tests use as BASE_URL. */
export function createDomainRecords(): DomainRecords {
  const records = new DomainRecords();
  records.set('test.local', { addresses: [servedAt] });
  return records;
}
