import { type SqlBool, sql } from 'kysely';
import { maxCountedChanges } from '../../../lib/limits.ts';
import type { Db } from '../../foundation/database.ts';
import { allowsKeys, planIncludesApi } from '../../foundation/permissions/index.ts';
import {
  type ShowFacts,
  type SiteFacts,
  type SitePings,
  type SiteShow,
  showAccessOf,
} from './listed-site.ts';

/** ShowFacts.isReadable. From `podcasts p`, `accounts owning` and `podcast_members m`. */
export const isReadable = sql<boolean>`coalesce(${planIncludesApi} and ${allowsKeys}, false)`;

interface Row extends Omit<SiteFacts, 'shows' | 'lastCall' | 'pings'>, Omit<SitePings, 'failures'> {
  readonly shows: readonly (Omit<SiteShow, 'state'> & ShowFacts)[];
  readonly siteId: string;
  readonly calledAt: Date | null;
  readonly afterSeq: number | null;
  readonly behind: number;
  readonly failures: number | null;
}

/** The first `most` shows, or all. By api_key_podcasts_in_order, then by primary keys. */
const firstShows = (most: number | null) => sql`
  (select coalesce(json_agg(json_build_object('id', named.podcast_id,
    'title', case when m.user_id is not null then p.title end,
    'slug', case when m.user_id is not null then p.slug end,
    'exists', true, 'isNamed', named.blocked_at is null, 'isMember', m.user_id is not null,
    'planIncludesApi', ${planIncludesApi}, 'isReadable', ${isReadable}, 'status', p.status)
    order by named.podcast_created_at, named.podcast_id), '[]')
  from (select * from api_key_podcasts where key_id = site.key_id
    order by podcast_created_at, podcast_id limit ${most}::bigint) named
  join podcasts p on p.id = named.podcast_id
  join accounts owning on owning.id = p.account_id
  left join podcast_members m on m.podcast_id = p.id and m.user_id = site.user_id)`;

/**
 * Each site with `mostShows` of its shows; null: with all. By primary keys; waiting changes are
 * counted by site_changes_in_order.
 */
export async function selectSiteFacts(
  db: Db,
  siteIds: readonly string[],
  mostShows: number | null,
): Promise<ReadonlyMap<string, SiteFacts>> {
  const { rows } = await sql<Row>`
    select site.id as "siteId", u.email as "userEmail", k.revoked_at as "endedAt",
      ${firstShows(mostShows)} as shows,
      (select count(*) from api_key_podcasts where key_id = site.key_id) as "showCount",
      call.called_at as "calledAt", call.after_seq as "afterSeq",
      (select count(*) from (select from site_changes later
        where later.site_id = site.id and later.seq > call.after_seq
        limit ${sql.lit(maxCountedChanges)}) waiting) as behind,
      ping.sent_at as "sentAt", ping.failures, ping.last_error as "lastError"
    from sites site
    join users u on u.id = site.user_id
    join api_keys k on k.id = site.key_id
    left join site_calls call on call.site_id = site.id
    left join site_pings ping on ping.site_id = site.id
    where ${sql<SqlBool>`site.id = any (${siteIds}::uuid[])`}`.execute(db);
  return new Map(rows.map((row) => [row.siteId, toFacts(row)]));
}

function toFacts({ userEmail, shows, showCount, endedAt, ...row }: Row): SiteFacts {
  const { calledAt, afterSeq, behind, failures, sentAt, lastError } = row;
  return {
    userEmail,
    shows: shows.map(({ id, title, slug, ...show }) => ({
      ...{ id, title, slug },
      state: showAccessOf(show),
    })),
    showCount,
    endedAt,
    lastCall: calledAt === null || afterSeq === null ? null : { at: calledAt, afterSeq, behind },
    pings: failures === null ? null : { sentAt, failures, lastError },
  };
}
