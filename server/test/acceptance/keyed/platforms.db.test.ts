import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { setPlan, type User } from '../../../src/domain/foundation/accounts/index.ts';
import { addMember, type Podcast } from '../../../src/domain/publishing/podcasts/index.ts';
import { askWithKey } from '../../ask-with-key.ts';
import { type Browser, createBrowser } from '../../create-browser.ts';
import { createTestApp, type TestApp } from '../../create-test-app.ts';
import { makeEpisode, makeKey, makePodcast, makeUser } from '../../make.ts';

/** From the upload in the app to the read with a key. */
let app: TestApp;
let owner: User;
let podcast: Podcast;
let browser: Browser;
let secret: string;

beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());
beforeEach(async () => {
  owner = await makeUser(app.ctx, 'studio');
  podcast = await makePodcast(app.ctx, { owner, title: 'Night Signals', teamKeys: true });
  browser = createBrowser(app);
  await browser.signIn(owner.email);
  secret = (await makeKey(app.ctx, owner)).secret;
});

const send = (
  method: 'PUT' | 'POST',
  path: string,
  payload: string | Buffer,
  cookie = browser.cookie ?? '',
) =>
  app.request({
    method,
    url: `/app/api/podcasts/${podcast.id}/platforms/${path}`,
    headers: { cookie, origin: 'http://test.local', 'content-type': 'text/csv' },
    payload,
  });
const upload = (payload: string | Buffer, source = 'apple', cookie?: string) =>
  send('PUT', source, payload, cookie);
const ask = (query: string, key = secret, headers = {}) =>
  askWithKey(app, key, `/v1/me/podcasts/${podcast.id}/analytics/platforms${query}`, headers);

const file = `Show Name,Episode ID,Episode GUID,Episode Number,Episode Title,Release Date,Duration,Unique Listeners,Unique Engaged Listeners,Plays,Average Consumption
Night Signals,1,,NaN,First light,2026-03-01,1189,430,360,"1,972",0.89
Night Signals,2,,NaN,Somewhere else,2026-02-01,1189,4,3,5,0.5
`;

it('an upload returns the first titles that match no episode, and the number of all', async () => {
  const titles = Array.from({ length: 30 }, (_, at) => `Elsewhere ${at}`);
  const uploaded = await upload(`Episode Title,Plays\n${titles.join(',1\n')},1\n`);
  const { unmatched, unmatched_count: count } = uploaded.json().data;
  expect(unmatched).toEqual(titles.slice(0, 20));
  expect(count).toBe(30);
});

// STAT-29, STAT-30, STAT-31
it('the endpoint serves uploaded figures in pages', async () => {
  const { id } = await makeEpisode(app.ctx, podcast, { title: 'First Light' });
  const uploaded = await upload(file);
  expect(uploaded.statusCode).toBe(200);
  expect(uploaded.json().data).toEqual({
    podcast_id: podcast.id,
    source: 'apple',
    imported_at: '2026-03-10T12:00:00.000Z',
    rows: 2,
    matched: 1,
    unmatched: ['Somewhere else'],
    unmatched_count: 1,
    replaced: null,
  });
  const first = await ask('?source=apple&limit=1');
  expect(first.json()).toEqual({
    data: {
      podcast_id: podcast.id,
      source: 'apple',
      imported_at: '2026-03-10T12:00:00.000Z',
      as_of: null,
      show_metrics: { plays: 1977 },
      episodes: [
        { episode_id: id, title: 'First light', metrics: { plays: 1972, engaged_listeners: 360 } },
      ],
    },
    pagination: { next_cursor: expect.any(String) },
  });
  const cursor = first.json().pagination.next_cursor;
  const second = (await ask(`?source=apple&limit=1&cursor=${cursor}`)).json();
  expect(second.data.episodes).toEqual([
    { episode_id: null, title: 'Somewhere else', metrics: { plays: 5, engaged_listeners: 3 } },
  ]);
  expect(second.pagination).toEqual({ next_cursor: null });
  expect((await ask(`?source=spotify&cursor=${cursor}`)).statusCode).toBe(400);
  expect((await upload(file)).json().data.replaced).toEqual({
    imported_at: '2026-03-10T12:00:00.000Z',
    as_of: null,
  });
  const replaced = await ask(`?source=apple&cursor=${cursor}`);
  expect(replaced.json().error).toMatchObject({
    code: 'invalid_request',
    details: [{ field: 'cursor' }],
  });
  const shown = await browser.get(`/app/api/podcasts/${podcast.id}/platforms/apple?limit=1`);
  expect(shown.json().data).toMatchObject({ show_metrics: { plays: 1977 }, source: 'apple' });
});

// STAT-29
it('the list is empty before the first import, and 304 if nothing has changed', async () => {
  const response = await ask('?source=spotify');
  expect(response.json()).toEqual({
    data: {
      podcast_id: podcast.id,
      source: 'spotify',
      imported_at: null,
      as_of: null,
      show_metrics: {},
      episodes: [],
    },
    pagination: { next_cursor: null },
  });
  const etag = String(response.headers['etag']);
  const again = await ask('?source=spotify', secret, { 'if-none-match': etag });
  expect(again.statusCode).toBe(304);
});

// REQ-8, STAT-28
it('the endpoint names every wrong parameter', async () => {
  const missing = (await ask('?limit=0')).json().error;
  expect(missing.details.map(({ field }: { field: string }) => field).sort()).toEqual([
    'limit',
    'source',
  ]);
  expect((await ask('?source=deezer')).statusCode).toBe(400);
});

// AUTH-14, STAT-28
it('the features of the plan are checked after the role and the quota of the plan', async () => {
  const admin = await makeUser(app.ctx);
  await addMember(app.ctx, { podcastId: podcast.id, userId: admin.id, role: 'admin' });
  const ofAdmin = (await makeKey(app.ctx, admin)).secret;
  const stranger = (await makeKey(app.ctx, await makeUser(app.ctx))).secret;
  const codes = async () => {
    const responses = [secret, ofAdmin, stranger].map((key) => ask('?source=apple', key));
    return (await Promise.all(responses)).map((response) => response.json().error?.code);
  };
  expect(await codes()).toEqual([undefined, 'forbidden', 'not_found']);
  await setPlan(app.ctx, { email: owner.email, plan: 'creator', planState: 'active' });
  const upgrade = 'plan_upgrade_required';
  expect(await codes()).toEqual([upgrade, 'forbidden', 'not_found']);
  expect((await ask('?source=apple')).headers['ratelimit']).toContain('plan;');
  expect((await upload(file)).json().error.code).toBe(upgrade);
});

it('a check refuses as an import would, and changes nothing', async () => {
  await upload(file);
  const check = (payload: string) => send('POST', 'apple/check', payload);
  const before = (await ask('?source=apple')).json();
  expect((await check('Episode Title,Plays\nOne,5\n')).statusCode).toBe(204);
  const refused = 'Episode Title,Plays\nOne,12K\n';
  expect((await check(refused)).json().error.message).toBe(
    (await upload(refused)).json().error.message,
  );
  expect((await check('Show Name,Followers\nAnother,1\n')).statusCode).toBe(400);
  expect((await ask('?source=apple')).json()).toEqual(before);
});

it('an invalid file is refused with the expected and the found columns', async () => {
  const refused = await upload('Video title;Views\nA;1\n', 'spotify');
  expect(refused.statusCode).toBe(400);
  expect(refused.json().error.details).toMatchObject([
    {
      field: 'file',
      message_key: 'platform_file',
      message: expect.stringMatching(/Expected in the first row: .* Found: "Video title", "Views"/),
    },
  ]);
  expect((await upload('', 'apple')).statusCode).toBe(400);
  expect((await upload(Buffer.alloc(33 * 1024 * 1024, '\n'))).json().error.message).toContain(
    'larger than 32 MB',
  );
  expect((await upload(file, 'deezer')).statusCode).toBe(400);
  expect((await upload(file, 'apple', '')).statusCode).toBe(401);
});
