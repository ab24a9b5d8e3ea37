import { type RawBuilder, sql } from 'kysely';
import { limitedPlans } from '../../foundation/accounts/index.ts';
import { type Db, toRow } from '../../foundation/database.ts';
import type { Month } from './month.ts';

/** The part of a plan's downloads from which on it is nearly used up. */
export const nearShare = 0.8;

/** The downloads of a podcast in a month. From `podcasts p`, by podcast_download_months_pkey. */
export function downloadsOfMonth({ first }: Month): RawBuilder<number> {
  return sql`(select coalesce(sum(m.downloads), 0)::bigint from podcast_download_months m
    where m.podcast_id = p.id and m.month = ${first}::date)`;
}

/** Lets only one worker at a time decide about overage, until the transaction ends. */
export async function lockOverages(db: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('overages', 0))`.execute(db);
}

/** An account whose state has to change, with what it has used of its plan in a month. */
export interface DueAccount {
  readonly accountId: string;
  readonly plan: string;
  /** 0: the plan has no limit. */
  readonly monthlyDownloads: number;
  readonly downloads: number;
  readonly isNear: boolean;
  readonly isReached: boolean;
  readonly toldNearAt: Date | null;
  readonly exceededAt: Date | null;
  /** When the owner was told of the day of the suspension. */
  readonly warnedAt: Date | null;
  readonly suspendedAt: Date | null;
  readonly ownerName: string;
  readonly email: string;
}

/**
 * The accounts that need an email, a suspension, or a note that their overage has begun or ended;
 * at most `limit`. One statement: one row of podcast_download_months for each podcast.
 */
export async function selectDueAccounts(
  db: Db,
  month: Month,
  {
    limit,
    warns = false,
    suspendsBefore,
    accountId,
  }: {
    readonly limit: number;
    /** Only this one. */
    readonly accountId?: string;
    /** Owners who exceed their plan are told of a suspension if they weren't before. */
    readonly warns?: boolean;
    /** Accounts whose owner was told at this moment or earlier are suspended; undefined: none. */
    readonly suspendsBefore: Date | undefined;
  },
): Promise<DueAccount[]> {
  const before = sql`${suspendsBefore ?? null}::timestamptz`;
  const plans = sql.join(
    limitedPlans.map(({ id, monthlyDownloads }) => sql`(${id}, ${monthlyDownloads}::bigint)`),
  );
  const { rows } = await sql<DueAccount>`
    with used as (
      select p.account_id, sum(${downloadsOfMonth(month)})::bigint as downloads
      from podcasts p where true ${ofAccount('p.account_id', accountId)}
      group by p.account_id
    )
    select a.id as "accountId", a.plan, coalesce(limits.monthly, 0) as "monthlyDownloads",
      coalesce(used.downloads, 0) as downloads,
      is_now.near as "isNear", is_now.reached as "isReached",
      o.told_near_at as "toldNearAt", o.exceeded_at as "exceededAt", o.warned_at as "warnedAt",
      o.suspended_at as "suspendedAt", u.name as "ownerName", u.email
    from accounts a
    join users u on u.account_id = a.id
    left join used on used.account_id = a.id
    left join (values ${plans}) as limits (plan, monthly) on limits.plan = a.plan
    left join overages o on o.account_id = a.id and o.month = ${month.first}::date
    cross join lateral (
      select coalesce(used.downloads >= limits.monthly, false) as reached,
        coalesce(used.downloads >= limits.monthly * ${sql.lit(nearShare)}, false) as near
    ) is_now
    where (is_now.near <> (o.told_near_at is not null)
      or is_now.reached <> (o.exceeded_at is not null)
      or (is_now.reached and o.suspended_at is null
        and (${warns}::boolean and o.warned_at is null or o.warned_at <= ${before}))
      or (is_now.reached and o.suspended_at is not null and ${before} is not null and exists (
        select from podcasts p where p.account_id = a.id and ${suspendable('o.suspended_at')})))
      ${ofAccount('a.id', accountId)}
    order by a.id limit ${limit}`.execute(db);
  return rows;
}

/** A further condition if an account is given. */
const ofAccount = (column: string, accountId: string | undefined): RawBuilder<unknown> =>
  accountId === undefined ? sql`` : sql`and ${sql.ref(column)} = ${accountId}::uuid`;

export interface OverageState {
  readonly warnedAt: Date | null;
  readonly suspendedAt: Date | null;
  readonly hasSuspendedShow: boolean;
}

/** By overages_pkey and podcasts_of_account. */
export async function selectOverageState(
  db: Db,
  accountId: string,
  { first }: Month,
): Promise<OverageState> {
  const { rows } = await sql<OverageState>`
    select coalesce(o.warned_at, case when o.suspended_at is not null then o.exceeded_at end)
        as "warnedAt", o.suspended_at as "suspendedAt",
      exists (select from podcasts p
        where p.account_id = given.id and p.suspended_for = 'overage') as "hasSuspendedShow"
    from (values (${accountId}::uuid)) as given (id)
    left join overages o on o.account_id = given.id and o.month = ${first}::date`.execute(db);
  return rows[0] ?? { warnedAt: null, suspendedAt: null, hasSuspendedShow: false };
}

export interface OverageRow {
  readonly accountId: string;
  readonly toldNearAt: Date | null;
  readonly exceededAt: Date | null;
  readonly warnedAt: Date | null;
  readonly suspendedAt: Date | null;
}

/**
 * Where nobody is suspended: what was, and what would have been by now, of those warned before. If somebody
 * is again, the owners are told first: so processes with different settings don't end and begin suspensions
 * in turns.
 */
export async function forgetSuspensions(
  db: Db,
  { first }: Month,
  warnedBefore: Date,
): Promise<void> {
  await db
    .updateTable('overages')
    .set({ suspended_at: null, warned_at: null })
    .where('month', '=', first)
    .where((row) =>
      row.or([row('suspended_at', 'is not', null), row('warned_at', '<', warnedBefore)]),
    )
    .execute();
}

export async function upsertOverage(db: Db, { first }: Month, row: OverageRow): Promise<void> {
  const state = toRow({ ...row, month: first });
  await db
    .insertInto('overages')
    .values(state)
    .onConflict((conflict) => conflict.columns(['account_id', 'month']).doUpdateSet(state))
    .execute();
}

/**
 * Public shows of a suspended account, also those that became public after the suspension began.
 * Shows that the operator has resumed since then are left out.
 */
const suspendable = (suspendedAt: string) =>
  sql.raw(`p.status in ('active', 'paused', 'moved')
    and (p.overage_released_at is null or p.overage_released_at < ${suspendedAt})`);

/** The shows to suspend, in the order in which they are locked. By podcasts_of_account. */
export async function selectSuspendable(
  db: Db,
  accountId: string,
  suspendedAt: Date,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select p.id from podcasts p, (values (${suspendedAt}::timestamptz)) as o (suspended_at)
    where p.account_id = ${accountId} and ${suspendable('o.suspended_at')}
    order by p.id`.execute(db);
  return rows.map(({ id }) => id);
}

/**
 * Shows whose suspension has ended: their account does not exceed its plan in this month. By
 * podcasts_suspended_for_overage.
 */
export async function selectEndedSuspensions(
  db: Db,
  { first }: Month,
  accountId?: string,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select p.id from podcasts p
    where p.suspended_for = 'overage' ${ofAccount('p.account_id', accountId)} and not exists (
      select from overages o
      where o.account_id = p.account_id and o.month = ${first}::date and o.suspended_at is not null
    )
    order by p.id`.execute(db);
  return rows.map(({ id }) => id);
}
