import { sql } from 'kysely';
import type { Db } from '../../../foundation/database.ts';

export interface FeedProof {
  readonly id: string;
  readonly userId: string;
  readonly feedTag: Buffer;
  readonly codeHash: Buffer;
  readonly expiresAt: Date;
  readonly createdAt: Date;
}

/** A new code replaces the previous one and its attempts; by the unique key. */
export async function upsertFeedProof(db: Db, proof: FeedProof): Promise<string> {
  const values = {
    code_hash: proof.codeHash,
    tries: 0,
    expires_at: proof.expiresAt,
    proved_at: null,
    created_at: proof.createdAt,
  };
  const { id } = await db
    .insertInto('feed_proofs')
    .values({ id: proof.id, user_id: proof.userId, feed_tag: proof.feedTag, ...values })
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'feed_tag']).doUpdateSet({ id: proof.id, ...values }),
    )
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Counts an attempt in the statement that reads the code. */
export async function countTry(
  db: Db,
  id: string,
  mostTries: number,
  now: Date,
): Promise<{ readonly userId: string; readonly codeHash: Buffer } | undefined> {
  const row = await db
    .updateTable('feed_proofs')
    .set({ tries: sql<number>`tries + 1` })
    .where('id', '=', id)
    .where('tries', '<', mostTries)
    .where('expires_at', '>', now)
    .where('code_hash', 'is not', null)
    .returning(['user_id as userId', 'code_hash as codeHash'])
    .executeTakeFirst();
  return row === undefined || row.codeHash === null
    ? undefined
    : { userId: row.userId, codeHash: row.codeHash };
}

/** Returns false if another code has replaced it. */
export async function proveFeed(db: Db, id: string, codeHash: Buffer, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('feed_proofs')
    .set({ code_hash: null, proved_at: now })
    .where('id', '=', id)
    .where('code_hash', '=', codeHash)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

export async function selectProofOwner(db: Db, id: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('feed_proofs')
    .select('user_id as userId')
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.userId;
}

/** By the unique key. */
export async function isFeedProved(db: Db, userId: string, feedTag: Buffer): Promise<boolean> {
  const row = await db
    .selectFrom('feed_proofs')
    .select('id')
    .where('user_id', '=', userId)
    .where('feed_tag', '=', feedTag)
    .where('proved_at', 'is not', null)
    .executeTakeFirst();
  return row !== undefined;
}
