import { type QueryCreator, sql } from 'kysely';
import type { Db, Tables } from '../database.ts';
import type { Change, ChangeEvent, ChangeKind } from './change.ts';

/**
 * Inserts the event; for a change of content it also notes which transaction changed it last, by
 * content_changes_pkey. One statement.
 */
export async function insertChangeEvent(
  db: Db,
  event: Change & { readonly actorUserId: string | null; readonly createdAt: Date },
): Promise<void> {
  const of = { podcastId: null, episodeId: null, userId: null, previousUserId: null, ...event };
  await notingContent(db, event)
    .insertInto('change_events')
    .values({
      kind: of.kind,
      podcast_id: of.podcastId,
      episode_id: of.episodeId,
      user_id: of.userId,
      previous_user_id: of.previousUserId,
      account_id: of.kind === 'plan.changed' ? of.accountId : null,
      actor_user_id: of.actorUserId,
      created_at: of.createdAt,
    })
    .execute();
}

/**
 * An episode's content is noted under its id, what all episodes take from their podcast under the
 * podcast's. The statements that can follow have one type: the compiler does not unite such long
 * types.
 */
function notingContent(db: Db, change: Change): QueryCreator<Tables> {
  const { kind } = change;
  if (kind === 'podcast.deleted') {
    return db.with('noted', (withDb) =>
      withDb.deleteFrom('content_changes').where('podcast_id', '=', change.podcastId),
    ) as unknown as QueryCreator<Tables>;
  }
  if (!kind.startsWith('podcast.') && !kind.startsWith('episode.')) return db;
  const { podcastId = '', episodeId = podcastId } = change as {
    podcastId?: string;
    episodeId?: string;
  };
  return db.with('noted', (withDb) =>
    withDb
      .insertInto('content_changes')
      .values({ podcast_id: podcastId, subject_id: episodeId })
      .onConflict((conflict) =>
        conflict
          .columns(['podcast_id', 'subject_id'])
          .doUpdateSet(({ ref }) => ({ xid: ref('excluded.xid') })),
      ),
  ) as unknown as QueryCreator<Tables>;
}

/**
 * Locks the last number given until the transaction ends, if an event waits for a number. By
 * change_events_unnumbered.
 */
export async function lockHeadIfBehind(db: Db): Promise<number | undefined> {
  const head = await db
    .selectFrom('change_head')
    .select('seq')
    .where(({ exists, selectFrom }) =>
      exists(selectFrom('change_events').select('id').where('seq', 'is', null)),
    )
    .forUpdate()
    .executeTakeFirst();
  return head?.seq;
}

/** Numbers committed events in the order they were written. */
export async function numberEvents(db: Db, head: number, limit: number): Promise<void> {
  await sql`
    with numbered as (
      update change_events as event set seq = place.seq
      from (
        select id, ${head}::bigint + row_number() over (order by id) as seq
        from change_events where seq is null order by id limit ${limit}
      ) as place
      where event.id = place.id
      returning event.id
    )
    update change_head set seq = ${head}::bigint + (select count(*) from numbered)
  `.execute(db);
}

/** By change_events_unnumbered and change_consumers_pkey. */
export async function hasEventsAfterConsumer(db: Db, name: string): Promise<boolean> {
  const { rows } = await sql<{ isBehind: boolean }>`
    select exists (select from change_events where seq is null)
      or exists (select from change_consumers consumer join change_head head
        on head.seq > consumer.seq where consumer.name = ${name}) as "isBehind"`.execute(db);
  return rows[0]?.isBehind === true;
}

/** The consumer's position, locked until the transaction ends. */
export async function lockConsumer(db: Db, name: string): Promise<number> {
  const { seq } = await db
    .selectFrom('change_consumers')
    .select('seq')
    .where('name', '=', name)
    .forUpdate()
    .executeTakeFirstOrThrow();
  return seq;
}

export async function moveConsumer(db: Db, name: string, seq: number): Promise<void> {
  await db.updateTable('change_consumers').set({ seq }).where('name', '=', name).execute();
}

/** By change_events_seq_key. */
export function selectEventsAfter(db: Db, seq: number, limit: number): Promise<ChangeEvent[]> {
  return db
    .selectFrom('change_events')
    .select((column) => [
      column.ref('seq').$notNull().as('seq'),
      column.ref('kind').$castTo<ChangeKind>().as('kind'),
      'podcast_id as podcastId',
      'episode_id as episodeId',
      'user_id as userId',
      'previous_user_id as previousUserId',
      'account_id as accountId',
      'actor_user_id as actorUserId',
      'created_at as createdAt',
    ])
    .where('seq', '>', seq)
    .orderBy('seq')
    .limit(limit)
    .execute();
}

/** Deletes the events that every consumer has read. By change_events_seq_key. */
export async function deletePassedEvents(db: Db): Promise<void> {
  await db
    .deleteFrom('change_events')
    .where('seq', '<=', ({ selectFrom }) =>
      selectFrom('change_consumers').select(({ fn }) => fn.min('seq').as('seq')),
    )
    .execute();
}
