import { sql } from 'kysely';
import type { Db } from '../../foundation/database.ts';

/** After `from`, up to and including `to`; backwards if the clock was set back. */
interface Span {
  readonly from: Date;
  readonly to: Date;
}

/**
 * Whether an episode has become public, or isn't public any more, since the consumer looked; also
 * true if it has never looked. By publication_clocks_pkey and episodes_by_publication.
 */
export async function hasPublicationsAfter(db: Db, consumer: string, now: Date): Promise<boolean> {
  const clock = sql`(select published_until from publication_clocks where consumer = ${consumer})`;
  const { rows } = await sql<{ isBehind: boolean }>`
    select ${clock} is null or exists (select from episodes where public_from is not null
      and public_from > least(${clock}, ${now})
      and public_from <= greatest(${clock}, ${now})) as "isBehind"`.execute(db);
  return rows[0]?.isBehind === true;
}

/**
 * The time up to which the consumer has handled publications, locked until the transaction ends. It
 * begins now for a new consumer. Undefined: another worker is handling them.
 */
export async function lockPublicationClock(
  db: Db,
  consumer: string,
  now: Date,
): Promise<Date | undefined> {
  const clock = await db
    .selectFrom('publication_clocks')
    .select('published_until as publishedUntil')
    .where('consumer', '=', consumer)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
  if (clock !== undefined) return clock.publishedUntil;
  const begun = await db
    .insertInto('publication_clocks')
    .values({ consumer, published_until: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning('published_until as publishedUntil')
    .executeTakeFirst();
  return begun?.publishedUntil;
}

export async function movePublicationClock(db: Db, consumer: string, to: Date): Promise<void> {
  await db
    .updateTable('publication_clocks')
    .set({ published_until: to })
    .where('consumer', '=', consumer)
    .execute();
}

/** The time of the last one of the next `limit` publications. By episodes_by_publication. */
export async function selectEndOfPublications(
  db: Db,
  { from, to }: Span,
  limit: number,
): Promise<Date> {
  const row = await db
    .selectFrom('episodes')
    .select('public_from as publicFrom')
    .where('public_from', '>', from)
    .where('public_from', '<=', to)
    .orderBy('public_from')
    .offset(limit - 1)
    .limit(1)
    .executeTakeFirst();
  return row?.publicFrom ?? to;
}

/**
 * The shows of episodes that became public in this time, or that are not public any more. By
 * episodes_by_publication.
 */
export async function selectPublishingPodcasts(db: Db, { from, to }: Span): Promise<string[]> {
  const [first, last] = from <= to ? [from, to] : [to, from];
  const rows = await db
    .selectFrom('episodes')
    .select('podcast_id as podcastId')
    .distinct()
    .where('public_from', '>', first)
    .where('public_from', '<=', last)
    .execute();
  return rows.map(({ podcastId }) => podcastId);
}
