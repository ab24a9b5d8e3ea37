import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  countedDownloads,
  type LoggedEpisode,
  makeLoggedEpisode,
  makeLogLine,
} from '../../../../../test/access-logs.ts';
import { createTestContext, type TestContext } from '../../../../../test/create-test-context.ts';
import { makeAudioRequest } from '../../../../../test/downloads.ts';
import { propertyRuns } from '../../../../../test/property-runs.ts';
import { newId } from '../../../../lib/uuid.ts';
import { ingestLog, ingestRequests, purgeEvidence } from '../index.ts';

let test: TestContext;
beforeAll(async () => {
  test = await createTestContext();
});
afterAll(() => test[Symbol.asyncDispose]());

const dayMs = 86_400_000;
const apps = ['AntennaPod/3.4', 'Overcast/1.0', ''];

/** Counts downloads of so many listeners today, as this process does when it sends the audio. */
async function deliver({ podcastId, id }: LoggedEpisode, listeners: readonly number[]) {
  const show = { podcastId, episodeIds: [id, id] as const };
  const requests = listeners.map((n) =>
    makeAudioRequest(test.ctx, show, {
      listener: newId().replaceAll('-', ''),
      userAgent: apps[n % apps.length] || null,
    }),
  );
  await ingestRequests(test.ctx, { id: newId(), requests }, { isDelivery: true });
}

/** Counts a log of these listeners. */
async function log(episode: LoggedEpisode, at: Date, listeners: readonly number[], half?: 0 | 1) {
  const bytes = Math.ceil(episode.neededBytes / 2);
  const part = half === undefined ? {} : { status: 206, range: `bytes=${half * bytes}-`, bytes };
  const lines = listeners.map((n) =>
    makeLogLine(test, episode, {
      ...{ at, address: `203.0.113.${n}`, userAgent: apps[n % apps.length] ?? '' },
      ...part,
    }),
  );
  const path = join(test.config.dataDir, newId());
  await writeFile(path, `#${newId()}\n${lines.join('')}`);
  return await ingestLog(test.ctx, test.geo, { path });
}

/** Ends the day for good. Returns a time on it. */
async function endDay(): Promise<Date> {
  const at = test.clock.now();
  test.clock.advance(4 * dayMs);
  await purgeEvidence(test.ctx);
  return at;
}

const range = (count: number, first = 1) => Array.from({ length: count }, (_, n) => first + n);

it('a log of a day that is over adds only what exceeds the downloads of delivery', async () => {
  const episode = await makeLoggedEpisode(test.ctx);
  await deliver(episode, range(5));
  const at = await endDay();
  expect(await log(episode, at, range(3))).toMatchObject({ counted: 0, alreadyCounted: 3 });
  expect(await log(episode, at, range(4, 4))).toMatchObject({ counted: 2, alreadyCounted: 2 });
  expect(await countedDownloads(test, episode)).toBe(7);
  expect(await log(episode, at, range(1, 20))).toMatchObject({ counted: 1, alreadyCounted: 0 });
});

it('a listener is taken for one that was counted once', async () => {
  const episode = await makeLoggedEpisode(test.ctx);
  await deliver(episode, range(2));
  const at = await endDay();
  expect(await log(episode, at, [1], 0)).toMatchObject({ counted: 0, alreadyCounted: 0 });
  expect(await log(episode, at, [1], 1)).toMatchObject({ counted: 0, alreadyCounted: 1 });
  expect(await log(episode, at, [1])).toMatchObject({ counted: 0, alreadyCounted: 0 });
  expect(await log(episode, at, [2])).toMatchObject({ counted: 0, alreadyCounted: 1 });
  expect(await log(episode, at, [3])).toMatchObject({ counted: 1, alreadyCounted: 0 });
  expect(await log(episode, at, [3])).toMatchObject({ counted: 0, alreadyCounted: 0 });
});

it('downloads from a log take no others away', async () => {
  const episode = await makeLoggedEpisode(test.ctx);
  await log(episode, test.clock.now(), range(5));
  const at = await endDay();
  expect(await log(episode, at, range(4, 6))).toMatchObject({ counted: 4, alreadyCounted: 0 });
  expect(await countedDownloads(test, episode)).toBe(9);
});

it('rows of a version that did not tell may all be of delivery', async () => {
  const episode = await makeLoggedEpisode(test.ctx);
  await deliver(episode, range(2));
  const { pool } = test.database;
  const of = [episode.id];
  await pool.query('update episode_download_days set delivered = null where episode_id = $1', of);
  const at = await endDay();
  expect(await log(episode, at, range(5))).toMatchObject({ counted: 3, alreadyCounted: 2 });
  expect(await log(episode, at, range(2, 6))).toMatchObject({ counted: 2, alreadyCounted: 0 });
});

async function breakdowns({ podcastId }: LoggedEpisode) {
  const { rows } = await test.database.pool.query(
    `select dimension, sum(downloads)::int as sum, min(downloads)::int as least
    from podcast_download_dimensions where podcast_id = $1 and dimension <> 'referrers' group by 1`,
    [podcastId],
  );
  return rows;
}

it('the figure is that of delivery or that of the logs, whichever is larger', async () => {
  const listeners = fc.uniqueArray(fc.integer({ min: 1, max: 12 }), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(listeners, fc.array(listeners, { maxLength: 3 }), async (sent, logs) => {
      const episode = await makeLoggedEpisode(test.ctx);
      await deliver(episode, sent);
      const at = await endDay();
      for (const one of logs) await log(episode, at, one);
      const downloads = Math.max(sent.length, new Set(logs.flat()).size);
      expect(await countedDownloads(test, episode)).toBe(downloads);
      for (const { dimension, sum, least } of await breakdowns(episode)) {
        expect(sum, dimension).toBe(downloads);
        expect(least, dimension).toBeGreaterThanOrEqual(0);
      }
    }),
    { numRuns: propertyRuns(10) },
  );
});
