import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { User } from '../../../src/domain/foundation/accounts/index.ts';
import type { Episode } from '../../../src/domain/publishing/episodes/index.ts';
import { addMember, type Podcast } from '../../../src/domain/publishing/podcasts/index.ts';
import { newId } from '../../../src/lib/uuid.ts';
import { askWithKey } from '../../ask-with-key.ts';
import { type Browser, createBrowser } from '../../create-browser.ts';
import { createTestApp, type TestApp } from '../../create-test-app.ts';
import { ingest, makeAudioRequest, makeDownloads } from '../../downloads.ts';
import { makeEpisode, makeKey, makePodcast, makeUser } from '../../make.ts';

let app: TestApp;
let owner: User;
let podcast: Podcast;
let episode: Episode;
let browser: Browser;
let people = 0;

beforeAll(async () => {
  // 2026-03-10.
  app = await createTestApp();
  owner = await makeUser(app.ctx, 'enterprise');
  podcast = await makePodcast(app.ctx, { owner });
  episode = await makeEpisode(app.ctx, podcast, {
    publishedAt: new Date('2026-03-01T06:00:00Z'),
  });
  for (const [day, count] of [
    ['2026-03-01', 2],
    ['2026-03-04', 3],
    ['2026-03-06', 4],
    ['2026-03-10', 1],
  ] as const) {
    await makeDownloads(app.ctx, episode, count, { at: new Date(`${day}T12:00:00Z`) });
  }
  browser = await signIn(owner);
});
afterAll(() => app[Symbol.asyncDispose]());

async function signIn({ email }: User): Promise<Browser> {
  // Sign-ins of one address are limited.
  people += 1;
  const signedIn = createBrowser(app, { address: `198.51.100.${people}` });
  await signedIn.signIn(email);
  return signedIn;
}

async function signInAsMember(role: 'admin' | 'analyst' | 'editor'): Promise<Browser> {
  const user = await makeUser(app.ctx);
  await addMember(app.ctx, { podcastId: podcast.id, userId: user.id, role });
  return signIn(user);
}

const ofPodcast = (rest: string) => `/app/api/podcasts/${podcast.id}/analytics/${rest}`;
const ofEpisode = (rest: string) => `/app/api/episodes/${episode.id}/analytics/${rest}`;
const read = async (url: string) => (await browser.get(url)).json();

describe('private analytics', () => {
  it('private analytics return what the keyed endpoints return', async () => {
    const { secret } = await makeKey(app.ctx, owner);
    const range = 'from=2026-03-01&to=2026-03-09';
    const pairs = [
      [ofPodcast(`downloads?${range}`), `podcasts/${podcast.id}/analytics/downloads?${range}`],
      [ofEpisode(`downloads?${range}`), `episodes/${episode.id}/analytics/downloads?${range}`],
      [ofPodcast(`episodes?${range}`), `podcasts/${podcast.id}/analytics/episodes?${range}`],
      [
        ofPodcast(`breakdown?dimension=countries&episode_id=${episode.id}`),
        `podcasts/${podcast.id}/analytics/breakdowns?dimension=countries&episode_id=${episode.id}`,
      ],
    ] as const;
    for (const [own, keyed] of pairs) {
      const response = await read(own);
      // They may add to it.
      expect(response, own).toMatchObject(
        (await askWithKey(app, secret, `/v1/me/${keyed}`)).json(),
      );
      expect(response.data, own).toBeDefined();
    }
  });

  it('private analytics compare a range with the days before it', async () => {
    const { data } = await read(ofPodcast('downloads?from=2026-03-06&compare=previous'));
    expect(data.totals.downloads).toBe(5);
    expect(data.comparison.reason_for_none).toBeNull();
    expect(data.comparison.previous).toMatchObject({
      ...{ from: '2026-03-01', to: '2026-03-05', covered: true },
      totals: { downloads: 5 },
      compared: { days: 4, downloads: 4, previous_downloads: 5 },
    });
    const days = data.comparison.previous.periods;
    expect(days.map((period: { downloads: number }) => period.downloads)).toEqual([2, 0, 0, 3, 0]);
    const ofOne = await read(ofEpisode('downloads?from=2026-03-06&compare=previous'));
    expect(ofOne.data.comparison).toEqual(data.comparison);
    const all = await read(ofPodcast('downloads?preset=all&compare=previous'));
    expect(all.data.comparison).toEqual({ previous: null, reason_for_none: 'whole_history' });
  });

  it('private analytics page through episodes', async () => {
    const show = await makePodcast(app.ctx, { owner });
    const ids = [(await makeEpisode(app.ctx, show)).id, (await makeEpisode(app.ctx, show)).id];
    const url = `/app/api/podcasts/${show.id}/analytics/episodes?limit=1`;
    const first = await read(url);
    const second = await read(`${url}&cursor=${first.pagination.next_cursor}`);
    expect(second.pagination.next_cursor).toBeNull();
    const listed = [...first.data, ...second.data].map(({ episode_id }) => episode_id);
    expect(listed.sort()).toEqual(ids.sort());
  });

  it('private analytics refuse a range with the name of the wrong parameter', async () => {
    const response = await browser.get(ofPodcast('downloads?to=2026-03-09'));
    expect(response.statusCode).toBe(400);
    expect(response.json().error.details).toEqual([
      { field: 'from', message: 'This is required when to is given.' },
    ]);
  });
});

describe('an explanation', () => {
  it('an explanation leads from requests to downloads, and names no listener', async () => {
    const show = { podcastId: podcast.id, episodeIds: [episode.id, episode.id] } as const;
    const at = new Date('2026-03-09T12:00:00Z');
    const listener = newId().replaceAll('-', '');
    const request = (input: object) => makeAudioRequest(app.ctx, show, { at, listener, ...input });
    await ingest(
      app.ctx,
      request({}),
      request({}),
      request({ refusal: 'head' }),
      request({ refusal: 'head' }),
      request({ userAgent: 'Googlebot/2.1' }),
      request({ listener: 'b'.repeat(32), audio: [{ start: 0, end: 9 }] }),
    );
    const funnel = {
      requests: 6,
      rejected: [
        { reason: 'head', requests: 2 },
        { reason: 'bot', requests: 1 },
      ],
      ...{ repeated: 1, partial: 1, downloads: 1 },
    };
    const response = await browser.get(ofEpisode('explain?from=2026-03-01&to=2026-03-09'));
    const { data, meta } = response.json();
    expect(data).toMatchObject({
      episode_id: episode.id,
      evidence: { from: '2026-03-08', to: '2026-03-09' },
      days: [
        { day: '2026-03-08', requests: 0 },
        { day: '2026-03-09', ...funnel },
      ],
      total: funnel,
    });
    expect(meta.freshness.revisable_days).toBe(2);
    expect(response.body).not.toContain(listener);
    const { data: series } = await read(ofEpisode('downloads?from=2026-03-09&to=2026-03-09'));
    expect(series.totals.downloads).toBe(data.total.downloads);
  });

  it('an explanation has no days where only sums are left', async () => {
    const { data } = await read(ofEpisode('explain?from=2026-03-01&to=2026-03-07'));
    expect(data).toMatchObject({ evidence: null, days: [], total: { requests: 0, rejected: [] } });
  });
});

describe('the permission to read analytics', () => {
  const urls = () => [
    ofPodcast('downloads'),
    ofPodcast('breakdown'),
    ofPodcast('episodes'),
    ofEpisode('downloads'),
    ofEpisode('explain'),
  ];

  it.each([
    ['analyst', 200],
    ['admin', 200],
    ['editor', 403],
  ] as const)('%s: %i', async (role, status) => {
    const member = await signInAsMember(role);
    for (const url of urls()) expect((await member.get(url)).statusCode, url).toBe(status);
  });

  it('users who are not members may not read analytics', async () => {
    const stranger = await signIn(await makeUser(app.ctx));
    for (const url of urls()) expect((await stranger.get(url)).statusCode, url).toBe(404);
  });
});
