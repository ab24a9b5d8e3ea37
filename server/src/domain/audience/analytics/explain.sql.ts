import { sql } from 'kysely';
import type { DayRange } from '../../../lib/utc-day.ts';
import type { Db } from '../../foundation/database.ts';
import { type EvidenceCounts, evidenceColumns } from '../downloads/index.ts';
import { episodeDataStart, type FactsRow, factsColumns } from './facts.sql.ts';

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
