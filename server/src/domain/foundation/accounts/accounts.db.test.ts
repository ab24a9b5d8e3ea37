import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestContext, type TestContext } from '../../../../test/create-test-context.ts';
import { fieldsRefused } from '../../../../test/refusal-of.ts';
import {
  acceptTerms,
  changeProfile,
  createUser,
  findUserByEmail,
  getUser,
  getUserByEmail,
  setPlan,
} from './index.ts';
import { verifyPassword } from './passwords.ts';

let test: TestContext;
beforeAll(async () => {
  test = await createTestContext({ DEFAULT_PLAN: 'creator', TERMS_VERSION: '2026-01' });
});
afterAll(() => test[Symbol.asyncDispose]());

const password = 'correct horse battery';
const planOf = async (email: string) => {
  const { accountId } = await getUserByEmail(test.ctx, email);
  const { rows } = await test.database.pool.query('select * from accounts where id = $1', [
    accountId,
  ]);
  return [rows[0].plan, rows[0].plan_state];
};

// ACCT-1, ACCT-3
it('creates a user with an account on the default plan, named after the email address', async () => {
  const user = await createUser(test.ctx, { email: 'Ana@Example.com', password });
  expect(user).toMatchObject({ email: 'Ana@Example.com', name: 'Ana' });
  expect(await findUserByEmail(test.ctx, 'aNA@example.com')).toEqual(user);
  expect(await planOf('ana@example.com')).toEqual(['creator', 'active']);
});

it("stores the password's hash only", async () => {
  await createUser(test.ctx, { email: 'secret@example.com', password });
  const { rows } = await test.database.pool.query(
    "select password_hash from users where email = 'secret@example.com'",
  );
  expect(rows[0].password_hash).toMatch(/^\$argon2id\$/);
  expect(await verifyPassword(rows[0].password_hash, password, 'operator')).toBe(true);
  expect(await verifyPassword(rows[0].password_hash, `${password}.`, 'operator')).toBe(false);
});

it('accepts an email address once, also of two requests at once', async () => {
  const emails = ['twin@example.com', 'TWIN@example.com'];
  const made = await Promise.allSettled(
    emails.map((email) => createUser(test.ctx, { email, password })),
  );
  expect(made.map((attempt) => attempt.status).sort()).toEqual(['fulfilled', 'rejected']);
});

it('reports every wrong field at once', async () => {
  const attempt = createUser(test.ctx, { email: 'x', password: 'short', plan: 'gold', name: ' ' });
  const error = await attempt.catch((cause) => cause);
  expect(error.details.map((detail: { field: string }) => detail.field)).toEqual([
    'email',
    'password',
    'name',
    'plan',
  ]);
});

it('changes the plan', async () => {
  const { email } = await createUser(test.ctx, { email: 'plan@example.com', password });
  await setPlan(test.ctx, { email, plan: 'studio', planState: 'lapsed' });
  expect(await planOf(email)).toEqual(['studio', 'lapsed']);
  const wrong = setPlan(test.ctx, { email, plan: 'gold', planState: 'active' });
  await expect(wrong).rejects.toThrow('gold');
  const nobody = setPlan(test.ctx, { email: 'no@example.com', plan: 'free', planState: 'active' });
  await expect(nobody).rejects.toThrow('no@example.com');
});

describe('a user can change', () => {
  const make = async (email: string) => {
    const user = await createUser(test.ctx, { email, password, acceptsTerms: false });
    return { user, ctx: test.contextFor({ kind: 'user', userId: user.id }) };
  };
  const termsOf = async (userId: string) =>
    (await test.database.pool.query('select accepted_terms from users where id = $1', [userId]))
      .rows[0].accepted_terms;

  it('users can change their name', async () => {
    const { user, ctx } = await make('name@example.com');
    await changeProfile(ctx, { name: ' Ana ' });
    expect((await getUser(ctx, user.id)).name).toBe('Ana');
    for (const name of ['', '\u200b', 'x'.repeat(201), 'a\nb', 'Win: https://example.com']) {
      expect(await fieldsRefused(changeProfile(ctx, { name }))).toBe('name');
    }
    expect(await fieldsRefused(changeProfile(test.ctx, { name: 'Operator' }))).toBe('forbidden');
  });

  it('a user can change which terms they have accepted', async () => {
    const { user, ctx } = await make('terms@example.com');
    expect(await fieldsRefused(acceptTerms(ctx, { version: '2025-01' }))).toBe('version');
    expect(await termsOf(user.id)).toBeNull();
    await acceptTerms(ctx, { version: '2026-01' });
    expect(await termsOf(user.id)).toBe('2026-01');
  });
});
