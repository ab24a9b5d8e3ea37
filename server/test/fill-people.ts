import type { TestContext } from './create-test-context.ts';

/** Gives a show so many people more, of them the first ones on the roster, with bios of so many bytes. */
export async function fillPeople(
  { database }: Pick<TestContext, 'database'>,
  podcastId: string,
  { known, roster = 0, bioBytes = 0 }: { known: number; roster?: number; bioBytes?: number },
): Promise<void> {
  await database.pool.query(
    `insert into people (id, podcast_id, name, bio, link_url, roster, position, created_at)
     select gen_random_uuid(), $1, 'Person ' || n, repeat('b', $2), 'https://example.com/' || n,
       n <= $3, n, now()
     from generate_series(1, $4) n`,
    [podcastId, bioBytes, roster, known],
  );
}
