import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { requestImport } from '../../../src/domain/exchange/imports/index.ts';
import type { User } from '../../../src/domain/foundation/accounts/index.ts';
import { attachExternalAudio, attachTone } from '../../../src/domain/publishing/audio/index.ts';
import {
  deleteEpisode,
  type Episode,
  listContentChanges,
  updateEpisode,
} from '../../../src/domain/publishing/episodes/index.ts';
import { addPerson, setCredits } from '../../../src/domain/publishing/people/index.ts';
import {
  addMember,
  type Podcast,
  updatePodcast,
} from '../../../src/domain/publishing/podcasts/index.ts';
import { type Browser, createBrowser } from '../../create-browser.ts';
import { createTestApp, type TestApp } from '../../create-test-app.ts';
import { makeEpisode, makePodcast, makeUser } from '../../make.ts';
import { patience } from '../../patience.ts';
import { type EventWatch, watchEvents } from '../../watch-events.ts';

let app: TestApp;
let address: string;
let user: User;
let browser: Browser;
let show: Podcast;
let episode: Episode;
let watches: EventWatch[];
let people = 0;

async function signIn(who: User): Promise<Browser> {
  people += 1;
  const own = createBrowser(app, { address: `198.51.100.${people}` });
  await own.signIn(who.email);
  return own;
}

beforeAll(async () => {
  app = await createTestApp();
  address = await app.http.server.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => app[Symbol.asyncDispose]());
beforeEach(async () => {
  user = await makeUser(app.ctx);
  show = await makePodcast(app.ctx, { owner: user });
  episode = await makeEpisode(app.ctx, show);
  browser = await signIn(user);
  watches = [];
});
afterEach(() => {
  vi.useRealTimers();
  for (const watch of watches) watch[Symbol.dispose]();
});

async function watch(path: string, by = browser, lastEventId?: string): Promise<EventWatch> {
  const opened = await watchEvents(address + path, by.cookie ?? '', lastEventId);
  watches.push(opened);
  return opened;
}
const watchShow = (by = browser) => watch(`/app/api/events?podcast=${show.id}`, by);
const told = ({ events }: EventWatch) => events.map(({ name, data }) => ({ name, data }));

describe('the events of a podcast', () => {
  it('the events of a podcast are its changes and those of its episodes', async () => {
    const seen = await watchShow();
    expect(seen.status).toBe(200);
    expect(seen.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    });
    expect(seen.headers['content-encoding']).toBeUndefined();
    await updateEpisode(app.ctx, episode.id, { title: 'Another' });
    await vi.waitFor(
      () =>
        expect(told(seen)).toEqual([
          { name: 'ready', data: {} },
          { name: 'episode.changed', data: { episode_id: episode.id, revision: 2 } },
        ]),
      patience,
    );
    await updatePodcast(app.ctx, show.id, { title: 'Renamed' });
    await vi.waitFor(
      () =>
        expect(told(seen).at(-1)).toEqual({
          name: 'podcast.changed',
          data: { podcast_id: show.id, revision: 2 },
        }),
      patience,
    );
    await deleteEpisode(app.ctx, episode.id);
    await vi.waitFor(
      () =>
        expect(told(seen)).toContainEqual({
          name: 'episode.deleted',
          data: { episode_id: episode.id },
        }),
      patience,
    );
  });

  /** The position that the page of the app names. */
  const positionOfPage = async () =>
    /<meta name="podstead-position" content="([\w-]+)">/.exec(
      (await browser.get('/app')).body,
    )?.[1] ?? '';
  const watchSince = (position: string, lastEventId?: string) =>
    watch(`/app/api/events?podcast=${show.id}&since=${position}`, browser, lastEventId);

  it('the events of a podcast begin with what has changed since the page was sent, and nothing else', async () => {
    const position = await positionOfPage();
    const title = { name: 'episode.changed', data: { episode_id: episode.id, revision: 2 } };
    const ready = { name: 'ready', data: {} };
    const unchanged = await watchSince(position);
    await vi.waitFor(() => expect(told(unchanged)).toEqual([ready]), patience);
    unchanged[Symbol.dispose]();
    await updateEpisode(app.ctx, episode.id, { title: 'Another' });
    const changed = await watchSince(position);
    await vi.waitFor(() => expect(told(changed)).toEqual([title, ready]), patience);
  });

  it('the events of a podcast continue after a lost connection where the last one ended', async () => {
    const first = await watchSince(await positionOfPage());
    await updateEpisode(app.ctx, episode.id, { title: 'Another' });
    await vi.waitFor(() => expect(told(first)).toHaveLength(2), patience);
    first[Symbol.dispose]();
    const reached = first.events.at(-1)?.id;
    await updatePodcast(app.ctx, show.id, { title: 'Renamed' });
    const again = await watchSince(first.events[0]?.id ?? '', reached);
    await vi.waitFor(
      () => expect(told(again).map(({ name }) => name)).toEqual(['podcast.changed', 'ready']),
      patience,
    );
  });

  it('the events of a podcast begin with a reset if the position is not one of this database', async () => {
    const ctx = app.contextFor({ kind: 'user', userId: user.id });
    const later = '1000000000000:1000000000000:';
    expect((await listContentChanges(ctx, show.id, later)).changed).toBeUndefined();
    for (const position of ['', 'x', (await positionOfPage()).slice(0, -1)]) {
      const seen = await watchSince(position);
      await vi.waitFor(
        () => expect(told(seen).map(({ name }) => name)).toEqual(['podcast.reset', 'ready']),
        patience,
      );
    }
  });

  it('the events of a podcast are only for members', async () => {
    const other = await makePodcast(app.ctx);
    expect((await watch(`/app/api/events?podcast=${other.id}`)).status).toBe(404);
    const seen = await watchShow();
    await makeEpisode(app.ctx, other);
    await updatePodcast(app.ctx, show.id, { title: 'Renamed' });
    await vi.waitFor(() => expect(told(seen)).toHaveLength(2), patience);
    expect(told(seen)[1]?.name).toBe('podcast.changed');
  });

  it('the events of a podcast are only about credited episodes for a co-host', async () => {
    const cohost = await makeUser(app.ctx);
    await addMember(app.ctx, { podcastId: show.id, userId: cohost.id, role: 'cohost' });
    const own = await makeEpisode(app.ctx, show);
    const person = await addPerson(app.ctx, {
      podcastId: show.id,
      name: 'Cara',
      userId: cohost.id,
    });
    await setCredits(app.ctx, own.id, [{ personId: person.id, role: 'host' }]);
    const seen = await watchShow(await signIn(cohost));
    await updateEpisode(app.ctx, episode.id, { title: 'Hidden' });
    await updateEpisode(app.ctx, own.id, { title: 'Seen' });
    await vi.waitFor(() => expect(told(seen)).toHaveLength(2), patience);
    expect(told(seen)[1]).toMatchObject({ data: { episode_id: own.id } });
  });

  it('the events of a podcast name no more than fifty episodes at once', async () => {
    const seen = await watchShow();
    const ids: string[] = [];
    for (let n = 0; n < 51; n += 1) ids.push((await makeEpisode(app.ctx, show)).id);
    const before = told(seen).length;
    await app.database.pool.query('update content_changes set xid = pg_current_xact_id()');
    await updateEpisode(app.ctx, ids[0] ?? '', { title: 'One more' });
    await vi.waitFor(
      () =>
        expect(
          told(seen)
            .slice(before)
            .map(({ name }) => name),
        ).toContain('podcast.reset'),
      patience,
    );
  });

  it('the events of a podcast end with the membership', async () => {
    const admin = await makeUser(app.ctx);
    await addMember(app.ctx, { podcastId: show.id, userId: admin.id, role: 'admin' });
    const seen = await watchShow(await signIn(admin));
    await app.database.pool.query('delete from podcast_members where user_id = $1', [admin.id]);
    await updateEpisode(app.ctx, episode.id, { title: 'Secret' });
    await seen.ended;
    expect(told(seen)).toHaveLength(1);
  });

  it('the events of a podcast end with the session, before the next event', async () => {
    const seen = await watchShow();
    await browser.submit('/app/sign-out');
    await updateEpisode(app.ctx, episode.id, { title: 'Secret' });
    await seen.ended;
    expect(told(seen)).toEqual([{ name: 'ready', data: {} }]);
  });

  it('the events of a podcast come with a heartbeat, and end with the session', async () => {
    vi.useFakeTimers({ toFake: ['setInterval'] });
    const seen = await watchShow();
    const beats = async (count: number) => {
      vi.advanceTimersByTime(15_000);
      await vi.waitFor(() => expect(seen.text().split('\n:\n').length - 1).toBe(count), patience);
    };
    await beats(1);
    await beats(2);
    await browser.submit('/app/sign-out');
    vi.advanceTimersByTime(15_000);
    await seen.ended;
  });

  it('the events of a podcast are limited to a number of streams', async () => {
    const open: EventWatch[] = [];
    for (let n = 0; n < 20; n += 1) open.push(await watchShow());
    expect((await watchShow()).status).toBe(429);
    open[0]?.[Symbol.dispose]();
    await vi.waitFor(async () => expect((await watchShow()).status).toBe(200), patience);
  });

  it('responds to HEAD without waiting', async () => {
    const response = await fetch(`${address}/app/api/events?podcast=${show.id}`, {
      method: 'HEAD',
      headers: { cookie: browser.cookie ?? '' },
    });
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
    ]);
  });
});

describe('the events of an import', () => {
  const path = (id: string) => `/app/api/imports/${id}/events`;

  it('the events of an import are its states', async () => {
    const ctx = app.contextFor({ kind: 'user', userId: user.id });
    const url = 'https://feeds.example.com/show.xml';
    const { id } = await requestImport(ctx, {
      url,
      overwrite: false,
      copyAudio: true,
      dryRun: false,
    });
    const [seen, second] = [await watch(path(id)), await watch(path(id))];
    await vi.waitFor(() => expect(told(seen)[0]).toMatchObject({ data: { id } }), patience);
    await browser.send('POST', `/app/api/imports/${id}/cancel`, {});
    for (const one of [seen, second]) {
      await vi.waitFor(
        () => expect(told(one).at(-1)).toMatchObject({ data: { state: 'cancelled' } }),
        patience,
      );
      expect(told(one)).toHaveLength(2);
    }
    const present = (await browser.get(`/app/api/imports/${id}`)).json().data;
    expect(told(seen).at(-1)).toEqual({ name: 'import', data: present });
    const stranger = await signIn(await makeUser(app.ctx));
    expect((await watch(path(id), stranger)).status).toBe(404);
  });

  it('the events of an import end with the session, before the next event', async () => {
    const ctx = app.contextFor({ kind: 'user', userId: user.id });
    const url = 'https://feeds.example.com/show.xml';
    const options = { overwrite: false, copyAudio: true, dryRun: false };
    const { id } = await requestImport(ctx, { url, ...options });
    const other = await signIn(user);
    const [seen, left] = [await watch(path(id)), await watch(path(id), other)];
    await browser.submit('/app/sign-out');
    await other.send('POST', `/app/api/imports/${id}/cancel`, {});
    await seen.ended;
    expect(told(seen)).toHaveLength(1);
    await vi.waitFor(() => expect(told(left)).toHaveLength(2), patience);
  });
});

describe('the audio of an episode', () => {
  const file = () => `/app/api/episodes/${episode.id}/audio/file`;

  it('the audio of an episode is for its members, also of a draft, and in ranges', async () => {
    episode = await makeEpisode(app.ctx, show, { status: 'draft' });
    expect((await browser.get(file())).statusCode).toBe(404);
    await attachTone(app.ctx, episode.id, 3);
    const whole = await browser.get(file());
    expect([whole.statusCode, whole.headers['content-type']]).toEqual([200, 'audio/mpeg']);
    expect(whole.headers['cache-control']).toBe('no-store');
    const headers = { range: 'bytes=10-19', cookie: browser.cookie ?? '' };
    const part = await app.request({ method: 'GET', url: file(), headers });
    expect(part.statusCode).toBe(206);
    expect(part.rawPayload).toEqual(whole.rawPayload.subarray(10, 20));
    const stranger = await signIn(await makeUser(app.ctx));
    expect((await stranger.get(file())).statusCode).toBe(404);
  });

  it('redirects to external audio, unless its address contains a credential', async () => {
    const audio = { declaredType: 'audio/mpeg', sizeBytes: null, durationMs: null };
    const url = 'https://audio.example/a.mp3';
    await attachExternalAudio(app.ctx, episode.id, { ...audio, url });
    const response = await browser.get(file());
    expect([response.statusCode, response.headers['location']]).toEqual([303, url]);
    for (const secret of ['https://user:pw@audio.example/a.mp3', `${url}?token=abcdef`]) {
      await attachExternalAudio(app.ctx, episode.id, { ...audio, url: secret });
      const refused = await browser.get(file());
      expect([refused.statusCode, refused.headers['location']]).toEqual([404, undefined]);
    }
  });
});

it('a stream of events ends when the server stops', async () => {
  await using stopping = await createTestApp();
  const at = await stopping.http.server.listen({ port: 0, host: '127.0.0.1' });
  const owner = await makeUser(stopping.ctx);
  const podcast = await makePodcast(stopping.ctx, { owner });
  const window = createBrowser(stopping);
  await window.signIn(owner.email);
  const seen = await watchEvents(`${at}/app/api/events?podcast=${podcast.id}`, window.cookie ?? '');
  await stopping.http[Symbol.asyncDispose]();
  await seen.ended;
  expect(seen.events).toHaveLength(1);
});
