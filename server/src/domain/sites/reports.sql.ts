import { sql } from 'kysely';
import type { Db } from '../database.ts';

export interface ReportedVersions {
  readonly plugin: string;
  readonly wordpress: string;
  readonly php: string;
}

interface Report {
  readonly siteId: string;
  /** The key that reports: a replaced one must not change the connection that followed. */
  readonly keyId: string;
  readonly versions: ReportedVersions;
  readonly now: Date;
}

/**
 * Makes a site active, and returns whether it was not before; undefined if its key was replaced. By
 * sites_pkey.
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
