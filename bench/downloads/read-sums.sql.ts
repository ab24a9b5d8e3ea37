import type { Db } from '../../server/src/domain/foundation/database.ts';

/** The downloads and listeners of a podcast on all days. */
export async function readSums(
  db: Db,
  podcastId: string,
): Promise<{ readonly downloads: number; readonly listeners: number }> {
  const { downloads, listeners } = await db
    .selectFrom('podcast_download_days')
    .select(({ fn }) => [
      fn.sum<number>('downloads').as('downloads'),
      fn.sum<number>('listeners').as('listeners'),
    ])
    .where('podcast_id', '=', podcastId)
    .executeTakeFirstOrThrow();
  return { downloads: Number(downloads), listeners: Number(listeners) };
}
