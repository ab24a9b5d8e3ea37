import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../database.ts';
import type { EpisodeListPosition, EpisodeStatus } from '../episodes/index.ts';
import { episodeTotals } from './episode-totals.sql.ts';
import { type FactsRow, factsColumns, podcastDataStart } from './facts.sql.ts';
import { selectSplit } from './split-counts.sql.ts';
import type { SplitRange } from './whole-months.ts';

export interface EpisodeListQuery {
  readonly podcastId: string;
  readonly after: EpisodeListPosition | undefined;
  readonly limit: number;
}

/** An episode as stored; its figures. All columns are null if the page is empty. */
export interface EpisodeRow extends EpisodeListPosition {
  readonly title: string;
  readonly slug: string;
  readonly status: EpisodeStatus;
  readonly publishedAt: Date | null;
  readonly scheduledFor: Date | null;
  readonly downloads: number;
  readonly allTimeDownloads: number;
  readonly first7DaysDownloads: number;
}

type Row = FactsRow & (EpisodeRow | { readonly id: null });

/** The longest page of the API and the row after it: tells the planner how short a page is. */
const mostRows = 101;
const newestFirst = sql`order by e.listed_at desc, e.id desc`;

/** The statuses of episodes that cannot be public at any time. */
const unpublishedStatuses = [
  'pending_confirmation',
  'draft',
  'archived',
] as const satisfies readonly EpisodeStatus[];
/** Up to this many, each unpublished episode is looked up in the totals; else each total is. */
const fewUnpublished = 200;

/**
 * The ids of episodes that are not published and have downloads, as `id`. The cost depends on no
 * draft beyond `fewUnpublished`: an import may have brought a hundred thousand, and every published
 * episode may have downloads. By episodes_listed_by_status, episodes_public and
 * episode_download_totals_by_podcast.
 */
function unpublishedWithDownloads(podcastId: string, now: Date): RawBuilder<unknown> {
  const conditions = [
    ...unpublishedStatuses.map((status) => sql`e.status = ${sql.lit(status)}`),
    sql`e.public_from > ${now}`,
  ];
  const walks = conditions.map(
    (condition) => sql`(select e.id from episodes e
      where e.podcast_id = ${podcastId} and ${condition} limit ${sql.lit(fewUnpublished + 1)})`,
  );
  const areFew = sql`(select count(*) from unpublished) <= ${sql.lit(fewUnpublished)}`;
  return sql`(
    with unpublished as materialized (${sql.join(walks, sql` union all `)})
    select id from unpublished
    where (select downloads from episode_download_totals where episode_id = id) > 0 and ${areFew}
    union all
    select total.episode_id from episode_download_totals total
    where total.podcast_id = ${podcastId} and total.downloads > 0 and not (${areFew}))`;
}

/**
 * The published episodes of a podcast and those that have downloads, newest first; one row with
 * facts alone if there are none, and no row if there is no such podcast. Walks episodes_public, and
 * skips episodes that moved since the first page (decision 0041). Figures by primary keys.
 */
export async function selectEpisodeList(
  db: Db,
  { podcastId, after, limit }: EpisodeListQuery,
  range: SplitRange,
  now: Date,
): Promise<Row[]> {
  // The same of published episodes. Each is the order of an index.
  const unseen = (column: 'public_from' | 'listed_at') =>
    after
      ? sql`and (e.${sql.ref(column)}, e.id) < (${after.listedAt}, ${after.id})
          and e.last_move <= ${after.moves}`
      : sql``;
  const most = sql`limit ${sql.lit(Math.max(limit, mostRows))}`;
  const downloads = selectSplit(
    {
      ofDays: (counts) =>
        sql`select ${counts} as downloads from episode_download_days where episode_id = e.id`,
      ofMonths: sql`select downloads from episode_download_months where episode_id = e.id`,
    },
    range,
  );
  const moves = after ? sql`${after.moves}::integer` : sql`p.episode_moves`;
  const { rows } = await sql<Row>`
    with facts as materialized (
      select ${factsColumns(podcastDataStart)}, ${moves} as moves
      from podcasts p where p.id = ${podcastId}
    ), page as materialized (
      select * from (
        (select e.* from episodes e
          where e.podcast_id = ${podcastId} and e.public_from <= ${now} ${unseen('public_from')}
          order by e.public_from desc, e.id desc ${most})
        union all
        (select e.* from ${unpublishedWithDownloads(podcastId, now)} counted
          cross join lateral (select e.* from episodes e where e.id = counted.id offset 0) e
          where (e.public_from is null or e.public_from > ${now}) ${unseen('listed_at')}
          ${newestFirst} ${most})
      ) e ${newestFirst} limit ${limit}
    )
    select facts.*, e.id, e.title, e.slug, e.status, e.published_at as "publishedAt",
      e.scheduled_for as "scheduledFor", e.listed_at as "listedAt", ${episodeTotals(now)},
      (select coalesce(sum(downloads), 0)::bigint from (${downloads}) as part) as downloads
    from facts left join page e on true
    ${newestFirst}`.execute(db);
  return rows;
}
