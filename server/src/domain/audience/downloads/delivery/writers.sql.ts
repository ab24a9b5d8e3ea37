import type { Db } from '../../../foundation/database.ts';

/** Records that all requests of a process until then are in the sums. */
export async function upsertWriter(db: Db, id: string, completeUntil: Date): Promise<void> {
  await db
    .insertInto('download_writers')
    .values({ id, complete_until: completeUntil })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ complete_until: completeUntil }))
    .execute();
}

export async function deleteWriter(db: Db, id: string): Promise<void> {
  await db.deleteFrom('download_writers').where('id', '=', id).execute();
}

/** Deletes rows of processes that have ended and whose journals are lost, but not rows of logs. */
export async function deleteLostWriters(db: Db, before: Date): Promise<void> {
  await db
    .deleteFrom('download_writers')
    .where('complete_until', '<', before)
    .where('id', 'not like', 'log:%')
    .execute();
}
