import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestContext, type TestContext } from '../../../../test/create-test-context.ts';
import { loadSeed } from '../../../../test/load-seed.ts';
import type { Geo } from '../../../platform/geo/geo.ts';

/** The network of 203.0.113.66 rents out servers. */
const geo: Geo = {
  locate: async (ip) => {
    if (ip === '203.0.113.66') return { country: 'US', network: 'AS16509 Amazon.com, Inc.' };
    return { country: ip.includes(':') ? 'FR' : 'DE', network: 'AS3320 Deutsche Telekom AG' };
  },
};

let test: TestContext;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'podstead-seed-downloads-'));
  test = await createTestContext({}, { geo });
});
afterAll(async () => {
  await test[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

let number = 0;

/** Loads a show: `long` has 90 seconds of audio, `short` 5, `silent` none. */
async function load(...downloads: object[]) {
  number += 1;
  const user = { ref: 'ana', email: `ana${number}@example.com`, password: 'correct horse battery' };
  const episode = (ref: string, seconds?: number) => ({
    ...{ ref, slug: ref, title: ref, status: 'published', published_at: '-30d' },
    audio: seconds === undefined ? null : { tone_seconds: seconds },
  });
  const episodes = [episode('long', 90), episode('short', 5), episode('silent')];
  const show = { ref: 'show', owner: 'ana', slug: `seeded-${number}`, title: 'Seeded', episodes };
  const made = await loadSeed(test, folder, { users: [user], podcasts: [show], downloads });
  return { ...made.downloads, podcastId: made.podcasts['show']?.id ?? '' };
}

const download = (more: object = {}) => ({
  ...{ episode: 'show/long', at: '-1h', ip: '203.0.113.7', user_agent: 'AntennaPod/3.4' },
  ...more,
});

async function query<T>(text: string, ...values: unknown[]): Promise<T[]> {
  return (await test.database.pool.query(text, values)).rows;
}
const daysOf = (podcastId: string) =>
  query(
    `select day::text, downloads::int, listeners::int from podcast_download_days
      where podcast_id = $1 order by day`,
    podcastId,
  );
const valuesOf = async (podcastId: string) =>
  Object.fromEntries(
    (
      await query<{ dimension: string; values: string }>(
        `select dimension, string_agg(value || ' ' || downloads, ', ' order by value) as values
          from podcast_download_dimensions where podcast_id = $1 and downloads > 0
          group by dimension`,
        podcastId,
      )
    ).map(({ dimension, values }) => [dimension, values]),
  );

describe('downloads of a seed file', () => {
  // COUNT-8, SEED-11
  it('downloads of a seed file count by the rules of real requests', async () => {
    const { podcastId, requests, counted } = await load(
      download(),
      download({ ip: '2001:db8::7', source: 'player', referrer: 'https://blog.example/post' }),
      download({ user_agent: 'Googlebot/2.1' }),
      download({ ip: '203.0.113.66' }),
      download({ ip: '203.0.113.8', seconds: 59 }),
      download({ ip: '203.0.113.9', seconds: 60, user_agent: '' }),
      download({ ip: '203.0.113.9', seconds: 4, episode: 'short' }),
      download({ ip: '203.0.113.9', seconds: 0, user_agent: null }),
      download({ episode: 'short' }),
    );
    expect({ requests, counted }).toEqual({ requests: 9, counted: 4 });
    expect(await daysOf(podcastId)).toEqual([{ day: '2026-03-10', downloads: 4, listeners: 3 }]);
    expect(await valuesOf(podcastId)).toEqual({
      apps: 'AntennaPod 3, unknown 1',
      countries: 'DE 3, FR 1',
      devices: 'Android Phone 3, unknown 1',
      referrers: 'blog.example 1',
      sources: 'feed 3, player 1',
    });
    const rejected = await query(
      'select rejected from download_requests where podcast_id = $1 and rejected is not null order by 1',
      podcastId,
    );
    expect(rejected).toEqual([{ rejected: 'bot' }, { rejected: 'data_center' }]);
    const sums = 'select rejected from download_request_sums where podcast_id = $1';
    expect(await query(sums, podcastId)).toEqual([{ rejected: 'probe' }]);
  });

  // COUNT-5, SEED-11
  it('downloads of a seed file are one listener, for any `times`', async () => {
    const { podcastId, requests, counted } = await load(download({ times: 5_000 }));
    expect({ requests, counted }).toEqual({ requests: 5_000, counted: 1 });
    expect(await daysOf(podcastId)).toEqual([{ day: '2026-03-10', downloads: 1, listeners: 1 }]);
  });

  // SEED-11
  it('downloads of a seed file begin at the start of the file, so two of them do not add up', async () => {
    const part = download({ seconds: 40 });
    expect(await load(part, part)).toMatchObject({ requests: 2, counted: 0 });
    expect(await load(part, download({ seconds: 61 }))).toMatchObject({ counted: 1 });
  });

  // COUNT-14
  it('downloads of a seed file may be years old, under a secret that is stored nowhere', async () => {
    const { podcastId, counted } = await load(
      download({ at: '-800d' }),
      download({ at: '-800d', episode: 'short' }),
      download({ at: '-799d' }),
      download({ at: '1970-01-01T00:00:00Z' }),
      download({ at: '-3d' }),
    );
    expect(counted).toBe(5);
    expect(await daysOf(podcastId)).toEqual([
      { day: '1970-01-01', downloads: 1, listeners: 1 },
      { day: '2023-12-31', downloads: 2, listeners: 1 },
      { day: '2024-01-01', downloads: 1, listeners: 1 },
      { day: '2026-03-07', downloads: 1, listeners: 1 },
    ]);
    const secrets = await query("select name from download_secrets where name like 'log:%'");
    expect(secrets).toEqual([]);
    const tables = await query("select 1 from pg_class where relname like 'download_secrets_log%'");
    expect(tables).toEqual([]);
  });

  // SEED-2, SEED-11
  it('downloads of a seed file leave nothing if the file is refused', async () => {
    const before = await query('select * from podcast_download_days');
    const problems = await load(
      download({ episode: 'nowhere' }),
      download({ episode: 'silent' }),
      download({ ip: '203.0.113.256' }),
      download({ at: '+1d' }),
      download({ times: 0 }),
      download({ source: 'radio' }),
      download({ seconds: -1 }),
      download({ more: 1 }),
      { episode: 'long' },
      download({ at: '1969-12-31T23:59:59Z' }),
    ).catch((error: { details: readonly { field: string; message: string }[] }) => error.details);
    expect(problems).toMatchObject([
      { field: 'downloads[4].times', message: 'This must be 1 or more.' },
      { field: 'downloads[5].source', message: expect.stringContaining('one of feed, player') },
      { field: 'downloads[6].seconds', message: 'This must be 0 or more.' },
      { field: 'downloads[7].more', message: 'Unknown property.' },
      ...['at', 'ip', 'user_agent'].map((name) => ({
        field: `downloads[8].${name}`,
        message: 'This is required.',
      })),
      {
        field: 'downloads[0].episode',
        message: 'There is no episode with the ref "nowhere".',
      },
      { field: 'downloads[1].episode', message: 'The episode "silent" has no audio.' },
      { field: 'downloads[2].ip', message: 'This must be an IP address.' },
      { field: 'downloads[3].at', message: 'A download must not be in the future.' },
      { field: 'downloads[9].at', message: 'A download must not be before 1970-01-01.' },
    ]);
    expect(await query('select * from podcast_download_days')).toEqual(before);
  });
});
