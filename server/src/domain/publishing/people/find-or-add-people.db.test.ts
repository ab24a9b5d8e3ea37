import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { createTestContext, type TestContext } from '../../../../test/create-test-context.ts';
import { makeEpisode, makePodcast } from '../../../../test/make.ts';
import { peopleLimits } from '../../../lib/limits.ts';
import { transact } from '../../foundation/context.ts';
import type { Podcast } from '../podcasts/index.ts';
import { editCredits } from './edit-credits.ts';
import { findOrAddPeople, listOwnCredits, listPeople } from './index.ts';

let test: TestContext;
let podcast: Podcast;
beforeAll(async () => {
  test = await createTestContext();
});
afterAll(() => test[Symbol.asyncDispose]());
beforeEach(async () => {
  podcast = await makePodcast(test.ctx);
});

const namesOf = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ name: `Person ${n}`, roster: false }));

/** The statements of `work`. */
async function countStatements(work: () => Promise<unknown>): Promise<number> {
  const client = await test.database.pool.connect();
  const query = vi.spyOn(Object.getPrototypeOf(client), 'query');
  client.release();
  await work();
  const { length } = query.mock.calls;
  query.mockRestore();
  return length;
}

it('people who are added at once take as few statements as one', async () => {
  const add = (count: number) => () => findOrAddPeople(test.ctx, podcast.id, namesOf(count));
  const one = await countStatements(add(1));
  expect(await countStatements(add(100))).toBeLessThanOrEqual(one);
  expect(await countStatements(add(100))).toBeLessThan(one);
  const people = await listPeople(test.ctx, podcast.id);
  expect(people.map(({ name }) => name)).toEqual(namesOf(100).map(({ name }) => name));
});

it('people of an episode are added in a few statements', async () => {
  const { id } = await makeEpisode(test.ctx, podcast);
  const edit = (count: number) => () =>
    editCredits(
      test.ctx,
      id,
      namesOf(count).map(({ name }) => ({ name })),
    );
  const one = await countStatements(edit(1));
  expect(await countStatements(edit(100))).toBeLessThanOrEqual(one);
  expect((await listOwnCredits(test.ctx, id)).map(({ name }) => name)).toEqual(
    namesOf(100).map(({ name }) => name),
  );
});

it('people who are named twice are one, with the facts of both', async () => {
  const linkUrl = 'https://ada.example';
  const [ada] = await findOrAddPeople(test.ctx, podcast.id, [{ name: 'Ada', roster: false }]);
  const found = await findOrAddPeople(test.ctx, podcast.id, [
    { name: 'bo', roster: false },
    { name: ' ADA ', linkUrl, roster: false },
    { name: 'Bo', linkUrl, roster: true },
    { name: 'ada', linkUrl: 'https://other.example', roster: true },
  ]);
  expect(found.map(({ person }) => person?.name)).toEqual(['bo', 'Ada', 'bo', 'Ada']);
  expect(found[1]?.person?.id).toBe(ada?.person?.id);
  const people = await listPeople(test.ctx, podcast.id);
  expect(people).toMatchObject([
    { name: 'Ada', linkUrl, roster: true },
    { name: 'bo', linkUrl, roster: true },
  ]);
});

it('people beyond a limit of the show are left out, and the others are added', async () => {
  const full = namesOf(peopleLimits.roster).map((person) => ({ ...person, roster: true }));
  await findOrAddPeople(test.ctx, podcast.id, full);
  const found = await transact(test.ctx, (tx) =>
    findOrAddPeople(tx, podcast.id, [
      { name: 'One more', roster: true },
      { name: 'Off the roster', roster: false },
      { name: 'Person 3', roster: true },
    ]),
  );
  expect(found.map(({ person, limit }) => [person?.name, limit])).toEqual([
    [undefined, 'roster_full'],
    ['Off the roster', undefined],
    ['Person 3', undefined],
  ]);
});
