import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestContext, type TestContext } from '../../test/create-test-context.ts';
import { makePodcast, makeUser } from '../../test/make.ts';
import { findKeyPrincipal } from '../domain/access/keys/index.ts';
import { userScopes } from '../domain/foundation/enumerations.ts';
import { createCommandRunner } from './run-command-line.ts';

let test: TestContext;
beforeAll(async () => {
  test = await createTestContext();
});
afterAll(() => test[Symbol.asyncDispose]());

/** Runs it as a running server does. */
async function run(...argv: string[]) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const code = await createCommandRunner(test)(argv, {
    stdout,
    stderr,
    cwd: '/',
    isTerminal: false,
    columns: 80,
    signal: new AbortController().signal,
    canAsk: false,
    ask: async () => '',
    readPassword: () => Promise.reject(new Error('nobody is asked')),
  });
  stdout.end();
  stderr.end();
  const printed = await text(stdout);
  return { code, json: printed === '' ? undefined : JSON.parse(printed), said: await text(stderr) };
}

// CLI-19, KEY-5
it('creates, lists and revokes a key, showing its secret once', async () => {
  const user = await makeUser(test.ctx);
  const first = await makePodcast(test.ctx, { owner: user });
  const second = await makePodcast(test.ctx, { owner: user });
  const made = await run('key', 'create', user.email);
  expect(made).toMatchObject({ code: 0, said: '' });
  const { secret, ...key } = made.json;
  expect(key).toEqual({
    id: key.id,
    name: 'Command line',
    last_four: secret.slice(-4),
    scopes: userScopes,
    podcasts: 'all',
    cut_off_from: [],
    created_at: '2026-03-10T12:00:00.000Z',
    expires_at: '2026-06-08T12:00:00.000Z',
    revoked_at: null,
    replaced: null,
    last_use: null,
  });
  const principal = await findKeyPrincipal(test.ctx, secret);
  expect(principal).toMatchObject({ key: { id: key.id }, userId: user.id });

  const named = ['--podcasts', `${second.id}, ${first.slug}`];
  const more = ['--name', 'Site', '--scopes', 'episodes:read,podcasts:read', ...named];
  const other = await run('key', 'create', user.email, ...more, '--expires-in-days', '365');
  expect(other.json).toMatchObject({
    name: 'Site',
    scopes: ['podcasts:read', 'episodes:read'],
    podcasts: [first.id, second.id],
    expires_at: '2027-03-10T12:00:00.000Z',
  });

  const revoked = await run('key', 'revoke', key.id.toUpperCase());
  expect(revoked.json).toEqual({ ...key, revoked_at: '2026-03-10T12:00:00.000Z' });
  expect(await findKeyPrincipal(test.ctx, secret)).toBeUndefined();
  const { secret: _, ...site } = other.json;
  expect((await run('key', 'list', user.email)).json).toEqual({ keys: [site, revoked.json] });
});

it.each([
  [['--scopes', 'podcasts:write'], 2, 'a scope must be one of podcasts:read'],
  [['--scopes', 'sites:write'], 2, 'a scope must be one of podcasts:read'],
  [['--expires-in-days', '7'], 2, '30, 90, 180, 365'],
  [['--podcasts', 'nowhere'], 1, 'There is no podcast nowhere.'],
  [['--name', ' '], 1, 'A name must have 1 to 100 visible characters on one line.'],
])('refuses %j', async (options, code, words) => {
  const { email } = await makeUser(test.ctx);
  const refused = await run('key', 'create', email, ...options);
  expect(refused).toMatchObject({ code, json: undefined });
  expect(refused.said).toContain(words);
});

it('never repeats a secret that is passed as an id', async () => {
  const { email } = await makeUser(test.ctx);
  const { secret } = (await run('key', 'create', email)).json;
  const refused = await run('key', 'revoke', secret);
  expect(refused).toMatchObject({ code: 2, json: undefined });
  expect(refused.said).not.toContain(secret.slice(9));
  expect(await findKeyPrincipal(test.ctx, secret)).toBeDefined();
  expect(await run('key', 'revoke', 'svc')).toMatchObject({ code: 1 });
  expect(await run('key', 'create', 'nobody@example.com')).toMatchObject({ code: 1 });
});
