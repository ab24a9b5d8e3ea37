import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestContext, type TestContext } from '../../../../test/create-test-context.ts';
import { makeKey, makeUser } from '../../../../test/make.ts';
import { newId } from '../../../lib/uuid.ts';
import { listKeys, rollKey } from './index.ts';

let test: TestContext;
beforeAll(async () => {
  test = await createTestContext();
});
afterAll(() => test[Symbol.asyncDispose]());

const reasonOf = (attempt: Promise<unknown>) =>
  attempt.then(
    () => 'done',
    (error) => error.details[0].reason,
  );

it('makes one key of one id, also when asked at the same moment', async () => {
  const user = await makeUser(test.ctx);
  const id = newId();
  const asked = [id, id, id.toUpperCase()].map((id) => reasonOf(makeKey(test.ctx, user, { id })));
  expect((await Promise.all(asked)).sort()).toEqual(['done', 'made_already', 'made_already']);
  expect((await listKeys(test.ctx, user.id)).map((key) => key.id)).toEqual([id]);
});

it('reports the existing key also if there is no place for another', async () => {
  const user = await makeUser(test.ctx);
  const id = newId();
  await makeKey(test.ctx, user, { id });
  for (let i = 0; i < 9; i += 1) await makeKey(test.ctx, user);
  expect(await reasonOf(makeKey(test.ctx, user, { id }))).toBe('made_already');
  await expect(makeKey(test.ctx, user)).rejects.toThrow('at most 10');
});

it('a repeated request is not confused with a key of another user', async () => {
  const { key } = await makeKey(test.ctx, await makeUser(test.ctx));
  const other = await makeUser(test.ctx);
  expect(await reasonOf(makeKey(test.ctx, other, { id: key.id }))).toBe('made_already');
  expect(await listKeys(test.ctx, other.id)).toEqual([]);
});

it('rolls the named secret once', async () => {
  const { key } = await makeKey(test.ctx, await makeUser(test.ctx));
  const roll = () =>
    rollKey(test.ctx, { keyId: key.id, grace: '1h', expiresInDays: 30, lastFour: key.lastFour });
  const asked = await Promise.all([reasonOf(roll()), reasonOf(roll())]);
  expect(asked.sort()).toEqual(['done', 'rolled_already']);
});
