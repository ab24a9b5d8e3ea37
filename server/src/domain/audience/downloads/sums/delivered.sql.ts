import { type RawBuilder, sql } from 'kysely';
import type { UtcDay } from '../../../../lib/utc-day.ts';
import type { Db } from '../../../foundation/database.ts';

interface OfDay {
  readonly episodeId: string;
  readonly day: UtcDay;
}

/** Null: all of them may have been counted when the audio was sent. Never more than there are. */
const delivered: RawBuilder<number> = sql`least(coalesce(delivered, downloads), downloads)`;

const episodesAndDays = (rows: readonly OfDay[]) =>
  sql`${rows.map(({ episodeId }) => episodeId)}::uuid[], ${rows.map(({ day }) => day)}::date[]`;

/**
 * How many downloads of these episodes and days were counted when the audio was sent, without those
 * that `subtractDelivered` has taken off. By episode_download_days_pkey.
 */
export async function selectDelivered(
  db: Db,
  wanted: readonly OfDay[],
): Promise<(OfDay & { readonly downloads: number })[]> {
  const { rows } = await sql<OfDay & { readonly downloads: number }>`
    select episode_id as "episodeId", day::text as day, greatest(0, ${delivered})::bigint as downloads
    from unnest(${episodesAndDays(wanted)}) as wanted (episode_id, day)
    join episode_download_days using (episode_id, day)`.execute(db);
  return rows;
}

/** Takes off the downloads that were found in logs. Each episode and day once. */
export async function subtractDelivered(
  db: Db,
  rows: readonly (OfDay & { readonly found: number })[],
): Promise<void> {
  await sql`
    update episode_download_days kept set delivered = ${delivered} - changed.found
    from unnest(${episodesAndDays(rows)}, ${rows.map(({ found }) => found)}::bigint[])
      as changed (episode_id, day, found)
    where kept.episode_id = changed.episode_id and kept.day = changed.day`.execute(db);
}
