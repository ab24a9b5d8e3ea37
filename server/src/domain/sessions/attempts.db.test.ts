import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestContext, type TestContext } from '../../../test/create-test-context.ts';
import { findLetterToken } from '../../../test/find-letters.ts';
import { makeUser } from '../../../test/make.ts';
import { fieldsRefused, refusalOf } from '../../../test/refusal-of.ts';
import { createApp } from '../../app.ts';
import { newId } from '../../lib/uuid.ts';
import { takeAttempt, type User } from '../accounts/index.ts';
import { forgetEnded } from './forget-ended.ts';
import { requestPasswordReset, resetPassword, signIn, signUp } from './index.ts';

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
/** A window of attempts of one kind as it is after so many failed ones, without their hashing. */
const fill = async (most: number, ...whom: string[]) => {
  const limit = { name: 'sign in, address', most, windowMs: 15 * minuteMs };
  for (let i = 0; i < most; i += 1) await takeAttempt(test.ctx, [limit, ...whom]);
};

describe('signing in', () => {
  it('fails ten times from one network for one address, the right password too', async () => {
    const network = newId();
    for (let i = 0; i < 10; i += 1) expect(await fieldsRefused(attempt(network))).toBe('password');
    const refusal = await refusalOf(attempt(network, { password: right }));
    expect([refusal.kind, refusal.retryAfterSeconds]).toEqual(['rate_limited', 900]);
    test.clock.advance(5 * minuteMs);
    expect((await refusalOf(attempt(network))).retryAfterSeconds).toBe(600);
    // Elsewhere it is the same person's right.
    await attempt(newId(), { password: right });
    test.clock.advance(10 * minuteMs);
    await attempt(network, { password: right });
  });

  it('is refused alike for an address that nobody has', async () => {
    const [network, email] = [newId(), 'nobody@example.com'];
    for (let i = 0; i < 10; i += 1) {
      expect(await fieldsRefused(attempt(network, { email }))).toBe('password');
    }
    expect(await fieldsRefused(attempt(network, { email: 'Nobody@Example.com' }))).toBe(
      'rate_limited',
    );
  });

  it('is refused alike for what is no address', async () => {
    for (const email of ['', `${user.email}\u0000`, `${user.email}\ud800`, 'x'.repeat(300)]) {
      const refusal = await refusalOf(attempt(newId(), { email, password: right }));
      expect(refusal.details[0]?.reason).toBe('wrong_credentials');
    }
  });

  it('fails thirty times from one network, whatever the addresses', async () => {
    const network = newId();
    const kinds = [];
    for (let i = 0; i < 31; i += 1) {
      kinds.push(await fieldsRefused(attempt(network, { email: `${newId()}@example.com` })));
    }
    expect(kinds).toEqual([...Array(30).fill('password'), 'rate_limited']);
  });

  it('is not counted when it succeeds', async () => {
    const network = newId();
    for (let i = 0; i < 12; i += 1) await attempt(network, { password: right });
    expect(await fieldsRefused(attempt(network))).toBe('password');
  });

  it('stays possible for an owner in whose name others fail everywhere', async () => {
    const home = newId();
    await attempt(home, { password: right });
    await fill(100, user.email);
    const elsewhere = newId();
    expect(await fieldsRefused(attempt(elsewhere, { password: right }))).toBe('rate_limited');
    // From where they are signed in already, and by letter.
    await attempt(home, { password: right });
    await requestPasswordReset(test.ctx, { email: user.email, client: { network: elsewhere } });
    const token = await findLetterToken(test, user.email);
    await resetPassword(test.ctx, { token, password: right, client: { network: elsewhere } });
    await attempt(elsewhere, { password: right });
  });
});

it('letters to one address are few', async () => {
  const ask = (email: string) => signUp(test.ctx, { email, client: { network: newId() } });
  for (const email of [user.email, `${newId()}@example.com`]) {
    for (let i = 0; i < 5; i += 1) await ask(email);
    expect(await fieldsRefused(ask(email.toUpperCase()))).toBe('rate_limited');
  }
});

it('what has ended is forgotten', async () => {
  await fieldsRefused(attempt(newId()));
  await signUp(test.ctx, { email: `${newId()}@example.com`, client: { network: newId() } });
  await attempt(newId(), { password: right });
  const rows = async () =>
    (
      await test.database.pool.query(`select (select count(*)::int from attempts) as attempts,
        (select count(*)::int from letter_links) as links,
        (select count(*)::int from sessions where user_id = '${user.id}') as sessions`)
    ).rows[0];
  await forgetEnded(test.ctx);
  const before = await rows();
  expect(Math.min(before.attempts, before.links, before.sessions)).toBeGreaterThan(0);
  test.clock.advance(30 * 24 * 60 * minuteMs);
  await forgetEnded(test.ctx);
  expect(await rows()).toEqual({ attempts: 0, links: 0, sessions: 0 });
});

// Each on connections of its own, as in processes of their own: the embedded database has one.
it.skipIf(process.env['TEST_DATABASE'] !== 'postgres')(
  'is counted once by all processes',
  async () => {
    await using opened = new AsyncDisposableStack();
    const { config, databaseUrl: url = '' } = test;
    const database = { kind: 'server', url, poolSize: 4 } as const;
    const open = async () =>
      opened.use(await createApp({ ...config, database }, { clock: test.clock }));
    const [one, other] = [await open(), await open()];
    const limit = { name: 'of this test', most: 25, windowMs: minuteMs };
    const attempts = Array.from({ length: 30 }, () =>
      [one, other].map(({ ctx }) => takeAttempt(ctx, [limit, user.id])),
    );
    const tries = await Promise.allSettled(attempts.flat());
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(25);
  },
);
