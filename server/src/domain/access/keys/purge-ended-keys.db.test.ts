import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createTestContext, type TestContext } from '../../../../test/create-test-context.ts';
import { makeKey, makePodcast, makeUser } from '../../../../test/make.ts';
import { makeSite, makeUnregisteredKey } from '../../../../test/make-site.ts';
import { findKeyPrincipal, listKeys, purgeEndedKeysJob, revokeKey } from './index.ts';
import { maxListedKeys } from './key.ts';

let test: TestContext;
let owner: Awaited<ReturnType<typeof makeUser>>;
let show: Awaited<ReturnType<typeof makePodcast>>;
beforeAll(async () => {
  test = await createTestContext();
});
afterAll(() => test[Symbol.asyncDispose]());
beforeEach(async () => {
  owner = await makeUser(test.ctx);
  show = await makePodcast(test.ctx, { owner });
});

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const query = async (text: string, ...values: unknown[]) =>
  (await test.database.pool.query(text, values)).rows;
const purge = () =>
  purgeEndedKeysJob.run(
    test.ctx,
    {},
    { signal: new AbortController().signal, enqueue: async () => undefined },
  );
const keyIds = async () =>
  (await query('select id from api_keys where user_id = $1 order by id', owner.id)).map(
    ({ id }) => id,
  );
const newKey = async (expiresInDays: 30 | 365 = 365) => {
  const podcasts = [show.id];
  const { key, secret } = await makeKey(test.ctx, owner, { podcasts, expiresInDays });
  return { id: key.id, secret };
};

// KEY-12, KEY-23
it('a key is deleted with what it names 30 days after it was revoked or has expired', async () => {
  const [active, revoked, expired] = [await newKey(), await newKey(), await newKey(30)];
  test.clock.advance(30 * dayMs);
  await revokeKey(test.ctx, revoked.id);
  test.clock.advance(30 * dayMs - 1_000);
  await purge();
  expect(await keyIds()).toHaveLength(3);
  expect(await listKeys(test.ctx, owner.id)).toHaveLength(3);
  test.clock.advance(1_000);
  await purge();
  expect(await keyIds()).toEqual([active.id]);
  const named = await query(
    'select key_id as id from api_key_podcasts where podcast_id = $1',
    show.id,
  );
  expect(named).toEqual([{ id: active.id }]);
  for (const { secret } of [revoked, expired]) {
    expect(await findKeyPrincipal(test.ctx, secret)).toBeUndefined();
  }
});

// KEY-23
it('a user keeps the hundred keys that ended last', async () => {
  const [first, active] = [await newKey(), await newKey()];
  await revokeKey(test.ctx, first.id);
  test.clock.advance(1_000);
  await query(
    `with made as (
      insert into api_keys select (jsonb_populate_record(k,
        jsonb_build_object('id', gen_random_uuid(), 'revoked_at', $2::timestamptz))).*
      from api_keys k cross join generate_series(1, $3) where k.id = $1 returning id)
    insert into api_key_secrets (key_id, hash, last_four, created_at, expires_at)
    select id, sha256(id::text::bytea), 'abcd', $2, $2::timestamptz + interval '1 year' from made`,
    active.id,
    test.clock.now(),
    maxListedKeys - 1,
  );
  await purge();
  expect(await keyIds()).toHaveLength(maxListedKeys + 1);
  test.clock.advance(1_000);
  const last = await newKey();
  await revokeKey(test.ctx, last.id);
  await purge();
  const left = await keyIds();
  expect(left).toHaveLength(maxListedKeys + 1);
  expect(left).toEqual(expect.arrayContaining([active.id, last.id]));
  expect(left).not.toContain(first.id);
});

// KEY-23
it('the key of a site is deleted when another has replaced it, or when no site has registered it in time', async () => {
  const before = await makeSite(test.ctx, owner, [show]);
  const site = await makeSite(test.ctx, owner, [show], before);
  const waiting = await makeUnregisteredKey(test.ctx, owner, [show]);
  await purge();
  expect(await keyIds()).toEqual([site.keyId, waiting.id].sort());
  test.clock.advance(48 * hourMs);
  await purge();
  expect(await keyIds()).toEqual([site.keyId]);
});
