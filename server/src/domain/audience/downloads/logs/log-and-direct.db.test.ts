import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type LoggedEpisode, makeLoggedEpisode } from '../../../../../test/access-logs.ts';
import { createTestContext, type TestContext } from '../../../../../test/create-test-context.ts';
import { propertyRuns } from '../../../../../test/property-runs.ts';
import { utcDayOf } from '../../../../lib/utc-day.ts';
import { newId } from '../../../../lib/uuid.ts';
import { findAudio } from '../../../publishing/audio/index.ts';
import { secretForDay } from '../download-secrets.ts';
import {
  ingestLog,
  ingestRequests,
  type MediaFile,
  type ObservedRequest,
  toAudioRequest,
} from '../index.ts';

let test: TestContext;
beforeAll(async () => {
  test = await createTestContext();
});
afterAll(() => test[Symbol.asyncDispose]());

const sizeBytes = 480_000;
const hourMs = 3_600_000;

/** A request and its way into the sums: directly, or in one of two logs. */
const requests = fc.record({
  way: fc.constantFrom('direct', 'one', 'other'),
  hoursAgo: fc.constantFrom(0, 0, 0, 1, 11.9, 12.1, 59),
  address: fc.constantFrom('203.0.113.7', '2001:db8::7'),
  userAgent: fc.oneof(
    { weight: 5, arbitrary: fc.constant('AntennaPod/3.4') },
    { weight: 1, arbitrary: fc.constantFrom('Pod (x "y" \\z)', 'Googlebot/2.1', '') },
  ),
  marker: fc.constantFrom('f/', 'p/', 'l/', ''),
  framingHost: fc.constantFrom(undefined, 'blog.example', 'a.example'),
  referrer: fc.constantFrom(undefined, 'https://c.example/page'),
  method: fc.constantFrom('GET', 'GET', 'GET', 'GET', 'HEAD'),
  status: fc.constantFrom(206, 206, 206, 206, 206, 200, 304, 404, 302),
  isPrefetch: fc.constantFrom(false, false, false, false, true),
  start: fc.integer({ min: 0, max: sizeBytes - 1 }),
  length: fc.constantFrom(2, 60_000, 100_000, 120_000, 239_999, 240_000),
});
type Generated = typeof requests extends fc.Arbitrary<infer T> ? T : never;

const sources = { 'f/': 'feed', 'p/': 'player', 'l/': 'listen_page', '': 'direct' } as const;

function timeOf({ hoursAgo }: Generated): Date {
  return new Date(test.clock.now().getTime() - hoursAgo * hourMs);
}

function bytesOf({ method, status, start, length }: Generated) {
  if (method !== 'GET' || (status !== 200 && status !== 206)) return [];
  const from = status === 200 ? 0 : start;
  return [{ start: from, end: Math.min(from + length, sizeBytes) - 1 }];
}

function observe(given: Generated, episode: LoggedEpisode, file: MediaFile): ObservedRequest {
  const { address, userAgent, marker, framingHost, referrer, method, status, isPrefetch } = given;
  return {
    ...{ at: timeOf(given), podcastId: episode.podcastId, episodeId: episode.id },
    ...{ source: sources[marker as keyof typeof sources], address, referrer, framingHost },
    ...{ userAgent: userAgent || undefined, method, status, isPrefetch, file },
    sent: bytesOf(given),
  };
}

function writeLine(given: Generated, { id }: LoggedEpisode): string {
  const { framingHost, marker, start, status } = given;
  const [sent] = bytesOf(given);
  return `${JSON.stringify({
    time: timeOf(given).getTime() / 1000 + 3,
    request_time: '3.000',
    remote_addr: given.address,
    method: given.method,
    uri: `/media/${id}/${marker}one.mp3${framingHost === undefined ? '' : `?r=${framingHost}`}`,
    status: String(status),
    body_bytes_sent: sent === undefined ? 0 : sent.end - sent.start + 1,
    http_range: status === 206 ? `bytes=${start}-` : '',
    http_user_agent: given.userAgent,
    http_referer: given.referrer ?? '-',
    purpose: given.isPrefetch ? 'prefetch' : '',
  })}\n`;
}

async function countDirectly(observed: readonly ObservedRequest[]): Promise<void> {
  const requests = [];
  for (const request of observed) {
    const secret = await secretForDay(test.ctx, utcDayOf(request.at));
    requests.push(toAudioRequest(request, secret, { country: null, network: null }));
  }
  await ingestRequests(test.ctx, { id: newId(), requests });
}

async function countLog(lines: readonly string[]): Promise<void> {
  const path = join(test.config.dataDir, newId());
  await writeFile(path, lines.join(''));
  await ingestLog(test.ctx, test.geo, { path });
}

async function sumsOf({ podcastId }: LoggedEpisode): Promise<unknown> {
  const { rows } = await test.database.pool.query(
    `select 'day' as sum, day::text as name, downloads::int, listeners::int
      from podcast_download_days where podcast_id = $1 and downloads <> 0
    union all select dimension, day || ' ' || value, downloads::int, 0
      from podcast_download_dimensions where podcast_id = $1 and downloads <> 0
    union all select 'all', '', downloads::int, 0
      from episode_download_totals where podcast_id = $1 and downloads <> 0
    order by 1, 2`,
    [podcastId],
  );
  return rows;
}

it('requests give the same figures whichever way they come, and in any order', async () => {
  const inSomeOrder = fc.array(requests, { minLength: 1, maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(inSomeOrder, fc.boolean(), async (given, logsFirst) => {
      const [mixed, direct] = [
        await makeLoggedEpisode(test.ctx),
        await makeLoggedEpisode(test.ctx),
      ];
      expect(mixed.sizeBytes).toBe(sizeBytes);
      const { sha256, durationMs, bitrateBps, leadingTagBytes } =
        (await findAudio(test.ctx, mixed.id)) ?? expect.unreachable();
      const file = { hash: sha256 ?? '', sizeBytes, leadingTagBytes, durationMs: durationMs ?? 0 };
      const facts: MediaFile = { ...file, bitrateBps: bitrateBps ?? 0 };
      await countDirectly(given.map((request) => observe(request, direct, facts)));
      const by = (way: string) => given.filter((request) => request.way === way);
      const lines = (way: string) => by(way).map((request) => writeLine(request, mixed));
      const steps = [
        () => countDirectly(by('direct').map((request) => observe(request, mixed, facts))),
        () => countLog(lines('one')),
        () => countLog(lines('other').reverse()),
      ];
      for (const step of logsFirst ? steps.reverse() : steps) await step();
      expect(await sumsOf(mixed)).toEqual(await sumsOf(direct));
    }),
    { numRuns: propertyRuns(15) },
  );
});
