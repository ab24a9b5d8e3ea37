import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestContext, type TestContext } from '../../../../test/create-test-context.ts';
import { findEmails, findEmailToken } from '../../../../test/find-emails.ts';
import { makeKey, makePodcast, makeUser } from '../../../../test/make.ts';
import { fieldsRefused } from '../../../../test/refusal-of.ts';
import { newId } from '../../../lib/uuid.ts';
import type { User } from '../../foundation/accounts/index.ts';
import type { Context } from '../../foundation/context.ts';
import {
  addMember,
  getInvitation,
  getOwnershipOffer,
  inviteMember,
  offerOwnership,
  type Podcast,
} from '../../publishing/podcasts/index.ts';
import { createKey, findKeyPrincipal, type KeyWithSecret, rollKey } from '../keys/index.ts';
import {
  changeEmail,
  changePassword,
  confirmEmail,
  findSession,
  requestPasswordReset,
  resetPassword,
  type SignedIn,
  signIn,
} from './index.ts';

let test: TestContext;
beforeAll(async () => {
  test = await createTestContext();
});
afterAll(() => test[Symbol.asyncDispose]());

const currentPassword = 'correct horse';
const password = 'another horse';
const client = () => ({ network: newId(), userAgent: 'test' });

let user: User;
let ctx: Context;
let here: SignedIn;
let key: KeyWithSecret;
beforeEach(async () => {
  user = await makeUser(test.ctx);
  ctx = test.contextFor({ kind: 'user', userId: user.id });
  here = await enter(currentPassword);
  key = await makeKey(test.ctx, user);
});

const enter = (with_: string) =>
  signIn(test.ctx, { email: user.email, password: with_, client: client() });
const change = (more: { currentPassword?: string; password?: string } = {}) =>
  changePassword(ctx, { currentPassword, password, client: client(), ...more });
const isSignedIn = async ({ token }: SignedIn) =>
  (await findSession(test.ctx, token)) !== undefined;
const isKeyGood = async () =>
  (await findKeyPrincipal(test.ctx, key.secret, undefined)) !== undefined;

describe('a changed password', () => {
  // ACCT-22, KEY-13
  it('a changed password ends all sessions and keys, starts a new session, and sends an email', async () => {
    const there = await enter(currentPassword);
    const stranger = await makeUser(test.ctx);
    const elses = await signIn(test.ctx, {
      email: stranger.email,
      password: currentPassword,
      client: client(),
    });
    expect(await isKeyGood()).toBe(true);
    const entered = await change();
    expect(await isKeyGood()).toBe(false);
    expect(await isSignedIn(entered)).toBe(true);
    expect(await isSignedIn(here)).toBe(false);
    expect(await isSignedIn(there)).toBe(false);
    expect(await isSignedIn(elses)).toBe(true);
    const email = (await findEmails(test, user.email)).at(-1);
    expect(email).toMatchObject({ template: 'password-changed', values: { name: user.name } });
    expect(await fieldsRefused(enter(currentPassword))).toBe('password');
    await enter(password);
  });

  it('requires the current password and a valid new one', async () => {
    expect(await fieldsRefused(change({ currentPassword: password }))).toBe('current_password');
    expect(await fieldsRefused(change({ password: 'short' }))).toBe('password');
    expect(await isKeyGood()).toBe(true);
    await enter(currentPassword);
  });

  it('invalidates links in emails, also for a change of address', async () => {
    await requestPasswordReset(test.ctx, { email: user.email, client: client() });
    const token = await findEmailToken(test, user.email);
    const email = `${newId()}@example.com`;
    await changeEmail(ctx, { email, currentPassword, client: client() });
    await change();
    const attempt = resetPassword(test.ctx, { token, password, client: client() });
    expect(await fieldsRefused(attempt)).toBe('token');
    const other = confirmEmail(test.ctx, { token: await findEmailToken(test, email) });
    expect(await fieldsRefused(other)).toBe('token');
  });

  // ACCT-19
  it('withdraws the invitations and offers of the user, and nobody else’s', async () => {
    const other = await makeUser(test.ctx);
    const asOther = test.contextFor({ kind: 'user', userId: other.id });
    const [own, shared] = [
      await makePodcast(test.ctx, { owner: user }),
      await makePodcast(test.ctx, { owner: other }),
    ];
    await addMember(test.ctx, { podcastId: shared.id, userId: user.id, role: 'admin' });
    const invite = async (by: Context, { id: podcastId }: Podcast) => {
      const email = `${newId()}@example.com`;
      await inviteMember(by, { podcastId, email, role: 'analyst' });
      return getInvitation.bind(undefined, test.ctx, await findEmailToken(test, email));
    };
    const offer = async (by: Context, { id: podcastId }: Podcast) => {
      const email = `${newId()}@example.com`;
      await offerOwnership(by, { podcastId, email, currentPassword });
      return getOwnershipOffer.bind(undefined, test.ctx, await findEmailToken(test, email));
    };
    const ended = [await invite(ctx, own), await invite(ctx, shared), await offer(ctx, own)];
    const kept = [await invite(asOther, shared), await offer(asOther, shared)];
    await change();
    for (const find of ended) expect(await fieldsRefused(find())).toBe('token');
    for (const find of kept) await find();
  });

  it('a changed password is one of two that are set at once', async () => {
    const passwords = ['first of the two', 'second of the two'];
    const tries = await Promise.allSettled(passwords.map((next) => change({ password: next })));
    expect(tries.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await enter(passwords[tries[0]?.status === 'fulfilled' ? 0 : 1] ?? '');
  });

  it('leaves no key that was rolled or created at the same time', async () => {
    const tries = await Promise.allSettled([
      change(),
      rollKey(ctx, { keyId: key.key.id, grace: '24h', expiresInDays: 90, currentPassword }),
      createKey(ctx, {
        userId: user.id,
        name: 'new',
        scopes: ['podcasts:read'],
        podcasts: 'all',
        expiresInDays: 90,
        currentPassword,
      }),
    ]);
    expect(tries[0].status).toBe('fulfilled');
    const { rows } = await test.database.pool.query(
      'select count(*)::int as active from api_keys where user_id = $1 and revoked_at is null',
      [user.id],
    );
    expect(rows).toEqual([{ active: 0 }]);
  });
});

// KEY-13
it('a password reset ends all sessions and keys', async () => {
  await requestPasswordReset(test.ctx, { email: user.email, client: client() });
  const token = await findEmailToken(test, user.email);
  const entered = await resetPassword(test.ctx, { token, password, client: client() });
  expect(await isSignedIn(here)).toBe(false);
  expect(await isKeyGood()).toBe(false);
  expect(await isSignedIn(entered)).toBe(true);
});

it('the current password has a limit of thirty attempts', async () => {
  const tryWrong = () => fieldsRefused(change({ currentPassword: 'wrong' }));
  const refused = await Promise.all(Array.from({ length: 29 }, tryWrong));
  expect(new Set(refused)).toEqual(new Set(['current_password']));
  // Correct passwords count too.
  await changeEmail(ctx, { email: `${newId()}@example.com`, currentPassword, client: client() });
  expect(await tryWrong()).toBe('rate_limited');
  expect(await fieldsRefused(change())).toBe('rate_limited');
  test.clock.advance(15 * 60_000);
  await change();
});

it('the current password may be given several times at once', async () => {
  const attempts = Array.from({ length: 20 }, (_, i) =>
    createKey(ctx, {
      userId: user.id,
      name: `key ${i}`,
      scopes: ['podcasts:read'],
      podcasts: 'all',
      expiresInDays: 90,
      currentPassword,
    }),
  );
  const tries = await Promise.allSettled(attempts);
  const refused = tries.flatMap((tried) => (tried.status === 'rejected' ? [tried.reason] : []));
  // The user has one key and may have ten.
  expect(refused.map(({ kind }) => kind)).toEqual(Array(11).fill('invalid'));
});
