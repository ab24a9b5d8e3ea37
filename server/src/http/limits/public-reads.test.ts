import { setImmediate } from 'node:timers/promises';
import { beforeEach, expect, it } from 'vitest';
import type { Db } from '../../domain/foundation/database.ts';
import { PodcastCache } from '../cache/podcast-cache.ts';
import { type PublicRead, PublicReads } from './public-reads.ts';

/** In place of a database: what would wait for a statement only takes its turn. */
interface TurnsOnly {
  takeTurn(): Promise<Disposable>;
}

let reads: PublicReads;
let begun: string[];
const current: Disposable[] = [];
const awaited = new AbortController().signal;

beforeEach(() => {
  [begun, current.length] = [[], 0];
  const database = {
    // One turn at a time.
    pool: { options: { max: 1 } },
    queryInTurns: (takeTurn: TurnsOnly['takeTurn']) => ({ takeTurn }) as unknown as Db,
  };
  reads = new PublicReads(database as unknown as ConstructorParameters<typeof PublicReads>[0]);
});

/** A statement, which is at work until `endAll` ends it. */
async function run(db: Db, what: string): Promise<void> {
  const turn = await (db as unknown as TurnsOnly).takeTurn();
  begun.push(what);
  current.push(turn);
}

const begin = (name: string | undefined, network: string): PublicRead =>
  reads.begin({ name, network }, awaited);

async function endAll(): Promise<void> {
  for (await setImmediate(); current.length > 0; await setImmediate()) {
    current.shift()?.[Symbol.dispose]();
  }
}

it('names of one network take turns with those of others, however many there are', async () => {
  for (let n = 0; n < 50; n += 1) void run(begin(`slug x${n}`, 'a').db, 'invented');
  for (const what of ['first', 'second']) void run(begin(`slug ${what}`, 'b').db, what);
  await endAll();
  expect(begun.slice(0, 5)).toEqual(['invented', 'invented', 'first', 'invented', 'second']);
  expect(begun).toHaveLength(52);
});

it('the name of a known show takes the turns of its show, whichever networks ask for it', async () => {
  begin('slug known', 'a').isAbout('show');
  void run(begin('slug x', 'a').db, 'name of a');
  for (const network of ['a', 'b', 'c', 'd']) {
    void run(begin('slug known', network).db, 'known');
  }
  void run(begin('slug y', 'e').db, 'name of e');
  await endAll();
  expect(begun.slice(0, 3)).toEqual(['name of a', 'known', 'name of e']);
});

it('a path that names nothing never takes the turns of a show', async () => {
  begin(undefined, 'a').isAbout('show');
  const ofShow = begin('slug known', 'b');
  ofShow.isAbout('show');
  for (let n = 0; n < 3; n += 1) void run(ofShow.db, 'show');
  void run(begin(undefined, 'a').db, 'path');
  await endAll();
  expect(begun).toEqual(['show', 'show', 'path', 'show']);
});

it('the look-up of a known name is never refused, and what follows it may be', async () => {
  const all = Array.from({ length: 300 }, () => begin('slug known', 'a'));
  for (const read of all) read.isAbout('show');
  const refused: unknown[] = [];
  for (const read of all) run(read.db, 'show').catch((error: unknown) => refused.push(error));
  const next = begin('slug known', 'a');
  void run(next.db, 'look-up');
  await setImmediate();
  expect(refused).toHaveLength(99);
  expect(refused[0]).toMatchObject({ kind: 'service_unavailable' });
  next.isAbout('show');
  await expect(run(next.db, 'next')).rejects.toMatchObject({ kind: 'service_unavailable' });
  await endAll();
  expect(begun.slice(0, 2)).toEqual(['show', 'look-up']);
});

const a = { network: '203.0.113.1', block: 'a' };

it('visitors, names and secrets of a network take turns with each other', async () => {
  for (let n = 0; n < 9; n += 1) void run(begin(`slug x${n}`, 'a').db, 'name');
  for (let n = 0; n < 9; n += 1) void run(reads.ofSecret('a', awaited), 'secret');
  void run(reads.ofVisitor(a, awaited), 'visitor');
  void run(reads.ofSecret('b', awaited), 'secret of b');
  await endAll();
  const next = ['name', 'secret', 'visitor', 'secret of b'];
  expect(begun.slice(1, 5).sort()).toEqual(next.sort());
});

it('the look-up of a secret gives up its place when its client leaves', async () => {
  const leaving = new AbortController();
  void run(reads.ofSecret('a', awaited), 'at work');
  const left = run(reads.ofSecret('a', leaving.signal), 'left');
  void run(reads.ofSecret('a', awaited), 'next');
  leaving.abort(new Error('left'));
  await expect(left).rejects.toThrow('left');
  await endAll();
  expect(begun).toEqual(['at work', 'next']);
});

it('a network that reads a show all the time delays and refuses only itself', async () => {
  const ofShow = (network: string) => {
    const read = begin('slug known', network);
    read.isAbout('show');
    return read.db;
  };
  const refused: string[] = [];
  const note = (network: string) => () => refused.push(network);
  for (let n = 0; n < 201; n += 1) run(ofShow('flood'), 'flood').catch(note('flood'));
  for (let n = 0; n < 2; n += 1) run(ofShow('reader'), 'reader').catch(note('reader'));
  await endAll();
  expect(begun.slice(0, 5)).toEqual(['flood', 'flood', 'reader', 'flood', 'reader']);
  expect(refused).toEqual(['flood', 'flood']);
});

it('visitors beyond those that may wait are refused, but not what one of them has begun', async () => {
  const begunOne = reads.ofVisitor(a, awaited);
  await run(begunOne, 'begun');
  const refused: unknown[] = [];
  for (let n = 0; n < 250; n += 1) {
    run(reads.ofVisitor(a, awaited), 'new').catch((error: unknown) => refused.push(error));
  }
  void run(begunOne, 'next step');
  await setImmediate();
  expect(refused).toHaveLength(50);
  expect(refused[0]).toMatchObject({ kind: 'service_unavailable', retryAfterSeconds: 5 });
  await endAll();
  expect(begun.slice(0, 3)).toEqual(['begun', 'next step', 'new']);
});

it('a visitor with many requests has those of a neighbour neither refused nor held up', async () => {
  const refused: string[] = [];
  const send = (network: string) =>
    run(reads.ofVisitor({ network, block: 'a' }, awaited), network).catch(() =>
      refused.push(network),
    );
  for (let n = 0; n < 300; n += 1) void send('203.0.113.1');
  void send('203.0.113.2');
  for (let n = 0; n < 300; n += 1) void send('203.0.113.1');
  await endAll();
  expect(new Set(refused)).toEqual(new Set(['203.0.113.1']));
  expect(begun.indexOf('203.0.113.2')).toBeLessThan(4);
});

it('a visitor who leaves gives up what has not begun, and the rest goes on', async () => {
  const leaving = new AbortController();
  const begunOne = reads.ofVisitor(a, leaving.signal);
  await run(begunOne, 'begun');
  const left = run(reads.ofVisitor(a, leaving.signal), 'left');
  void run(begunOne, 'next step');
  leaving.abort(new Error('left'));
  void run(begunOne, 'last step');
  await expect(left).rejects.toThrow('left');
  await endAll();
  expect(begun).toEqual(['begun', 'next step', 'last step']);
});

it('a network that reads many shows at once delays the readers of others by a few statements', async () => {
  const ofShow = (show: string, network: string) => {
    const read = begin(`slug ${show}`, network);
    read.isAbout(show);
    return read.db;
  };
  for (let n = 0; n < 300; n += 1) void run(ofShow(`show ${n}`, 'flood'), 'flood');
  for (const step of ['first', 'second']) void run(ofShow('quiet', 'reader'), step);
  await endAll();
  expect(begun.indexOf('first')).toBeLessThan(12);
  expect(begun.indexOf('second')).toBeLessThan(24);
  expect(begun).toHaveLength(302);
});

it('a reader has what a flood has requested first with a turn of their own', async () => {
  const cache = new PodcastCache<string>({ maxBytes: 1_000, nowMs: () => 0 });
  const ofShow = (network: string) => {
    const read = begin('slug known', network);
    read.isAbout('show');
    return read;
  };
  for (let n = 0; n < 150; n += 1) void run(ofShow('flood').db, 'flood');
  const get = (network: string) => {
    const read = ofShow(network);
    const compute = async () => {
      for (const step of ['first', 'second']) await run(read.db, `${step} of ${network}`);
      return { podcastId: 'show', value: network, validUntil: null, sizeBytes: 1 };
    };
    return cache.get('feed', (all) => read.forAll(all, compute), undefined, read.waiter);
  };
  const both = ['flood', 'reader'].map(get);
  await endAll();
  expect((await Promise.all(both)).map(({ value }) => value)).toEqual(['flood', 'flood']);
  expect(begun.indexOf('first of flood')).toBeLessThan(4);
  expect(begun.indexOf('second of flood')).toBeLessThan(8);
});

it('nobody waits for a name because a flood has requested it first', async () => {
  const cache = new PodcastCache<string>({ maxBytes: 1_000, nowMs: () => 0 });
  for (let n = 0; n < 150; n += 1) void run(begin(`slug x${n}`, 'flood').db, 'invented');
  const get = (network: string) => {
    const read = begin('slug new', network);
    const compute = async () => {
      await run(read.db, 'show');
      return { podcastId: 'show', value: 'show', validUntil: null, sizeBytes: 1 };
    };
    return cache.get('new', (all) => read.forAll(all, compute), undefined, read.waiter);
  };
  const both = ['flood', 'reader'].map(get);
  await endAll();
  await Promise.all(both);
  expect(begun.indexOf('show')).toBeLessThan(4);
});
