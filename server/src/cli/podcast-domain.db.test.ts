import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../../test/create-test-app.ts';
import { createDomainRecords, servedAt } from '../../test/hosts/domain-records.ts';
import { makePodcast } from '../../test/make.ts';
import { runCommand } from '../../test/run-command.ts';

const records = createDomainRecords();
const host = 'night.example';
let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({}, { dns: records });
  await makePodcast(app.ctx, { slug: 'night' });
});
afterAll(() => app[Symbol.asyncDispose]());

const run = (...argv: string[]) => runCommand(app, ['podcast', ...argv]);
const none = {
  host: null,
  state: null,
  token: null,
  expected: null,
  found: null,
  checked_at: null,
};

it('podcast domain sets, checks, shows and removes a domain (DOMAIN-11)', async () => {
  expect((await run('domain', 'night')).json).toEqual({ ...none, redirect_feed: false });
  const { json } = await run('domain', 'night', host);
  expect(json).toEqual({
    host,
    state: 'waiting',
    token: expect.stringMatching(/^podstead-/),
    expected: {
      txt_name: `_podstead.${host}`,
      txt: json.token,
      target: ['test.local'],
      addresses: [servedAt],
    },
    found: { txt: [], addresses: [], is_internal: false },
    checked_at: app.ctx.clock.now().toISOString(),
    redirect_feed: false,
  });
  records.set(host, { txt: json.token, addresses: [servedAt] });
  expect((await run('domain', 'night')).json.state).toBe('waiting');
  expect((await run('domain', 'night', '--check')).json).toMatchObject({
    state: 'verified',
    found: { txt: [json.token], addresses: [servedAt] },
  });
  await run('set', 'night', 'redirect_feed=true');
  const feed = await app.request({ method: 'GET', url: '/feeds/night.xml' });
  expect([feed.statusCode, feed.headers['location']]).toEqual([301, `http://${host}/feed.xml`]);
  expect((await run('show', 'night')).json.links.listen).toBe(`http://${host}/`);
  const removed = await run('domain', 'night', '--remove');
  expect([removed.code, removed.json]).toEqual([0, { ...none, redirect_feed: true }]);
});

it('podcast domain says what is wrong', async () => {
  const wrong = await run('domain', 'night', 'night.example:80');
  expect([wrong.code, wrong.said]).toEqual([1, expect.stringContaining('without a port')]);
  for (const argv of [['--remove'], ['--check']])
    expect((await run('domain', 'night', ...argv)).code, argv.join()).toBe(1);
  expect((await run('domain', 'night', host, '--remove')).code).toBe(2);
  expect((await run('domain', 'unknown')).code).toBe(1);
});
