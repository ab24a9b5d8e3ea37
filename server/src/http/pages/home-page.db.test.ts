import { expect, it } from 'vitest';
import { createTestApp } from '../../../test/create-test-app.ts';
import { makeUser } from '../../../test/make.ts';

const text = (body: string) => body.replace(/<style>.*?<\/style>/s, '');

it.each([
  ['on', 'Create the first account', '/app/sign-up'],
  ['off', 'npm run -s podstead -- user create', '/app'],
])(
  'an installation without users says how to set it up; SIGN_UP=%s',
  async (signUp, says, link) => {
    await using app = await createTestApp({ SIGN_UP: signUp });
    const home = async () => text((await app.request({ url: '/' })).body);
    expect(await home()).toContain(says);
    expect(await home()).toContain(`href="${link}"`);
    await makeUser(app.ctx);
    expect(await home()).not.toContain('Nobody has an account yet');
    expect(await home()).toContain('<a class="button" href="/app">Sign in</a>');
    expect((await home()).includes('Create account')).toBe(signUp === 'on');
  },
);

it.each([
  ['http://localhost:3000', /find the message in\s+<code>\/.*emails<\/code>/],
  ['https://pods.example', /find the message in\s+<code>DATA_DIR\/emails<\/code>/],
])('an installation at %s without a mail server says where emails are', async (baseUrl, says) => {
  await using app = await createTestApp({ BASE_URL: baseUrl, EMBED_URL: baseUrl });
  const host = new URL(baseUrl).host;
  const body = async (url: string) => (await app.request({ url, headers: { host } })).body;
  expect(await body('/')).toMatch(says);
  const sent = await body('/app/email-sent');
  expect(sent).not.toContain('spam folder');
  expect(sent).toContain('emails</code>');
  expect(sent.includes('DATA_DIR/emails')).toBe(baseUrl.startsWith('https'));
});

it('an installation with a mail server points to the spam folder', async () => {
  await using app = await createTestApp({ SMTP_URL: 'smtp://127.0.0.1:1' });
  const { body } = await app.request({ url: '/app/email-sent' });
  expect(body).toContain('Check your spam folder');
  expect(body).not.toContain('SMTP_URL');
});
