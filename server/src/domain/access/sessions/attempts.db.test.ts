import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestContext, type TestContext } from '../../../../test/create-test-context.ts';
import { findEmailToken } from '../../../../test/find-emails.ts';
import { makePodcast, makeUser, testPassword } from '../../../../test/make.ts';
import { fieldsRefused, refusalOf } from '../../../../test/refusal-of.ts';
import { createApp } from '../../../app.ts';
import { newId } from '../../../lib/uuid.ts';
import {
  consumeAttempt,
  consumeNetworkAttempt,
  createUser,
  type User,
} from '../../foundation/accounts/index.ts';
import { transact } from '../../foundation/context.ts';
import { inviteMember } from '../../publishing/podcasts/index.ts';
import {
  changeEmail,
  confirmEmail,
  confirmSignUp,
  requestPasswordReset,
  resetPassword,
  signIn,
  signUp,
  signUpByInvitation,
} from './index.ts';
import { newDeviceToken } from './known-device.ts';
import { purgeEnded } from './purge-ended.job.ts';

let test: TestContext;
beforeAll(async () => {
  test = await createTestContext();
});
afterAll(() => test[Symbol.asyncDispose]());

let user: User;
beforeEach(async () => {
  user = await makeUser(test.ctx);
});

const minuteMs = 60_000;
const right = 'correct horse';
const attempt = (network: string, { email = user.email, password = 'wrong horse' } = {}) =>
  signIn(test.ctx, { email, password, client: { network } });
/** Sets a counter as after this many failed attempts, without hashing. */
const fill = async (times: number, ...whom: string[]) => fillLimit('sign in, address', times, whom);
const fillLimit = async (name: string, times: number, whom: string[]) => {
  const limit = { name, most: 10_000, windowMs: 15 * minuteMs };
  for (let i = 0; i < times; i += 1) await consumeAttempt(test.ctx, [limit, ...whom]);
};

describe('signing in', () => {
  it('allows ten attempts for one address from one network, then refuses even the right password', async () => {
    const network = newId();
    for (let i = 0; i < 10; i += 1) expect(await fieldsRefused(attempt(network))).toBe('password');
    const refusal = await refusalOf(attempt(network, { password: right }));
    expect([refusal.kind, refusal.retryAfterSeconds]).toEqual(['rate_limited', 900]);
    test.clock.advance(5 * minuteMs);
    expect((await refusalOf(attempt(network))).retryAfterSeconds).toBe(600);
    // From another network, the same user may sign in.
    await attempt(newId(), { password: right });
    test.clock.advance(10 * minuteMs);
    await attempt(network, { password: right });
  });

  it('signing in has the same limit for an unknown address', async () => {
    const [network, email] = [newId(), 'nobody@example.com'];
    for (let i = 0; i < 10; i += 1) {
      expect(await fieldsRefused(attempt(network, { email }))).toBe('password');
    }
    expect(await fieldsRefused(attempt(network, { email: 'Nobody@Example.com' }))).toBe(
      'rate_limited',
    );
  });

  it('signing in has the same limit for an invalid address', async () => {
    for (const email of ['', `${user.email}\u0000`, `${user.email}\ud800`, 'x'.repeat(300)]) {
      const refusal = await refusalOf(attempt(newId(), { email, password: right }));
      expect(refusal.details[0]?.reason).toBe('wrong_credentials');
    }
  });

  it('allows thirty attempts from one network, for any addresses', async () => {
    const network = newId();
    const kinds = [];
    for (let i = 0; i < 31; i += 1) {
      kinds.push(await fieldsRefused(attempt(network, { email: `${newId()}@example.com` })));
    }
    expect(kinds).toEqual([...Array(30).fill('password'), 'rate_limited']);
  });

  it('allows ten times as many attempts from all networks of an IPv6 /48, for any addresses', async () => {
    const email = () => `${newId()}@example.com`;
    await fillLimit('sign in, network', 299, ['2001:db8:1::/48']);
    expect(await fieldsRefused(attempt('2001:db8:1:1::/64', { email: email() }))).toBe('password');
    const refused = fieldsRefused(attempt('2001:db8:1:2::/64', { email: email() }));
    expect(await refused).toBe('rate_limited');
    expect(await fieldsRefused(attempt('2001:db8:2:2::/64', { email: email() }))).toBe('password');
  });

  it('allows ten attempts for one address from all networks of an IPv6 /48', async () => {
    for (let n = 0; n < 10; n += 1) {
      expect(await fieldsRefused(attempt(`2001:db8:3:${n}::/64`))).toBe('password');
    }
    const refused = fieldsRefused(attempt('2001:db8:3:99::/64', { password: right }));
    expect(await refused).toBe('rate_limited');
    await attempt('2001:db8:4:99::/64', { password: right });
  });

  it('counts successful attempts too', async () => {
    const network = newId();
    for (let i = 0; i < 10; i += 1) await attempt(network, { password: right });
    expect(await fieldsRefused(attempt(network, { password: right }))).toBe('rate_limited');
    test.clock.advance(15 * minuteMs);
    await attempt(network, { password: right });
  });

  it('signing in remains possible for a user whom others attack from everywhere', async () => {
    const home = newId();
    await attempt(home, { password: right });
    await fill(99, user.email);
    const elsewhere = newId();
    expect(await fieldsRefused(attempt(elsewhere, { password: right }))).toBe('rate_limited');
    // From a network where they have a session, and by email.
    await attempt(home, { password: right });
    await requestPasswordReset(test.ctx, { email: user.email, client: { network: elsewhere } });
    const token = await findEmailToken(test, user.email);
    await resetPassword(test.ctx, { token, password: right, client: { network: elsewhere } });
    await attempt(elsewhere, { password: right });
  });
});

describe('known devices', () => {
  const inBrowser = (deviceToken: string, password = right) => {
    const client = { network: newId(), deviceToken };
    return signIn(test.ctx, { email: user.email, password, client });
  };

  it('a known browser may sign in although the attempts of its user and network are used up', async () => {
    const deviceToken = newDeviceToken(test.ctx, user.id);
    await fill(100, user.email);
    const client = { network: newId(), deviceToken };
    await fillLimit('sign in, network', 30, [client.network]);
    expect(await fieldsRefused(attempt(newId(), { password: right }))).toBe('rate_limited');
    await signIn(test.ctx, { email: user.email, password: right, client });
  });

  it('a known browser has ten attempts, which are its own', async () => {
    const [deviceToken, other] = [1, 2].map(() => newDeviceToken(test.ctx, user.id));
    for (let i = 0; i < 10; i += 1) {
      expect(await fieldsRefused(inBrowser(deviceToken ?? '', 'wrong horse'))).toBe('password');
    }
    await fill(100, user.email);
    expect(await fieldsRefused(inBrowser(deviceToken ?? ''))).toBe('rate_limited');
    await inBrowser(other ?? '');
  });

  it('a known browser shares thirty attempts with the others of its user', async () => {
    await fillLimit('sign in, known devices', 29, [user.id]);
    await inBrowser(newDeviceToken(test.ctx, user.id));
    const another = newDeviceToken(test.ctx, user.id);
    // With the attempts of any browser.
    await inBrowser(another);
    await fill(100, user.email);
    expect(await fieldsRefused(inBrowser(another))).toBe('rate_limited');
  });

  it('a browser is not known by the cookie of another user or an invented one', async () => {
    const own = newDeviceToken(test.ctx, user.id);
    const stranger = await makeUser(test.ctx);
    await fill(100, user.email);
    const others = newDeviceToken(test.ctx, stranger.id);
    for (const token of [others, `x${own}`, `${own}x`, own.split('.')[0] ?? '', '.', '']) {
      expect(await fieldsRefused(inBrowser(token)), token).toBe('rate_limited');
    }
    await inBrowser(own);
  });
});

it('emails to one address are limited', async () => {
  const ask = (email: string) => signUp(test.ctx, { email, client: { network: newId() } });
  for (const email of [user.email, `${newId()}@example.com`]) {
    for (let i = 0; i < 5; i += 1) await ask(email);
    expect(await fieldsRefused(ask(email.toUpperCase()))).toBe('rate_limited');
  }
});

it('emails to any addresses are limited for each IPv6 /48, to ten times those of a network', async () => {
  const ask = (network: string) =>
    signUp(test.ctx, { email: `${newId()}@example.com`, client: { network } });
  await fillLimit('letters, network', 999, ['2001:db8:1::/48']);
  await ask('2001:db8:1:1::/64');
  expect(await fieldsRefused(ask('2001:db8:1:2::/64'))).toBe('rate_limited');
  await ask('2001:db8:2:2::/64');
});

it('attempts that a network has too many of do not use up the limit of its IPv6 /48', async () => {
  const limit = { name: newId(), most: 1, windowMs: minuteMs };
  const consume = (n: number) =>
    consumeNetworkAttempt(test.ctx, limit, `2001:db8:1:${n}::/64`).then(() => true);
  expect(await consume(0)).toBe(true);
  for (let i = 0; i < 20; i += 1) expect(await fieldsRefused(consume(0))).toBe('rate_limited');
  for (let n = 1; n < 10; n += 1) expect(await consume(n)).toBe(true);
  expect(await fieldsRefused(consume(10))).toBe('rate_limited');
});

it('a user can confirm a new email address although strangers have used up its emails', async () => {
  const email = `${newId()}@example.com`;
  for (let i = 0; i < 5; i += 1) await signUp(test.ctx, { email, client: { network: newId() } });
  const ctx = test.contextFor({ kind: 'user', userId: user.id });
  const change = () =>
    changeEmail(ctx, { email, currentPassword: testPassword, client: { network: newId() } });
  await change();
  await confirmEmail(test.ctx, { token: await findEmailToken(test, email) });
  for (let i = 0; i < 4; i += 1) await change();
  expect(await fieldsRefused(change())).toBe('rate_limited');
});

it('a new email address gets at most twenty emails an hour, however many users want to have it', async () => {
  const email = `${newId()}@example.com`;
  await fillLimit('new address of all', 19, [email]);
  const ctx = test.contextFor({ kind: 'user', userId: user.id });
  const change = () =>
    changeEmail(ctx, { email, currentPassword: testPassword, client: { network: newId() } });
  await change();
  expect(await fieldsRefused(change())).toBe('rate_limited');
});

it('a mailbox gets at most five emails an hour from strangers, also under addresses with a plus sign', async () => {
  const name = newId();
  const request = (tag: string) =>
    signUp(test.ctx, { email: `${name}${tag}@example.com`, client: { network: newId() } });
  for (const tag of ['', '+1', '+2', '+a+b', '+']) await request(tag);
  expect(await fieldsRefused(request('+3'))).toBe('rate_limited');
  await request('-other');
});

// LIM-17
describe('attempts with one link', () => {
  const client = { network: 'of a test' };
  /** As after so many attempts, without hashing. */
  const fillLink = async (token: string, times: number) => {
    const limit = { name: 'link', most: 100, windowMs: 60 * minuteMs };
    for (let i = 0; i < times; i += 1) await consumeAttempt(test.ctx, [limit, token]);
  };

  it('attempts with one link to sign up are limited, also if its address is taken', async () => {
    const email = `${newId()}@example.com`;
    await signUp(test.ctx, { email, client: { network: newId() } });
    const token = await findEmailToken(test, email);
    await createUser(test.ctx, { email, password: right });
    const confirm = () =>
      fieldsRefused(confirmSignUp(test.ctx, { token, name: 'Ana', password: right, client }));
    await fillLink(token, 29);
    expect([await confirm(), await confirm()]).toEqual(['email', 'rate_limited']);
  });

  it('attempts with one link to reset a password are limited', async () => {
    await requestPasswordReset(test.ctx, { email: user.email, client: { network: newId() } });
    const token = await findEmailToken(test, user.email);
    await fillLink(token, 30);
    const reset = resetPassword(test.ctx, { token, password: right, client });
    expect(await fieldsRefused(reset)).toBe('rate_limited');
  });

  it('attempts with one link of an invitation are limited', async () => {
    const email = `${newId()}@example.com`;
    const { id: podcastId } = await makePodcast(test.ctx, { owner: user });
    const ctx = test.contextFor({ kind: 'user', userId: user.id });
    await inviteMember(ctx, { podcastId, email, role: 'editor' });
    const token = await findEmailToken(test, email);
    await fillLink(token, 30);
    const account = { token, name: 'Ana', password: right, client };
    expect(await fieldsRefused(signUpByInvitation(test.ctx, account))).toBe('rate_limited');
  });

  it('attempts with a link to sign up end when another user has its address', async () => {
    const email = `${newId()}@example.com`;
    await signUp(test.ctx, { email, client: { network: newId() } });
    const token = await findEmailToken(test, email);
    const ctx = test.contextFor({ kind: 'user', userId: user.id });
    await changeEmail(ctx, { email, currentPassword: testPassword, client });
    await confirmEmail(test.ctx, { token: await findEmailToken(test, email) });
    const confirmed = confirmSignUp(test.ctx, { token, name: 'Ana', password: right, client });
    expect(await fieldsRefused(confirmed)).toBe('token');
  });
});

it('deletes expired counters', async () => {
  await fieldsRefused(attempt(newId()));
  await signUp(test.ctx, { email: `${newId()}@example.com`, client: { network: newId() } });
  await attempt(newId(), { password: right });
  const rows = async () =>
    (
      await test.database.pool.query(`select (select count(*)::int from attempts) as attempts,
        (select count(*)::int from email_links) as links,
        (select count(*)::int from sessions where user_id = '${user.id}') as sessions`)
    ).rows[0];
  await purgeEnded(test.ctx);
  const before = await rows();
  expect(Math.min(before.attempts, before.links, before.sessions)).toBeGreaterThan(0);
  test.clock.advance(30 * 24 * 60 * minuteMs);
  await purgeEnded(test.ctx);
  expect(await rows()).toEqual({ attempts: 0, links: 0, sessions: 0 });
});

// Each with connections of its own, as in separate processes; the embedded database has one.
it.skipIf(process.env['TEST_DATABASE'] !== 'postgres')(
  'attempts are counted across processes',
  async () => {
    await using opened = new AsyncDisposableStack();
    const { config, databaseUrl: url = '' } = test;
    const database = { kind: 'server', url, poolSize: 4 } as const;
    const open = async () =>
      opened.use(await createApp({ ...config, database }, { clock: test.clock }));
    const [one, other] = [await open(), await open()];
    const limit = { name: 'of this test', most: 25, windowMs: minuteMs };
    const attempts = Array.from({ length: 30 }, () =>
      [one, other].map(({ ctx }) => consumeAttempt(ctx, [limit, user.id])),
    );
    const tries = await Promise.allSettled(attempts.flat());
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(25);
  },
);

it('consumeAttempt refuses to run inside a transaction, which a refusal would roll back', async () => {
  const limit = { name: 'of this test', most: 25, windowMs: minuteMs };
  const counted = transact(test.ctx, (tx) => consumeAttempt(tx, [limit, user.id]));
  await expect(counted).rejects.toThrow('inside a transaction');
});
