import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestContext, type TestContext } from '../../../../test/create-test-context.ts';
import { loadSeed } from '../../../../test/load-seed.ts';
import { refusalOf } from '../../../../test/refusal-of.ts';
import { findKeyPrincipal, getKey } from '../../access/keys/index.ts';
import { userScopes } from '../../foundation/enumerations.ts';

let test: TestContext;
let folder: string;
beforeAll(async () => {
  test = await createTestContext();
  folder = await mkdtemp(join(tmpdir(), 'podstead-seed-'));
});
afterAll(async () => {
  await test[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

const load = (seedFile: unknown) => loadSeed(test, folder, seedFile);

let seedFiles = 0;
/** Two users with a podcast each. */
function makeBase() {
  seedFiles += 1;
  const users = ['ana', 'bo'].map((ref) => ({
    ref,
    email: `${ref}-${seedFiles}@example.com`,
    password: 'correct horse',
  }));
  const podcasts = users.map(({ ref }) => ({
    ref: `of-${ref}`,
    owner: ref,
    slug: `${ref}-${seedFiles}`,
    title: 'A show',
  }));
  return { users, podcasts };
}
// SEED-3
it('creates keys for any user, and returns their secrets by ref', async () => {
  const seedFile = makeBase();
  const made = await load({
    ...seedFile,
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
  expect(await findKeyPrincipal(test.ctx, k!.secret)).toMatchObject({
    key: { id: k!.id },
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
  // The operator may name podcasts that the user is not a member of.
  const ids = ['of-ana', 'of-bo'].map((ref) => made.podcasts[ref]!.id);
  expect([...podcasts].sort()).toEqual(ids.sort());
});

it("refuses a user's eleventh key, and then creates nothing", async () => {
  const seedFile = makeBase();
  const keys = Array.from({ length: 11 }, (_, index) => ({
    ref: `k${index}`,
    user: 'ana',
    scopes: ['podcasts:read'],
  }));
  const { details } = await refusalOf(load({ ...seedFile, keys }));
  expect(details).toMatchObject([{ field: 'keys[10]' }]);
  expect(details[0]?.message).toContain('10');
  await load({ ...seedFile, keys: keys.slice(1) });
});
