import type { Db } from '../../foundation/database.ts';

export async function findSecret(db: Db, name: string): Promise<Buffer | undefined> {
  const row = await db
    .selectFrom('download_secrets')
    .select('secret')
    .where('name', '=', name)
    .executeTakeFirst();
  return row?.secret;
}

export async function insertDownloadSecret(db: Db, name: string, secret: Buffer): Promise<Buffer> {
  await db.insertInto('download_secrets').values({ name, secret }).execute();
  return secret;
}
