import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestContext, type TestContext } from '../../../../test/create-test-context.ts';
import { makeKey, makePodcast, makeUser } from '../../../../test/make.ts';
import { refusalOf } from '../../../../test/refusal-of.ts';
import type { Context } from '../../foundation/context.ts';
import {
  findKeyPrincipal,
  type Grace,
  getKey,
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

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const works = async (secret: string) => (await findKeyPrincipal(test.ctx, secret)) !== undefined;
const as = (user: { readonly id: string }): Context =>
  test.contextFor({ kind: 'user', userId: user.id });
/** The password of `makeUser`. */
const currentPassword = 'correct horse';

/** Runs `work` with the clock moved on, then resets the clock. */
async function after<T>(milliseconds: number, work: () => Promise<T>): Promise<T> {
  const start = test.clock.now();
  test.clock.advance(milliseconds);
  try {
    return await work();
  } finally {
    test.clock.set(start);
  }
}

describe('rolling a key', () => {
  // KEY-9
  it.each<[Grace, number]>([
    ['none', 0],
    ['1h', hourMs],
    ['24h', 24 * hourMs],
  ])('rolling with a grace of %s keeps the old secret for that long', async (grace, graceMs) => {
    const user = await makeUser(test.ctx);
    const podcast = await makePodcast(test.ctx, { owner: user });
    const made = await makeKey(test.ctx, user, {
      name: 'Site',
      scopes: ['analytics:read'],
      podcasts: [podcast.id],
    });
    await after(dayMs, async () => {
      const { key, secret } = await rollKey(as(user), {
        keyId: made.key.id,
        grace,
        expiresInDays: 30,
        currentPassword,
      });
      const now = test.clock.now().getTime();
      const replaced = { lastFour: made.key.lastFour, worksUntil: new Date(now + graceMs) };
      expect(key).toEqual({
        ...made.key,
        lastFour: secret.slice(-4),
        expiresAt: new Date(now + 30 * dayMs),
        replaced: graceMs === 0 ? null : replaced,
      });
      expect(await works(secret)).toBe(true);
      const old = await findKeyPrincipal(test.ctx, made.secret);
      expect(old?.key.expiresAt).toEqual(graceMs === 0 ? undefined : replaced.worksUntil);
      expect(old?.key.lastFour).toEqual(graceMs === 0 ? undefined : made.key.lastFour);
      await after(graceMs, async () => {
        expect(await works(made.secret)).toBe(false);
        expect(await works(secret)).toBe(true);
        expect((await getKey(as(user), key.id)).replaced).toBeNull();
      });
    });
  });

  // KEY-10
  it('never lets the old secret outlive its own expiry', async () => {
    const user = await makeUser(test.ctx);
    const made = await makeKey(test.ctx, user, { expiresInDays: 30 });
    await after(30 * dayMs - hourMs / 2, async () => {
      const rolled = await rollKey(test.ctx, {
        keyId: made.key.id,
        grace: '24h',
        expiresInDays: 90,
      });
      expect(rolled.key.replaced?.worksUntil).toEqual(made.key.expiresAt);
      expect(await works(made.secret)).toBe(true);
      await after(hourMs / 2, async () => expect(await works(made.secret)).toBe(false));
    });
  });

  // KEY-10
  it('a second time ends the first grace', async () => {
    const made = await makeKey(test.ctx, await makeUser(test.ctx));
    const roll = () => rollKey(test.ctx, { keyId: made.key.id, grace: '24h', expiresInDays: 30 });
    const first = await roll();
    const second = await roll();
    const secrets = [made.secret, first.secret, second.secret];
    expect(await Promise.all(secrets.map(works))).toEqual([false, true, true]);
    expect(second.key.replaced?.lastFour).toBe(first.key.lastFour);
  });

  // KEY-4
  it('rolling is refused without the password, for others, and for a key that has ended', async () => {
    const [user, other] = [await makeUser(test.ctx), await makeUser(test.ctx)];
    const { key, secret } = await makeKey(test.ctx, user, { expiresInDays: 30 });
    const input = { keyId: key.id, grace: 'none', expiresInDays: 30, currentPassword } as const;
    const roll = (ctx: Context, more: object) => refusalOf(rollKey(ctx, { ...input, ...more }));
    const wrong = await roll(as(user), { currentPassword: 'no' });
    expect(wrong?.details[0]?.field).toBe('current_password');
    expect((await roll(as(other), {}))?.kind).toBe('not_found');
    const fields = await roll(as(user), { grace: '2h', expiresInDays: 7 });
    expect(fields?.details.map(({ field }) => field)).toEqual(['expires_in_days', 'grace']);
    expect(await works(secret)).toBe(true);
    await after(30 * dayMs, async () => expect((await roll(as(user), {}))?.kind).toBe('invalid'));
    await revokeKey(as(user), key.id);
    expect((await roll(as(user), {}))?.kind).toBe('invalid');
  });
});

describe('widening a key', () => {
  // KEY-7, KEY-11
  it('adds scopes and podcasts, and takes nothing away', async () => {
    const user = await makeUser(test.ctx);
    const make = (age: number) =>
      makePodcast(test.ctx, {
        owner: user,
        createdAt: new Date(test.clock.now().getTime() - age * dayMs),
      });
    const [first, second, third] = [await make(3), await make(2), await make(1)];
    const { key, secret } = await makeKey(test.ctx, user, {
      scopes: ['transcripts:read'],
      podcasts: [second.id],
    });
    const { secret: rolled } = await rollKey(test.ctx, {
      keyId: key.id,
      grace: '1h',
      expiresInDays: 90,
    });
    const widen = (more: object) => widenKey(as(user), { keyId: key.id, currentPassword, ...more });
    expect((await widen({ scopes: ['podcasts:read'] })).scopes).toEqual([
      'podcasts:read',
      'transcripts:read',
    ]);
    const more = await widen({ podcasts: [first.id.toUpperCase(), first.id, second.id] });
    expect(more.podcasts).toEqual([first.id, second.id]);
    for (const one of [secret, rolled]) {
      const principal = await findKeyPrincipal(test.ctx, one, { podcastId: first.id });
      expect(principal?.key.scopes).toEqual(['podcasts:read', 'transcripts:read']);
      expect(principal?.requested?.relation?.key?.isCovered).toBe(true);
    }
    expect((await widen({ podcasts: 'all' })).podcasts).toBe('all');
    expect((await widen({ podcasts: [third.id] })).podcasts).toBe('all');
    const principal = await findKeyPrincipal(test.ctx, secret, { podcastId: third.id });
    expect(principal?.requested?.relation?.key?.isCovered).toBe(true);
  });

  // KEY-22
  it('a key that names a thousand podcasts cannot get another one', async () => {
    const user = await makeUser(test.ctx);
    const { rows } = await test.database.pool.query(
      `with made as (
         insert into podcasts
           (id, account_id, slug, title, author, description, guid, created_at, updated_at)
         select id, $1, id, 'A show', 'Ana', 'One of many', id, $2, $2
         from (select gen_random_uuid() as id from generate_series(1, 1001)) new
         returning id, created_at)
       insert into podcast_members (podcast_id, user_id, role, podcast_created_at, created_at)
       select id, $3, 'owner', created_at, $2 from made returning podcast_id as id`,
      [user.accountId, test.clock.now(), user.id],
    );
    const ids = rows.map(({ id }) => id);
    const { key } = await makeKey(test.ctx, user, { podcasts: ids.slice(0, 999) });
    const widen = (podcasts: string[]) =>
      widenKey(as(user), { keyId: key.id, currentPassword, podcasts });
    expect(await refusalOf(widen(ids.slice(998)))).toMatchObject({
      details: [{ field: 'podcasts', values: { max: 1_000 } }],
    });
    expect((await widen(ids.slice(998, 1_000))).podcasts).toHaveLength(1_000);
  });

  // KEY-4
  it('widening is refused without the password, for others, and for foreign podcasts', async () => {
    const [user, other] = [await makeUser(test.ctx), await makeUser(test.ctx)];
    const podcast = await makePodcast(test.ctx, { owner: user });
    const foreign = await makePodcast(test.ctx, { owner: other });
    const { key } = await makeKey(test.ctx, user, {
      scopes: ['podcasts:read'],
      podcasts: [podcast.id],
    });
    const input = { keyId: key.id, scopes: ['episodes:read'], currentPassword } as const;
    const widen = (ctx: Context, more: object) => refusalOf(widenKey(ctx, { ...input, ...more }));
    const wrong = await widen(as(user), { currentPassword: 'no' });
    expect(wrong?.details[0]?.field).toBe('current_password');
    expect((await widen(as(other), {}))?.kind).toBe('not_found');
    const fields = await widen(as(user), { scopes: ['sites:write'], podcasts: ['x'] });
    expect(fields?.details.map(({ field }) => field)).toEqual(['scopes', 'podcasts']);
    expect((await widen(as(user), { podcasts: [foreign.id] }))?.details[0]?.field).toBe('podcasts');
    // Throws without adding any.
    expect(await getKey(as(user), key.id)).toEqual(key);
    await revokeKey(as(user), key.id);
    expect((await widen(as(user), {}))?.kind).toBe('invalid');
  });
});

describe('revoking a key', () => {
  // KEY-11, KEY-12
  it('revoking ends a key under all its secrets, permanently', async () => {
    const user = await makeUser(test.ctx);
    const { key, secret } = await makeKey(test.ctx, user);
    const rolled = await rollKey(test.ctx, { keyId: key.id, grace: '24h', expiresInDays: 365 });
    const other = await makeKey(test.ctx, user);
    expect((await refusalOf(revokeKey(as(await makeUser(test.ctx)), key.id))).kind).toBe(
      'not_found',
    );
    await revokeKey(as(user), key.id);
    const secrets = [secret, rolled.secret, other.secret];
    expect(await Promise.all(secrets.map(works))).toEqual([false, false, true]);
    const revokedAt = test.clock.now();
    await after(hourMs, () => revokeKey(as(user), key.id));
    expect(await getKey(as(user), key.id)).toMatchObject({ revokedAt, replaced: null });
  });

  it('revoking all keys leaves other users’ keys alone', async () => {
    const [user, other] = [await makeUser(test.ctx), await makeUser(test.ctx)];
    const keys = [
      await makeKey(test.ctx, user),
      await makeKey(test.ctx, user),
      await makeKey(test.ctx, other),
    ];
    expect((await refusalOf(revokeAllKeys(as(other), user.id))).kind).toBe('not_found');
    expect(await revokeAllKeys(as(user), user.id)).toBe(2);
    expect(await revokeAllKeys(as(user), user.id)).toBe(0);
    expect(await Promise.all(keys.map(({ secret }) => works(secret)))).toEqual([
      false,
      false,
      true,
    ]);
  });
});
