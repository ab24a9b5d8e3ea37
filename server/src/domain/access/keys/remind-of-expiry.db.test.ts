import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createTestContext, type TestContext } from '../../../../test/create-test-context.ts';
import { makeKey, makePodcast, makeUser } from '../../../../test/make.ts';
import { makeSite, makeUnregisteredKey } from '../../../../test/make-site.ts';
import { revokeKey, rollKey } from './index.ts';
import { remindOfExpiry } from './remind-of-expiry.job.ts';

let test: TestContext;
beforeAll(async () => {
  test = await createTestContext();
});
beforeEach(() => test.clock.reset());
afterAll(() => test[Symbol.asyncDispose]());

const dayMs = 86_400_000;
const remind = () => remindOfExpiry(test.ctx, new AbortController().signal);
const emails = async (email: string, template = 'key-expires') => {
  const { rows } = await test.database.pool.query(
    `select content from emails where template = $2 and recipient = $1 order by id`,
    [email, template],
  );
  return rows.map(({ content }) => content);
};
/** Sets the clock so many milliseconds before the moment. */
const goTo = (moment: Date, beforeMs: number) =>
  test.clock.set(new Date(moment.getTime() - beforeMs));

// KEY-20
it('writes seven days before, once for each secret', async () => {
  const user = await makeUser(test.ctx);
  const { key } = await makeKey(test.ctx, user, { name: 'Site', expiresInDays: 30 });
  goTo(key.expiresAt, 7 * dayMs + 1);
  await remind();
  expect(await emails(user.email)).toEqual([]);
  goTo(key.expiresAt, 7 * dayMs);
  await Promise.all([remind(), remind()]);
  await remind();
  expect(await emails(user.email)).toEqual([
    {
      name: user.name,
      key: 'Site',
      lastFour: key.lastFour,
      expires: '2026-04-09T12:00:00.000Z',
      link: 'http://test.local/app/settings/keys',
    },
  ]);
  const rolled = await rollKey(test.ctx, { keyId: key.id, grace: '24h', expiresInDays: 30 });
  await remind();
  goTo(rolled.key.expiresAt, 7 * dayMs);
  await remind();
  await remind();
  const told = await emails(user.email);
  expect(told.map(({ lastFour }) => lastFour)).toEqual([key.lastFour, rolled.key.lastFour]);
});

it('writes nothing about keys that were revoked or have expired', async () => {
  const user = await makeUser(test.ctx);
  const revoked = await makeKey(test.ctx, user, { expiresInDays: 30 });
  const expired = await makeKey(test.ctx, user, { expiresInDays: 30 });
  await revokeKey(test.ctx, revoked.key.id);
  goTo(expired.key.expiresAt, 0);
  await remind();
  expect(await emails(user.email)).toEqual([]);
  const again = await makeKey(test.ctx, user, { expiresInDays: 30 });
  await revokeKey(test.ctx, again.key.id);
  goTo(again.key.expiresAt, dayMs);
  await remind();
  expect(await emails(user.email)).toEqual([]);
});

it('writes nothing about a secret that was replaced and ends with its grace', async () => {
  const user = await makeUser(test.ctx);
  const { key } = await makeKey(test.ctx, user, { expiresInDays: 30 });
  await rollKey(test.ctx, { keyId: key.id, grace: '24h', expiresInDays: 30 });
  await remind();
  expect(await emails(user.email)).toEqual([]);
});

it('writes to more people than fit in one transaction', async () => {
  const { email, id } = await makeUser(test.ctx);
  const { key } = await makeKey(test.ctx, { id }, { expiresInDays: 30 });
  await test.database.pool.query(
    `with k as (
       insert into api_keys (id, user_id, name, scopes, all_podcasts, created_at)
       select gen_random_uuid(), user_id, name, scopes, all_podcasts, created_at
       from api_keys, generate_series(1, 150) where id = $1 returning id)
     insert into api_key_secrets (key_id, hash, last_four, created_at, expires_at)
     select k.id, sha256(k.id::text::bytea), 'xxxx', s.created_at, s.expires_at
     from k, api_key_secrets s where s.key_id = $1`,
    [key.id],
  );
  goTo(key.expiresAt, dayMs);
  await remind();
  expect(await emails(email)).toHaveLength(151);
});

// SITE-1
it('names a site by its address, and ignores keys that no site has registered', async () => {
  const user = await makeUser(test.ctx);
  const show = await makePodcast(test.ctx, { owner: user });
  const site = await makeSite(test.ctx, user, [show]);
  const { expiresAt } = await makeUnregisteredKey(test.ctx, user, [show]);
  goTo(expiresAt, 7 * dayMs);
  await Promise.all([remind(), remind()]);
  expect(await emails(user.email)).toEqual([]);
  expect(await emails(user.email, 'site-expires')).toEqual([
    {
      name: user.name,
      address: site.siteUrl,
      expires: '2027-03-10T12:00:00.000Z',
      link: 'http://test.local/app/settings/sites',
    },
  ]);
});
