import { maxSites } from '../../../lib/limits.ts';
import type { Context } from '../../foundation/context.ts';
import { notFound } from '../../foundation/errors.ts';
import { requireScope, type SiteAction } from '../../foundation/permissions/index.ts';
import type { KeyPrincipal, SiteOfKey } from '../../foundation/principal.ts';

/**
 * `revoked`: the site has disconnected itself. `disconnected`: its owner or the operator has
 * disconnected it, a new password has, or its key has expired.
 */
export const siteStatuses = ['pending', 'active', 'revoked', 'disconnected'] as const;
export type SiteStatus = (typeof siteStatuses)[number];

export const codeLifetimeMs = 5 * 60_000;
/**
 * The most codes of a user at once: far more than sites, so that only endless approvals delete
 * older ones.
 */
export const maxCodes = 200;

/** The most sites of a user that have ended: twice as many as a new password can end at once. */
export const maxEndedSites = 2 * maxSites;

/** A user's home address that is or was connected. Never contains its secrets. */
export interface Site {
  readonly id: string;
  readonly userId: string;
  readonly keyId: string;
  /** Lower-case punycode host, a slash at its end. */
  readonly siteUrl: string;
  readonly restRoot: string;
  /** The page of its plugin's settings. */
  readonly adminUrl: string;
  readonly siteName: string | null;
  readonly transcripts: boolean;
  readonly status: SiteStatus;
  /** The time of the first connection. */
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
  /** The sum of all reports since it was connected. */
  readonly syncErrorCount: number;
  /** The newest `seq` of its change feed. */
  readonly headSeq: number;
}

/** The input of a connection. */
export interface SiteAddresses {
  readonly siteUrl: string;
  readonly restRoot: string;
  /** Null: not given, so that a known address is kept. */
  readonly adminUrl: string | null;
  readonly siteName: string | null;
}

/** Pending or active: its key works. */
export function isConnected({ status }: Pick<Site, 'status'>): boolean {
  return status === 'pending' || status === 'active';
}

export interface OwnSite extends Pick<KeyPrincipal, 'userId'> {
  readonly site: SiteOfKey;
  readonly keyId: string;
}

/**
 * Every verb of a connected site begins with this. Returns the site whose key acts. Throws
 * `insufficient_scope` for a person's key, and `not_found` for any other site.
 */
export function requireOwnSite(ctx: Context, action: SiteAction, siteId: string): OwnSite {
  const { site, userId, key } = requireScope(ctx, action);
  if (site === undefined || site.id !== siteId.toLowerCase()) throw notFound('site');
  return { site, userId, keyId: key.id };
}
