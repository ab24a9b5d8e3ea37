import { sql } from 'kysely';
import type { Db } from '../../../foundation/database.ts';

export interface LogHold {
  readonly modifiedAt: Date | null;
  /** When a process first held this log; null: unknown. */
  readonly firstHeldAt: Date | null;
}

/**
 * Holds the log for this process, or renews its hold. Undefined: another process holds it. By the
 * clock of the database, which all share.
 */
export async function holdLog(
  db: Db,
  name: string,
  holder: string,
  forMs: number,
): Promise<LogHold | undefined> {
  const { rows } = await sql<LogHold>`
    insert into followed_logs as kept (name, holder, held_until, first_held_at)
    values (${name}, ${holder}, clock_timestamp() + ${forMs} * interval '1 millisecond',
      clock_timestamp())
    on conflict (name) do update set holder = excluded.holder, held_until = excluded.held_until
      where kept.holder = excluded.holder or kept.holder is null
        or kept.held_until < clock_timestamp()
    returning modified_at as "modifiedAt", first_held_at as "firstHeldAt"`.execute(db);
  return rows[0];
}

export async function releaseLog(db: Db, name: string, holder: string): Promise<void> {
  await db
    .updateTable('followed_logs')
    .set({ holder: null })
    .where('name', '=', name)
    .where('holder', '=', holder)
    .execute();
}

/** Records that the holder has counted all lines in the log up to `completeUntil`. */
export async function noteLogRead(
  db: Db,
  read: {
    readonly name: string;
    readonly holder: string;
    readonly modifiedAt: Date | null;
    readonly completeUntil: Date;
  },
): Promise<void> {
  await sql`
    with held as (
      update followed_logs set modified_at = ${read.modifiedAt}
      where name = ${read.name} and holder = ${read.holder}
      returning name
    )
    insert into download_writers (id, complete_until)
    select 'log:' || name, ${read.completeUntil} from held
    on conflict (id) do update set complete_until = excluded.complete_until`.execute(db);
}

/**
 * Deletes the logs of this machine that nobody follows any more, except `name`. They contain
 * nothing to count, so figures are complete without them.
 */
export async function deleteOtherLogs(
  db: Db,
  { host, name }: { readonly host: string; readonly name: string | undefined },
): Promise<void> {
  await sql`
    with gone as (
      delete from followed_logs
      where starts_with(name, ${`${host}:`}) and name is distinct from ${name ?? null}::text
        and (holder is null or held_until < clock_timestamp())
      returning name
    )
    delete from download_writers where id in (select 'log:' || name from gone)`.execute(db);
}

/**
 * Deletes how far logs are counted that nobody follows, and that were last counted before this
 * moment: their machines are gone, or have another name now, as a new container has. Otherwise no
 * later day would ever be complete.
 */
export async function deleteLostLogs(db: Db, before: Date): Promise<void> {
  await sql`
    delete from download_writers writer
    where id like 'log:%' and complete_until < ${before} and not exists (
      select from followed_logs kept
      where 'log:' || kept.name = writer.id and holder is not null
        and held_until >= clock_timestamp())`.execute(db);
}
