import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestContext, type TestContext } from '../../test/create-test-context.ts';
import { findEmails } from '../../test/find-emails.ts';
import { makeKey, makeUser, testPassword } from '../../test/make.ts';
import { fieldsRefused } from '../../test/refusal-of.ts';
import { runCommand } from '../../test/run-command.ts';
import { findKeyPrincipal } from '../domain/access/keys/index.ts';
import { findSession, setUserPassword, signIn } from '../domain/access/sessions/index.ts';
import { newId } from '../lib/uuid.ts';

let test: TestContext;
beforeAll(async () => {
  test = await createTestContext();
});
afterAll(() => test[Symbol.asyncDispose]());

const enter = (email: string, password: string) =>
  signIn(test.ctx, { email, password, client: { network: newId(), userAgent: 'test' } });

// CLI-19, KEY-13
it('user password reads standard input, and ends sessions and keys', async () => {
  const user = await makeUser(test.ctx);
  const { email } = user;
  const { token } = await enter(email, testPassword);
  const { secret } = await makeKey(test.ctx, user);
  const give = (password: string) =>
    runCommand(test, ['user', 'password', email], { readPassword: async () => password });

  const short = await give('short');
  expect(short).toMatchObject({ code: 1, said: expect.stringMatching(/8 to 1024 characters/) });
  expect(await findSession(test.ctx, token)).toBeDefined();

  const { code, json } = await give('another horse');
  expect([code, json]).toEqual([0, { id: user.id, email, name: user.name }]);
  expect(await findSession(test.ctx, token)).toBeUndefined();
  expect(await findKeyPrincipal(test.ctx, secret, undefined)).toBeUndefined();
  expect(await fieldsRefused(enter(email, testPassword))).toBe('password');
  await enter(email, 'another horse');
  expect((await findEmails(test, email)).at(-1)).toMatchObject({ template: 'password-changed' });
});

it('user password is for the operator only, and for existing users', async () => {
  const { id } = await makeUser(test.ctx);
  const asUser = test.contextFor({ kind: 'user', userId: id });
  const input = { userId: id, password: 'another horse' };
  await expect(setUserPassword(asUser, input)).rejects.toMatchObject({ kind: 'forbidden' });
  const nobody = await runCommand(test, ['user', 'password', 'nobody@example.com']);
  expect(nobody).toMatchObject({ code: 1, said: expect.stringMatching(/no user/) });
});

// CLI-19
it('user list lists all users with their plans, oldest first', async () => {
  const first = await makeUser(test.ctx, 'free');
  const second = await makeUser(test.ctx, 'studio');
  const { users } = (await runCommand(test, ['user', 'list'])).json;
  const created_at = test.clock.now().toISOString();
  expect(users.slice(-2)).toEqual([
    {
      id: first.id,
      email: first.email,
      name: first.name,
      plan: 'free',
      plan_state: 'active',
      created_at,
      storage: { used_bytes: 0, included_bytes: 5_000_000_000 },
    },
    {
      id: second.id,
      email: second.email,
      name: second.name,
      plan: 'studio',
      plan_state: 'active',
      created_at,
      storage: { used_bytes: 0, included_bytes: 500_000_000_000 },
    },
  ]);
});
