import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createTestContext, type TestContext } from '../../../../test/create-test-context.ts';
import { makeKey, makePodcast, makeUser } from '../../../../test/make.ts';
import { patience } from '../../../../test/patience.ts';
import { hashPassword } from '../../foundation/accounts/index.ts';
import {
  createKey,
  cutOffPodcastKeys,
  findKeyPrincipal,
  getKey,
  listKeys,
  revokeAllKeys,
  revokeKey,
  rollKey,
  widenKey,
} from './index.ts';

let test: TestContext;
beforeAll(async () => {
  test = await createTestContext();
});
afterAll(() => test[Symbol.asyncDispose]());

const times = 5;
const works = async (secret: string) => (await findKeyPrincipal(test.ctx, secret)) !== undefined;
const settle = async (attempts: readonly Promise<unknown>[]) =>
  (await Promise.allSettled(attempts)).map(({ status }) => status);

it('one of several simultaneous requests gets the last place', async () => {
  const user = await makeUser(test.ctx);
  for (let count = 0; count < 8; count += 1) await makeKey(test.ctx, user);
  const asked = await settle([1, 2, 3, 4].map(() => makeKey(test.ctx, user)));
  expect(asked.filter((status) => status === 'fulfilled')).toHaveLength(2);
  expect(await listKeys(test.ctx, user.id)).toHaveLength(10);
});

it('leaves no secret of a key that is rolled while it is revoked', async () => {
  const user = await makeUser(test.ctx);
  for (let time = 0; time < times; time += 1) {
    const { key, secret } = await makeKey(test.ctx, user);
    const rolling = rollKey(test.ctx, { keyId: key.id, grace: '24h', expiresInDays: 365 });
    const revoking =
      time % 2 === 0 ? revokeKey(test.ctx, key.id) : revokeAllKeys(test.ctx, user.id);
    const [rolled] = await Promise.allSettled([rolling, revoking]);
    await revoking;
    expect(await works(secret)).toBe(false);
    if (rolled.status === 'fulfilled') expect(await works(rolled.value.secret)).toBe(false);
  }
});

it('keeps two secrets of a key that is rolled several times at once', async () => {
  const { key, secret } = await makeKey(test.ctx, await makeUser(test.ctx));
  const rolled = await Promise.all(
    [1, 2, 3, 4].map(() => rollKey(test.ctx, { keyId: key.id, grace: '24h', expiresInDays: 30 })),
  );
  const working = await Promise.all(rolled.map((one) => works(one.secret)));
  expect(working.filter(Boolean)).toHaveLength(2);
  expect(await works(secret)).toBe(false);
});

it('applies both to a key that is widened while it is rolled', async () => {
  const user = await makeUser(test.ctx);
  for (let time = 0; time < times; time += 1) {
    const { key } = await makeKey(test.ctx, user, { scopes: ['podcasts:read'] });
    const [rolled] = await Promise.all([
      rollKey(test.ctx, { keyId: key.id, grace: 'none', expiresInDays: 30 }),
      widenKey(test.ctx, { keyId: key.id, scopes: ['episodes:read'] }),
      widenKey(test.ctx, { keyId: key.id, scopes: ['analytics:read'] }),
    ]);
    expect((await findKeyPrincipal(test.ctx, rolled.secret))?.key.scopes).toEqual([
      'podcasts:read',
      'analytics:read',
      'episodes:read',
    ]);
    await revokeKey(test.ctx, key.id);
  }
});

it('revokes a key that is cut off while it is widened only if nothing is left', async () => {
  const owner = await makeUser(test.ctx);
  const [cut, other] = [
    await makePodcast(test.ctx, { owner }),
    await makePodcast(test.ctx, { owner }),
  ];
  for (let time = 0; time < times; time += 1) {
    const { key, secret } = await makeKey(test.ctx, owner, { podcasts: [cut.id] });
    const widening = widenKey(test.ctx, { keyId: key.id, podcasts: [other.id] });
    const [cutting, widened] = await Promise.allSettled([
      cutOffPodcastKeys(test.ctx, cut.id),
      widening,
    ]);
    expect(cutting.status).toBe('fulfilled');
    const { revokedAt, podcasts, cutOffFrom } = await getKey(test.ctx, key.id);
    expect(cutOffFrom).toEqual([cut.id]);
    const isWidened = widened.status === 'fulfilled';
    expect({ revoked: revokedAt !== null, podcasts }).toEqual({
      revoked: !isWidened,
      podcasts: isWidened ? [other.id] : [],
    });
    expect(await works(secret)).toBe(isWidened);
    await revokeKey(test.ctx, key.id);
  }
});

it('makes no key by a password that is changed meanwhile', async () => {
  const user = await makeUser(test.ctx);
  const passwordHash = await hashPassword('another', 'operator');
  const client = await test.database.pool.connect();
  await client.query('begin');
  await client.query('update users set password_hash = $2 where id = $1', [user.id, passwordHash]);
  const attempt = createKey(test.contextFor({ kind: 'user', userId: user.id }), {
    userId: user.id,
    name: 'Late',
    scopes: ['podcasts:read'],
    podcasts: 'all',
    expiresInDays: 30,
    currentPassword: 'correct horse',
  });
  const error = attempt.catch((cause: unknown) => cause);
  // The embedded database has one session: there the attempt begins after the change.
  if (test.databaseUrl !== undefined) await vi.waitFor(someoneWaits, patience);
  await client.query('commit');
  client.release();
  const field = 'current_password';
  expect(await error).toMatchObject({ details: [{ field }] });
  expect(await listKeys(test.ctx, user.id)).toEqual([]);
});

/** Resolves when the attempt waits for the lock: its proof was made with the old password. */
async function someoneWaits() {
  // Not on the connection of that transaction, whose view of pg_stat_activity never changes.
  const { rows } = await test.database.pool.query(
    `select from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock'`,
  );
  expect(rows).toHaveLength(1);
}
