import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestContext, type TestContext } from '../../../../test/create-test-context.ts';
import { makeKey, makePodcast, makeUser } from '../../../../test/make.ts';
import { refusalOf } from '../../../../test/refusal-of.ts';
import { newId } from '../../../lib/uuid.ts';
import type { Context } from '../../foundation/context.ts';
import {
  createKey,
  findKeyPrincipal,
  getKey,
  listKeys,
  type NewKey,
  revokeKey,
  rollKey,
} from './index.ts';

let test: TestContext;
beforeAll(async () => {
  test = await createTestContext();
});
afterAll(() => test[Symbol.asyncDispose]());

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const later = (milliseconds: number) => new Date(test.clock.now().getTime() + milliseconds);
const works = async (secret: string) => (await findKeyPrincipal(test.ctx, secret)) !== undefined;
const fieldsOf = async (attempt: Promise<unknown>) =>
  (await refusalOf(attempt)).details.map(({ field }) => field);
const as = (user: { readonly id: string }): Context =>
  test.contextFor({ kind: 'user', userId: user.id });
/** The password of `makeUser`. */
const currentPassword = 'correct horse';
const simple = { name: 'A key', scopes: ['podcasts:read'], podcasts: 'all' } as const;
const newKey = (user: { readonly id: string }, input: Partial<NewKey> = {}): NewKey => ({
  ...simple,
  userId: user.id,
  expiresInDays: 90,
  currentPassword,
  ...input,
});

describe('making a key', () => {
  // KEY-2, KEY-5
  it('shows its secret once, and stores only its hash', async () => {
    const user = await makeUser(test.ctx);
    const { key, secret } = await createKey(as(user), newKey(user, { name: ' Site ' }));
    expect(secret).toMatch(/^svc_live_[0-9A-Za-z]{49}$/);
    expect(key).toEqual({
      id: key.id,
      userId: user.id,
      kind: 'user',
      name: 'Site',
      scopes: ['podcasts:read'],
      podcasts: 'all',
      cutOffFrom: [],
      lastFour: secret.slice(-4),
      createdAt: test.clock.now(),
      expiresAt: later(90 * dayMs),
      revokedAt: null,
      replaced: null,
      lastUse: null,
    });
    expect(await works(secret)).toBe(true);
    const { rows } = await test.database.pool.query(`
      select (select json_agg(k) from api_keys k)::text || (select json_agg(s) from api_key_secrets s)::text
        || (select json_agg(l) from emails l)::text as everything`);
    expect(rows[0].everything).toContain(key.id);
    expect(rows[0].everything).not.toContain(secret);
    expect(rows[0].everything).not.toContain(secret.slice('svc_live_'.length));
  });

  // KEY-4
  it('asks for the password', async () => {
    const user = await makeUser(test.ctx);
    for (const wrong of [undefined, '', 'correct horse.']) {
      const attempt = createKey(as(user), newKey(user, { currentPassword: wrong }));
      expect(await fieldsOf(attempt)).toEqual(['current_password']);
    }
    expect(await listKeys(as(user), user.id)).toEqual([]);
  });

  it('making a key is allowed to the user, and to the operator', async () => {
    const [user, other] = [await makeUser(test.ctx), await makeUser(test.ctx)];
    expect((await refusalOf(createKey(as(other), newKey(user)))).kind).toBe('not_found');
    const nobody = test.contextFor({ kind: 'public' });
    expect((await refusalOf(createKey(nobody, newKey(user)))).kind).toBe('not_found');
    await createKey(test.ctx, newKey(user, { currentPassword: undefined }));
    const missing = createKey(test.ctx, newKey({ id: newId() }));
    expect((await refusalOf(missing)).kind).toBe('not_found');
  });

  // KEY-6
  it('names every wrong field at once', async () => {
    const user = await makeUser(test.ctx);
    const wrong = { name: ' ', scopes: [], podcasts: [], expiresInDays: 31 as 30 };
    const all = ['name', 'scopes', 'podcasts', 'expires_in_days'];
    expect(await fieldsOf(createKey(as(user), newKey(user, wrong)))).toEqual(all);
    const other = {
      name: 'x'.repeat(101),
      scopes: ['podcasts:read', 'sites:write'],
      podcasts: ['1'],
      expiresInDays: 0 as 30,
    } as const;
    expect(await fieldsOf(createKey(as(user), newKey(user, other)))).toEqual(all);
    for (const name of ['a\r\nb', 'a\u0000b', '\u200b', 'a\u202eb', 'a\ud800']) {
      expect(await fieldsOf(createKey(as(user), newKey(user, { name })))).toEqual(['name']);
    }
  });

  it('names a limited number of podcasts', async () => {
    const user = await makeUser(test.ctx);
    const podcasts = Array.from({ length: 1_001 }, newId);
    const attempt = refusalOf(createKey(as(user), newKey(user, { podcasts })));
    expect((await attempt)?.details[0]?.message).toContain('1 to 1000');
    expect(
      podcasts
        .slice(1)
        .map((id) => `podcasts=${id}&`)
        .join('').length,
    ).toBeLessThan(60_000);
  });

  // KEY-6
  it('gives it a life of whole days, however long the creation takes', async () => {
    const user = await makeUser(test.ctx);
    let now = test.clock.now().getTime();
    const clock = {
      ...test.clock,
      now: () => {
        now += 1;
        return new Date(now);
      },
    };
    const { key } = await createKey({ ...test.ctx, clock }, newKey(user));
    expect(key.expiresAt.getTime() - key.createdAt.getTime()).toBe(90 * dayMs);
  });

  // KEY-7
  it('names podcasts that its user is a member of', async () => {
    const [user, stranger] = [await makeUser(test.ctx), await makeUser(test.ctx)];
    const later_ = await makePodcast(test.ctx, { owner: user, createdAt: later(-1) });
    const first = await makePodcast(test.ctx, { owner: user, createdAt: later(-2) });
    const foreign = await makePodcast(test.ctx, { owner: stranger });
    const named = [later_.id, first.id.toUpperCase(), later_.id];
    const { key } = await createKey(as(user), newKey(user, { podcasts: named }));
    expect(key.podcasts).toEqual([first.id, later_.id]);
    for (const id of [foreign.id, newId()]) {
      const attempt = createKey(as(user), newKey(user, { podcasts: [first.id, id] }));
      const error = await refusalOf(attempt);
      expect(error?.details).toMatchObject([{ field: 'podcasts' }]);
      expect(error?.message).toContain(id);
    }
    expect(await listKeys(as(user), user.id)).toHaveLength(1);
    const made = await createKey(test.ctx, newKey(user, { podcasts: [foreign.id] }));
    expect(made.key.podcasts).toEqual([foreign.id]);
  });

  // KEY-8, LIM-13
  it('stops at ten active keys', async () => {
    const user = await makeUser(test.ctx);
    const made = [];
    for (let count = 0; count < 10; count += 1) {
      made.push(await makeKey(test.ctx, user, { expiresInDays: count === 0 ? 30 : 365 }));
    }
    expect((await refusalOf(makeKey(test.ctx, user))).kind).toBe('invalid');
    await rollKey(test.ctx, { keyId: made[1]!.key.id, grace: '24h', expiresInDays: 365 });
    expect((await refusalOf(makeKey(test.ctx, user))).message).toContain('10');
    await revokeKey(test.ctx, made[2]!.key.id);
    await makeKey(test.ctx, user);
    expect((await refusalOf(makeKey(test.ctx, user))).kind).toBe('invalid');
    const start = test.clock.now();
    test.clock.set(made[0]!.key.expiresAt);
    await makeKey(test.ctx, user);
    expect((await refusalOf(makeKey(test.ctx, user))).kind).toBe('invalid');
    test.clock.set(start);
  });
});

describe('a site', () => {
  // KEY-8, LIM-13
  it('a site has a key that does not count as one of the ten and is not in the list', async () => {
    const user = await makeUser(test.ctx);
    const { key } = await makeKey(test.ctx, user);
    await test.database.pool.query(`update api_keys set kind = 'site' where id = $1`, [key.id]);
    for (let count = 0; count < 10; count += 1) await makeKey(test.ctx, user);
    expect(await listKeys(as(user), user.id)).toHaveLength(10);
    expect((await refusalOf(getKey(as(user), key.id))).kind).toBe('not_found');
  });
});

describe('the list', () => {
  it('the list has the active keys first, then for thirty days those that ended', async () => {
    const user = await makeUser(test.ctx);
    const start = test.clock.now();
    const names = async () => (await listKeys(as(user), user.id)).map(({ name }) => name);
    const make = async (name: string, expiresInDays: 30 | 365) => {
      test.clock.advance(1_000);
      return (await makeKey(test.ctx, user, { name, expiresInDays })).key;
    };
    await make('a', 365);
    const b = await make('b', 365);
    const short = await make('short', 30);
    expect(await names()).toEqual(['short', 'b', 'a']);
    await revokeKey(as(user), b.id);
    expect(await names()).toEqual(['short', 'a', 'b']);
    test.clock.set(short.expiresAt);
    expect(await names()).toEqual(['a', 'short']);
    test.clock.advance(30 * dayMs);
    expect(await names()).toEqual(['a']);
    test.clock.set(start);
    const other = await makeUser(test.ctx);
    expect(await listKeys(as(other), other.id)).toEqual([]);
    expect((await refusalOf(listKeys(as(other), user.id))).kind).toBe('not_found');
    expect((await refusalOf(getKey(as(other), b.id))).kind).toBe('not_found');
  });
});
