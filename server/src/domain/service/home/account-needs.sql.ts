import { type RawBuilder, sql } from 'kysely';
import { downloadsOfMonth, type Month } from '../../audience/overage/index.ts';
import type { Db } from '../../foundation/database.ts';
import type { PlanState } from '../../foundation/enumerations.ts';

/** Times are ISO 8601 text, because they come as JSON. */
export interface AccountFacts {
  readonly accountId: string;
  readonly plan: string;
  readonly planState: PlanState;
  readonly acceptedTerms: string | null;
  /** Of the month, of all shows of the account. */
  readonly downloads: number;
  readonly newEmails: readonly { email: string; expiresAt: string }[];
  readonly expiring: readonly {
    id: string;
    name: string;
    expiresAt: string;
    siteId: string | null;
    siteUrl: string | null;
  }[];
  readonly failedImports: readonly { id: string; failedAt: string }[];
}

interface AccountFactsQuery {
  readonly now: Date;
  readonly month: Month;
  readonly expiresBy: Date;
  readonly failedAfter: Date;
}

const mostListed = 10;
const listOf = (rows: RawBuilder<unknown>) =>
  sql`(select coalesce(json_agg(row_to_json(listed)), '[]') from (${rows}) listed)`;

/**
 * One statement. By users_pkey, podcasts_of_account with podcast_download_months_pkey,
 * email_links_of_user, api_keys_of_user with api_key_secrets_of_key, and imports_of_owner_by_age.
 */
export async function selectAccountFacts(
  db: Db,
  userId: string,
  { now, month, expiresBy, failedAfter }: AccountFactsQuery,
): Promise<AccountFacts | undefined> {
  const { rows } = await sql<AccountFacts>`
    select owned.id as "accountId", owned.plan, owned.plan_state as "planState", u.accepted_terms as "acceptedTerms",
      (select coalesce(sum(${downloadsOfMonth(month)}), 0)::bigint from podcasts p
        where p.account_id = owned.id) as downloads,
      ${listOf(sql`select email, expires_at as "expiresAt" from email_links
        where user_id = u.id and purpose = 'change_email' and expires_at > ${now}
        order by created_at desc limit 1`)} as "newEmails",
      ${listOf(sql`select k.id, k.name, s.expires_at as "expiresAt",
          site.id as "siteId", site.site_url as "siteUrl"
        from api_keys k join api_key_secrets s on s.key_id = k.id and not s.replaced
        left join sites site on site.key_id = k.id
        where k.user_id = u.id and k.revoked_at is null and (k.kind = 'user' or site.id is not null)
          and s.expires_at > ${now} and s.expires_at <= ${expiresBy}
        order by s.expires_at limit ${mostListed}`)} as expiring,
      ${listOf(sql`select i.id, i.updated_at as "failedAt" from imports i
        where i.owner_id = u.id and i.state = 'failed' and i.podcast_id is null and not i.dry_run
          and i.created_at > ${failedAfter} and not exists (
            select from imports newer
            where newer.owner_id = u.id and not newer.dry_run
              and newer.source_url is not distinct from i.source_url
              and (newer.created_at, newer.id) > (i.created_at, i.id))
        order by i.created_at desc, i.id desc limit ${mostListed}`)} as "failedImports"
    from users u join accounts owned on owned.id = u.account_id
    where u.id = ${userId}`.execute(db);
  return rows[0];
}
