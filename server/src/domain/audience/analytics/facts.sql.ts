import { type RawBuilder, sql } from 'kysely';
import type { UtcDay } from '../../../lib/utc-day.ts';
import type { HostingType } from '../../foundation/enumerations.ts';

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
