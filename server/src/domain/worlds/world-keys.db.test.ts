import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestContext, type TestContext } from '../../../test/create-test-context.ts';
import type { DomainError } from '../errors.ts';
import { findCaller, getKey, userScopes } from '../keys/index.ts';
import { loadWorld } from './index.ts';

let test: TestContext;
let folder: string;
beforeAll(async () => {
  test = await createTestContext();
  folder = await mkdtemp(join(tmpdir(), 'podstead-world-'));
});
afterAll(async () => {
  await test[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

async function load(world: unknown): ReturnType<typeof loadWorld> {
  const path = join(folder, 'world.json');
  await writeFile(path, JSON.stringify(world));
  return await loadWorld(test.ctx, { path });
}

let worlds = 0;
/** Two users, a podcast of each. */
function makeBase() {
  worlds += 1;
  const users = ['ana', 'bo'].map((ref) => ({
    ref,
    email: `${ref}-${worlds}@example.com`,
    password: 'correct horse',
  }));
  const podcasts = users.map(({ ref }) => ({
    ref: `of-${ref}`,
    owner: ref,
    slug: `${ref}-${worlds}`,
    title: 'A show',
  }));
  return { users, podcasts };
}
const refusal = (attempt: Promise<unknown>): Promise<DomainError> =>
  attempt.then(
    () => expect.fail('it was taken'),
    (error) => error,
  );

it('makes keys for any user, and tells their secrets by their refs', async () => {
  const world = makeBase();
  const made = await load({
    ...world,
    keys: [
      { ref: 'k', user: 'ana', scopes: ['podcasts:read'] },
      {
        ref: 'ana',
        user: 'bo',
        name: 'Site',
        scopes: [...userScopes].reverse(),
        podcasts: ['of-bo', 'of-ana'],
        expires_in_days: 365,
      },
    ],
  });
  expect(Object.keys(made.keys)).toEqual(['k', 'ana']);
  const { k, ana } = made.keys;
  expect(await findCaller(test.ctx, k!.secret)).toMatchObject({
    keyId: k!.id,
    userId: made.users['ana']!.id,
  });
  expect(await getKey(test.ctx, k!.id)).toMatchObject({
    name: 'k',
    scopes: ['podcasts:read'],
    podcasts: 'all',
    expiresAt: new Date(test.clock.now().getTime() + 90 * 86_400_000),
  });
  const { podcasts, ...other } = await getKey(test.ctx, ana!.id);
  expect(other).toMatchObject({
    userId: made.users['bo']!.id,
    name: 'Site',
    scopes: userScopes,
    expiresAt: new Date(test.clock.now().getTime() + 365 * 86_400_000),
  });
  // The operator may name what its user is no member of.
  const ids = ['of-ana', 'of-bo'].map((ref) => made.podcasts[ref]!.id);
  expect([...podcasts].sort()).toEqual(ids.sort());
});

it('refuses the eleventh of a user, and then makes nothing at all', async () => {
  const world = makeBase();
  const keys = Array.from({ length: 11 }, (_, index) => ({
    ref: `k${index}`,
    user: 'ana',
    scopes: ['podcasts:read'],
  }));
  const { details } = await refusal(load({ ...world, keys }));
  expect(details).toMatchObject([{ field: 'keys[10]' }]);
  expect(details[0]?.message).toContain('10');
  await load({ ...world, keys: keys.slice(1) });
});
