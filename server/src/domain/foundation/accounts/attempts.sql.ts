import { sql } from 'kysely';
import type { Db } from '../database.ts';

/** Counts one more in the bucket's window, or starts a new window; by the primary key. */
export function countAttempt(
  db: Db,
  bucket: Buffer,
  { now, windowEndsAt }: { readonly now: Date; readonly windowEndsAt: Date },
): Promise<{ readonly count: number; readonly windowEndsAt: Date }> {
  return db
    .insertInto('attempts')
    .values({ bucket, count: 1, window_ends_at: windowEndsAt })
    .onConflict((conflict) =>
      conflict.column('bucket').doUpdateSet({
        count: sql<number>`case when attempts.window_ends_at <= ${now} then 1
          else attempts.count + 1 end`,
        window_ends_at: sql<Date>`case when attempts.window_ends_at <= ${now}
          then excluded.window_ends_at else attempts.window_ends_at end`,
      }),
    )
    .returning(['count', 'window_ends_at as windowEndsAt'])
    .executeTakeFirstOrThrow();
}

/** By attempts_by_end. */
export async function deleteEndedAttempts(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('attempts').where('window_ends_at', '<=', now).execute();
}
