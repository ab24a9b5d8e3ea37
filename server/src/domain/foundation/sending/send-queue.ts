/** The right to send something: no other worker may send it until the claim ends. */
export interface Claim {
  /** The same for all claims of one call. */
  readonly id: string;
  /** To which host the request goes, if the queue limits requests per host. */
  readonly host?: string;
  /** Of the host (`siteOfHost`), if the queue limits requests for all hosts of a site together. */
  readonly site?: string;
  /** Whose it is, if the queue limits the places of accounts. */
  readonly accountId?: string;
}

export interface ClaimRequest {
  readonly id: string;
  readonly at: Date;
  readonly until: Date;
  readonly limit: number;
  /** Which ones to take first: those that have been due longest, or shortest. */
  readonly first: 'oldest' | 'newest';
  /** Nothing for these hosts, or sites if claims have them. */
  readonly busyHosts: readonly string[];
  /** Nothing of these accounts. */
  readonly busyAccounts: readonly string[];
}

/**
 * A queue of requests to other servers, which are rows of a table: `due_at` says when to send. A
 * claim removes it, so what happens in the meantime makes the row due again. docs/decisions/0057.
 */
export interface SendQueue<Lane extends string, C extends Claim> {
  /** For the log, when a failure of ours (the database, say) delays the queue. */
  readonly delayed: string;
  /**
   * The most requests at once, by lane. What failed last has a lane of its own with few places, so it
   * never delays the rest.
   */
  readonly places: Readonly<Record<Lane, number>>;
  /** The most requests at once to one host, or site, in this process; undefined: as many as there are places. */
  readonly placesPerHost?: number;
  /**
   * Claims have accounts, and none holds more than a quarter of a lane's places, in this process: whoever
   * owns a domain has any number of hosts.
   */
  readonly limitsAccounts?: boolean;
  /** Makes due what concerns new changes. */
  schedule(signal: AbortSignal): Promise<void>;
  /** The lanes in which something is due. */
  findDue(signal: AbortSignal): Promise<readonly Lane[]>;
  /** Claims what is due, skipping rows that another worker is claiming. */
  claim(lane: Lane, request: ClaimRequest): Promise<readonly C[]>;
  /** Extends claims, by their ids; resolves to those that still exist. */
  renew(ids: readonly string[], until: Date): Promise<readonly string[]>;
  /** Makes due what was claimed by a worker that is gone. */
  releaseLost(now: Date): Promise<void>;
  /** Less often: makes due what a clock set back has delayed, and deletes what nobody needs. */
  tidy(now: Date): Promise<void>;
  /**
   * Sends, and stores the result. Throws only for failures that are ours. The signal aborts when the
   * worker stops, and when the claim may have ended.
   */
  send(claim: C, signal: AbortSignal): Promise<void>;
}

/** The lanes of a queue in which failures have their own. */
export type FailureLane = 'regular' | 'retry';

/**
 * When to retry after this many failures in a row, if `delaysSeconds` are the pauses after each;
 * null: there are no more retries.
 */
export function retryAfter(
  delaysSeconds: readonly number[],
  failures: number,
  failedAt: Date,
): Date | null {
  const delaySeconds = delaysSeconds[failures - 1];
  return delaySeconds === undefined ? null : new Date(failedAt.getTime() + delaySeconds * 1000);
}
