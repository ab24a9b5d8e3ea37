import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { KeyWithSecret } from '../../../src/domain/access/keys/index.ts';
import type { AudioRequest } from '../../../src/domain/audience/downloads/index.ts';
import type { User } from '../../../src/domain/foundation/accounts/index.ts';
import type { Episode } from '../../../src/domain/publishing/episodes/index.ts';
import { addMember, type Podcast } from '../../../src/domain/publishing/podcasts/index.ts';
import { newId } from '../../../src/lib/uuid.ts';
import { askWithKey, countStatements } from '../../ask-with-key.ts';
import { createTestApp, type TestApp } from '../../create-test-app.ts';
import { makeDownloads } from '../../downloads.ts';
import { makeEpisode, makeKey, makePodcast, makeUser } from '../../make.ts';

let app: TestApp;
let ana: User;
let key: KeyWithSecret;
let podcast: Podcast;
let episode: Episode;
let other: Episode;

beforeAll(async () => {
  app = await createTestApp();
  ana = await makeUser(app.ctx, 'studio');
  key = await makeKey(app.ctx, ana);
  podcast = await makePodcast(app.ctx, { owner: ana });
  [episode, other] = [await makeEpisode(app.ctx, podcast), await makeEpisode(app.ctx, podcast)];
  const iphone = 'AppleCoreMedia/1.0.0.20G75 (iPhone; U; CPU OS 16_6 like Mac OS X; en_us)';
  await count(5, { userAgent: 'AntennaPod/3.4', country: 'DE', source: 'feed' });
  await count(3, { userAgent: null, country: null, source: 'player', referrer: 'blog.example' });
  await count(3, { userAgent: iphone, country: 'AT', source: 'listen_page' });
  await count(1, { country: 'FR', source: 'direct', referrer: 'news.example' });
  await makeDownloads(app.ctx, other, 2, { country: 'AT', at: new Date('2026-01-31T12:00:00Z') });
});
afterAll(() => app[Symbol.asyncDispose]());

const count = (downloads: number, input: Partial<AudioRequest>) =>
  makeDownloads(app.ctx, episode, downloads, input);
const urlOf = ({ id }: { readonly id: string }, query: string) =>
  `/v1/me/podcasts/${id}/analytics/breakdowns?${query}`;
const read = async (query: string, { id } = podcast, secret = key.secret) =>
  (await askWithKey(app, secret, urlOf({ id }, query))).json();

interface Entry {
  readonly key: string;
  readonly label: string;
  readonly downloads: number;
}
const entriesOf = async (...given: Parameters<typeof read>) =>
  (await read(...given)).data.entries.map((entry: Entry) => `${entry.key} ${entry.downloads}`);

describe('a breakdown', () => {
  // STAT-9, STAT-22, STAT-23, STAT-24
  it('ranks the values of the range, with their share of downloads', async () => {
    const { data, meta } = await read('dimension=countries');
    expect(data).toEqual({
      podcast_id: podcast.id,
      episode_id: null,
      dimension: 'countries',
      available: true,
      total_downloads: 12,
      entries: [
        { key: 'DE', label: 'Germany', downloads: 5, share: 0.4167 },
        { key: 'AT', label: 'Austria', downloads: 3, share: 0.25 },
        { key: 'unknown', label: 'Unknown', downloads: 3, share: 0.25 },
        { key: 'FR', label: 'France', downloads: 1, share: 0.0833 },
      ],
    });
    expect(meta.range).toMatchObject({ from: '2026-02-09', data_start: '2026-01-31' });
    expect(meta.freshness.source).toBe('first_party');
    expect(await entriesOf('dimension=countries&preset=all')).toEqual([
      'AT 5',
      'DE 5',
      'unknown 3',
      'FR 1',
    ]);
  });

  // STAT-20, STAT-24, STAT-25
  it('a breakdown is by app, device, source or referrer as well', async () => {
    expect(await entriesOf('dimension=sources')).toEqual([
      'feed 5',
      'listen_page 3',
      'player 3',
      'direct 1',
    ]);
    expect(await entriesOf('dimension=apps')).toEqual([
      'antennapod 6',
      'applecoremedia 3',
      'unknown 3',
    ]);
    expect(await entriesOf('dimension=devices')).toContain('apple-iphone 3');
    const { data } = await read('dimension=referrers');
    expect(data.total_downloads).toBe(4);
    expect(data.entries).toEqual([
      { key: 'blog.example', label: 'blog.example', downloads: 3, share: 0.75 },
      { key: 'news.example', label: 'news.example', downloads: 1, share: 0.25 },
    ]);
  });

  // STAT-10, STAT-26
  it('a breakdown can be of one episode of the podcast', async () => {
    const { data, meta } = await read(
      `dimension=countries&preset=all&episode_id=${other.id.toUpperCase()}`,
    );
    expect(data).toMatchObject({ podcast_id: podcast.id, episode_id: other.id });
    expect(data.entries).toEqual([{ key: 'AT', label: 'Austria', downloads: 2, share: 1 }]);
    expect(meta.range).toMatchObject({ from: '2026-01-31', data_start: '2026-01-31' });
    const foreign = await makeEpisode(app.ctx, await makePodcast(app.ctx, { owner: ana }));
    for (const id of [foreign.id, newId()]) {
      expect((await read(`dimension=countries&episode_id=${id}`)).error.code).toBe('not_found');
    }
  });

  // STAT-21, STAT-22
  it('shows five entries, or fifteen with advanced analytics, and the rest as one', async () => {
    const bo = await makeUser(app.ctx, 'creator');
    const { secret } = await makeKey(app.ctx, bo);
    for (const [owner, ofOwner, shown] of [
      [bo, secret, 5],
      [ana, key.secret, 15],
    ] as const) {
      const show = await makePodcast(app.ctx, { owner });
      const its = await makeEpisode(app.ctx, show);
      for (let number = 10; number < 28; number += 1) {
        await makeDownloads(app.ctx, its, 1, { referrer: `${number}.example` });
      }
      await makeDownloads(app.ctx, its, 1, { referrer: '27.example' });
      const { entries, total_downloads } = (await read('dimension=referrers', show, ofOwner)).data;
      expect(total_downloads).toBe(19);
      expect(entries).toHaveLength(shown + 1);
      expect(entries[0]).toMatchObject({ key: '27.example', downloads: 2 });
      expect(entries[1].key).toBe('10.example');
      expect(entries.at(-1)).toMatchObject({ key: 'other', downloads: 19 - shown - 1 });
    }
  });

  // STAT-27
  it('a breakdown is not available for a podcast hosted elsewhere', async () => {
    const external = await makePodcast(app.ctx, { owner: ana, hostingType: 'external' });
    await makeDownloads(app.ctx, await makeEpisode(app.ctx, external), 3);
    const { data, meta } = await read('dimension=apps', external);
    expect(data).toMatchObject({ available: false, total_downloads: 0, entries: [] });
    expect(meta.freshness.source).toBe('none');
  });

  it('a breakdown runs two statements, also for an episode, and is 304 if nothing has changed', async () => {
    for (const query of ['dimension=apps', `dimension=devices&episode_id=${episode.id}`]) {
      let etag = '';
      const statements = await countStatements(app, async () => {
        const response = await askWithKey(app, key.secret, urlOf(podcast, query));
        etag = String(response.headers['etag']);
      });
      expect(statements).toBe(2);
      const headers = { 'if-none-match': etag };
      const again = await askWithKey(app, key.secret, urlOf(podcast, query), headers);
      expect(again.statusCode).toBe(304);
    }
  });
});

describe('a request for a breakdown', () => {
  // REQ-8
  it('a request for a breakdown names every wrong parameter at once', async () => {
    const fields = async (query: string) =>
      (await read(query)).error.details.map(({ field }: { field: string }) => field);
    expect(await fields('')).toEqual(['dimension']);
    expect(await fields('dimension=cities&preset=1y&episode_id=x&to=2026-03-01')).toEqual([
      'dimension',
      'preset',
      'episode_id',
      'from',
    ]);
  });

  it('a request for a breakdown may span any number of days', async () => {
    expect((await read('dimension=apps&from=1970-01-01')).data.total_downloads).toBe(14);
  });

  // AUTH-14, STAT-8, STAT-20, STAT-26
  it('a request for a breakdown is refused in the order of AUTH-5', async () => {
    const bo = await makeUser(app.ctx, 'creator');
    const { secret } = await makeKey(app.ctx, bo);
    const mine = await makePodcast(app.ctx, { owner: bo });
    const ofMine = await makeEpisode(app.ctx, mine);
    const free = await makePodcast(app.ctx, { owner: await makeUser(app.ctx, 'free') });
    await addMember(app.ctx, { podcastId: free.id, userId: bo.id, role: 'admin' });
    const codeOf = async (show: Podcast, query: string) => {
      const { code, details } = (await read(query, show, secret)).error;
      return details?.[0]?.reason ?? code;
    };
    // An episode of another podcast is not found, whatever the plan and the role allow.
    const foreign = `episode_id=${episode.id}`;
    expect(await codeOf(free, `dimension=devices&${foreign}`)).toBe('not_found');
    expect(await codeOf(mine, `dimension=devices&${foreign}`)).toBe('not_found');
    expect(await codeOf(free, 'dimension=devices')).toBe('plan_upgrade_required');
    const ended = 'from=2015-01-01&to=2015-01-02';
    expect(await codeOf(mine, `dimension=apps&${ended}`)).toBe('outside_retention');
    for (const query of ['dimension=devices', `dimension=devices&episode_id=${ofMine.id}`]) {
      expect(await codeOf(mine, query)).toBe('plan_upgrade_required');
    }
    expect((await read('dimension=apps', mine, secret)).data.total_downloads).toBe(0);
  });
});
