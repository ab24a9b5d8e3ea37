import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestContext, type TestContext } from '../../../../test/create-test-context.ts';
import { makeKey, makePodcast, makeUser } from '../../../../test/make.ts';
import { revokeKey, rollKey, widenKey } from './index.ts';

let test: TestContext;
beforeAll(async () => {
  test = await createTestContext();
});
afterAll(() => test[Symbol.asyncDispose]());

const emails = async (email: string) => {
  const { rows } = await test.database.pool.query<{ template: string; content: object }>(
    'select template, content from emails where recipient = $1 order by id',
    [email],
  );
  return rows;
};

// KEY-20
it('reports that a key was made, rolled or widened, and nothing else', async () => {
  const user = await makeUser(test.ctx);
  const podcast = await makePodcast(test.ctx, { owner: user, title: 'Night Signals' });
  const { key } = await makeKey(test.ctx, user, {
    name: 'Site',
    scopes: ['podcasts:read'],
    podcasts: [podcast.id],
  });
  const widen = () =>
    widenKey(test.ctx, { keyId: key.id, scopes: ['episodes:read'], podcasts: 'all' });
  await widen();
  await widen();
  await rollKey(test.ctx, { keyId: key.id, grace: '1h', expiresInDays: 30 });
  const { key: last } = await rollKey(test.ctx, {
    keyId: key.id,
    grace: 'none',
    expiresInDays: 365,
  });
  await revokeKey(test.ctx, key.id);
  const told = await emails(user.email);
  expect(told.map(({ template }) => template)).toEqual([
    'key-created',
    'key-widened',
    'key-rolled',
    'key-rolled',
  ]);
  expect(told[0]?.content).toEqual({
    name: user.name,
    key: 'Site',
    lastFour: key.lastFour,
    scopes: ['podcasts:read'],
    podcasts: { titles: ['Night Signals'], more: 0 },
    expires: '2026-06-08T12:00:00.000Z',
    link: 'http://test.local/app/settings/keys',
  });
  expect(told[1]?.content).toMatchObject({
    scopes: ['podcasts:read', 'episodes:read'],
    podcasts: 'all',
  });
  expect(told[2]?.content).toMatchObject({
    grace: { sentence: 'secretWorks', values: { until: '2026-03-10T13:00:00.000Z' } },
  });
  expect(told[3]?.content).toMatchObject({
    grace: { sentence: 'secretEnded' },
    lastFour: last.lastFour,
    expires: '2027-03-10T12:00:00.000Z',
  });
});

it('names ten podcasts, and says how many more there are', async () => {
  const user = await makeUser(test.ctx);
  const ids: string[] = [];
  for (let number = 1; number <= 12; number += 1) {
    const title = `Show ${number}`;
    const createdAt = new Date(test.clock.now().getTime() + number);
    ids.push((await makePodcast(test.ctx, { owner: user, title, createdAt })).id);
  }
  await makeKey(test.ctx, user, { podcasts: ids });
  const [email] = await emails(user.email);
  const ten = ids.slice(0, 10).map((_, index) => `Show ${index + 1}`);
  expect(email?.content).toMatchObject({ podcasts: { titles: ten, more: 2 } });
});
