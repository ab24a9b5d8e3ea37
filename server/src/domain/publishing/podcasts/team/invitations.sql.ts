import { sql } from 'kysely';
import { type Db, toRow } from '../../../foundation/database.ts';
import { isEmailOf } from '../../../foundation/is-email-of.sql.ts';
import type { Invitation, ReceivedInvitation } from './invitation.ts';

const invitationColumns = [
  'invitations.id',
  'invitations.podcast_id as podcastId',
  'invitations.email',
  'invitations.role',
  'invitations.role_name as roleName',
  'invitations.capabilities',
  'invitations.created_at as createdAt',
  'invitations.expires_at as expiresAt',
] as const;

/** Replaces an earlier invitation of the same address. By invitations_of_podcast. */
export async function replaceInvitation(
  db: Db,
  invitation: Invitation & { readonly tokenHash: Buffer; readonly invitedBy: string },
): Promise<void> {
  await db
    .deleteFrom('invitations')
    .where('podcast_id', '=', invitation.podcastId)
    .where(isEmailOf(invitation.email))
    .execute();
  await db.insertInto('invitations').values(toRow(invitation)).execute();
}

/** Lists open invitations, newest first. By invitations_of_podcast. */
export function selectInvitations(db: Db, podcastId: string, now: Date): Promise<Invitation[]> {
  return db
    .selectFrom('invitations')
    .select(invitationColumns)
    .where('podcast_id', '=', podcastId)
    .where('expires_at', '>', now)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();
}

/** Finds an open invitation of this podcast. By the primary key. */
export function selectInvitation(
  db: Db,
  wanted: { readonly id: string; readonly podcastId: string; readonly now: Date },
): Promise<Invitation | undefined> {
  return db
    .selectFrom('invitations')
    .select(invitationColumns)
    .where('id', '=', wanted.id)
    .where('podcast_id', '=', wanted.podcastId)
    .where('expires_at', '>', wanted.now)
    .executeTakeFirst();
}

/** By invitations_token_hash_key. */
export function selectInvitationByToken(
  db: Db,
  tokenHash: Buffer,
  now: Date,
): Promise<ReceivedInvitation | undefined> {
  return selectReceived(db, now).where('invitations.token_hash', '=', tokenHash).executeTakeFirst();
}

/** For a copied link. By the primary key. */
export async function selectCopiedInvitation(
  db: Db,
  id: string,
  now: Date,
): Promise<ReceivedInvitation | undefined> {
  const found = await selectReceived(db, now).where('invitations.id', '=', id).executeTakeFirst();
  return found && { ...found, hasAccount: null };
}

function selectReceived(db: Db, now: Date) {
  return db
    .selectFrom('invitations')
    .innerJoin('podcasts', 'podcasts.id', 'invitations.podcast_id')
    .innerJoin('users as inviter', 'inviter.id', 'invitations.invited_by')
    .select(invitationColumns)
    .select((column) => [
      'podcasts.title as podcastTitle',
      'inviter.name as inviterName',
      column
        .exists(
          column
            .selectFrom('users as invitee')
            .select('invitee.id')
            .where(sql`lower(invitee.email)`, '=', sql`lower(invitations.email)`),
        )
        .$castTo<boolean>()
        .as('hasAccount'),
    ])
    .where('invitations.expires_at', '>', now);
}

/** Returns false if it is gone. By the primary key. */
export async function deleteInvitation(db: Db, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('invitations')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/** Deletes all invitations that one member sent. By invitations_of_podcast. */
export async function deleteInvitationsBy(
  db: Db,
  podcastId: string,
  userId: string,
): Promise<void> {
  await db
    .deleteFrom('invitations')
    .where('podcast_id', '=', podcastId)
    .where('invited_by', '=', userId)
    .execute();
}

/**
 * Deletes the open invitations of a user to any podcast, and the offers of those that they own. By
 * podcast_members_of_user, then by invitations_of_podcast and the primary key of the offers.
 */
export async function deleteOffersOf(db: Db, userId: string): Promise<void> {
  await sql`with memberships as (
      select podcast_id, role from podcast_members where user_id = ${userId}
    ), invitations_of_user as (
      delete from invitations i using memberships m
      where i.podcast_id = m.podcast_id and i.invited_by = ${userId}
    )
    delete from ownership_offers o using memberships m
    where o.podcast_id = m.podcast_id and m.role = 'owner'`.execute(db);
}

/** By invitations_by_end and ownership_offers_by_end. */
export async function deleteEndedOffers(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('invitations').where('expires_at', '<=', now).execute();
  await db.deleteFrom('ownership_offers').where('expires_at', '<=', now).execute();
}
