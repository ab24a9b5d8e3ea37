import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createTestContext, type TestContext } from '../../../../test/create-test-context.ts';
import { makePodcast, makeUser } from '../../../../test/make.ts';
import { type Context, transact } from '../../foundation/context.ts';
import { addPerson, setCredits } from '../../publishing/people/index.ts';
import { addMember } from '../../publishing/podcasts/index.ts';
import { listEpisodeAnalytics } from './index.ts';

let test: TestContext;
let podcastId: string;
beforeAll(async () => {
  test = await createTestContext();
});
afterAll(() => test[Symbol.asyncDispose]());
beforeEach(async () => {
  podcastId = (await makePodcast(test.ctx)).id;
});

/** Episodes an hour apart, with these statuses in turn. Every third of them has downloads. */
async function insertEpisodes(
  count: number,
  statuses: readonly string[],
  newestHoursAgo = 0,
): Promise<void> {
  await test.database.pool.query(
    `with made as (
      insert into episodes (id, podcast_id, slug, title, description, episode_number, status,
        published_at, scheduled_for, status_changed_at, created_at, updated_at, media_name)
      select gen_random_uuid(), $1, status || '-' || n, status || ' ' || n, '', n, status,
        case when status = 'published' then moment end,
        case when status = 'scheduled' then moment + interval '20 hours' end,
        moment, moment, moment, 'episode'
      from generate_series(1, $2::int) n
      cross join lateral (select ($3::text[])[1 + n % $4::int] as status,
        $5::timestamptz - (n + $6) * interval '1 hour' as moment) as made
      returning id, episode_number)
    insert into episode_download_totals (podcast_id, episode_id, downloads)
    select $1, id, episode_number from made where episode_number % 3 = 0`,
    [podcastId, count, statuses, statuses.length, test.clock.now(), newestHoursAgo],
  );
}

/** The titles of the list, in pages of this size. */
async function list(limit: number): Promise<string[]> {
  const titles: string[] = [];
  let after: Parameters<typeof listEpisodeAnalytics>[1]['after'];
  do {
    const range = { preset: '30d' } as const;
    const page = await listEpisodeAnalytics(test.ctx, { podcastId, range, after, limit });
    titles.push(...page.items.map(({ title }) => title));
    after = page.next;
  } while (after !== undefined);
  return titles;
}

async function listed(): Promise<string[]> {
  const { rows } = await test.database.pool.query(
    `select title from episodes e where podcast_id = $1 and (public_from <= $2
      or exists (select from episode_download_totals where episode_id = e.id and downloads > 0))
    order by (public_from <= $2 or published_at is not null) desc nulls last, listed_at desc, id desc`,
    [podcastId, test.clock.now()],
  );
  return rows.map(({ title }) => title);
}

/** How many rows this transaction has read, or has looked for. */
async function countLookUps({ db }: Context): Promise<number> {
  const { rows } = await sql<{ readonly n: number }>`
    select sum(seq_tup_read + idx_scan + idx_tup_fetch)::integer as n
    from pg_stat_xact_user_tables
    where relname in ('episodes', 'episode_download_totals')`.execute(db);
  return rows[0]?.n ?? 0;
}

const statuses = ['draft', 'published', 'archived', 'scheduled', 'published'];

it.each([0, 3, 60])('lists what is published or has downloads, of %i episodes', async (count) => {
  if (count > 0) await insertEpisodes(count, statuses);
  const expected = await listed();
  expect(await list(7)).toEqual(expected);
  expect(await list(100)).toEqual(expected);
});

it.each([
  ['drafts', ['draft'], 60],
  ['published episodes with downloads', ['published'], 10_000],
  ['drafts and published episodes with downloads', ['draft', 'published'], 10_000],
])('lists the same behind many %s, and looks at few of them', async (_, many, mostDownloads) => {
  await insertEpisodes(60, statuses, 3_000);
  await insertEpisodes(3_000, many);
  await test.database.pool.query(
    'update episode_download_totals set downloads = 0 where downloads > $1',
    [mostDownloads],
  );
  await test.database.pool.query('analyze episodes, episode_download_totals');
  expect(await list(100)).toEqual(await listed());
  const lookUps = await transact(test.ctx, async (tx) => {
    // Otherwise a table that is as small as this is read as a whole.
    await sql`set local enable_seqscan = off`.execute(tx.db);
    const before = await countLookUps(tx);
    await listEpisodeAnalytics(tx, {
      ...{ podcastId, range: { preset: '30d' }, after: undefined, limit: 20 },
    });
    return (await countLookUps(tx)) - before;
  });
  expect(lookUps).toBeLessThan(800);
});

it('a member who sees only their own episodes is shown no others that are not public', async () => {
  const { ctx } = test;
  await insertEpisodes(30, ['draft', 'published']);
  const { id: userId } = await makeUser(ctx);
  const capabilities = ['analytics.view'] as const;
  await addMember(ctx, { podcastId, userId, role: 'custom', roleName: 'Press', capabilities });
  const asMember: Context = { ...ctx, principal: { kind: 'user', userId } };
  const read = async () => {
    const query = { podcastId, range: { preset: '30d' }, after: undefined, limit: 100 } as const;
    return (await listEpisodeAnalytics(asMember, query)).items.map(({ title }) => title);
  };
  const published = (await list(100)).filter((title) => title.startsWith('published'));
  expect(await read()).toEqual(published);
  const { rows } = await test.database.pool.query<{ id: string; title: string }>(
    "select id, title from episodes where podcast_id = $1 and status = 'draft' and has_downloads",
    [podcastId],
  );
  const [own] = rows;
  const person = await addPerson(ctx, { podcastId, name: 'Cy', userId });
  await setCredits(ctx, own!.id, [{ personId: person.id }]);
  expect(await read()).toEqual([...published, own!.title]);
});
