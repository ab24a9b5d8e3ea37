import { sql } from 'kysely';
import type { Db } from '../../foundation/database.ts';

export interface ReportedVersions {
  readonly plugin: string;
  readonly wordpress: string;
  readonly php: string;
}

interface Report {
  readonly siteId: string;
  /** The reporting key. If it was replaced, it must not change the new connection. */
  readonly keyId: string;
  readonly versions: ReportedVersions;
  readonly now: Date;
}

/**
 * Makes a site active. Returns whether it was not active before; undefined if its key was replaced.
 * By sites_pkey.
 */
export async function updateVerification(
  db: Db,
  { siteId, keyId, versions, siteName, now }: Report & { readonly siteName: string | null },
): Promise<boolean | undefined> {
  const { rows } = await sql<{ activated: boolean }>`
    update sites set activated_at = coalesce(sites.activated_at, ${now}),
      plugin_version = ${versions.plugin}, wp_version = ${versions.wordpress},
      php_version = ${versions.php}, reported_at = ${now},
      site_name = coalesce(${siteName}, sites.site_name)
    from (select activated_at from sites where id = ${siteId} and key_id = ${keyId}
      for no key update) before
    where sites.id = ${siteId}
    returning before.activated_at is null as activated`.execute(db);
  return rows[0]?.activated;
}

/**
 * Adds a report's errors to the earlier ones; false if the key was replaced. By sites_pkey.
 */
export async function updateHealth(
  db: Db,
  report: Report & {
    readonly adminUrl: string | undefined;
    readonly lastSyncAt: Date | null | undefined;
    readonly syncErrorCount: number;
  },
): Promise<boolean> {
  const { siteId, keyId, versions, adminUrl, lastSyncAt, syncErrorCount, now } = report;
  const { numUpdatedRows } = await db
    .updateTable('sites')
    .set((site) => ({
      plugin_version: versions.plugin,
      wp_version: versions.wordpress,
      php_version: versions.php,
      reported_at: now,
      sync_error_count: site('sync_error_count', '+', syncErrorCount),
      ...(adminUrl !== undefined && { admin_url: adminUrl }),
      ...(lastSyncAt !== undefined && { last_sync_at: lastSyncAt }),
    }))
    .where('id', '=', siteId)
    .where('key_id', '=', keyId)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Returns when the site disconnected itself; undefined if the key was replaced. By sites_pkey. */
export async function updateRevocation(
  db: Db,
  { siteId, keyId, now }: Pick<Report, 'siteId' | 'keyId' | 'now'>,
): Promise<Date | undefined> {
  const { rows } = await sql<{ revokedAt: Date }>`
    update sites set revoked_at = coalesce(revoked_at, ${now})
    where id = ${siteId} and key_id = ${keyId}
    returning revoked_at as "revokedAt"`.execute(db);
  return rows[0]?.revokedAt;
}
