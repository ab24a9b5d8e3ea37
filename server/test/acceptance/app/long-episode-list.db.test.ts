import pg from 'pg';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { Podcast } from '../../../src/domain/publishing/podcasts/index.ts';
import { countStatements } from '../../ask-with-key.ts';
import { type Browser, createBrowser } from '../../create-browser.ts';
import { createTestApp, type TestApp } from '../../create-test-app.ts';
import { makePodcast, makeUser } from '../../make.ts';

/** `LONG_LIST=100000` for the longest list that we promise. */
const total = Number(process.env['LONG_LIST'] ?? 5_000);

let app: TestApp;
let podcast: Podcast;
let browser: Browser;

beforeAll(async () => {
  app = await createTestApp();
  const owner = await makeUser(app.ctx);
  podcast = await makePodcast(app.ctx, { owner });
  browser = createBrowser(app);
  await browser.signIn(owner.email);
  await app.database.pool.query(
    `insert into episodes (id, podcast_id, slug, title, description, episode_number, season,
       media_name, status, published_at, scheduled_for, status_changed_at, created_at, updated_at)
     select gen_random_uuid(), $1, 'e-' || n, 'Episode ' || md5(n::text), 'Text', n, n % 10,
       'e-' || n, status, case status when 'published' then day end,
       case status when 'scheduled' then now() + n * interval '1 day' end, now(), day, now()
     from generate_series(1, $2::integer) n
     cross join lateral (select now() - n * interval '1 hour' as day,
       case n % 100 when 0 then 'draft' when 1 then 'scheduled' else 'published' end as status) e`,
    [podcast.id, total],
  );
  await app.database.pool.query('vacuum analyze episodes');
}, 300_000);
afterAll(() => app[Symbol.asyncDispose]());

const read = async (query: string) =>
  (await browser.get(`/app/api/podcasts/${podcast.id}/episodes?${query}`)).json();

const sorts = ['newest', 'oldest', 'title', 'number'];
const filters = ['', 'status=draft', 'status=scheduled', 'status=published', 'q=episode', 'q=zz'];
const queries = sorts.flatMap((sort) => filters.map((filter) => `sort=${sort}&${filter}`));

it.each(queries)('the list takes as few statements for %s as for a short list', async (query) => {
  const { data, counts, pagination } = await read(`${query}&limit=20`);
  expect(data.length).toBe(query.includes('zz') ? 0 : 20);
  expect(counts.draft).toBe(Math.floor(total / 100));
  // The session, the permission, the page, and the counts of the first page.
  expect(await countStatements(app, () => read(query))).toBe(4);
  if (pagination.next_cursor === null) return;
  const next = `${query}&limit=20&cursor=${pagination.next_cursor}`;
  expect(await countStatements(app, () => read(next))).toBe(3);
  const ids = new Set([...data, ...(await read(next)).data].map(({ id }: { id: string }) => id));
  expect(ids.size).toBe(40);
});

it('the words of a search are converted once, not for each episode', async () => {
  const query = vi.spyOn(pg.Client.prototype, 'query');
  await read('q=Episode%200&limit=20');
  const sent = query.mock.calls.map(([config]) => config as unknown as pg.QueryConfig);
  query.mockRestore();
  const search = sent.find(({ text = '' }) => text.includes('strpos'));
  const { rows } = await app.database.pool.query(
    `explain (analyze, verbose, timing off, format json) ${search?.text}`,
    search?.values,
  );
  const scans = nodesOf(rows[0]['QUERY PLAN'][0].Plan);
  const words = scans.filter((node) => node['Subplan Name']?.startsWith('InitPlan'));
  expect(words.map((node) => node['Actual Loops'])).toEqual([1, 1]);
});

interface PlanNode {
  readonly Plans?: readonly PlanNode[];
  readonly 'Subplan Name'?: string;
  readonly 'Actual Loops': number;
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];
