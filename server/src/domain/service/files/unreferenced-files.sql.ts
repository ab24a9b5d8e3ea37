import { sql } from 'kysely';
import type { Db } from '../../foundation/database.ts';

/** When those of these files that a row has named lost their last reference. By unreferenced_files_pkey. */
export async function selectReleases(
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Date>> {
  const rows = await db
    .selectFrom('unreferenced_files')
    .select(['id', 'since'])
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .execute();
  return new Map(rows.map(({ id, since }) => [id, since]));
}

export async function deleteReleasedBefore(db: Db, since: Date): Promise<void> {
  await db.deleteFrom('unreferenced_files').where('since', '<', since).execute();
}
