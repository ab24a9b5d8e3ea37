import { sql } from 'kysely';
import type { Db } from '../../foundation/database.ts';

export interface FirstStepFacts {
  /** It is hosted here, and no import has made it. */
  readonly beganHere: boolean;
  readonly firstPublicAt: Date | null;
  readonly hasAudio: boolean;
  /** The newest of them that are not public yet. */
  readonly draftWithoutAudio: string | null;
  readonly unpublishedWithAudio: string | null;
}

/** One statement: by podcasts_pkey, imports_of_podcast, episodes_public and episodes_listed. */
export async function selectFirstStepFacts(
  db: Db,
  podcastId: string,
  now: Date,
): Promise<FirstStepFacts | undefined> {
  const audio = sql`exists (select from audio_files a where a.episode_id = e.id)`;
  const shown = sql`e.podcast_id = p.id and e.status <> 'archived'`;
  const waits = sql`(e.public_from is null or e.public_from > ${now})`;
  const newest = sql`order by e.listed_at desc, e.id desc limit 1`;
  const { rows } = await sql<FirstStepFacts>`
    select p.hosting_type = 'hosted' and not exists (
        select from imports i where i.podcast_id = p.id and not i.dry_run) as "beganHere",
      (select e.public_from from episodes e where e.podcast_id = p.id and e.public_from <= ${now}
        order by e.public_from, e.id limit 1) as "firstPublicAt",
      exists (select from episodes e where ${shown} and ${audio}) as "hasAudio",
      (select e.id from episodes e
        where ${shown} and ${waits} and not ${audio} ${newest}) as "draftWithoutAudio",
      (select e.id from episodes e
        where ${shown} and ${waits} and ${audio} ${newest}) as "unpublishedWithAudio"
    from podcasts p where p.id = ${podcastId}`.execute(db);
  return rows[0];
}
