import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setPlan, type User } from '../../../src/domain/foundation/accounts/index.ts';
import { attachTone } from '../../../src/domain/publishing/audio/index.ts';
import { deleteEpisode, updateEpisode } from '../../../src/domain/publishing/episodes/index.ts';
import { addPerson, setCredits } from '../../../src/domain/publishing/people/index.ts';
import type { Podcast } from '../../../src/domain/publishing/podcasts/index.ts';
import { askWithKey, countStatements } from '../../ask-with-key.ts';
import { createTestApp, type TestApp } from '../../create-test-app.ts';
import { makeEpisode, makeKey, makePodcast, makeUser } from '../../make.ts';
import { makeSite } from '../../make-site.ts';

let app: TestApp;
let ana: User;
let show: Podcast;
let site: Awaited<ReturnType<typeof makeSite>>;
beforeAll(async () => {
  app = await createTestApp();
  ana = await makeUser(app.ctx, 'creator');
  show = await makePodcast(app.ctx, { owner: ana, slug: 'night-signals' });
  site = await makeSite(app.ctx, ana, [show]);
});
afterAll(() => app[Symbol.asyncDispose]());

const url = (query = '', siteId = site.siteId) => `/v1/me/sites/${siteId}/changes${query}`;
const ask = (path = url(), headers = {}) => askWithKey(app, site.secret, path, headers);
const statusOf = async (path: string, key = site.secret) => {
  const response = await askWithKey(app, key, path);
  const { error } = response.json() as {
    error?: { code: string; details?: { reason?: string }[] };
  };
  return [response.statusCode, error?.code, error?.details?.[0]?.reason].filter(Boolean);
};

describe('the change feed', () => {
  // SITE-24, SITE-30
  it('the change feed has the content of an episode for its post, then a tombstone', async () => {
    const { id } = await makeEpisode(app.ctx, show, {
      slug: 'first-light',
      title: 'First light',
      showNotesHtml: '<p>Notes</p>',
    });
    await attachTone(app.ctx, id, 2);
    const bo = await addPerson(app.ctx, { podcastId: show.id, name: 'Bo', roster: false });
    await setCredits(app.ctx, id, [{ personId: bo.id, role: 'guest' }]);
    const first = await ask();
    expect(first.json()).toEqual({
      cursor: 1,
      data: [
        {
          seq: 1,
          type: 'upsert',
          episode_id: id,
          podcast_id: show.id,
          content_hash: expect.stringMatching(/^[\w-]{43}$/),
          changed_at: app.clock.now().toISOString(),
          episode: {
            slug: 'first-light',
            title: 'First light',
            subtitle: null,
            description: 'First light',
            show_notes_html: '<p>Notes</p>',
            ai_content: null,
            season_number: null,
            episode_number: 1,
            episode_type: 'full',
            explicit: false,
            published_at: '2026-03-10T11:00:00.000Z',
            audio: {
              url: `http://test.local/media/${id}/first-light.mp3`,
              content_type: 'audio/mpeg',
              duration_seconds: 2,
              size_bytes: expect.any(Number),
            },
            artwork: { url: null },
            links: {
              listen: 'http://test.local/listen/night-signals/first-light',
              embed: `http://test.local/ep/${id}`,
            },
            people: [{ name: 'Bo', role: 'guest', photo_url: null }],
            transcript: null,
          },
        },
      ],
    });
    await deleteEpisode(app.ctx, id);
    expect((await ask(url('?after=1'))).json()).toEqual({
      cursor: 2,
      data: [
        {
          seq: 2,
          type: 'tombstone',
          episode_id: id,
          podcast_id: show.id,
          content_hash: null,
          changed_at: app.clock.now().toISOString(),
          reason: 'deleted',
        },
      ],
    });
  });

  // SITE-23
  it('the change feed runs two statements if nothing is new, and is 304 until then', async () => {
    const { id } = await makeEpisode(app.ctx, show, { title: 'Second' });
    const { cursor } = (await ask()).json() as { cursor: number };
    const path = url(`?after=${cursor}`);
    const { headers, body } = await ask(path);
    expect(JSON.parse(body)).toEqual({ cursor, data: [] });
    expect(headers).toMatchObject({
      'cache-control': 'private, no-cache',
      'ratelimit-policy': 'account;q=600;w=60',
    });
    const ifNoneMatch = { 'if-none-match': String(headers['etag']) };
    const statements = await countStatements(app, async () => {
      expect((await ask(path, ifNoneMatch)).statusCode).toBe(304);
    });
    expect(statements).toBe(2);
    const whole = String((await ask()).headers['etag']);
    expect((await ask(url(), { 'if-none-match': whole })).statusCode).toBe(304);
    await updateEpisode(app.ctx, id, { title: 'Third' });
    expect((await ask(path, ifNoneMatch)).statusCode).toBe(200);
  });

  // SITE-23
  it('pages by number', async () => {
    for (const title of ['A', 'B', 'C']) await makeEpisode(app.ctx, show, { title });
    const read = async (query: string) =>
      (await ask(url(query))).json() as { cursor: number; data: { seq: number }[] };
    const numbers: number[] = [];
    for (let page = await read('?limit=2'); page.data.length > 0; ) {
      expect(page.data.at(-1)?.seq).toBe(page.cursor);
      numbers.push(...page.data.map(({ seq }) => seq));
      page = await read(`?limit=2&after=${page.cursor}`);
    }
    expect(numbers).toEqual(numbers.toSorted((one, other) => one - other));
    expect(numbers).toEqual((await read('?limit=100')).data.map(({ seq }) => seq));
  });

  // AUTH-16, REQ-6, SITE-21, SITE-33
  it('refuses other sites, and positions that the site was not given', async () => {
    const other = await makeSite(app.ctx, ana, [show]);
    const { secret } = await makeKey(app.ctx, ana);
    expect(await statusOf(url('', other.siteId))).toEqual([404, 'not_found']);
    expect(await statusOf(url('?after=x', other.siteId))).toEqual([400, 'invalid_request']);
    expect(await statusOf(url(), secret)).toEqual([403, 'insufficient_scope']);
    expect(await statusOf('/v1/me/sites/x/changes')).toEqual([400, 'invalid_request']);
    for (const query of ['after=-1', 'after=1.5', 'after=', 'limit=0', 'limit=101', 'after=1e30']) {
      expect(await statusOf(url(`?${query}`)), query).toEqual([400, 'invalid_request']);
    }
    for (const after of ['9007199254740993', '9223372036854775808', '1'.repeat(400)]) {
      expect(await statusOf(url(`?after=${after}`)), after).toEqual([400, 'invalid_request']);
    }
    const unknown = [400, 'invalid_request', 'unknown_position'];
    expect(await statusOf(url('?after=9007199254740991'))).toEqual(unknown);
  });

  // SITE-32
  it('the change feed is 403 while no plan of its shows includes the API', async () => {
    const bo = await makeUser(app.ctx, 'creator');
    const theirs = await makePodcast(app.ctx, { owner: bo });
    const { siteId, secret } = await makeSite(app.ctx, bo, [theirs]);
    const plan = { email: bo.email, plan: 'creator' };
    await setPlan(app.ctx, { ...plan, planState: 'lapsed' });
    expect(await statusOf(url('?after=9', siteId), secret)).toEqual([403, 'plan_upgrade_required']);
    await setPlan(app.ctx, { ...plan, planState: 'active' });
    expect(await statusOf(url('', siteId), secret)).toEqual([200]);
  });
});
