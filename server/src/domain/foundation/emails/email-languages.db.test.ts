import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestContext, type TestContext } from '../../../../test/create-test-context.ts';
import { makeUser } from '../../../../test/make.ts';
import type { Language } from '../../../lib/languages.ts';
import type { Mail } from '../../../platform/mailer/mailer.ts';
import { changeProfile } from '../accounts/index.ts';
import { queueEmail, sendEmails } from './index.ts';

let test: TestContext;
beforeAll(async () => {
  test = await createTestContext();
});
afterAll(() => test[Symbol.asyncDispose]());

const makeReader = async (language?: Language) => {
  const user = await makeUser(test.ctx);
  const ctx = test.contextFor({ kind: 'user', userId: user.id });
  if (language !== undefined) await changeProfile(ctx, { language });
  return user;
};
const queue = async (to: string, asked?: Language) => {
  const values = { name: 'Ana', at: test.clock.now() };
  const email = { template: 'password-changed', to, values } as const;
  await queueEmail({ ...test.ctx, language: asked }, email);
  const { rows } = await test.database.pool.query(
    'select language from emails where recipient = $1 order by created_at desc, id desc limit 1',
    [to],
  );
  return rows[0].language;
};

// ACCT-25
it.each([
  ['ja', 'de', 'ja'],
  ['ja', undefined, 'ja'],
  [undefined, 'de', 'de'],
  [undefined, undefined, 'en'],
] as const)('a user with %s, by a request in %s: %s', async (own, asked, expected) => {
  const { email } = await makeReader(own);
  expect(await queue(email.toUpperCase(), asked)).toBe(expected);
});

it('an email to nobody has the language of the request', async () => {
  expect(await queue('nobody@example.com', 'ar')).toBe('ar');
  expect(await queue('nobody@example.com')).toBe('en');
});

it('an email is sent in the language that it was queued in, with its dates', async () => {
  const { email, id } = await makeReader('ja');
  await queue(email);
  await changeProfile(test.contextFor({ kind: 'user', userId: id }), { language: 'fr' });
  const sent: Mail[] = [];
  const mailer = { send: async (mail: Mail) => void sent.push(mail) };
  await sendEmails({ ...test.ctx, mailer });
  const mail = sent.find(({ to }) => to === email);
  expect(mail?.subject).toBe('パスワードが変更されました');
  expect(mail?.text).toContain('アカウントのパスワードが2026年3月10日 12:00 UTCに変更されました。');
  expect(mail?.html).toContain('<html lang="ja" dir="ltr">');
});
