import type { TestContext } from './create-test-context.ts';

/** Adds so many published episodes to a show at once, all of the same time, and announces nothing. */
export async function insertEpisodes(
  { database }: Pick<TestContext, 'database'>,
  podcastId: string,
  count: number,
  publishedAt: Date,
): Promise<void> {
  await database.pool.query(
    `insert into episodes (id, podcast_id, slug, title, description, episode_number, media_name,
       status, published_at, status_changed_at, created_at, updated_at)
     select gen_random_uuid(), $1, 'e-' || n, 'Episode ' || n, 'Text', n, 'e-' || n, 'published',
       $3, $3, $3, $3
     from generate_series(1, $2::integer) n`,
    [podcastId, count, publishedAt],
  );
}
