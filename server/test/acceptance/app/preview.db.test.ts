import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { User } from '../../../src/domain/foundation/accounts/index.ts';
import { purgePreviewsJob } from '../../../src/domain/public/previews/index.ts';
import { attachTone } from '../../../src/domain/publishing/audio/index.ts';
import {
  archiveEpisode,
  deleteEpisode,
  type Episode,
  updateEpisode,
} from '../../../src/domain/publishing/episodes/index.ts';
import {
  attachImage,
  setEpisodeArtwork,
  setHeaderImage,
  setPodcastArtwork,
} from '../../../src/domain/publishing/images/index.ts';
import {
  addPerson,
  setCredits,
  setPersonPhoto,
} from '../../../src/domain/publishing/people/index.ts';
import {
  addMember,
  changeMember,
  type Podcast,
  removeMember,
  suspendPodcast,
} from '../../../src/domain/publishing/podcasts/index.ts';
import { setChapters, setTranscript } from '../../../src/domain/publishing/transcripts/index.ts';
import { createMemoryLimiter } from '../../../src/platform/rate-limiter/create-memory-limiter.ts';
import { type Browser, createBrowser } from '../../create-browser.ts';
import { createTestApp, type TestApp } from '../../create-test-app.ts';
import { pictureBytes } from '../../hosts/podcast-host.ts';
import { makeEpisode, makePodcast, makeUser } from '../../make.ts';
import { longestTaskMs } from '../../watch-event-loop.ts';

let app: TestApp;
let owner: User;
let podcast: Podcast;
let episode: Episode;
let browser: Browser;
const delivered: unknown[] = [];

beforeAll(async () => {
  app = await createTestApp({}, { onMediaResponse: (response) => void delivered.push(response) });
  owner = await makeUser(app.ctx);
  browser = createBrowser(app);
  await browser.signIn(owner.email);
});
afterAll(() => app[Symbol.asyncDispose]());
beforeEach(async () => {
  podcast = await makePodcast(app.ctx, { owner, title: 'Night Signals', status: 'draft' });
  episode = await makeEpisode(app.ctx, podcast, { status: 'draft', title: 'Not yet out' });
});

const linkUrl = () => `/app/api/episodes/${episode.id}/preview-link`;
const makeLink = async () => (await browser.send('POST', linkUrl(), {})).json().data;
const makePath = async () => new URL((await makeLink()).url).pathname;
/** Sends a request without a session. */
const get = (url: string, headers: Record<string, string> = {}) =>
  app.request({ method: 'GET', url, headers });

describe('a preview link', () => {
  it('a preview link is made for thirty days, read again, replaced and revoked', async () => {
    expect((await browser.get(linkUrl())).json()).toEqual({ data: null });
    const made = await browser.send('POST', linkUrl(), {});
    expect(made.statusCode).toBe(201);
    const { data } = made.json();
    expect(data).toEqual({
      url: expect.stringMatching(/^http:\/\/test\.local\/preview\/[\w-]{43}$/),
      expires_at: '2026-04-09T12:00:00.000Z',
    });
    expect((await browser.get(linkUrl())).json().data).toEqual(data);
    const path = new URL(data.url).pathname;
    expect((await get(path)).statusCode).toBe(200);
    const next = await makePath();
    expect([(await get(path)).statusCode, (await get(next)).statusCode]).toEqual([404, 200]);
    expect((await browser.send('DELETE', linkUrl())).statusCode).toBe(204);
    expect([(await get(next)).statusCode, (await browser.get(linkUrl())).json().data]).toEqual([
      404,
      null,
    ]);
  });

  it('a preview link is for those who may edit the episode', async () => {
    const analyst = await makeUser(app.ctx);
    await addMember(app.ctx, { podcastId: podcast.id, userId: analyst.id, role: 'analyst' });
    const other = createBrowser(app, { address: '203.0.113.9' });
    await other.signIn(analyst.email);
    for (const response of [
      await other.get(linkUrl()),
      await other.send('POST', linkUrl(), {}),
      await other.send('DELETE', linkUrl()),
    ]) {
      expect(response.statusCode).toBe(403);
    }
  });

  it('a preview link is not stored in a readable form', async () => {
    const token = (await makePath()).split('/').at(-1) ?? '';
    const { rows } = await app.database.pool.query('select * from preview_links');
    expect(JSON.stringify(rows)).not.toContain(token);
  });
});

describe('a preview', () => {
  it('shows a draft of a draft as its listen page will', async () => {
    await updateEpisode(app.ctx, episode.id, {
      showNotesHtml: '<p>At 0:01 it begins: <a href="https://example.com/">more</a></p>',
      publishTranscript: true,
    });
    await attachTone(app.ctx, episode.id, 2);
    await setChapters(app.ctx, episode.id, [{ startMs: 0, title: 'Opening' }]);
    await setTranscript(app.ctx, episode.id, {
      language: 'en',
      segments: [{ startMs: 0, endMs: 900, speaker: 'Ada', text: 'Good evening' }],
      wordCount: 2,
      durationMs: 900,
    });
    const path = await makePath();
    const page = await get(path);
    expect(page.statusCode).toBe(200);
    for (const text of ['Not yet out', 'Night Signals', 'it begins', 'Opening', 'Good evening']) {
      expect(page.body).toContain(text);
    }
    expect(page.body).toContain(`src="http://test.local${path}/audio"`);
    expect(page.headers).toMatchObject({
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex',
      'referrer-policy': 'no-referrer',
    });
    expect(page.body).toContain('<meta name="robots" content="noindex">');
    // The page does not link to anything that is not public.
    for (const gone of ['rel="canonical"', 'og:url', 'application/ld+json', '/media/', '/embed']) {
      expect(page.body).not.toContain(gone);
    }
  });

  it('plays the audio in ranges, which counts as no download', async () => {
    const path = await makePath();
    expect((await get(`${path}/audio`)).statusCode).toBe(404);
    await attachTone(app.ctx, episode.id, 2);
    const before = delivered.length;
    const whole = await get(`${path}/audio`);
    expect([whole.statusCode, whole.headers['content-type']]).toEqual([200, 'audio/mpeg']);
    expect(whole.headers['cache-control']).toBe('no-store');
    const part = await get(`${path}/audio`, { range: 'bytes=10-19' });
    expect([part.statusCode, part.rawPayload.length]).toEqual([206, 10]);
    expect(part.rawPayload).toEqual(whole.rawPayload.subarray(10, 20));
    expect(delivered.length).toBe(before);
  });

  it('a preview has the pictures of its page, and none of other drafts', async () => {
    const { ctx } = app;
    const podcastId = podcast.id;
    const other = await makeEpisode(ctx, podcast, { status: 'draft' });
    const attach = async (color: string) => {
      const { id } = await attachImage(ctx, { podcastId, bytes: await pictureBytes(color) });
      return id;
    };
    const [own, cover, header] = [
      await attach('#110000'),
      await attach('#220000'),
      await attach('#330000'),
    ];
    await setEpisodeArtwork(ctx, episode.id, own);
    await setPodcastArtwork(ctx, podcastId, cover);
    await setHeaderImage(ctx, podcastId, header);
    const addPhoto = async (name: string, color: string, roster: boolean) => {
      const person = await addPerson(ctx, { podcastId, name, roster });
      const photo = await attach(color);
      await setPersonPhoto(ctx, { podcastId, personId: person.id }, photo);
      return { personId: person.id, photo };
    };
    const host = await addPhoto('Ana', '#440000', true);
    const guest = await addPhoto('Bo', '#550000', false);
    await setCredits(ctx, episode.id, [{ personId: guest.personId }]);
    const otherGuest = await addPhoto('Cy', '#660000', false);
    await setCredits(ctx, other.id, [{ personId: otherGuest.personId }]);
    const othersOwn = await attach('#770000');
    await setEpisodeArtwork(ctx, other.id, othersOwn);
    const path = await makePath();
    const statusOf = async (id: string) => (await get(`${path}/images/${id}/320.jpg`)).statusCode;
    for (const id of [own, cover, header, host.photo, guest.photo]) {
      expect([id, await statusOf(id)]).toEqual([id, 200]);
    }
    for (const id of [othersOwn, otherGuest.photo])
      expect([id, await statusOf(id)]).toEqual([id, 404]);
  });

  it('a preview follows the episode until it expires', async () => {
    const path = await makePath();
    await updateEpisode(app.ctx, episode.id, { title: 'Renamed' });
    expect((await get(path)).body).toContain('Renamed');
    app.clock.advance?.(30 * 86_400_000);
    for (const gone of [path, `${path}/chapters.json`]) {
      expect((await get(gone)).statusCode).toBe(404);
    }
    const { signal } = new AbortController();
    await purgePreviewsJob.run(app.ctx, {}, { signal, enqueue: async () => undefined });
    const { rows } = await app.database.pool.query(
      'select * from preview_links where episode_id = $1',
      [episode.id],
    );
    expect(rows).toEqual([]);
    // The session has ended too.
    await browser.signIn(owner.email);
  });

  it('a preview is rendered once, until its show changes or a minute has passed', async () => {
    const path = await makePath();
    const changed = async (column: string, value: string) => {
      await app.database.pool.query(`update episodes set ${column} = $1 where id = $2`, [
        value,
        episode.id,
      ]);
      return (await get(path)).body.includes(value);
    };
    await get(path);
    expect(await changed('title', 'Changed unseen')).toBe(false);
    await updateEpisode(app.ctx, episode.id, { subtitle: 'Changed as usual' });
    expect((await get(path)).body).toContain('Changed unseen');
    expect(await changed('title', 'Changed again')).toBe(false);
    app.clock.advance?.(60_000);
    expect((await get(path)).body).toContain('Changed again');
    expect((await browser.send('DELETE', linkUrl())).statusCode).toBe(204);
    expect((await get(path)).statusCode).toBe(404);
  });

  it('a preview is not found under any other address', async () => {
    await attachTone(app.ctx, episode.id, 1);
    const path = await makePath();
    const wrong = path.slice(0, -1) + (path.endsWith('A') ? 'B' : 'A');
    const bodies = new Set<string>();
    for (const url of [wrong, '/preview/x', '/preview/%00', `/preview/${'x'.repeat(43)}`]) {
      for (const below of ['', '/audio', `/images/${episode.id}/160.jpg`]) {
        const response = await get(url + below);
        expect([response.statusCode, response.headers['cache-control'], url]).toEqual([
          404,
          'no-store',
          url,
        ]);
        bodies.add(response.body.replace(/[0-9a-f-]{36}/g, ''));
      }
    }
    expect(bodies.size).toBe(1);
    for (const below of ['/images/x/160.jpg', `/images/${episode.id}/160.png`, '/other']) {
      expect((await get(path + below)).statusCode).toBe(404);
    }
  });

  it('a preview counts against the public limit, but its files do not', async () => {
    await using limited = await createTestApp(
      {},
      { limits: { public: createMemoryLimiter({ limit: 2 }) } },
    );
    const ask = async (path: string) =>
      (await limited.request({ method: 'GET', url: `/preview/${path}` })).statusCode;
    expect([await ask('none/audio'), await ask('none/images/x/160.jpg')]).toEqual([404, 404]);
    expect([await ask('none'), await ask('none?a'), await ask('none')]).toEqual([404, 404, 429]);
    expect(await ask('none/audio')).toBe(404);
  });

  it('a preview of a very long transcript does not delay other requests', async () => {
    await updateEpisode(app.ctx, episode.id, { publishTranscript: true });
    const segments = Array.from({ length: 90_000 }, (_, at) => ({
      startMs: at * 1_000,
      endMs: at * 1_000 + 900,
      speaker: at % 2 === 0 ? 'Ana' : 'Bo',
      text: 'Yes, yes.',
    }));
    const transcript = { language: 'en', segments, wordCount: 180_000, durationMs: 90_000_000 };
    await setTranscript(app.ctx, episode.id, transcript);
    const path = await makePath();
    const page = await get(path);
    expect(page.body).toContain('Yes, yes.');
    expect(await longestTaskMs(() => get(path))).toBeLessThan(50);
  });

  it('a preview ends when its episode is archived', async () => {
    await attachTone(app.ctx, episode.id, 1);
    const path = await makePath();
    expect((await get(path)).statusCode).toBe(200);
    await archiveEpisode(app.ctx, episode.id);
    for (const url of [path, `${path}/audio`]) expect((await get(url)).statusCode).toBe(404);
  });

  it('a preview ends with the membership of whoever made its link', async () => {
    const cohost = await makeUser(app.ctx);
    const member = { podcastId: podcast.id, userId: cohost.id };
    await addMember(app.ctx, { ...member, role: 'editor' });
    const theirs = createBrowser(app);
    await theirs.signIn(cohost.email);
    const { url } = (await theirs.send('POST', linkUrl(), {})).json().data;
    const path = new URL(url).pathname;
    expect((await get(path)).statusCode).toBe(200);
    await removeMember(app.ctx, member);
    expect((await get(path)).statusCode).toBe(404);
    expect((await browser.get(linkUrl())).json().data).toBe(null);
    // A link of somebody else stays.
    await addMember(app.ctx, { ...member, role: 'editor' });
    await theirs.send('POST', linkUrl(), {});
    const own = await makePath();
    await removeMember(app.ctx, member);
    expect((await get(own)).statusCode).toBe(200);
  });

  it('a preview is there while whoever made its link may edit the episode', async () => {
    const { id: userId, email } = await makeUser(app.ctx);
    const member = { podcastId: podcast.id, userId };
    await addMember(app.ctx, { ...member, role: 'cohost' });
    const person = await addPerson(app.ctx, { ...member, name: 'Ada' });
    await setCredits(app.ctx, episode.id, [{ personId: person.id }]);
    const theirs = createBrowser(app);
    await theirs.signIn(email);
    const { url } = (await theirs.send('POST', linkUrl(), {})).json().data;
    const path = new URL(url).pathname;
    const statuses = async () =>
      await Promise.all([path, `${path}/audio`].map(async (each) => (await get(each)).statusCode));
    const isShown = async () => {
      const [page, audio] = await statuses();
      expect(audio).toBe(page === 200 ? 200 : 404);
      expect((await browser.get(linkUrl())).json().data).toEqual(
        page === 200 ? expect.objectContaining({ url }) : null,
      );
      return page === 200;
    };
    await attachTone(app.ctx, episode.id, 1);
    expect(await isShown()).toBe(true);
    await setCredits(app.ctx, episode.id, []);
    expect(await isShown()).toBe(false);
    const outcomes: boolean[] = [];
    for (const role of ['editor', 'analyst', 'admin', 'cohost'] as const) {
      await changeMember(app.ctx, { ...member, role });
      outcomes.push(await isShown());
    }
    expect(outcomes).toEqual([true, false, true, false]);
  });

  it('a preview ends with its episode, and while its show is suspended', async () => {
    const path = await makePath();
    await deleteEpisode(app.ctx, episode.id);
    expect((await get(path)).statusCode).toBe(404);
    podcast = await makePodcast(app.ctx, { owner });
    episode = await makeEpisode(app.ctx, podcast, { status: 'draft' });
    const other = await makePath();
    expect((await get(other)).statusCode).toBe(200);
    await suspendPodcast(app.ctx, podcast.id);
    expect([(await get(other)).statusCode, (await get(`${other}/audio`)).statusCode]).toEqual([
      404, 404,
    ]);
  });
});
