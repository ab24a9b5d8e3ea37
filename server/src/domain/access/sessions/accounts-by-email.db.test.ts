import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestContext, type TestContext } from '../../../../test/create-test-context.ts';
import { findEmails, findEmailToken } from '../../../../test/find-emails.ts';
import { makeUser } from '../../../../test/make.ts';
import { fieldsRefused, refusalOf } from '../../../../test/refusal-of.ts';
import { newId } from '../../../lib/uuid.ts';
import { createUser, findUserByEmail } from '../../foundation/accounts/index.ts';
import {
  changeEmail,
  confirmEmail,
  confirmSignUp,
  findSession,
  requestPasswordReset,
  resetPassword,
  signIn,
  signUp,
} from './index.ts';

let test: TestContext;
beforeAll(async () => {
  test = await createTestContext({ TERMS_VERSION: '2026-01' });
});
afterAll(() => test[Symbol.asyncDispose]());

const hourMs = 3_600_000;
const password = 'correct horse';
/** A new client for each test, so that attempt limits do not carry over. */
const client = () => ({ network: newId(), userAgent: 'test' });
const newAddress = () => `Person-${newId().slice(-8)}@example.com`;
const templates = async (email: string) =>
  (await findEmails(test, email)).map(({ template }) => template);
/** Until when the last email to the address says that its link works. */
const until = async (email: string) => (await findEmails(test, email)).at(-1)?.values['until'];
const inHours = (hours: number) =>
  new Date(test.clock.now().getTime() + hours * hourMs).toISOString();
const ask = (email: string) => signUp(test.ctx, { email, client: client() });
const askReset = (email: string) => requestPasswordReset(test.ctx, { email, client: client() });
const confirm = (token: string, more: { name?: string; acceptsTerms?: boolean } = {}) => {
  const account = { name: 'Ana', password, acceptsTerms: true, ...more };
  return confirmSignUp(test.ctx, { ...account, token, client: client() });
};
const enter = (email: string, withPassword = password) =>
  signIn(test.ctx, { email, password: withPassword, client: client() });
const count = async (table: string) =>
  Number((await test.database.pool.query(`select count(*) from ${table}`)).rows[0].count);

describe('signing up', () => {
  it('creates the user only when the link is opened, and signs them in', async () => {
    const email = newAddress();
    await ask(email);
    expect(await findUserByEmail(test.ctx, email)).toBeUndefined();
    expect(await templates(email)).toEqual(['confirm-email']);
    const { token } = await confirm(await findEmailToken(test, email), { name: ' Ana ' });
    expect(await findSession(test.ctx, token)).toMatchObject({
      email,
      userName: 'Ana',
      acceptedTerms: '2026-01',
    });
    await enter(email.toLowerCase());
  });

  it('signing up works once, also with two requests at once', async () => {
    const email = newAddress();
    await ask(email);
    const token = await findEmailToken(test, email);
    const tries = await Promise.allSettled([confirm(token), confirm(token), confirm(token)]);
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const attempt of tries) {
      if (attempt.status === 'fulfilled') continue;
      const [problem] = attempt.reason.details;
      expect(problem).toMatchObject({ field: 'token', reason: 'link_expired' });
    }
    expect(await fieldsRefused(confirm(token))).toBe('token');
  });

  it('creates one user from two emails', async () => {
    const email = newAddress();
    await ask(email);
    const first = await findEmailToken(test, email);
    await ask(email.toUpperCase());
    const second = await findEmailToken(test, email.toUpperCase());
    const tries = await Promise.allSettled([confirm(first), confirm(second)]);
    expect(tries.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await fieldsRefused(confirm(first))).toBe('token');
    expect(await fieldsRefused(confirm(second))).toBe('token');
  });

  it('expires after a day', async () => {
    const [early, late] = [newAddress(), newAddress()];
    await ask(early);
    await ask(late);
    expect(await until(late)).toBe(inHours(24));
    test.clock.advance(24 * hourMs - 1);
    await confirm(await findEmailToken(test, early));
    test.clock.advance(1);
    expect(await fieldsRefused(confirm(await findEmailToken(test, late)))).toBe('token');
  });

  it('reports every wrong field, and the link stays valid', async () => {
    const email = newAddress();
    await ask(email);
    const token = await findEmailToken(test, email);
    const wrong = { token, name: ' ', password: 'short', acceptsTerms: false, client: client() };
    expect(await fieldsRefused(confirmSignUp(test.ctx, wrong))).toBe(
      'password, name, accepts_terms',
    );
    expect(await fieldsRefused(confirm(token, { acceptsTerms: false }))).toBe('accepts_terms');
    await confirm(token);
  });

  it('signing up is refused once sign-up is closed, also with a link that was sent before', async () => {
    const email = newAddress();
    await ask(email);
    const token = await findEmailToken(test, email);
    const closed = { ...test.ctx, installation: { ...test.ctx.installation, signUp: false } };
    const account = { name: 'Ana', password, acceptsTerms: true, client: client() };
    expect(await fieldsRefused(confirmSignUp(closed, { ...account, token }))).toBe('forbidden');
    expect(await fieldsRefused(signUp(closed, { email, client: client() }))).toBe('forbidden');
    expect(await templates(email)).toEqual(['confirm-email']);
    await confirm(token);
  });

  it('emails an existing user that they have an account', async () => {
    const user = await makeUser(test.ctx);
    const [links, emails] = [await count('email_links'), await count('emails')];
    await ask(user.email.toUpperCase());
    expect(await templates(user.email)).toEqual(['address-known']);
    expect(await until(user.email)).toBe(inHours(1));
    // Writes as much as for an unused address.
    await ask(newAddress());
    expect([await count('email_links'), await count('emails')]).toEqual([links + 2, emails + 2]);
    const token = await findEmailToken(test, user.email, 'linkReset');
    await resetPassword(test.ctx, { token, password: 'another horse', client: client() });
    await enter(user.email, 'another horse');
  });

  it('signing up is refused if the email address was used in the meantime', async () => {
    const email = newAddress();
    await ask(email);
    await createUser(test.ctx, { email, password });
    const refusal = await refusalOf(confirm(await findEmailToken(test, email)));
    expect(refusal.details[0]?.reason).toBe('address_taken');
  });

  it.each(['', 'x', 'a@b c', 'a\r\nBcc: x@example.com'])(
    'signing up is refused for %j',
    async (email) => {
      expect(await fieldsRefused(ask(email))).toBe('email');
      expect(await fieldsRefused(askReset(email))).toBe('email');
    },
  );
});

describe('a forgotten password', () => {
  const reset = (token: string, next = 'another horse') =>
    resetPassword(test.ctx, { token, password: next, client: client() });

  it('a forgotten password is reset by email, which signs in', async () => {
    const user = await makeUser(test.ctx);
    const before = await enter(user.email);
    await askReset(user.email.toUpperCase());
    expect(await templates(user.email)).toEqual(['reset-password']);
    const { token } = await reset(await findEmailToken(test, user.email));
    expect(await templates(user.email)).toEqual(['reset-password', 'password-changed']);
    expect(await findSession(test.ctx, token)).toMatchObject({ userId: user.id });
    expect(await findSession(test.ctx, before.token)).toBeUndefined();
    expect(await fieldsRefused(enter(user.email))).toBe('password');
    await enter(user.email, 'another horse');
  });

  it('an address that only the database lower-cases to that of a user is another one', async () => {
    const rest = newAddress();
    const [email, twin] = [`i${rest}`, `İ${rest}`];
    await createUser(test.ctx, { email, password });
    await askReset(twin);
    expect([await templates(email), await templates(twin)]).toEqual([[], ['address-unknown']]);
    expect(await fieldsRefused(enter(twin))).toBe('password');
    await enter(email);
  });

  it('a forgotten password is reset once, by any of several emails', async () => {
    const user = await makeUser(test.ctx);
    await askReset(user.email);
    const first = await findEmailToken(test, user.email);
    await askReset(user.email);
    const second = await findEmailToken(test, user.email);
    const tries = await Promise.allSettled(
      [first, first, second].map((token, i) => reset(token, `horse number ${i}`)),
    );
    const done = tries.findIndex(({ status }) => status === 'fulfilled');
    expect(tries.filter(({ status }) => status === 'rejected')).toHaveLength(2);
    await enter(user.email, `horse number ${done}`);
    expect(await fieldsRefused(reset(first))).toBe('token');
    expect(await fieldsRefused(reset(second))).toBe('token');
  });

  it('a forgotten password expires after an hour', async () => {
    const user = await makeUser(test.ctx);
    await askReset(user.email);
    expect(await until(user.email)).toBe(inHours(1));
    const token = await findEmailToken(test, user.email);
    expect(await fieldsRefused(reset(token, 'short'))).toBe('password');
    test.clock.advance(hourMs);
    expect(await fieldsRefused(reset(token))).toBe('token');
  });

  it('a forgotten password of an unknown address sends an email with a link to sign up', async () => {
    const email = newAddress();
    const [links, emails] = [await count('email_links'), await count('emails')];
    await askReset(email);
    expect([await count('email_links'), await count('emails')]).toEqual([links + 1, emails + 1]);
    expect(await templates(email)).toEqual(['address-unknown']);
    expect(await until(email)).toBe(inHours(24));
    await confirm(await findEmailToken(test, email));
  });

  it('accepts no link of another purpose', async () => {
    const [email, user] = [newAddress(), await makeUser(test.ctx)];
    await ask(email);
    await askReset(user.email);
    expect(await fieldsRefused(reset(await findEmailToken(test, email)))).toBe('token');
    const token = await findEmailToken(test, user.email);
    expect(await fieldsRefused(confirm(token))).toBe('token');
    expect(await fieldsRefused(confirmEmail(test.ctx, { token }))).toBe('token');
  });
});

describe('a new address', () => {
  const change = (userId: string, email: string, currentPassword = password) =>
    changeEmail(test.contextFor({ kind: 'user', userId }), {
      email,
      currentPassword,
      client: client(),
    });

  it('a new address takes effect when its link is opened; the old address gets an email', async () => {
    const [user, email] = [await makeUser(test.ctx), newAddress()];
    await askReset(user.email);
    const sentToOld = await findEmailToken(test, user.email);
    await change(user.id, email);
    expect(await until(email)).toBe(inHours(24));
    expect(await findUserByEmail(test.ctx, email)).toBeUndefined();
    await confirmEmail(test.ctx, { token: await findEmailToken(test, email) });
    expect((await findUserByEmail(test.ctx, email))?.id).toBe(user.id);
    expect(await templates(user.email)).toEqual(['reset-password', 'email-changed']);
    const late = resetPassword(test.ctx, { token: sentToOld, password, client: client() });
    expect(await fieldsRefused(late)).toBe('token');
    await enter(email);
  });

  it('requires the password and a valid address', async () => {
    const user = await makeUser(test.ctx);
    expect(await fieldsRefused(change(user.id, newAddress(), 'wrong horse'))).toBe(
      'current_password',
    );
    expect(await fieldsRefused(change(user.id, 'nobody'))).toBe('email');
  });

  it('a new address may differ from the old one only in case', async () => {
    const user = await makeUser(test.ctx);
    await change(user.id, user.email.toUpperCase());
    const token = await findEmailToken(test, user.email.toUpperCase());
    await confirmEmail(test.ctx, { token });
    expect((await findUserByEmail(test.ctx, user.email))?.email).toBe(user.email.toUpperCase());
  });

  it('a new address of another user is refused by email, without revealing the user', async () => {
    const [user, other, email] = [await makeUser(test.ctx), await makeUser(test.ctx), newAddress()];
    await change(user.id, other.email);
    expect(await templates(other.email)).toEqual(['address-known']);
    await change(user.id, email);
    await createUser(test.ctx, { email, password });
    const late = confirmEmail(test.ctx, { token: await findEmailToken(test, email) });
    expect((await refusalOf(late)).details[0]?.reason).toBe('address_taken');
  });
});
