/**
 * `revoked`: the site has disconnected itself. `disconnected`: its owner, the operator or a new
 * password has, or its key has expired.
 */
export const siteStatuses = ['pending', 'active', 'revoked', 'disconnected'] as const;
export type SiteStatus = (typeof siteStatuses)[number];

/** Connected ones, pending or active. */
export const maxSites = 50;
export const codeLifetimeMs = 5 * 60_000;
/** A user's codes at once: far more than sites, so that only endless approvals void older ones. */
export const maxCodes = 200;

/** A home address of a user that is connected, or was. Never its secrets. */
export interface Site {
  readonly id: string;
  readonly userId: string;
  readonly keyId: string;
  /** Lower-case punycode host, a slash at its end. */
  readonly siteUrl: string;
  readonly restRoot: string;
  /** The settings of its plugin. */
  readonly adminUrl: string;
  readonly siteName: string | null;
  readonly transcripts: boolean;
  readonly status: SiteStatus;
  /** Of the first connection. */
  readonly createdAt: Date;
  readonly connectedAt: Date;
  readonly activatedAt: Date | null;
  /** When the site disconnected itself. */
  readonly revokedAt: Date | null;
  /** Of its key. */
  readonly expiresAt: Date;
  readonly pluginVersion: string | null;
  readonly wpVersion: string | null;
  readonly phpVersion: string | null;
  readonly reportedAt: Date | null;
  readonly lastSyncAt: Date | null;
  /** Of all reports since it was connected. */
  readonly syncErrorCount: number;
  /** The newest `seq` of its change feed. */
  readonly headSeq: number;
}

/** What a site is connected with. */
export interface SiteAddresses {
  readonly siteUrl: string;
  readonly restRoot: string;
  /** Null: not told; an address known from before is kept. */
  readonly adminUrl: string | null;
  readonly siteName: string | null;
}
