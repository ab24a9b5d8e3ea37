import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { NoServerError, UnsuitableServerError } from '../connections/server-state.ts';
import { NoResponseError } from '../connections/within-time.ts';
import { ChangeConfirmer } from './change-confirmer.ts';
import type { News } from './change-reader.ts';

const log = { info: () => undefined, warn: () => undefined, error: () => undefined };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A confirmer whose database responds, or fails, as the test says. */
function create(respond: () => Promise<Partial<News>>, tryPastPooler?: () => Promise<void>) {
  const heard: string[] = [];
  const read = vi.fn(async (): Promise<News> => {
    const asOfMs = performance.now();
    return { asOfMs, isComplete: true, changes: [], work: [], ...(await respond()) };
  });
  const reader = {
    read,
    sweep: async () => undefined,
    [Symbol.asyncDispose]: async () => undefined,
  };
  const receiver = {
    onChange: ({ podcastId }: { podcastId: string }) => void heard.push(podcastId),
    onWork: ({ job }: { job: string }) => void heard.push(`work ${job}`),
    onGap: () => void heard.push('gap'),
  };
  return { confirmer: new ChangeConfirmer(reader, receiver, log, tryPastPooler), read, heard };
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const refused = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });

describe('ChangeConfirmer', () => {
  it('ChangeConfirmer is fresh for 800 ms, and delivers changes before it is fresh again', async () => {
    let changes: News['changes'] = [];
    const { confirmer, heard } = create(async () => ({ changes }));
    expect(confirmer.isConfirmed()).toBe(false);
    await confirmer.confirm();
    expect(confirmer.isConfirmed()).toBe(true);
    changes = [{ xid: '1', podcastId: 'a' }];
    await pass(801);
    const confirmed = confirmer.confirm();
    expect(heard).toEqual([]);
    await confirmed;
    expect(heard).toEqual(['a']);
  });

  it('asks ahead of time when it is used, once for all callers', async () => {
    const { confirmer, read } = create(async () => ({}));
    await confirmer.confirm();
    for (let ms = 0; ms < 10_000; ms += 1) {
      await pass(1);
      expect(confirmer.isConfirmed()).toBe(true);
    }
    expect(read.mock.calls.length).toBeLessThan(26);
  });

  it('counts freshness from the question, not from the response', async () => {
    const responses: PromiseWithResolvers<Partial<News>>[] = [];
    const { confirmer } = create(() => {
      const response = Promise.withResolvers<Partial<News>>();
      responses.push(response);
      return response.promise;
    });
    const first = confirmer.confirm();
    await pass(700);
    const later = vi.fn();
    responses[0]?.resolve({});
    await first;
    expect(confirmer.isConfirmed()).toBe(true);
    await pass(101);
    expect(confirmer.isConfirmed()).toBe(false);
    // The response to a question that was already under way would be too old.
    void confirmer.confirm().then(later);
    await pass(1_700);
    void confirmer.confirm().then(later);
    responses[1]?.resolve({});
    await pass(0);
    expect(later).toHaveBeenCalledTimes(1);
    responses[2]?.resolve({});
    await pass(0);
    expect(later).toHaveBeenCalledTimes(2);
  });

  it('reports everything as changed if the list of changes is incomplete', async () => {
    const changes = [{ xid: '1', podcastId: 'a' }];
    const { confirmer, heard } = create(async () => ({ isComplete: false, changes }));
    await confirmer.confirm();
    expect(heard).toEqual(['gap']);
  });

  it('allows cached responses for a minute while the database is away', async () => {
    let isAway = false;
    const { confirmer } = create(async () => {
      if (isAway) throw refused;
      return {};
    });
    await confirmer.confirm();
    isAway = true;
    await pass(59_000);
    await confirmer.confirm();
    expect(confirmer.isConfirmed()).toBe(true);
    // Counted from the last confirmation, even if nobody asked in the meantime.
    await pass(60_001);
    expect(confirmer.isConfirmed()).toBe(false);
    await expect(confirmer.confirm()).rejects.toThrow('refused');
    isAway = false;
    await pass(500);
    await confirmer.confirm();
    expect(confirmer.isConfirmed()).toBe(true);
  });

  it('ChangeConfirmer is not fresh while the database refuses only this process', async () => {
    let error: unknown;
    const { confirmer } = create(async () => {
      if (error !== undefined) throw error;
      return {};
    });
    await confirmer.confirm();
    error = Object.assign(new Error('too many clients'), { severity: 'FATAL', code: '53300' });
    await pass(801);
    await expect(confirmer.confirm()).rejects.toThrow('too many clients');
    expect(confirmer.isConfirmed()).toBe(false);
  });

  const standby = new UnsuitableServerError({ isStandby: true, isReadOnly: true });
  const servers = ['a', 'b'].map((name) => ({ name, url: '' }));

  // DB-6
  it.each([
    ['each of several servers refuses connections or is read-only', standby, true],
    ['one of them does not respond', new NoResponseError(2_000), false],
    [
      'one of them has too many clients',
      Object.assign(new Error('x'), { severity: 'FATAL', code: '53300' }),
      false,
    ],
  ])('ChangeConfirmer serves caches for a minute if %s (%s): %s', async (_, other, isFresh) => {
    let error: unknown;
    const { confirmer } = create(async () => {
      if (error !== undefined) throw error;
      return {};
    });
    await confirmer.confirm();
    error = new NoServerError('read-write', servers, [refused, other]);
    await pass(801);
    await confirmer.confirm().catch(() => undefined);
    expect(confirmer.isConfirmed()).toBe(isFresh);
  });

  // DB-6
  it.each([
    ['refuses connections', async () => Promise.reject(refused), true],
    ['is a standby', async () => Promise.reject(standby), true],
    ['does not respond', async () => Promise.reject(new NoResponseError(2_000)), false],
    ['accepts connections', async () => undefined, false],
  ])(
    'ChangeConfirmer behind a pooler that does not respond serves caches for a minute if the server past it %s: %s',
    async (_, tryPastPooler, isFresh) => {
      let isSilent = false;
      const { confirmer } = create(async () => {
        if (isSilent) throw new NoResponseError(2_000);
        return {};
      }, tryPastPooler);
      await confirmer.confirm();
      isSilent = true;
      await pass(801);
      await confirmer.confirm().catch(() => undefined);
      expect(confirmer.isConfirmed()).toBe(isFresh);
    },
  );

  it('asks more than once a second while somebody waits for changes', async () => {
    let news: Partial<News> = {};
    const { confirmer, heard, read } = create(async () => news);
    const [stop, stopOther] = [confirmer.keepAsking(), confirmer.keepAsking()];
    await pass(0);
    news = {
      changes: [{ xid: '1', podcastId: 'a' }],
      work: [{ xid: '2', job: 'send-emails' }],
    };
    await pass(500);
    expect(heard).toEqual(['a', 'work send-emails']);
    stop();
    stop();
    news = {};
    const before = read.mock.calls.length;
    await pass(10_000);
    expect(read.mock.calls.length - before).toBeGreaterThan(20);
    stopOther();
    await pass(500);
    const after = read.mock.calls.length;
    await pass(9_000);
    expect(read.mock.calls.length - after).toBe(0);
  });

  it('stops asking when it is closed', async () => {
    const { confirmer, read } = create(async () => ({}));
    await confirmer.confirm();
    await confirmer[Symbol.asyncDispose]();
    await pass(60_000);
    expect(read).toHaveBeenCalledTimes(1);
  });
});
