import { sql } from 'kysely';
import { chunksOf } from '../../../lib/chunks-of.ts';
import type { Db } from '../../foundation/database.ts';
import type { IdKind } from '../exports/index.ts';

/** The columns that have the ids of a kind. Deleted episodes keep theirs, for their downloads. */
const idColumns: Readonly<Record<IdKind, readonly (readonly [table: string, column: string])[]>> = {
  podcast: [['podcasts', 'id']],
  image: [['images', 'id']],
  episode: [
    ['episodes', 'id'],
    ['deleted_episodes', 'episode_id'],
    ['episode_download_totals', 'episode_id'],
    ['download_request_sums', 'episode_id'],
  ],
  person: [['people', 'id']],
  credit: [['episode_credits', 'id']],
  'platform import': [['platform_imports', 'id']],
};
const idsAtOnce = 5_000;

/** Those of `ids` that exist, in batches. */
export async function* selectTakenIds(
  db: Db,
  kind: IdKind,
  ids: Iterable<string>,
): AsyncGenerator<string[]> {
  for (const some of chunksOf(ids, idsAtOnce)) {
    for (const [table, column] of idColumns[kind]) {
      const { rows } = await sql<{ id: string }>`
        select distinct ${sql.ref(column)} as id from ${sql.table(table)}
        where ${sql.ref(column)} = any (${some}::uuid[])`.execute(db);
      yield rows.map(({ id }) => id);
    }
  }
}

/** Pictures come after the podcast, so it gets its own when they are there. */
export async function setArtworkId(db: Db, podcastId: string, artworkId: string): Promise<void> {
  await db
    .updateTable('podcasts')
    .set({ artwork_id: artworkId })
    .where('id', '=', podcastId)
    .execute();
}

export async function setShowNotes(
  db: Db,
  episodeId: string,
  notes: { readonly showNotesHtml: string | null; readonly showNotes: string | null },
): Promise<void> {
  await db
    .updateTable('episodes')
    .set({ show_notes_html: notes.showNotesHtml, show_notes: notes.showNotes })
    .where('id', '=', episodeId)
    .execute();
}
