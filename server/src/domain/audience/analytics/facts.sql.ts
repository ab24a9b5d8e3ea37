import { type RawBuilder, sql } from 'kysely';
import type { DayRange, UtcDay } from '../../../lib/utc-day.ts';
import type { Db } from '../../foundation/database.ts';
import type { HostingType } from '../../foundation/enumerations.ts';
import { type EvidenceCounts, evidenceColumns } from '../downloads/index.ts';

/** What every response says about its figures, in the row that holds them. */
export interface FactsRow {
  readonly hostingType: HostingType;
  readonly dataStart: UtcDay | null;
  readonly updatedAt: Date | null;
  /** Null: no process counts. */
  readonly completeUntil: Date | null;
}

/** Columns of a FactsRow. From `podcasts p`; the day is an expression. */
export function factsColumns(dataStart: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`p.hosting_type as "hostingType", ${dataStart} as "dataStart",
    (select updated_at from download_sums) as "updatedAt",
    (select min(complete_until) from download_writers) as "completeUntil"`;
}

/** The first day with downloads, by podcast_download_days_pkey. From `podcasts p`. */
export const podcastDataStart = sql`(select day from podcast_download_days
  where podcast_id = p.id and downloads > 0 order by day limit 1)`;

/** The same of an episode, by episode_download_days_pkey. From `episodes e`. */
export const episodeDataStart = sql`(select day from episode_download_days
  where episode_id = e.id and downloads > 0 order by day limit 1)`;

interface EvidenceRow extends FactsRow, EvidenceCounts {}

/**
 * What became of the requests for an episode on days that still have evidence; undefined if there is
 * no such episode. By indexes of days' partitions.
 */
export async function selectEvidence(
  db: Db,
  episodeId: string,
  { from, to }: DayRange,
): Promise<EvidenceRow | undefined> {
  const ofDays = sql`episode_id = e.id and day between ${from}::date and ${to}::date`;
  const { rows } = await sql<EvidenceRow>`
    select ${factsColumns(episodeDataStart)}, ${evidenceColumns(ofDays)}
    from episodes e join podcasts p on p.id = e.podcast_id
    where e.id = ${episodeId}`.execute(db);
  return rows[0];
}
