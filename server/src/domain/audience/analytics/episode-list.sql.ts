import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../foundation/database.ts';
import type { EpisodeStatus } from '../../foundation/enumerations.ts';
import { type Grant, isSeenBy } from '../../foundation/permissions/index.ts';
import type { EpisodeListPosition } from '../../publishing/episodes/index.ts';
import { selectSplit } from './breakdown.sql.ts';
import { type FactsRow, factsColumns, podcastDataStart } from './facts.sql.ts';
import type { SplitRange } from './whole-months.ts';

/** Where a page ends, by (wasPublic, listedAt, id) descending. */
export interface EpisodeFiguresPosition extends EpisodeListPosition {
  /** False: it was never published. */
  readonly wasPublic: boolean;
}

export interface EpisodeListQuery {
  readonly podcastId: string;
  readonly after: EpisodeFiguresPosition | undefined;
  readonly limit: number;
}

/** Of episodes that are not public, those that a member may see. */
type SeenEpisodeList = EpisodeListQuery & Pick<Grant, 'creditedUserId'>;

/** An episode as stored; its figures. All columns are null if the page is empty. */
export interface EpisodeRow extends EpisodeFiguresPosition {
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
const newestFirst = sql`order by e.was_public desc, e.listed_at desc, e.id desc`;

/** The statuses of episodes that cannot be public at any time. */
const unpublishedStatuses = [
  'pending_confirmation',
  'draft',
  'archived',
] as const satisfies readonly EpisodeStatus[];

/**
 * Table expressions whose union has the page: the newest published episodes, and those of each other
 * status that have downloads, which were published once or never. Each is the beginning of an index:
 * episodes_public, episodes_unpublished_with_downloads.
 */
function walkEpisodes(
  { podcastId, after, limit, creditedUserId }: SeenEpisodeList,
  now: Date,
): RawBuilder<unknown> {
  const walk = (
    order: 'public_from' | 'listed_at',
    condition: RawBuilder<unknown>,
    wasPublic: boolean,
  ) => {
    const place = sql`e.${sql.ref(order)}`;
    const isBehind =
      after?.wasPublic === wasPublic
        ? sql`(${place}, e.id) < (${after.listedAt}, ${after.id})`
        : sql.lit(!wasPublic);
    const unseen = after ? sql`and ${isBehind} and e.last_move <= ${after.moves}` : sql``;
    return sql`(select e.*, ${sql.lit(wasPublic)} as was_public from episodes e
      where e.podcast_id = ${podcastId} and ${condition} ${unseen}
      order by ${place} desc, e.id desc limit ${sql.lit(Math.max(limit, mostRows))})`;
  };
  const unpublished = [
    ...unpublishedStatuses.map((status) => sql`e.status = ${sql.lit(status)}`),
    // Those that are due are public.
    sql`e.status = 'scheduled' and e.listed_at > ${now}`,
  ];
  return sql.join(
    [
      // Of public episodes, both moments are the same.
      walk('public_from', sql`e.public_from <= ${now}`, true),
      ...[true, false].flatMap((wasPublic) =>
        unpublished.map((condition) =>
          walk(
            'listed_at',
            sql`e.has_downloads and ${condition} and ${isSeenBy(creditedUserId)}
              and (e.published_at is not null) = ${sql.lit(wasPublic)}`,
            wasPublic,
          ),
        ),
      ),
    ],
    sql` union all `,
  );
}

/**
 * The published episodes of a podcast and those that have downloads, newest first, those that were never
 * published last; one row with facts alone if there are none, and no row if there is no such podcast. Costs as much as the page is
 * long, and skips episodes that moved since the first page (decision 0016). Figures by primary keys.
 */
export async function selectEpisodeFigures(
  db: Db,
  query: SeenEpisodeList,
  range: SplitRange,
  now: Date,
): Promise<Row[]> {
  const { podcastId, after, limit } = query;
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
      select * from (${walkEpisodes(query, now)}) e ${newestFirst} limit ${limit}
    )
    select facts.*, e.id, e.title, e.slug, e.status, e.published_at as "publishedAt",
      e.scheduled_for as "scheduledFor", e.listed_at as "listedAt",
      e.was_public as "wasPublic", ${episodeTotals(now)},
      (select coalesce(sum(downloads), 0)::bigint from (${downloads}) as part) as downloads
    from facts left join page e on true
    ${newestFirst}`.execute(db);
  return rows;
}

/** When the public first could have the episode. From `episodes e`; applies due schedules. */
function publishedAt(now: Date): RawBuilder<unknown> {
  return sql`(case when e.status = 'scheduled' and e.scheduled_for <= ${now}
    then e.scheduled_for else e.published_at end)`;
}

/**
 * Figures that no range limits: of all time, and of the UTC day of publication and the six after
 * it. From `episodes e`; by episode_download_totals_pkey and episode_download_days_pkey.
 */
export function episodeTotals(now: Date): RawBuilder<unknown> {
  const day = sql`(${publishedAt(now)} at time zone 'UTC')::date`;
  return sql`coalesce((select downloads from episode_download_totals
      where episode_id = e.id), 0) as "allTimeDownloads",
    (select coalesce(sum(downloads), 0)::bigint from episode_download_days
      where episode_id = e.id and day between ${day} and ${day} + 6) as "first7DaysDownloads"`;
}
