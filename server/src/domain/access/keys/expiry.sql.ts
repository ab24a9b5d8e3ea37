import { sql } from 'kysely';
import type { Db } from '../../foundation/database.ts';

export interface ExpiringKey {
  readonly id: string;
  readonly name: string;
  readonly lastFour: string;
  readonly expiresAt: Date;
  readonly userName: string;
  readonly email: string;
  /** The home address of the site whose key it is; null for a person's key. */
  readonly siteUrl: string | null;
}

/**
 * Keys whose current secret expires within `span` and whose user was not reminded; marks them
 * reminded. A site's key that no site has registered is not listed. Skips rows locked by another
 * worker. By api_key_secrets_to_remind.
 */
export async function takeExpiringKeys(
  db: Db,
  span: { readonly after: Date; readonly until: Date },
  limit: number,
): Promise<ExpiringKey[]> {
  const { rows } = await sql<ExpiringKey>`
    with due as (
      select s.key_id, site.site_url
      from api_key_secrets s join api_keys k on k.id = s.key_id
      left join sites site on site.key_id = k.id
      where (k.kind = 'user' or site.id is not null) and not s.replaced and s.reminded_at is null and k.revoked_at is null
        and s.expires_at > ${span.after} and s.expires_at <= ${span.until}
      order by s.expires_at limit ${limit} for no key update of s skip locked
    )
    update api_key_secrets s set reminded_at = ${span.after}
    from due join api_keys k on k.id = due.key_id join users u on u.id = k.user_id
    where s.key_id = due.key_id and not s.replaced
    returning k.id, k.name, s.last_four as "lastFour", s.expires_at as "expiresAt",
      u.name as "userName", u.email, due.site_url as "siteUrl"`.execute(db);
  return rows;
}
