import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestContext, type TestContext } from '../../../../test/create-test-context.ts';
import { explain } from '../../../../test/explain.ts';
import { newId } from '../../../lib/uuid.ts';
import { selectEpisodeList } from './member-episodes.sql.ts';
import { type EpisodeSort, episodeSorts, selectShowEpisodes } from './show-episodes.sql.ts';

let test: TestContext;
beforeAll(async () => {
  test = await createTestContext();
});
afterAll(() => test[Symbol.asyncDispose]());

const query = { podcastId: newId(), creditedUserId: newId(), after: undefined, limit: 21 };
const countReads = (plan: string) => plan.match(/CTE credited/g)?.length;

it.each<EpisodeSort>(episodeSorts)(
  'a page of episodes sorted by %s reads the credits of a co-host once',
  async (sort) => {
    const status = sort === 'newest' ? ('published' as const) : undefined;
    const plan = await explain(test.ctx.db, async (db) => {
      const listed = { ...query, sort, status, words: [], days: undefined };
      await selectShowEpisodes(db, listed, test.clock.now());
    });
    expect(countReads(plan), plan).toBe(1);
  },
);

it.each(['published', undefined] as const)(
  'a page for a key reads the credits of a co-host once, with the status %s',
  async (status) => {
    const plan = await explain(test.ctx.db, async (db) => {
      await selectEpisodeList(db, { ...query, status }, test.clock.now());
    });
    expect(countReads(plan), plan).toBe(1);
  },
);
