import { newSecretToken } from '../../../lib/secret-token.ts';
import { newId } from '../../../lib/uuid.ts';
import { bindSiteKey, describePodcasts } from '../../access/keys/index.ts';
import type { User } from '../../foundation/accounts/index.ts';
import { appUrl } from '../../foundation/addresses.ts';
import type { Context } from '../../foundation/context.ts';
import { queueEmail } from '../../foundation/emails/index.ts';
import { enforceSiteLimit } from './connectable-shows.ts';
import type { SiteAddresses } from './site.ts';
import { upsertSite } from './sites.sql.ts';

export interface ConnectingSite extends SiteAddresses {
  readonly userId: string;
  /** The key of this connection; the previous key of this home address ends. */
  readonly keyId: string;
  readonly transcripts: boolean;
}

/** The secrets of a connection, which the site gets once. */
export interface ConnectedSite {
  readonly siteId: string;
  /** Signs pings. */
  readonly pingSecret: string;
}

/**
 * Connects a home address, in a transaction that has locked the user. An address that was connected
 * before keeps its id, its changes and its posts. Refuses (`site_limit`) the 51st site.
 */
export async function connectSite(tx: Context, site: ConnectingSite): Promise<ConnectedSite> {
  const before = await enforceSiteLimit(tx, site);
  const { keyId, siteUrl } = site;
  const replacedId = before?.keyId === keyId ? undefined : before?.keyId;
  await bindSiteKey(tx, { keyId, siteUrl, replacedId });
  const now = tx.clock.now();
  const pingSecret = newSecretToken();
  const siteId = await upsertSite(tx.db, { ...site, id: newId(), pingSecret, connectedAt: now });
  return { siteId, pingSecret };
}

/** Emails the owner, in the transaction that connects the site. */
export async function notifyOfConnection(
  tx: Context,
  { name, email }: User,
  site: {
    readonly siteUrl: string;
    readonly podcastIds: readonly string[];
    readonly expiresAt: Date;
  },
): Promise<void> {
  await queueEmail(tx, {
    template: 'site-connected',
    to: email,
    values: {
      name,
      address: site.siteUrl,
      podcasts: await describePodcasts(tx, site.podcastIds),
      expires: site.expiresAt,
      link: appUrl(tx.installation, 'sites'),
    },
  });
}
