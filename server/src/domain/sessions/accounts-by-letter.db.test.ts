import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestContext, type TestContext } from '../../../test/create-test-context.ts';
import { findLetters, findLetterToken } from '../../../test/find-letters.ts';
import { makeUser } from '../../../test/make.ts';
import { fieldsRefused, refusalOf } from '../../../test/refusal-of.ts';
import { newId } from '../../lib/uuid.ts';
import { createUser, findUserByEmail } from '../accounts/index.ts';
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
/** Another each time: what is counted for one test is nothing to the next. */
const client = () => ({ network: newId(), userAgent: 'test' });
const newAddress = () => `Person-${newId().slice(-8)}@example.com`;
const templates = async (email: string) =>
  (await findLetters(test, email)).map(({ template }) => template);
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
  it('makes no user before the letter is opened, and then signs them in', async () => {
    const email = newAddress();
    await ask(email);
    expect(await findUserByEmail(test.ctx, email)).toBeUndefined();
    expect(await templates(email)).toEqual(['confirm-email']);
    const { token } = await confirm(await findLetterToken(test, email), { name: ' Ana ' });
    expect(await findSession(test.ctx, token)).toMatchObject({
      email,
      userName: 'Ana',
      acceptedTerms: '2026-01',
    });
    await enter(email.toLowerCase());
  });

  it('works once, also of two at the same moment', async () => {
    const email = newAddress();
    await ask(email);
    const token = await findLetterToken(test, email);
    const tries = await Promise.allSettled([confirm(token), confirm(token), confirm(token)]);
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const attempt of tries) {
      if (attempt.status === 'rejected') expect(attempt.reason.details[0].field).toBe('token');
    }
    expect(await fieldsRefused(confirm(token))).toBe('token');
  });

  it('makes one user of two letters', async () => {
    const email = newAddress();
    await ask(email);
    const first = await findLetterToken(test, email);
    await ask(email.toUpperCase());
    const second = await findLetterToken(test, email.toUpperCase());
    const tries = await Promise.allSettled([confirm(first), confirm(second)]);
    expect(tries.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await fieldsRefused(confirm(first))).toBe('token');
    expect(await fieldsRefused(confirm(second))).toBe('token');
  });

  it('is open for a day', async () => {
    const [early, late] = [newAddress(), newAddress()];
    await ask(early);
    await ask(late);
    test.clock.advance(24 * hourMs - 1);
    await confirm(await findLetterToken(test, early));
    test.clock.advance(1);
    expect(await fieldsRefused(confirm(await findLetterToken(test, late)))).toBe('token');
  });

  it('names every wrong field, and keeps the link for another try', async () => {
    const email = newAddress();
    await ask(email);
    const token = await findLetterToken(test, email);
    const wrong = { token, name: ' ', password: 'short', acceptsTerms: false, client: client() };
    expect(await fieldsRefused(confirmSignUp(test.ctx, wrong))).toBe(
      'password, name, accepts_terms',
    );
    expect(await fieldsRefused(confirm(token, { acceptsTerms: false }))).toBe('accepts_terms');
    await confirm(token);
  });

  it('sends a letter to whoever has an account, which tells them so', async () => {
    const user = await makeUser(test.ctx);
    const [links, letters] = [await count('letter_links'), await count('letters')];
    await ask(user.email.toUpperCase());
    expect(await templates(user.email)).toEqual(['address-known']);
    // As much is written as for an address that is nobody's.
    await ask(newAddress());
    expect([await count('letter_links'), await count('letters')]).toEqual([links + 2, letters + 2]);
    const token = await findLetterToken(test, user.email, 'linkReset');
    await resetPassword(test.ctx, { token, password: 'another horse', client: client() });
    await enter(user.email, 'another horse');
  });

  it('finds the address taken by the time it is confirmed', async () => {
    const email = newAddress();
    await ask(email);
    await createUser(test.ctx, { email, password });
    const refusal = await refusalOf(confirm(await findLetterToken(test, email)));
    expect(refusal.details[0]?.reason).toBe('address_taken');
  });

  it.each(['', 'x', 'a@b c', 'a\r\nBcc: x@example.com'])('is not for %j', async (email) => {
    expect(await fieldsRefused(ask(email))).toBe('email');
    expect(await fieldsRefused(askReset(email))).toBe('email');
  });
});

describe('a forgotten password', () => {
  const reset = (token: string, next = 'another horse') =>
    resetPassword(test.ctx, { token, password: next, client: client() });

  it('is replaced by way of a letter, which signs in', async () => {
    const user = await makeUser(test.ctx);
    const before = await enter(user.email);
    await askReset(user.email.toUpperCase());
    expect(await templates(user.email)).toEqual(['reset-password']);
    const { token } = await reset(await findLetterToken(test, user.email));
    expect(await templates(user.email)).toEqual(['reset-password', 'password-changed']);
    expect(await findSession(test.ctx, token)).toMatchObject({ userId: user.id });
    expect(await findSession(test.ctx, before.token)).toBeUndefined();
    expect(await fieldsRefused(enter(user.email))).toBe('password');
    await enter(user.email, 'another horse');
  });

  it('is replaced once, by whichever letter', async () => {
    const user = await makeUser(test.ctx);
    await askReset(user.email);
    const first = await findLetterToken(test, user.email);
    await askReset(user.email);
    const second = await findLetterToken(test, user.email);
    const tries = await Promise.allSettled(
      [first, first, second].map((token, i) => reset(token, `horse number ${i}`)),
    );
    const done = tries.findIndex(({ status }) => status === 'fulfilled');
    expect(tries.filter(({ status }) => status === 'rejected')).toHaveLength(2);
    await enter(user.email, `horse number ${done}`);
    expect(await fieldsRefused(reset(first))).toBe('token');
    expect(await fieldsRefused(reset(second))).toBe('token');
  });

  it('has an hour', async () => {
    const user = await makeUser(test.ctx);
    await askReset(user.email);
    const token = await findLetterToken(test, user.email);
    expect(await fieldsRefused(reset(token, 'short'))).toBe('password');
    test.clock.advance(hourMs);
    expect(await fieldsRefused(reset(token))).toBe('token');
  });

  it('of an address without an account brings a letter that says so, and can sign up', async () => {
    const email = newAddress();
    const [links, letters] = [await count('letter_links'), await count('letters')];
    await askReset(email);
    expect([await count('letter_links'), await count('letters')]).toEqual([links + 1, letters + 1]);
    expect(await templates(email)).toEqual(['address-unknown']);
    await confirm(await findLetterToken(test, email));
  });

  it('takes no link of another purpose', async () => {
    const [email, user] = [newAddress(), await makeUser(test.ctx)];
    await ask(email);
    await askReset(user.email);
    expect(await fieldsRefused(reset(await findLetterToken(test, email)))).toBe('token');
    const token = await findLetterToken(test, user.email);
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

  it('is the account’s when its letter is opened; the old one is told', async () => {
    const [user, email] = [await makeUser(test.ctx), newAddress()];
    await askReset(user.email);
    const sentToOld = await findLetterToken(test, user.email);
    await change(user.id, email);
    expect(await findUserByEmail(test.ctx, email)).toBeUndefined();
    await confirmEmail(test.ctx, { token: await findLetterToken(test, email) });
    expect((await findUserByEmail(test.ctx, email))?.id).toBe(user.id);
    expect(await templates(user.email)).toEqual(['reset-password', 'email-changed']);
    const late = resetPassword(test.ctx, { token: sentToOld, password, client: client() });
    expect(await fieldsRefused(late)).toBe('token');
    await enter(email);
  });

  it('wants the password, and an address', async () => {
    const user = await makeUser(test.ctx);
    expect(await fieldsRefused(change(user.id, newAddress(), 'wrong horse'))).toBe(
      'current_password',
    );
    expect(await fieldsRefused(change(user.id, 'nobody'))).toBe('email');
  });

  it('may be the old one in other letters', async () => {
    const user = await makeUser(test.ctx);
    await change(user.id, user.email.toUpperCase());
    const token = await findLetterToken(test, user.email.toUpperCase());
    await confirmEmail(test.ctx, { token });
    expect((await findUserByEmail(test.ctx, user.email))?.email).toBe(user.email.toUpperCase());
  });

  it('that is somebody’s stays theirs, and nobody learns of it but them', async () => {
    const [user, other, email] = [await makeUser(test.ctx), await makeUser(test.ctx), newAddress()];
    await change(user.id, other.email);
    expect(await templates(other.email)).toEqual(['address-known']);
    await change(user.id, email);
    await createUser(test.ctx, { email, password });
    const late = confirmEmail(test.ctx, { token: await findLetterToken(test, email) });
    expect((await refusalOf(late)).details[0]?.reason).toBe('address_taken');
  });
});
