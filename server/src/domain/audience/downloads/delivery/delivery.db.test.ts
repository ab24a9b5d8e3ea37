import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type CountingApp, createCountingApp } from '../../../../../test/create-counting-app.ts';
import {
  breakOff,
  type Listener,
  listen,
  listenByHttp10,
} from '../../../../../test/listen-to-audio.ts';
import { makeEpisode, makePodcast } from '../../../../../test/make.ts';
import { patience } from '../../../../../test/patience.ts';
import { attachTone } from '../../../publishing/audio/index.ts';
import type { Podcast } from '../../../publishing/podcasts/index.ts';

const bytesPerSecond = 4_000;
const toneSeconds = 120;
const toneBytes = toneSeconds * bytesPerSecond;

let app: CountingApp;
let podcast: Podcast;
beforeAll(async () => {
  app = await createCountingApp();
  podcast = await makePodcast(app.ctx);
});
afterAll(() => app[Symbol.asyncDispose]());

const phone: Listener = {
  address: '203.0.113.77',
  userAgent: 'AppleCoreMedia/1.0.0.21F90 (iPhone; U; CPU OS 17_5_1 like Mac OS X; en_us)',
};
const laptop: Listener = { ...phone, userAgent: 'AntennaPod/3.4.0' };

/** An episode of two minutes, and where its audio is. */
async function makeAudio() {
  const slug = `e${Math.random().toString(36).slice(2)}`;
  const { id } = await makeEpisode(app.ctx, podcast, { slug });
  await attachTone(app.ctx, id, toneSeconds);
  return { id, url: `${app.url}/media/${id}/f/${slug}.mp3` };
}
const range = (start: number, end?: number) => ({ range: `bytes=${start}-${end ?? ''}` });

async function query<T>(text: string, ...values: unknown[]): Promise<T[]> {
  return (await app.database.pool.query(text, values)).rows;
}
/** Waits until so many requests of the episode are stored, one by one or as sums. */
async function settle(episodeId: string, requests: number) {
  await vi.waitFor(async () => {
    await app.downloads.flush();
    const [row] = await query<{ requests: number }>(
      `select coalesce(sum(requests), 0)::int as requests from (
        select requests from download_requests where episode_id = $1
        union all select requests from download_request_sums where episode_id = $1) stored`,
      episodeId,
    );
    expect(row).toEqual({ requests });
  }, patience);
}
async function downloadsOf(episodeId: string): Promise<Record<string, number>> {
  const rows = await query<{ day: string; downloads: number }>(
    `select day::text, downloads::int from episode_download_days
      where episode_id = $1 and downloads <> 0`,
    episodeId,
  );
  return Object.fromEntries(rows.map(({ day, downloads }) => [day, downloads]));
}
const rejectedOf = async (episodeId: string) =>
  (
    await query<{ rejected: string }>(
      `select rejected from download_requests where episode_id = $1 and rejected is not null
        union all select rejected from download_request_sums
          where episode_id = $1 and rejected is not null`,
      episodeId,
    )
  ).map(({ rejected }) => rejected);

/** Until disposed, each read of stored audio stalls after `seconds`: the response does not end. */
function stallAfter(seconds: number) {
  const { blobs } = app.ctx;
  const stall = Promise.withResolvers<Buffer>();
  const [read, open] = [blobs.read.bind(blobs), blobs.open?.bind(blobs)];
  const spy = vi.spyOn(blobs, 'read');
  spy.mockImplementation(async (key, span) => {
    const start = span?.start ?? 0;
    const end = Math.min(span?.end ?? toneBytes - 1, start + seconds * bytesPerSecond - 1);
    const bytes = Buffer.concat(await (await read(key, { start, end })).toArray());
    const stream = new Readable({ read: () => undefined });
    stream.push(bytes);
    return stream;
  });
  const openSpy = vi.spyOn(blobs, 'open').mockImplementation(async (key) => {
    const blob = await open?.(key);
    if (blob === undefined) throw new Error('the store opens nothing');
    let end: number | undefined;
    return {
      sizeBytes: blob.sizeBytes,
      read(position, maxBytes) {
        end ??= position + seconds * bytesPerSecond;
        const leftBytes = Math.min(maxBytes, end - position);
        return leftBytes > 0 ? blob.read(position, leftBytes) : stall.promise;
      },
      [Symbol.dispose]: () => blob[Symbol.dispose](),
    };
  });
  return {
    [Symbol.dispose]() {
      spy.mockRestore();
      openSpy.mockRestore();
      // Readers dispose their blobs when their reads have ended.
      stall.resolve(Buffer.alloc(0));
    },
  };
}

interface Case {
  readonly name: string;
  readonly requests: number;
  readonly downloads: number;
  readonly rejected?: readonly string[];
  act(url: string): Promise<unknown>;
}

const cases: readonly Case[] = [
  {
    name: 'the whole file',
    requests: 1,
    downloads: 1,
    act: (url) => listen(url, phone),
  },
  {
    name: "Apple's probe, then the rest",
    requests: 2,
    downloads: 1,
    rejected: ['probe'],
    async act(url) {
      await listen(url, phone, range(0, 1));
      await listen(url, phone, range(0));
    },
  },
  {
    name: 'a probe alone',
    requests: 1,
    downloads: 0,
    rejected: ['probe'],
    act: (url) => listen(url, phone, range(0, 1)),
  },
  {
    name: 'many small ranges',
    requests: 15,
    downloads: 1,
    async act(url) {
      for (let at = 0; at < 15; at += 1) {
        await listen(url, phone, range(at * 16_000, at * 16_000 + 15_999));
      }
    },
  },
  {
    name: 'many small ranges that leave a byte out',
    requests: 15,
    downloads: 0,
    async act(url) {
      for (let at = 0; at < 15; at += 1) {
        await listen(url, phone, range(at * 16_000, at * 16_000 + (at === 7 ? 15_998 : 15_999)));
      }
    },
  },
  {
    name: 'two ranges in one request',
    requests: 1,
    downloads: 1,
    act: (url) => listen(url, phone, { range: 'bytes=0-119999, 200000-319999' }),
  },
  {
    name: 'the same minute again and again, but for a second',
    requests: 3,
    downloads: 0,
    async act(url) {
      for (let time = 0; time < 3; time += 1) await listen(url, phone, range(0, 235_999));
    },
  },
  {
    name: 'two devices behind one address',
    requests: 3,
    downloads: 2,
    async act(url) {
      await listen(url, phone);
      await listen(url, laptop);
      await listen(url, phone);
    },
  },
  {
    name: 'HTTP/1.0',
    requests: 1,
    downloads: 1,
    act: async (url) => expect(await listenByHttp10(url, phone)).toMatch(/^HTTP\/1\.[01] 200 /),
  },
  {
    name: 'a proxy that fetches slices at the same time',
    requests: 8,
    downloads: 1,
    act: (url) =>
      Promise.all(
        Array.from({ length: 8 }, (_, at) =>
          listen(url, phone, range(at * 60_000, at * 60_000 + 59_999)),
        ),
      ),
  },
  {
    name: 'HEAD',
    requests: 1,
    downloads: 0,
    rejected: ['head'],
    act: (url) => listen(url, phone, {}, 'HEAD'),
  },
  {
    name: '304',
    requests: 1,
    downloads: 0,
    rejected: ['not_modified'],
    act: (url) => listen(url, phone, { 'if-none-match': '*' }),
  },
  {
    name: 'a range outside of the file',
    requests: 1,
    downloads: 0,
    rejected: ['error'],
    act: (url) => listen(url, phone, range(toneBytes)),
  },
  {
    name: 'a redirect',
    requests: 1,
    downloads: 0,
    rejected: ['redirect'],
    act: (url) => listen(url.replace('.mp3', '.m4a'), phone),
  },
  {
    name: 'a browser that nobody has asked for it',
    requests: 1,
    downloads: 0,
    rejected: ['prefetch'],
    act: (url) => listen(url, phone, { 'sec-purpose': 'prefetch' }),
  },
  {
    name: 'a bot',
    requests: 1,
    downloads: 0,
    rejected: ['bot'],
    act: (url) => listen(url, { ...phone, userAgent: 'Googlebot/2.1' }),
  },
];

describe('counting at delivery', () => {
  // COUNT-5, COUNT-6, COUNT-7
  it.each(cases)('$name', async ({ act, requests, downloads, rejected = [] }) => {
    const audio = await makeAudio();
    await act(audio.url);
    await settle(audio.id, requests);
    expect(await downloadsOf(audio.id)).toEqual(downloads === 0 ? {} : { '2026-03-10': downloads });
    expect(await rejectedOf(audio.id)).toEqual(rejected);
  });

  // COUNT-5
  it.each([
    [59, 0],
    [61, 1],
  ])('a download that breaks off after %i seconds: %i', async (seconds, downloads) => {
    const audio = await makeAudio();
    using _ = stallAfter(seconds);
    await breakOff(audio.url, phone, seconds * bytesPerSecond);
    await settle(audio.id, 1);
    expect(await downloadsOf(audio.id)).toEqual(downloads === 0 ? {} : { '2026-03-10': 1 });
  });

  it('a download that continues after it broke off', async () => {
    const audio = await makeAudio();
    using _ = stallAfter(40);
    await breakOff(audio.url, phone, 40 * bytesPerSecond);
    await settle(audio.id, 1);
    expect(await downloadsOf(audio.id)).toEqual({});
    await breakOff(audio.url, phone, 40 * bytesPerSecond, range(40 * bytesPerSecond));
    await settle(audio.id, 2);
    expect(await downloadsOf(audio.id)).toEqual({ '2026-03-10': 1 });
  });

  // COUNT-6
  it('a player that seeks, each piece of it once', async () => {
    const audio = await makeAudio();
    using _ = stallAfter(25);
    for (const second of [0, 20, 0, 10]) {
      await breakOff(audio.url, phone, 25 * bytesPerSecond, range(second * bytesPerSecond));
    }
    await settle(audio.id, 4);
    expect(await downloadsOf(audio.id)).toEqual({});
    await breakOff(audio.url, phone, 25 * bytesPerSecond, range(90 * bytesPerSecond));
    await settle(audio.id, 5);
    expect(await downloadsOf(audio.id)).toEqual({ '2026-03-10': 1 });
  });
});
