import { type Db, toRow } from '../../foundation/database.ts';

export interface NewSecret {
  readonly keyId: string;
  readonly hash: Buffer;
  readonly lastFour: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

export async function insertSecret(db: Db, secret: NewSecret): Promise<void> {
  await db.insertInto('api_key_secrets').values(toRow(secret)).execute();
}

/** Ends the grace of an earlier roll, and marks the current secret as replaced. */
export async function replaceSecret(db: Db, keyId: string, worksUntil: Date): Promise<void> {
  await db
    .deleteFrom('api_key_secrets')
    .where('key_id', '=', keyId)
    .where('replaced', '=', true)
    .execute();
  await db
    .updateTable('api_key_secrets')
    .set(({ fn, val }) => ({
      replaced: true,
      expires_at: fn<Date>('least', ['expires_at', val(worksUntil)]),
    }))
    .where('key_id', '=', keyId)
    .execute();
}
