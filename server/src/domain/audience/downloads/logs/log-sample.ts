import { isIPv4 } from 'node:net';
import type { LogLine } from './log-line.ts';

/** What makes the figures of a log wrong although its lines are readable. */
export type LogFault = 'anonymized_addresses' | 'no_user_agents';

/** As sentences for operators. */
export const logFaults: Readonly<Record<LogFault, string>> = {
  anonymized_addresses:
    'The log has shortened IP addresses: listeners of one network with the same app count as one, so ' +
    'the downloads are too few. Let the server or CDN log whole addresses (see docs/access-logs.md).',
  no_user_agents:
    'The log has no user agents: bots count as listeners, and listeners with one IP address as one. ' +
    'Let the server or CDN log the User-Agent header (see docs/access-logs.md).',
};

/** More addresses would not change what is found: without a mask, one of 256 ends with a zero. */
const maxAddresses = 500;
/** By chance, so many of at most twice as many addresses end with a zero in one of a million logs. */
const leastShortened = 3;
const leastLines = 100;
/** What is left of an address of which nothing may be logged. */
const emptyAddresses: readonly string[] = ['0.0.0.0', '::'];

/** Looks for faults in the lines of one log. Its memory does not grow with the log. */
export class LogSample {
  readonly #addresses = { v4: new ZeroCount(), v6: new ZeroCount() };
  #hasEmptyAddress = false;
  #lines = 0;
  #hasUserAgent = false;

  /** For lines about audio: those of health checks and scripts have other clients. */
  add({ address, userAgent }: Pick<LogLine, 'address' | 'userAgent'>): void {
    this.#lines += 1;
    this.#hasUserAgent ||= userAgent !== undefined;
    this.#hasEmptyAddress ||= emptyAddresses.includes(address);
    if (isIPv4(address)) this.#addresses.v4.add(address, address.endsWith('.0'));
    else this.#addresses.v6.add(address, /::$|:0:0$/.test(address));
  }

  /** What the lines so far show. */
  get faults(): readonly LogFault[] {
    const { v4, v6 } = this.#addresses;
    const isAnonymized = this.#hasEmptyAddress || v4.isShortened || v6.isShortened;
    const hasNoAgents = !this.#hasUserAgent && this.#lines >= leastLines;
    return [
      ...(isAnonymized ? (['anonymized_addresses'] as const) : []),
      ...(hasNoAgents ? (['no_user_agents'] as const) : []),
    ];
  }
}

/** Counts different addresses, and those of them that end with zeros. */
class ZeroCount {
  readonly #seen = new Set<string>();
  #zeros = 0;

  add(address: string, endsWithZeros: boolean): void {
    if (this.#seen.size >= maxAddresses || this.#seen.has(address)) return;
    this.#seen.add(address);
    if (endsWithZeros) this.#zeros += 1;
  }

  get isShortened(): boolean {
    return this.#zeros >= leastShortened && 2 * this.#zeros >= this.#seen.size;
  }
}
