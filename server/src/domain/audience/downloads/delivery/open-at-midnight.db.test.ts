import { once } from 'node:events';
import { get } from 'node:http';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type CountingApp, createCountingApp } from '../../../../../test/create-counting-app.ts';
import { listen } from '../../../../../test/listen-to-audio.ts';
import { makeEpisode, makePodcast } from '../../../../../test/make.ts';
import { patience } from '../../../../../test/patience.ts';
import { newId } from '../../../../lib/uuid.ts';
import type { OpenBlob } from '../../../../platform/blob-store/blob-store.ts';
import { attachTone } from '../../../publishing/audio/index.ts';
import type { Podcast } from '../../../publishing/podcasts/index.ts';
import { completeThrough } from '../../analytics/facts.ts';
import type { ObservedRequest, OpenResponse } from '../observed-request.ts';

// Responses that begin before midnight and are still open after it: the day that is over must be
// complete soon, and its figures must then stay as they are.

const bytesPerSecond = 4_000;
const toneSeconds = 120;

let app: CountingApp;
let podcast: Podcast;
beforeAll(async () => {
  app = await createCountingApp();
  podcast = await makePodcast(app.ctx);
});
afterAll(() => app[Symbol.asyncDispose]());

async function query<T>(text: string, ...values: unknown[]): Promise<T[]> {
  return (await app.database.pool.query(text, values)).rows;
}
async function completeDay(): Promise<string> {
  const [row] = await query<{ until: Date | null }>(
    'select min(complete_until) as until from download_writers',
  );
  return completeThrough(row?.until ?? null, app.clock.now().toISOString().slice(0, 10));
}
async function downloadsOf(episodeId: string): Promise<Record<string, number>> {
  const rows = await query<{ day: string; downloads: number }>(
    `select day::text, downloads::int from episode_download_days
      where episode_id = $1 and downloads <> 0`,
    episodeId,
  );
  return Object.fromEntries(rows.map(({ day, downloads }) => [day, downloads]));
}

describe('a response that is open at midnight', () => {
  /** The seconds of audio that the store gives; it then stalls until there are more. */
  let heardSeconds = 0;
  let stalled = Promise.withResolvers<void>();
  beforeEach(() => {
    const open = app.ctx.blobs.open?.bind(app.ctx.blobs);
    const spy = vi.spyOn(app.ctx.blobs, 'open').mockImplementation(async (key) => {
      const blob = await open?.(key);
      if (blob === undefined) throw new Error('the store opens nothing');
      return stalling(blob);
    });
    return () => {
      spy.mockRestore();
      play(toneSeconds);
    };
  });
  function stalling(blob: OpenBlob): OpenBlob {
    return {
      sizeBytes: blob.sizeBytes,
      async read(position, maxBytes) {
        while (position >= heardSeconds * bytesPerSecond) await stalled.promise;
        return blob.read(position, Math.min(maxBytes, heardSeconds * bytesPerSecond - position));
      },
      [Symbol.dispose]: () => blob[Symbol.dispose](),
    };
  }
  function play(untilSecond: number) {
    heardSeconds = untilSecond;
    stalled.resolve();
    stalled = Promise.withResolvers();
  }
  /** A listener who gets so many seconds of a new episode before midnight. */
  async function listenUntilMidnight(seconds: number) {
    play(seconds);
    app.clock.set(new Date('2026-03-11T23:59:00Z'));
    await app.downloads.flush();
    const slug = `e${newId()}`;
    const { id } = await makeEpisode(app.ctx, podcast, { slug });
    await attachTone(app.ctx, id, toneSeconds);
    const url = `${app.url}/media/${id}/f/${slug}.mp3`;
    const listener = { address: '203.0.113.77', userAgent: 'AntennaPod/3.4' };
    // What is known of the audio is cached from now on, so the next request opens the file.
    await listen(url, listener, {}, 'HEAD');
    const headers = { 'User-Agent': listener.userAgent, 'X-Forwarded-For': listener.address };
    const request = get(url, { agent: false, headers });
    request.on('error', () => undefined);
    const [response] = await once(request, 'response');
    const heard = { bytes: 0, isBrokenOff: false };
    response.on('data', (chunk: Buffer) => {
      heard.bytes += chunk.length;
    });
    const ended = new Promise((resolve) => response.on('close', resolve));
    response.on('error', () => {
      heard.isBrokenOff = true;
    });
    await vi.waitUntil(() => heard.bytes === seconds * bytesPerSecond, patience);
    return { id, heard, ended };
  }
  async function flushAt(time: string) {
    app.clock.set(new Date(time));
    await app.downloads.flush();
  }

  // STAT-11, COUNT-21
  it('a response with a minute of audio is counted ten minutes after midnight, and goes on', async () => {
    const { id, heard, ended } = await listenUntilMidnight(61);
    await flushAt('2026-03-12T00:09:59Z');
    expect(await completeDay()).toBe('2026-03-10');
    await flushAt('2026-03-12T00:10:01Z');
    await vi.waitFor(async () => {
      await app.downloads.flush();
      expect(await completeDay()).toBe('2026-03-11');
    }, patience);
    expect(await downloadsOf(id)).toEqual({ '2026-03-11': 1 });
    play(toneSeconds);
    await ended;
    await app.downloads.flush();
    expect(heard).toEqual({ bytes: toneSeconds * bytesPerSecond, isBrokenOff: false });
    expect(await downloadsOf(id)).toEqual({ '2026-03-11': 1 });
    const requests = await query('select from download_requests where episode_id = $1', id);
    expect(requests).toHaveLength(1);
  });

  // STAT-11, COUNT-21
  it('a response without a minute of audio is broken off ten minutes after midnight', async () => {
    const { id, heard, ended } = await listenUntilMidnight(59);
    await flushAt('2026-03-12T00:09:59Z');
    expect([await completeDay(), heard.isBrokenOff]).toEqual(['2026-03-10', false]);
    await flushAt('2026-03-12T00:10:01Z');
    await ended;
    expect(heard).toEqual({ bytes: 59 * bytesPerSecond, isBrokenOff: true });
    await vi.waitFor(async () => {
      await app.downloads.flush();
      expect(await completeDay()).toBe('2026-03-11');
    }, patience);
    expect(await downloadsOf(id)).toEqual({});
    const requests = await query('select from download_requests where episode_id = $1', id);
    expect(requests).toHaveLength(1);
  });
});

describe('the figures of a day', () => {
  const midnightMs = Date.parse('2026-04-02T00:00:00Z');
  const neededBytes = 60 * bytesPerSecond;
  /** By minutes from midnight: when it begins, when it gets how many seconds, when it is closed. */
  const anyResponse = fc.record({
    listener: fc.nat({ max: 2 }),
    begins: fc.integer({ min: -30, max: 15 }),
    deliveries: fc.array(
      fc.record({
        at: fc.integer({ min: -30, max: 60 }),
        seconds: fc.integer({ min: 1, max: 50 }),
      }),
      { maxLength: 4 },
    ),
    closes: fc.option(fc.integer({ min: -30, max: 60 }), { nil: 60 }),
  });

  /** A response of the test: it hands over bytes when it is told to. */
  class Played implements OpenResponse {
    readonly at = app.clock.now();
    readonly listener: string;
    readonly episodeId: string;
    sentBytes = 0;
    isOpen = true;
    #isReported = false;

    constructor(episodeId: string, listener: string) {
      this.episodeId = episodeId;
      this.listener = listener;
    }
    observe(): ObservedRequest {
      const sent = this.sentBytes === 0 ? [] : [{ start: 0, end: this.sentBytes - 1 }];
      const sizeBytes = toneSeconds * bytesPerSecond;
      const file = { hash: 'f'.repeat(64), sizeBytes, durationMs: toneSeconds * 1_000 };
      return {
        ...{ at: this.at, podcastId: podcast.id, episodeId: this.episodeId, source: 'feed', sent },
        ...{ method: 'GET', status: 200, address: '203.0.113.7', userAgent: this.listener },
        ...{ framingHost: undefined, referrer: undefined, isPrefetch: false },
        file: { ...file, bitrateBps: bytesPerSecond * 8, leadingTagBytes: 0 },
      };
    }
    report(): void {
      if (this.#isReported) return;
      this.#isReported = true;
      app.downloads.record(this.observe(), this);
    }
    breakOff(): void {
      this.close();
    }
    deliver(seconds: number): void {
      if (!this.isOpen) return;
      const mostBytes = toneSeconds * bytesPerSecond;
      this.sentBytes = Math.min(this.sentBytes + seconds * bytesPerSecond, mostBytes);
    }
    close(): void {
      this.isOpen = false;
      this.report();
    }
  }

  // STAT-11, COUNT-6
  it('figures are final when the day is complete, and count what was delivered', async () => {
    const property = fc.asyncProperty(
      fc.array(anyResponse, { minLength: 1, maxLength: 5 }),
      async (plans) => {
        const { id } = await makeEpisode(app.ctx, podcast, { slug: `e${newId()}` });
        const responses = new Map<(typeof plans)[number], Played>();
        const completed = new Map<string, number>();
        for (let minute = -30; minute <= 60; minute += 1) {
          app.clock.set(new Date(midnightMs + minute * 60_000));
          for (const plan of plans) {
            if (plan.begins === minute) {
              const response = new Played(id, `AntennaPod/${plan.listener}`);
              responses.set(plan, response);
              app.downloads.begin(response.at, response);
            }
            const response = responses.get(plan);
            for (const { at, seconds } of plan.deliveries)
              if (at === minute) response?.deliver(seconds);
            if (response?.isOpen === true && plan.closes <= minute) response.close();
          }
          if (minute % 5 !== 0) continue;
          await app.downloads.flush();
          const day = await completeDay();
          const figure = (await downloadsOf(id))[day] ?? 0;
          expect(completed.get(day) ?? figure).toBe(figure);
          if (minute >= 15) expect(day).toBe('2026-04-01');
          completed.set(day, figure);
        }
        await app.downloads.flush();
        const heard = new Map<string, number>();
        for (const { at, listener, sentBytes } of responses.values()) {
          const key = `${at.toISOString().slice(0, 10)} ${listener}`;
          heard.set(key, Math.max(heard.get(key) ?? 0, sentBytes));
        }
        const expected: Record<string, number> = {};
        for (const [key, bytes] of heard) {
          const day = key.slice(0, 10);
          if (bytes >= neededBytes) expected[day] = (expected[day] ?? 0) + 1;
        }
        expect(await downloadsOf(id)).toEqual(expected);
      },
    );
    await fc.assert(property, { numRuns: 15 });
  });
});
