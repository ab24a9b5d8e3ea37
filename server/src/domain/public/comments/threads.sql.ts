import { sql } from 'kysely';
import type { Db } from '../../foundation/database.ts';
import { type Comment, freshMs } from './comment.ts';

export interface StoredThread {
  readonly askedAt: Date;
  readonly readAt: Date | null;
  readonly comments: readonly Comment[] | null;
}

/** By comment_threads_pkey. A post has one thread, whatever its URLs are, so `postUrl` is that of its replies. */
export async function selectThread(db: Db, postUrl: string): Promise<StoredThread | undefined> {
  const { rows } = await sql<StoredThread>`
    select asked_at as "askedAt", read_at as "readAt", comments
    from comment_threads where post_url = ${postUrl}`.execute(db);
  return rows[0];
}

/**
 * Notes that the post is asked for now. False if another process, or another request, has done so in the
 * last 15 minutes. A time in the future is of a clock that was set back.
 */
export async function claimThread(db: Db, postUrl: string, now: Date): Promise<boolean> {
  const before = new Date(now.getTime() - freshMs);
  const { rows } = await sql`
    insert into comment_threads as known (post_url, asked_at) values (${postUrl}, ${now})
    on conflict (post_url) do update set asked_at = excluded.asked_at
      where known.asked_at <= ${before} or known.asked_at > ${now}
    returning true`.execute(db);
  return rows.length > 0;
}

/** Takes a claim back: the post was not requested at `now`, but last at `before`, or never. */
export async function unclaimThread(
  db: Db,
  postUrl: string,
  { now, before }: { readonly now: Date; readonly before: Date | undefined },
): Promise<void> {
  const isClaim = sql`post_url = ${postUrl} and asked_at = ${now}`;
  await (before === undefined
    ? sql`delete from comment_threads where ${isClaim} and read_at is null`.execute(db)
    : sql`update comment_threads set asked_at = ${before} where ${isClaim}`.execute(db));
}

export async function updateThread(
  db: Db,
  postUrl: string,
  comments: readonly Comment[],
  now: Date,
): Promise<void> {
  await sql`update comment_threads set read_at = ${now}, comments = ${JSON.stringify(comments)}::jsonb
    where post_url = ${postUrl}`.execute(db);
}

/** Deletes at most `limit` threads that nobody has requested since. By comment_threads_by_age. */
export async function deleteOldThreads(db: Db, before: Date, limit: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from comment_threads where post_url in (select post_url from comment_threads
      where asked_at < ${before} order by asked_at limit ${limit} for update skip locked)`.execute(
    db,
  );
  return Number(numAffectedRows);
}

/**
 * Deletes at most `limit` of the threads that were requested before the newest ones, which have so many
 * bytes together: they are read again when somebody asks. Reads all rows, but none of their comments.
 */
export async function deleteExcessThreads(
  db: Db,
  mostBytes: number,
  limit: number,
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from comment_threads where post_url in (
      select post_url from (
        select post_url, asked_at, sum(200 + length(post_url) + coalesce(pg_column_size(comments), 0))
          over (order by asked_at desc, post_url) as bytes from comment_threads) thread
      where bytes > ${mostBytes} order by asked_at limit ${limit})`.execute(db);
  return Number(numAffectedRows);
}
