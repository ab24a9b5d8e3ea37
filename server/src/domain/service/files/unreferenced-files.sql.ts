import { sql } from 'kysely';
import type { Db } from '../../foundation/database.ts';

/** Which of these files lost their last reference at `since` or later. By unreferenced_files_pkey. */
export async function selectReleasedSince(
  db: Db,
  ids: readonly string[],
  since: Date,
): Promise<string[]> {
  const rows = await db
    .selectFrom('unreferenced_files')
    .select('id')
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .where('since', '>=', since)
    .execute();
  return rows.map(({ id }) => id);
}

export async function deleteReleasedBefore(db: Db, since: Date): Promise<void> {
  await db.deleteFrom('unreferenced_files').where('since', '<', since).execute();
}
