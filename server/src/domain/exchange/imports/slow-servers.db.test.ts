import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { toneBytes, writeTestFeed } from '../../../../test/hosts/podcast-host.ts';
import { type ImportFixture, openImportFixture } from '../../../../test/import-fixture.ts';
import { makeUser } from '../../../../test/make.ts';
import { patience } from '../../../../test/patience.ts';
import { useOneDatabase } from '../../../../test/use-one-database.ts';
import { newId } from '../../../lib/uuid.ts';
import type { JobTools } from '../../foundation/job.ts';
import { importLimits, leaseMs } from './import-limits.ts';
import { isAnotherWaiting, recordImportTurn } from './import-list.sql.ts';
import { cancelImport, getImport, requestImport, resumeImportsJob } from './index.ts';
import { beginTurn, TurnOverError, turnMsOf } from './lease.ts';
import { ItemMemory } from './read/item-memory.ts';
import { carryOutClaimed, claimTurn } from './resume-import.ts';
import { startImportJob } from './resume-imports.job.ts';

const databases = useOneDatabase();
let fixture: ImportFixture;
let tone: Buffer;
beforeEach(async () => {
  fixture = await openImportFixture(databases);
  tone = await toneBytes(1);
});
afterEach(() => fixture[Symbol.asyncDispose]());

/** Serves a feed whose audio is at `/NAME/NUMBER.mp3`. */
function serveFeed(name: string, count: number): void {
  const items = Array.from({ length: count }, (_, at) => ({
    guid: `${name}-${at}`,
    title: `${name} ${at}`,
    audio: `${fixture.host.url}/${name}/${at}.mp3`,
  }));
  fixture.host.serve(`/${name}.xml`, writeTestFeed({ items }));
  for (let at = 0; at < count; at += 1) fixture.host.serve(`/${name}/${at}.mp3`, tone);
}

/** The host sends a byte from time to time, and never ends. */
function dribble(path: string): void {
  fixture.host.respond(path, (_request, response) => {
    response.writeHead(200, { 'Content-Type': 'audio/mpeg', 'Content-Length': 20_000_000 });
    const dripping = setInterval(() => response.write('.'), 10);
    response.on('close', () => clearInterval(dripping));
  });
}

describe('a server that dribbles', () => {
  const limits = { minimumRate: { bytesPerSecond: 1000, periodMs: 200 } };

  it('fails the files that it sends, and is not asked for all of them', async () => {
    serveFeed('feed', 20);
    for (let at = 0; at < 20; at += 1) dribble(`/feed/${at}.mp3`);
    const report = await fixture.run({ limits });
    expect(report).toMatchObject({ created: 0, failed: 20 });
    expect(report.problems[0]).toMatchObject({ reason: 'too_slow' });
    expect(report.problems[0]?.message).toMatch(/^sent only \d+ bytes per second for /);
    const requested = fixture.host.requested().filter((path) => path.startsWith('/feed/'));
    expect(requested.length).toBeLessThanOrEqual(10);
  });

  it('refuses the import if it sends the feed', async () => {
    dribble('/feed.xml');
    await expect(fixture.run({ limits })).rejects.toMatchObject({
      details: [{ reason: 'too_slow' }],
    });
  });
});

/** A turn ends at once when another import waits. */
const limits = { firstTurnMs: 1, laterTurnMs: 1, turnCheckMs: 5, claimWithinMs: 0 };

const contextOf = (userId: string) => fixture.test.contextFor({ kind: 'user', userId });

async function order(userId: string, name: string, dryRun = false): Promise<string> {
  const url = `${fixture.host.url}/${name}.xml`;
  const { id } = await requestImport(contextOf(userId), {
    ...{ url, dryRun, copyAudio: true, overwrite: false },
  });
  // What it creates is later than it.
  fixture.test.clock.advance(1000);
  return id;
}

async function attemptsOf(id: string): Promise<{ readonly attempts: number }> {
  const [row] = await fixture.rows<{ attempts: number }>(
    'select attempts, state, holder from imports where id = $1',
    [id],
  );
  return row as { attempts: number };
}

/** The turns that are enqueued, and the imports that get them. */
async function queued(): Promise<unknown[]> {
  const jobs: unknown[] = [];
  const enqueue: JobTools['enqueue'] = async ({ name }, payload) => {
    const { importId } = payload as { importId?: string };
    if (importId !== undefined) jobs.push([name, importId]);
  };
  await resumeImportsJob.run(fixture.test.ctx, {}, { signal: AbortSignal.abort(), enqueue });
  return jobs;
}

/** Runs a turn of the import that is next. */
async function takeTurn(turn: 'first' | 'later', id: string, given = limits) {
  const claimed = await claimTurn(fixture.test.ctx, turn);
  expect(claimed?.found.id).toBe(id);
  return claimed && carryOutClaimed(fixture.test.ctx, claimed, { limits: given });
}

/** Runs the import's turn until a request for this path has arrived. */
async function runUntilAsked(id: string, turn: 'first' | 'later', path: string) {
  const running = Promise.allSettled([takeTurn(turn, id)]);
  await vi.waitUntil(() => fixture.host.requested().includes(path), patience);
  return running;
}

describe('an import of a slow server', () => {
  it('a slow import gives up its place to one that waits, and continues from where it was', async () => {
    serveFeed('slow', 1);
    dribble('/slow/0.mp3');
    serveFeed('tiny', 1);
    const slow = await order(fixture.owner.id, 'slow');
    const running = takeTurn('first', slow);
    const settled = Promise.allSettled([running]);
    await vi.waitUntil(() => fixture.host.requested().includes('/slow/0.mp3'), patience);
    const other = await makeUser(fixture.test.ctx);
    const tiny = await order(other.id, 'tiny');
    expect((await settled)[0]).toMatchObject({ reason: expect.any(TurnOverError) });
    expect(await attemptsOf(slow)).toEqual({ attempts: 1, state: 'running', holder: null });
    expect(await queued()).toEqual([
      ['continue-import', slow],
      ['start-import', tiny],
    ]);

    expect(await takeTurn('first', tiny)).toMatchObject({ created: 1 });
    fixture.host.serve('/slow/0.mp3', tone);
    expect(await takeTurn('later', slow)).toMatchObject({
      created: 1,
      failed: 0,
    });
    expect(fixture.host.requested().filter((path) => path === '/slow.xml')).toHaveLength(1);
  });

  it.each([true, false])(
    'a slow import gives up its place while it reads the feed; dry run: %s',
    async (dryRun) => {
      dribble('/slow.xml');
      const slow = await order(fixture.owner.id, 'slow', dryRun);
      const settled = runUntilAsked(slow, 'first', '/slow.xml');
      await vi.waitUntil(() => fixture.host.requested().includes('/slow.xml'), patience);
      await order((await makeUser(fixture.test.ctx)).id, 'tiny');
      expect((await settled)[0]).toMatchObject({ reason: expect.any(TurnOverError) });
      expect(await attemptsOf(slow)).toEqual({ attempts: 1, state: 'running', holder: null });
    },
  );

  it('an import of a slow server gets longer turns while it completes nothing, and short ones again afterwards', async () => {
    serveFeed('slow', 2);
    for (const at of [0, 1]) dribble(`/slow/${at}.mp3`);
    const slow = await order(fixture.owner.id, 'slow');
    const otherOwner = (await makeUser(fixture.test.ctx)).id;
    const other = await order(otherOwner, 'tiny');
    const giveUp = async (turn: 'first' | 'later') => {
      await recordImportTurn(fixture.test.ctx.db, turn, otherOwner);
      await expect(takeTurn(turn, slow)).rejects.toThrow(TurnOverError);
      // Now both wait for later turns.
      await fixture.rows('update imports set attempts = 1 where id = $1', [other]);
    };
    await giveUp('first');
    // On a busy machine, the episodes may be created in a later turn, which then completes something.
    const attempts = async () => (await attemptsOf(slow)).attempts;
    while ((await attempts()) < 3) await giveUp('later');
    expect(await attempts()).toBe(3);

    fixture.host.serve('/slow/0.mp3', tone);
    await recordImportTurn(fixture.test.ctx.db, 'later', otherOwner);
    const settled = Promise.allSettled([
      takeTurn('later', slow, { ...limits, laterTurnMs: 1_000_000 }),
    ]);
    await vi.waitFor(
      async () => expect(await attemptsOf(slow)).toMatchObject({ attempts: 1 }),
      patience,
    );
    await cancelImport(contextOf(fixture.owner.id), slow);
    await settled;
  });

  it('an import of a slow server has turns of these lengths', () => {
    const minutes = [0, 1, 2, 3, 9].map(
      (attempts) => turnMsOf({ attempts }, importLimits) / 60_000,
    );
    expect(minutes).toEqual([3, 10, 20, 30, 30]);
  });
});

describe('an import that waits', () => {
  it('an import that waits reports so, and how far it is', async () => {
    serveFeed('slow', 2);
    dribble('/slow/0.mp3');
    const slow = await order(fixture.owner.id, 'slow');
    const context = contextOf(fixture.owner.id);
    expect((await getImport(context, slow)).progress).toMatchObject({ phase: 'queued', done: 0 });
    const settled = runUntilAsked(slow, 'first', '/slow/0.mp3');
    await vi.waitFor(async () => {
      const { progress } = await getImport(context, slow);
      expect(progress).toMatchObject({ phase: 'audio', done: 1, total: 2 });
    }, patience);
    await order((await makeUser(fixture.test.ctx)).id, 'tiny');
    await settled;
    const { progress } = await getImport(context, slow);
    expect(progress).toEqual({ phase: 'queued', done: 1, total: 2 });
  });

  it('an import that waits takes a place only from those that have the kind of turn that it waits for', async () => {
    const { ctx, clock } = fixture.test;
    const id = await order(fixture.owner.id, 'tiny');
    const besides = await order(fixture.owner.id, 'slow');
    const waits = async (kind: 'first' | 'later', since = clock.now()) =>
      await isAnotherWaiting(ctx.db, kind, { besides, since });
    await fixture.rows('update imports set attempts = 1 where id = $1', [besides]);
    expect([await waits('first'), await waits('later')]).toEqual([true, false]);
    // A free place may still take it.
    expect(await waits('first', new Date(clock.now().getTime() - 15_000))).toBe(false);
    await fixture.rows('update imports set attempts = 1 where id = $1', [id]);
    expect([await waits('first'), await waits('later')]).toEqual([false, true]);
    await cancelImport(contextOf(fixture.owner.id), id);
    expect(await waits('later')).toBe(false);
  });

  it('an import that waits gets no place from one that its account would keep from it', async () => {
    const { ctx, clock } = fixture.test;
    const running = await order(fixture.owner.id, 'a');
    await order(fixture.owner.id, 'b');
    await claimTurn(ctx, 'first');
    const stranger = await order((await makeUser(ctx)).id, 'c');
    const since = clock.now();
    expect(await isAnotherWaiting(ctx.db, 'first', { besides: stranger, since })).toBe(false);
    expect(await isAnotherWaiting(ctx.db, 'first', { besides: running, since })).toBe(true);
  });
});

describe('turns of imports', () => {
  const next = async (kind: 'first' | 'later' = 'first') =>
    (await claimTurn(fixture.test.ctx, kind))?.found.id;

  it('turns go to the account whose last one is the longest ago, and one at a time to each', async () => {
    const ana = fixture.owner.id;
    const [ben, cem] = [await makeUser(fixture.test.ctx), await makeUser(fixture.test.ctx)];
    const [a1, a2] = [await order(ana, 'a1'), await order(ana, 'a2')];
    const [b1, b2] = [await order(ben.id, 'b1'), await order(ben.id, 'b2')];
    expect([await next(), await next(), await next()]).toEqual([a1, b1, undefined]);
    const c1 = await order(cem.id, 'c1');
    await cancelImport(contextOf(ben.id), b1);
    await cancelImport(contextOf(ana), a1);
    expect([await next(), await next(), await next(), await next()]).toEqual([
      c1,
      a2,
      b2,
      undefined,
    ]);
  });

  it('turns are claimed one at a time by simultaneous processes', async () => {
    const first = await order(fixture.owner.id, 'a');
    await order(fixture.owner.id, 'b');
    const claimed = await Promise.all([next(), next(), next()]);
    expect(claimed.filter((id) => id !== undefined)).toEqual([first]);
  });

  it('turns are free again when the claim of a killed process expires', async () => {
    const killed = await order(fixture.owner.id, 'a');
    const waiting = await order(fixture.owner.id, 'b');
    expect(await next()).toBe(killed);
    // It ran on another machine, so nobody can see that it is dead.
    await fixture.rows(
      `update imports set holder = holder || '{"place": "elsewhere"}' where id = $1`,
      [killed],
    );
    expect(await next()).toBeUndefined();
    fixture.test.clock.advance(leaseMs + 1);
    expect(await next()).toBe(waiting);
    expect(await next('later')).toBe(killed);
  });
});

describe('the memory of turns', () => {
  const withMemory = (mostBytes: number) => ({
    ...limits,
    itemMemory: new ItemMemory({ mostBytes, freeBytes: 0 }),
  });

  // IMPORT-10
  it('a turn ends if another import waits for the memory that it has', async () => {
    const { host } = fixture;
    const given = withMemory(4_000);
    serveFeed('slow', 1);
    const channel = `<itunes:image href="${host.url}/cover.png"/>`;
    const items = [{ guid: '1', title: 'One', audio: `${host.url}/slow/0.mp3` }];
    host.serve('/slow.xml', writeTestFeed({ channel, items }));
    dribble('/cover.png');
    serveFeed('tiny', 1);
    const slow = await order(fixture.owner.id, 'slow');
    const settled = Promise.allSettled([takeTurn('first', slow, given)]);
    await vi.waitUntil(() => host.requested().includes('/cover.png'), patience);
    const { itemMemory } = given;
    const rest = await itemMemory.take(itemMemory.mostBytes - itemMemory.takenBytes, {});
    const source = { url: `${host.url}/tiny.xml` };
    const tiny = fixture.run({ source, limits: given, owner: await makeUser(fixture.test.ctx) });
    expect((await settled)[0]).toMatchObject({ reason: expect.any(TurnOverError) });
    rest[Symbol.dispose]();
    expect(await tiny).toMatchObject({ created: 1 });
  });

  it('a turn in which an import only waited for memory is not an attempt', async () => {
    const given = withMemory(4_000);
    const { itemMemory } = given;
    serveFeed('tiny', 1);
    const tiny = await order(fixture.owner.id, 'tiny');
    const taken = await itemMemory.take(4_000, {});
    const settled = Promise.allSettled([takeTurn('first', tiny, given)]);
    await vi.waitUntil(() => itemMemory.isWaitedFor, patience);
    const other = await order((await makeUser(fixture.test.ctx)).id, 'other');
    expect((await settled)[0]).toMatchObject({ reason: expect.any(TurnOverError) });
    expect(await attemptsOf(tiny)).toEqual({ attempts: 0, state: 'running', holder: null });
    await cancelImport(fixture.test.ctx, other);
    taken[Symbol.dispose]();
    expect(await takeTurn('first', tiny, given)).toMatchObject({ created: 1 });
  });

  it('a turn begins when the import has the memory for which it waited', async () => {
    const given = { ...withMemory(4_000), laterTurnMs: 60_000 };
    const { itemMemory } = given;
    vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
    try {
      const { ctx } = fixture.test;
      const id = await order(fixture.owner.id, 'tiny');
      await fixture.rows('update imports set attempts = 1 where id = $1', [id]);
      const found = { id: newId(), attempts: 1 };
      using turn = beginTurn(ctx, found, given);
      const taken = await itemMemory.take(4_000, {});
      const waiting = itemMemory.take(4_000, { importId: found.id });
      vi.advanceTimersByTime(59_000);
      taken[Symbol.dispose]();
      using _memory = await waiting;
      await vi.advanceTimersByTimeAsync(59_000);
      // As often as the turn may have looked, and more.
      for (let times = 0; times < 20; times += 1) {
        const waits = { besides: found.id, since: ctx.clock.now() };
        expect(await isAnotherWaiting(ctx.db, 'later', waits)).toBe(true);
      }
      expect(turn.signal.aborted).toBe(false);
      await vi.advanceTimersByTimeAsync(2_000);
      await vi.waitUntil(() => turn.signal.aborted, patience);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('the place of a turn', () => {
  it('the place of a turn is enqueued for those that wait when a turn ends, unless by a failure of ours', async () => {
    const { ctx } = fixture.test;
    const announce = vi.spyOn(ctx.announcements, 'announceWork');
    const tools: JobTools = {
      signal: new AbortController().signal,
      enqueue: async () => undefined,
    };
    await startImportJob.run(ctx, { importId: 'any' }, tools);
    expect(announce).not.toHaveBeenCalled();
    serveFeed('tiny', 1);
    const id = await order(fixture.owner.id, 'tiny');
    announce.mockClear();
    await startImportJob.run(ctx, { importId: 'any' }, tools);
    expect(await getImport(contextOf(fixture.owner.id), id)).toMatchObject({ state: 'finished' });
    expect(announce.mock.lastCall?.[1]).toBe('resume-imports');

    // Otherwise all tries of an import would fail within a second.
    const failure = new Error('the disk is away');
    vi.spyOn(ctx.blobs, 'putFile').mockRejectedValue(failure);
    await order(fixture.owner.id, 'tiny');
    announce.mockClear();
    await expect(startImportJob.run(ctx, { importId: 'any' }, tools)).rejects.toThrow(failure);
    expect(announce).not.toHaveBeenCalled();
    vi.restoreAllMocks();
  });
});
