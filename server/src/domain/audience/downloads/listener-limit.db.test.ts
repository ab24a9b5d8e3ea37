import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestContext, type TestContext } from '../../../../test/create-test-context.ts';
import { makeAudioRequest, makeShow, type Show } from '../../../../test/downloads.ts';
import { newId } from '../../../lib/uuid.ts';
import type { Context } from '../../foundation/context.ts';
import type { AudioRequest } from './audio-request.ts';
import { explainDownloads, type IngestOptions, ingestRequests, recount } from './index.ts';
import { markHash, mostListenersOf } from './receipts/crowds.ts';

let test: TestContext;
beforeAll(async () => {
  test = await createTestContext();
});
afterAll(() => test[Symbol.asyncDispose]());

const today = '2026-03-10';
const most = mostListenersOf.address;
const crowd = 'c0ffee00c0ffee00';
const flood = { userAgent: 'Flood/1', addressHash: crowd };

/** Requests of the listeners from `first` on, all behind one address. */
function listeners(
  show: Show,
  count: number,
  { first = 0, ...input }: Partial<AudioRequest> & { readonly first?: number } = {},
): AudioRequest[] {
  return Array.from({ length: count }, (_, n) => {
    const listener = String(first + n).padStart(32, '0');
    return makeAudioRequest(test.ctx, show, { ...flood, listener, ...input });
  });
}
const ingest = (
  requests: readonly AudioRequest[],
  options?: IngestOptions,
  ctx: Context = test.ctx,
) => ingestRequests(ctx, { id: newId(), requests }, options);
async function rowsOf(table: string, { podcastId }: Show): Promise<number> {
  const text = `select count(*)::int as n from ${table} where podcast_id = $1`;
  return (await test.database.pool.query(text, [podcastId])).rows[0].n;
}
async function downloadsOf({ podcastId }: Show): Promise<number> {
  const text = 'select downloads::int from podcast_download_days where podcast_id = $1';
  return (await test.database.pool.query(text, [podcastId])).rows[0]?.downloads ?? 0;
}
/** Takes the user agent of these listeners for a bot's. */
const withBot = (userAgent: string): Context => {
  const { clients } = test.ctx.installation;
  const identify = (given: string | null) =>
    given === userAgent
      ? ({ kind: 'bot', app: 'Bot', device: 'unknown' } as const)
      : clients.identify(given);
  return { ...test.ctx, installation: { ...test.ctx.installation, clients: { identify } } };
};

describe('one address', () => {
  // COUNT-9
  it('one address counts 500 listeners of an episode in one batch; the rest is one sum', async () => {
    const show = await makeShow(test.ctx);
    expect(await ingest(listeners(show, most + 700))).toMatchObject({
      requests: most + 700,
      counted: most,
      rejected: { too_many_listeners: 700 },
    });
    expect(await rowsOf('download_requests', show)).toBe(most);
    expect(await rowsOf('download_listeners', show)).toBe(most);
    expect(await rowsOf('download_request_sums', show)).toBe(1);
  });

  it('one address gets no more listeners of an episode in later batches, from any process, at once', async () => {
    const show = await makeShow(test.ctx);
    const batches = Array.from({ length: 6 }, (_, n) => listeners(show, 150, { first: n * 150 }));
    const ingested = await Promise.all(batches.map((batch) => ingest(batch)));
    expect(ingested.reduce((sum, { counted }) => sum + counted, 0)).toBe(most);
    expect(await downloadsOf(show)).toBe(most);
  });

  it('one address never loses a listener it has, who may go on', async () => {
    const show = await makeShow(test.ctx);
    const [first, rest] = [[{ start: 0, end: 49 }], [{ start: 50, end: 99 }]];
    expect(await ingest(listeners(show, most, { audio: first }))).toMatchObject({ counted: 0 });
    const more = await ingest(listeners(show, most + 9, { audio: first }));
    expect(more).toMatchObject({ counted: 0, rejected: { too_many_listeners: 9 } });
    const all = await ingest(listeners(show, most, { audio: rest }));
    expect(all).toMatchObject({ counted: most, rejected: {} });
    expect(await ingest(listeners(show, most, { audio: rest }))).toMatchObject({ rejected: {} });
  });

  // COUNT-24
  it('one address keeps its 500 downloads for listeners who fetch as much, whoever fetches less', async () => {
    const show = await makeShow(test.ctx);
    for (const [n, bytes] of [1, 5, 99].entries()) {
      const some = { first: n * 2_000, audio: [{ start: 0, end: bytes - 1 }] };
      expect(await ingest(listeners(show, most + 200, some))).toMatchObject({
        counted: 0,
        rejected: { too_many_listeners: 200 },
      });
    }
    expect(await ingest(listeners(show, most + 3, { first: 6_000 }))).toMatchObject({
      counted: most,
      rejected: { too_many_listeners: 3 },
    });
    // Even those that have a place get no more downloads.
    expect(await ingest(listeners(show, 9))).toMatchObject({
      counted: 0,
      rejected: { too_many_listeners: 9 },
    });
    const stored = await rowsOf('download_listeners', show);
    expect(stored).toBe(4 * most);
    await recount(test.ctx, { from: today, to: today });
    expect(await downloadsOf(show)).toBe(most);
    expect(await rowsOf('download_listeners', show)).toBe(stored);
  });

  // COUNT-9
  it('one address has the limit for each episode and day, and others have their own', async () => {
    const show = await makeShow(test.ctx);
    await ingest(listeners(show, most));
    const ofOther = listeners(show, 1, { first: 900, episodeId: show.episodeIds[1] });
    const yesterday = new Date(test.clock.now().getTime() - 86_400_000);
    const ofYesterday = listeners(show, 1, { first: 901, at: yesterday });
    const elsewhere = listeners(show, 1, { first: 902, addressHash: 'f'.repeat(16) });
    const ofEarlierVersion = listeners(show, 1, { first: 903, addressHash: null });
    const more = [...ofOther, ...ofYesterday, ...elsewhere, ...ofEarlierVersion];
    expect(await ingest(more)).toMatchObject({ counted: 4, rejected: {} });
  });

  it('one address has the limit in logs of days that are over, too', async () => {
    const show = await makeShow(test.ctx);
    const old = { at: new Date(test.clock.now().getTime() - 9 * 86_400_000), logBegunOn: today };
    expect(await ingest(listeners(show, 400, old))).toMatchObject({ counted: 400 });
    expect(await ingest(listeners(show, 400, { ...old, first: 300 }))).toMatchObject({
      counted: 100,
      rejected: { too_many_listeners: 200 },
    });
  });

  it('gives bots no place', async () => {
    const show = await makeShow(test.ctx);
    await ingest(listeners(show, most, { first: 1_000, userAgent: 'Googlebot/2.1' }));
    expect(await ingest(listeners(show, most))).toMatchObject({ counted: most });
  });
});

describe('one IPv6 /48', () => {
  const mostOfSite = mostListenersOf.site;
  /** One listener of each network, from `first` on. */
  function neighbors(show: Show, count: number, first = 0, input: Partial<AudioRequest> = {}) {
    return Array.from({ length: count }, (_, n) => {
      const listener = String(first + n).padStart(32, '0');
      const addressHash = markHash(String(first + n).padStart(16, '0'), 'ab'.repeat(8));
      return makeAudioRequest(test.ctx, show, { ...flood, listener, addressHash, ...input });
    });
  }

  // COUNT-22
  it('one IPv6 /48 counts as many listeners as ten addresses, whichever of its networks they have', async () => {
    const show = await makeShow(test.ctx);
    const half = mostOfSite / 2;
    expect(await ingest(neighbors(show, half))).toMatchObject({ counted: half, rejected: {} });
    const rest = await ingest(neighbors(show, half + 300, half));
    expect(rest).toMatchObject({ counted: half, rejected: { too_many_listeners: 300 } });
    const again = await ingest([...neighbors(show, 2), ...neighbors(show, 2, mostOfSite)]);
    expect(again).toMatchObject({ counted: 0, rejected: { too_many_listeners: 2 } });
    const ofOther = { addressHash: markHash('1'.repeat(16), 'cd'.repeat(8)) };
    expect(await ingest(neighbors(show, 1, 9_000, ofOther))).toMatchObject({ counted: 1 });
    expect(await downloadsOf(show)).toBe(mostOfSite + 1);
    await recount(test.ctx, { from: today, to: today });
    expect(await downloadsOf(show)).toBe(mostOfSite + 1);
  });

  it('one IPv6 /48 has the limit when a recount takes more of them for listeners', async () => {
    const show = await makeShow(test.ctx);
    const later = { userAgent: 'Later/1' };
    await ingest(neighbors(show, mostOfSite - 10));
    await ingest(neighbors(show, 50, mostOfSite, later), {}, withBot('Later/1'));
    await recount(test.ctx, { from: today, to: today });
    expect(await downloadsOf(show)).toBe(mostOfSite);
  });

  // COUNT-24
  it('one IPv6 /48 keeps its downloads for listeners who fetch as much, whoever fetches less', async () => {
    const show = await makeShow(test.ctx);
    const scrap = { audio: [{ start: 0, end: 0 }] };
    expect(await ingest(neighbors(show, mostOfSite + 50, 0, scrap))).toMatchObject({
      counted: 0,
      rejected: { too_many_listeners: 50 },
    });
    expect(await ingest(neighbors(show, 20, 9_000))).toMatchObject({ counted: 20, rejected: {} });
    await recount(test.ctx, { from: today, to: today });
    expect(await downloadsOf(show)).toBe(20);
  });

  it('one network of an IPv6 /48 has the limit of an address', async () => {
    const show = await makeShow(test.ctx);
    const addressHash = markHash('2'.repeat(16), 'ab'.repeat(8));
    expect(await ingest(neighbors(show, most + 5, 0, { addressHash }))).toMatchObject({
      counted: most,
      rejected: { too_many_listeners: 5 },
    });
  });
});

describe('a recount', () => {
  it('gives the same figure, and keeps the limit when bots turn out to be listeners', async () => {
    const show = await makeShow(test.ctx);
    await ingest(listeners(show, most + 5));
    const bots = { first: 2_000, userAgent: 'Later/1' };
    await ingest(listeners(show, 100, bots), {}, withBot('Later/1'));
    expect(await downloadsOf(show)).toBe(most);
    const days = { from: today, to: today };
    await recount(withBot('Later/1'), days);
    expect(await downloadsOf(show)).toBe(most);
    await recount(test.ctx, days);
    expect(await downloadsOf(show)).toBe(most);
    await recount(withBot('Flood/1'), days);
    expect(await downloadsOf(show)).toBe(100);
    await recount(withBot('Later/1'), days);
    expect(await downloadsOf(show)).toBe(most);
  });
});

describe('a recount of an address with all its downloads', () => {
  // COUNT-24
  it('accepts the same downloads when bots turn out to be listeners of less', async () => {
    const show = await makeShow(test.ctx);
    const scrap = { audio: [{ start: 0, end: 0 }] };
    const bots = { ...scrap, first: 2_000, userAgent: 'Later/1' };
    await ingest(listeners(show, 5 * most, bots), {}, withBot('Later/1'));
    // Evidence comes in the order of listeners: these are the last.
    await ingest(listeners(show, most, { first: 9_000 }));
    await recount(test.ctx, { from: today, to: today });
    expect(await downloadsOf(show)).toBe(most);
    // As many as may have come before they moved on.
    expect(await rowsOf('download_listeners', show)).toBe(5 * most);
  });
});

describe('evidence that is full', () => {
  const full = { mostEvidenceBytes: 1 };
  const elsewhere = { addressHash: null };

  it('evidence that is full gets no more details, while counts stay exact and say so', async () => {
    const warned: unknown[] = [];
    const log = Object.assign(Object.create(test.ctx.log), {
      warn: (...given: unknown[]) => void warned.push(given),
    });
    const ctx = { ...test.ctx, log };
    const show = await makeShow(test.ctx);
    const at = new Date(test.clock.now().getTime() + 86_400_000);
    const day = '2026-03-11';
    await ingest(listeners(show, 3, { at }));
    const bot = listeners(show, 1, { at, first: 50, userAgent: 'Googlebot/2.1' });
    const half = { at, first: 20, audio: [{ start: 0, end: 49 }], ...elsewhere };
    const more = [...listeners(show, 10, { at }), ...bot, ...listeners(show, 1, half)];
    expect(await ingest(more, full, ctx)).toMatchObject({ counted: 7, withoutDetails: 11 });
    await ingest(listeners(show, 1, { at, first: 30 }), full, ctx);
    expect(warned).toEqual([[{ day }, expect.stringContaining('is full')]]);
    expect(await rowsOf('download_requests', show)).toBe(3);
    const [episodeId] = show.episodeIds;
    expect(await explainDownloads(test.ctx, { episodeId, day })).toEqual({
      ...{ requests: 16, rejected: { bot: 1 }, listeners: 11, counted: 11, withoutDetails: 12 },
    });
    const { before, after, incomplete } = await recount(test.ctx, { from: day, to: day });
    expect({ change: after - before, incomplete }).toEqual({
      change: 0,
      incomplete: [{ day, podcasts: 1 }],
    });
  });

  // COUNT-23
  it('evidence that is full has no receipts of less than a second of audio', async () => {
    const show = await makeShow(test.ctx);
    const scrap = { audio: [{ start: 0, end: 5_999 }], neededBytes: 360_001 };
    await ingest(listeners(show, 3, scrap));
    expect(await rowsOf('download_listeners', show)).toBe(3);
    expect(await ingest(listeners(show, 40, { ...scrap, first: 10 }), full)).toMatchObject({
      counted: 0,
      rejected: { probe: 40 },
      withoutDetails: 0,
    });
    expect(await rowsOf('download_listeners', show)).toBe(3);
    const second = { first: 10, neededBytes: 360_000 };
    await ingest(listeners(show, 2, { ...scrap, ...second }), full);
    expect(await rowsOf('download_listeners', show)).toBe(5);
    const rest = { audio: [{ start: 6_000, end: 359_999 }], ...second };
    expect(await ingest(listeners(show, 2, rest), full)).toMatchObject({ counted: 2 });
  });
});
