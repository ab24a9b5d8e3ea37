import { sql } from 'kysely';
import type { Language } from '../../../lib/languages.ts';
import type { Db } from '../../foundation/database.ts';
import { idleMs, longestMs, maxSessions, renewalMs, type Session, sessionEnd } from './session.ts';

/**
 * Returns false if the verified password is no longer current. Waits for a concurrent change of the
 * password; a later change finds this session and ends it.
 */
export async function insertSession(
  db: Db,
  session: Omit<Session, 'expiresAt'> & {
    readonly tokenHash: Buffer;
    readonly networkTag: Buffer;
    readonly passwordHash: string;
  },
): Promise<boolean> {
  const { id, userId, tokenHash, userAgent, networkTag, createdAt, lastUsedAt } = session;
  const result = await sql`
    insert into sessions
      (id, user_id, token_hash, user_agent, network_tag, created_at, last_used_at)
    select ${id}::uuid, users.id, ${tokenHash}::bytea, ${userAgent}::text, ${networkTag}::bytea,
      ${createdAt}::timestamptz, ${lastUsedAt}::timestamptz
    from users
    where users.id = ${userId} and users.password_hash = ${session.passwordHash}
    for share of users
  `.execute(db);
  return result.numAffectedRows === 1n;
}

/** The row that `useSession` returns, before computed fields. */
export interface SessionRow {
  readonly id: string;
  readonly userId: string;
  readonly userAgent: string | null;
  readonly createdAt: Date;
  readonly lastUsedAt: Date;
  readonly accountId: string;
  readonly userName: string;
  readonly email: string;
  readonly acceptedTerms: string | null;
  readonly language: Language | null;
}

/**
 * Finds a live session and its user in one round trip, by sessions_token_hash_key, and updates its
 * last use once an hour. Returns the previous `lastUsedAt`.
 */
export async function useSession(
  db: Db,
  tokenHash: Buffer,
  now: Date,
): Promise<SessionRow | undefined> {
  const { rows } = await sql<SessionRow>`
    with found as (
      select sessions.id, user_id, user_agent, sessions.created_at, last_used_at,
        account_id, users.name, email, accepted_terms, language
      from sessions join users on users.id = user_id
      where token_hash = ${tokenHash}
        and last_used_at > ${before(now, idleMs)}
        and sessions.created_at > ${before(now, longestMs)}
    ), renewed as (
      update sessions set last_used_at = ${now}
      where id = (select id from found where last_used_at <= ${before(now, renewalMs)})
    )
    select id, user_id as "userId", user_agent as "userAgent", created_at as "createdAt",
      last_used_at as "lastUsedAt", account_id as "accountId", name as "userName", email,
      accepted_terms as "acceptedTerms", language
    from found
  `.execute(db);
  return rows[0];
}

/** By sessions_pkey. */
export async function isSessionLive(
  db: Db,
  { sessionId, userId }: { readonly sessionId: string; readonly userId: string },
  now: Date,
): Promise<boolean> {
  const row = await db
    .selectFrom('sessions')
    .select('id')
    .where('id', '=', sessionId)
    .where('user_id', '=', userId)
    .where('last_used_at', '>', before(now, idleMs))
    .where('created_at', '>', before(now, longestMs))
    .executeTakeFirst();
  return row !== undefined;
}

/** Live sessions, the most recently used first; by sessions_of_user. */
export async function selectSessions(db: Db, userId: string, now: Date): Promise<Session[]> {
  const rows = await db
    .selectFrom('sessions')
    .select([
      'id',
      'user_id as userId',
      'user_agent as userAgent',
      'created_at as createdAt',
      'last_used_at as lastUsedAt',
    ])
    .where('user_id', '=', userId)
    .where('last_used_at', '>', before(now, idleMs))
    .where('created_at', '>', before(now, longestMs))
    .orderBy('last_used_at', 'desc')
    .orderBy('id')
    .limit(maxSessions)
    .execute();
  return rows.map((row) => ({ ...row, expiresAt: sessionEnd(row) }));
}

/** Whether the user has a live session from this network; by sessions_of_user. */
export async function hasSessionFrom(
  db: Db,
  userId: string | undefined,
  networkTag: Buffer,
  now: Date,
): Promise<boolean> {
  const row = await db
    .selectFrom('sessions')
    .select('id')
    .where('user_id', '=', userId ?? null)
    .where('network_tag', '=', networkTag)
    .where('last_used_at', '>', before(now, idleMs))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** By sessions_token_hash_key. */
export async function deleteSessionByToken(db: Db, tokenHash: Buffer): Promise<void> {
  await db.deleteFrom('sessions').where('token_hash', '=', tokenHash).execute();
}

/** Returns false if the user has no such session. */
export async function deleteSession(db: Db, userId: string, sessionId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('sessions')
    .where('id', '=', sessionId)
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/** Deletes all sessions but the one to keep; by sessions_of_user. */
export async function deleteSessionsOfUser(
  db: Db,
  userId: string,
  keptSessionId?: string,
): Promise<void> {
  await db
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .$if(keptSessionId !== undefined, (query) => query.where('id', '<>', keptSessionId ?? ''))
    .execute();
}

/** Keeps the most recently used; by sessions_of_user. */
export async function deleteSurplusSessions(db: Db, userId: string): Promise<void> {
  await db
    .deleteFrom('sessions')
    .where('id', 'in', (query) =>
      query
        .selectFrom('sessions')
        .select('id')
        .where('user_id', '=', userId)
        .orderBy('last_used_at', 'desc')
        .orderBy('id')
        .offset(maxSessions),
    )
    .execute();
}

/** By sessions_by_use. */
export async function deleteEndedSessions(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('sessions').where('last_used_at', '<=', before(now, idleMs)).execute();
}

function before(now: Date, milliseconds: number): Date {
  return new Date(now.getTime() - milliseconds);
}
