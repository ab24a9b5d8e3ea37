import { sql } from 'kysely';
import { type Db, toRow } from '../../../foundation/database.ts';

const dayMs = 24 * 3_600_000;
export const offerLifetimeMs = 7 * dayMs;

/** An owner's open offer to hand over a podcast. */
export interface OwnershipOffer {
  readonly podcastId: string;
  /** The address of the user to whose account it would move. */
  readonly email: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** As its recipient sees it. */
export interface ReceivedOffer extends OwnershipOffer {
  readonly podcastTitle: string;
  readonly ownerName: string;
  /** The show's own domain, in any state, which stays as it is; null: it has none. */
  readonly domain: string | null;
  /** Whether the address has an account to sign in with. */
  readonly hasAccount: boolean;
}

const offerColumns = [
  'ownership_offers.podcast_id as podcastId',
  'ownership_offers.email',
  'ownership_offers.created_at as createdAt',
  'ownership_offers.expires_at as expiresAt',
] as const;

/** Replaces an earlier offer. By the primary key. */
export async function replaceOffer(
  db: Db,
  offer: OwnershipOffer & { readonly tokenHash: Buffer },
): Promise<void> {
  const row = toRow(offer);
  await db
    .insertInto('ownership_offers')
    .values(row)
    .onConflict((conflict) => conflict.column('podcast_id').doUpdateSet(row))
    .execute();
}

/** By the primary key. */
export function selectOffer(
  db: Db,
  podcastId: string,
  now: Date,
): Promise<OwnershipOffer | undefined> {
  return db
    .selectFrom('ownership_offers')
    .select(offerColumns)
    .where('podcast_id', '=', podcastId)
    .where('expires_at', '>', now)
    .executeTakeFirst();
}

/** By ownership_offers_token_hash_key, then podcast_domains_pkey. */
export function selectOfferByToken(
  db: Db,
  tokenHash: Buffer,
  now: Date,
): Promise<ReceivedOffer | undefined> {
  return db
    .selectFrom('ownership_offers')
    .innerJoin('podcasts', 'podcasts.id', 'ownership_offers.podcast_id')
    .innerJoin('users as owner', 'owner.account_id', 'podcasts.account_id')
    .select(offerColumns)
    .select((column) => [
      'podcasts.title as podcastTitle',
      'owner.name as ownerName',
      column
        .selectFrom('podcast_domains')
        .select('podcast_domains.host')
        .whereRef('podcast_domains.podcast_id', '=', 'podcasts.id')
        .as('domain'),
      column
        .exists(
          column
            .selectFrom('users as receiver')
            .select('receiver.id')
            .where(sql`lower(receiver.email)`, '=', sql`lower(ownership_offers.email)`),
        )
        .$castTo<boolean>()
        .as('hasAccount'),
    ])
    .where('ownership_offers.token_hash', '=', tokenHash)
    .where('ownership_offers.expires_at', '>', now)
    .executeTakeFirst();
}

/** Returns false if it is gone. By the primary key. */
export async function deleteOffer(db: Db, podcastId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('ownership_offers')
    .where('podcast_id', '=', podcastId)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/** By ownership_offers_token_hash_key. */
export async function deleteOfferByToken(db: Db, tokenHash: Buffer): Promise<void> {
  await db.deleteFrom('ownership_offers').where('token_hash', '=', tokenHash).execute();
}

/** By podcast_members_one_owner. */
export async function selectOwnerId(db: Db, podcastId: string): Promise<string> {
  const { userId } = await db
    .selectFrom('podcast_members')
    .select('user_id as userId')
    .where('podcast_id', '=', podcastId)
    .where('role', '=', 'owner')
    .executeTakeFirstOrThrow();
  return userId;
}

/** Fails by podcasts_account_id_guid_key if the account has a podcast with the same GUID. */
export async function updateAccountOfPodcast(
  db: Db,
  podcastId: string,
  to: { readonly accountId: string; readonly teamKeys: boolean; readonly now: Date },
): Promise<void> {
  await db
    .updateTable('podcasts')
    .set({ account_id: to.accountId, team_keys: to.teamKeys, updated_at: to.now })
    .where('id', '=', podcastId)
    .execute();
}
