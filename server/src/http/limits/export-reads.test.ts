import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { OpenSnapshot } from '../../domain/exchange/exports/index.ts';
import type { Db } from '../../domain/foundation/database.ts';
import { ExportReads } from './export-reads.ts';

/** A database that counts its open snapshots, and whose statements are only turns. */
function fakeDatabase(max: number) {
  const opened: string[] = [];
  const openSnapshot: OpenSnapshot = async (tables) => {
    opened.push(...tables);
    return { [Symbol.asyncDispose]: async () => undefined } as never;
  };
  const queryInTurns = (takeTurn: () => Promise<Disposable>) => takeTurn as unknown as Db;
  return { opened, openSnapshot, queryInTurns, pool: { options: { max } } as never };
}

const takeOf = (db: Db) => (db as unknown as () => Promise<Disposable>)();
/** Everything that is ready has happened. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('ExportReads', () => {
  it('two statements are at work, each of another user', async () => {
    const reads = new ExportReads(fakeDatabase(10));
    const begun: string[] = [];
    const begin = async (userId: string) => {
      const turn = await takeOf(reads.begin(userId, new AbortController().signal).db);
      begun.push(userId);
      return turn;
    };
    const [first] = await Promise.all([begin('ana'), begin('bo')]);
    for (const userId of ['ana', 'bo', 'carl']) void begin(userId);
    await settled();
    expect(begun).toEqual(['ana', 'bo']);
    first?.[Symbol.dispose]();
    await settled();
    expect(begun).toHaveLength(3);
  });

  it('a snapshot is opened when the one before is disposed, and not for a client that has left', async () => {
    const database = fakeDatabase(10);
    const reads = new ExportReads(database);
    const staying = new AbortController().signal;
    const leaving = new AbortController();
    const first = await reads.begin('ana', staying).openSnapshot(['first']);
    const left = reads.begin('bo', leaving.signal).openSnapshot(['left']);
    const next = reads.begin('carl', staying).openSnapshot(['next']);
    leaving.abort(new Error('left'));
    await expect(left).rejects.toThrow('left');
    expect(database.opened).toEqual(['first']);
    await first[Symbol.asyncDispose]();
    await next;
    expect(database.opened).toEqual(['first', 'next']);
  });

  it('a user who has opened a snapshot rests, so that everyone else has most of the time', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const database = fakeDatabase(1);
    const openSnapshot: OpenSnapshot = async (tables) => {
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      return await database.openSnapshot(tables);
    };
    const reads = new ExportReads({ ...database, openSnapshot });
    const openAs = async (userId: string, table: string) => {
      const { openSnapshot: open } = reads.begin(userId, new AbortController().signal);
      await using _snapshot = await open([table]);
    };
    const all = ['one', 'two'].map((table) => openAs('ana', table));
    all.push(openAs('bo', 'three'));
    await vi.advanceTimersByTimeAsync(2_000);
    expect(database.opened).toEqual(['one', 'three']);
    await vi.advanceTimersByTimeAsync(8_900);
    expect(database.opened).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(1_100);
    expect(database.opened).toEqual(['one', 'three', 'two']);
    await Promise.all(all);
  });

  it('a snapshot that could not be opened holds nobody up', async () => {
    const database = fakeDatabase(1);
    let failures = 1;
    const openSnapshot: OpenSnapshot = (tables) => {
      failures -= 1;
      return failures < 0 ? database.openSnapshot(tables) : Promise.reject(new Error('away'));
    };
    const reads = new ExportReads({ ...database, openSnapshot });
    const { openSnapshot: open } = reads.begin('ana', new AbortController().signal);
    await expect(open(['one'])).rejects.toThrow('away');
    await open(['two']);
    expect(database.opened).toEqual(['two']);
  });
});
