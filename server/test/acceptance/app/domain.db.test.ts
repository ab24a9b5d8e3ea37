import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Browser, openMember, openSignedIn } from '../../create-browser.ts';
import { createTestApp, type TestApp } from '../../create-test-app.ts';
import { createDomainRecords, servedAt } from '../../hosts/domain-records.ts';
import { makePodcast, makeUser } from '../../make.ts';

const records = createDomainRecords();
const any = { 'if-match': '*' };
const host = 'night.example';
let app: TestApp;
let browser: Browser;
let editor: Browser;
let url: string;

beforeAll(async () => {
  app = await createTestApp({}, { dns: records });
  const owner = await makeUser(app.ctx);
  const show = await makePodcast(app.ctx, { owner, slug: 'night' });
  browser = await openSignedIn(app, owner);
  editor = await openMember(app, show, 'editor');
  url = `/app/api/podcasts/${show.id}`;
});
afterAll(() => app[Symbol.asyncDispose]());

const show = async () => (await browser.get(url)).json().data;

it('a domain is set, checked, verified and removed, with what was found each time', async () => {
  const none = await browser.get(`${url}/domain`);
  expect(none.json().data).toMatchObject({ domain: null, expected: null, redirect_feed: false });
  const { revision } = none.json().data;
  const set = await browser.send('PUT', `${url}/domain`, { host: 'Night.Example' }, any);
  expect(set.statusCode).toBe(200);
  const { domain, expected } = set.json().data;
  expect(set.json().data.revision).toBe(revision + 1);
  expect(domain).toEqual({
    host,
    url: `http://${host}/`,
    state: 'waiting',
    found: { txt: [], addresses: [], is_internal: false },
    checked_at: app.ctx.clock.now().toISOString(),
    tried_at: app.ctx.clock.now().toISOString(),
    taken: false,
  });
  expect(expected).toEqual({
    txt_name: '_podstead.night.example',
    txt: expect.stringMatching(/^podstead-[0-9a-f]{32}$/),
    target: ['test.local'],
    addresses: [servedAt],
  });
  records.set(host, { txt: expected.txt, addresses: [servedAt] });
  const checked = await browser.send('POST', `${url}/domain/check`, {});
  expect(checked.json().data.domain).toMatchObject({ state: 'verified' });
  expect((await show()).links).toMatchObject({
    listen: `http://${host}/`,
    feed: `http://${host}/feed.xml`,
    latest_player: 'http://test.local/latest/night',
  });
  const removed = await browser.send('DELETE', `${url}/domain`, undefined, any);
  expect(removed.json().data).toMatchObject({ domain: null });
  expect((await show()).links.listen).toBe('http://test.local/listen/night');
});

it('a domain is refused with its field, and over a newer one', async () => {
  const wrong = await browser.send('PUT', `${url}/domain`, { host: 'night.example:80' }, any);
  expect([wrong.statusCode, wrong.json().error.details]).toEqual([
    400,
    [expect.objectContaining({ field: 'host', message_key: 'domain_port' })],
  ]);
  const { revision } = await show();
  await browser.send('PUT', `${url}/domain`, { host }, any);
  const late = { 'if-match': `"${revision}"` };
  const other = await browser.send('PUT', `${url}/domain`, { host: 'other.example' }, late);
  expect(other.statusCode).toBe(412);
  expect(other.json().error.details).toMatchObject([{ field: 'domain' }]);
});

it('a member without the right sees and sets no domain', async () => {
  expect((await editor.get(`${url}/domain`)).statusCode).toBe(403);
  expect((await editor.send('PUT', `${url}/domain`, { host }, any)).statusCode).toBe(403);
  expect((await editor.send('POST', `${url}/domain/check`, {})).statusCode).toBe(403);
});
