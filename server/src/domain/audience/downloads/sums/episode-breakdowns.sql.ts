import { sql } from 'kysely';
import type { UtcDay } from '../../../../lib/utc-day.ts';
import type { Db } from '../../../foundation/database.ts';
import type { Dimension } from './differences.ts';

/** Downloads by dimension and value. None is 0. */
export type Breakdowns = Readonly<Partial<Record<Dimension, Readonly<Record<string, number>>>>>;

/** The downloads of an episode on a day. */
export interface EpisodeBreakdowns {
  readonly podcastId: string;
  readonly episodeId: string;
  readonly day: UtcDay;
  readonly counts: Breakdowns;
}

/** Those of them that have a row. Requires the lock of the sums, so that they stay as they are. */
export async function selectEpisodeBreakdowns(
  db: Db,
  of: readonly Pick<EpisodeBreakdowns, 'episodeId' | 'day'>[],
): Promise<EpisodeBreakdowns[]> {
  const { rows } = await sql<EpisodeBreakdowns>`
    select podcast_id as "podcastId", episode_id as "episodeId", day, counts
    from unnest(${of.map(({ episodeId }) => episodeId)}::uuid[], ${of.map(({ day }) => day)}::date[])
      as wanted (episode_id, day)
    join episode_download_breakdowns using (episode_id, day)`.execute(db);
  return rows;
}

/** Writes rows, also in the place of others. Each episode and day once. */
export async function upsertEpisodeBreakdowns(
  db: Db,
  rows: readonly EpisodeBreakdowns[],
): Promise<void> {
  await sql`insert into episode_download_breakdowns (podcast_id, episode_id, day, counts)
    select "podcastId", "episodeId", day, counts
    from json_to_recordset(${JSON.stringify(rows)}::json)
      as row ("podcastId" uuid, "episodeId" uuid, day date, counts jsonb)
    on conflict (episode_id, day) do update set counts = excluded.counts`.execute(db);
}
