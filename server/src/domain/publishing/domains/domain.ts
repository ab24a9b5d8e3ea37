import type { Installation } from '../../foundation/context.ts';
import type { DomainState } from '../../foundation/enumerations.ts';

/** A show's own domain, as its owner and admins see it. */
export interface OwnDomain {
  readonly podcastId: string;
  /** In lower-case punycode. */
  readonly host: string;
  readonly state: DomainState;
  /** The TXT record has to contain it. */
  readonly token: string;
  /** What the last check found that got responses. */
  readonly found: FoundRecords | null;
  /** When that check began. */
  readonly checkedAt: Date | null;
  /** When the last check began; after `checkedAt` if it got no responses. */
  readonly triedAt: Date | null;
  /** The records are right, but the name is another show's. */
  readonly taken: boolean;
  readonly lostAt: Date | null;
}

export interface FoundRecords {
  /** Of `_podstead.HOST`; shortened. */
  readonly txt: readonly string[];
  readonly addresses: readonly string[];
  /**
   * Addresses behind the internet were found, too. They and other texts than the token are left out
   * (DOMAIN-12). Missing in what an earlier release found.
   */
  readonly isInternal?: boolean;
  /** Those of DOMAIN_TARGET at that time. */
  readonly targetAddresses: readonly string[];
}

/** The records that verify a domain. */
export interface ExpectedRecords {
  /** The name of the TXT record, and what it has to contain. */
  readonly txtName: string;
  readonly txt: string;
  /** Where the domain has to lead: the names and addresses of DOMAIN_TARGET. */
  readonly target: readonly string[];
  /** The addresses of all of them at the last check. */
  readonly addresses: readonly string[];
}

/** How many checks in a row must find something else until a verified domain is lost (DOMAIN-5). */
export const mostMisses = 3;
/** For this long, nobody else can have a lost domain. */
export const heldMs = 7 * 24 * 3_600_000;
/** The clocks of two machines that check domains differ by less. */
export const mostClockDifferenceMs = 60_000;

export const txtNameOf = (host: string): string => `_podstead.${host}`;

export function expectedRecords(
  { host, token, found }: OwnDomain,
  target: readonly string[],
): ExpectedRecords {
  const addresses = found?.targetAddresses ?? [];
  return { txtName: txtNameOf(host), txt: token, target, addresses };
}

/** Whether the service itself is at this host, so that no show can have it. */
export function isOwnHost(
  { baseUrl, embedUrl, domainTarget }: Pick<Installation, 'baseUrl' | 'embedUrl' | 'domainTarget'>,
  host: string,
): boolean {
  return [...[baseUrl, embedUrl].map((url) => new URL(url).hostname), ...domainTarget].includes(
    host,
  );
}
