import { describe, expect, it } from 'vitest';
import { DomainError } from '../../domain/foundation/errors.ts';
import type { Waiters } from '../limits/waiters.ts';
import { PodcastCache, SourceChangedError } from './podcast-cache.ts';

function create() {
  const clock = { ms: 1_000 };
  const cache = new PodcastCache<string>({ maxBytes: 1_000, nowMs: () => clock.ms });
  let computations = 0;
  const compute = (value: string, options: { podcastId?: string; until?: number } = {}) => {
    const { podcastId = 'p1', until } = options;
    return async () => {
      computations += 1;
      const validUntil = until === undefined ? null : new Date(until);
      return { podcastId, value, validUntil, sizeBytes: 10 };
    };
  };
  return { cache, clock, compute, computations: () => computations };
}

/** A computation that the test ends. */
function held(value: string) {
  const { promise, resolve } = Promise.withResolvers<void>();
  return {
    finish: resolve,
    compute: async () => {
      await promise;
      return { podcastId: 'p1', value, validUntil: null, sizeBytes: 10 };
    },
  };
}

describe('PodcastCache', () => {
  it('computes once for waiting and later callers', async () => {
    const { cache, compute, computations } = create();
    const all = await Promise.all([1, 2, 3].map(() => cache.get('a', compute('x'))));
    all.push(await cache.get('a', compute('y')));
    expect(all.map((entry) => entry.value)).toEqual(['x', 'x', 'x', 'x']);
    expect(computations()).toBe(1);
  });

  it('says when all callers have left, and serves those that come later', async () => {
    const { cache, compute } = create();
    const clients = [new AbortController(), new AbortController()];
    let left: AbortSignal | undefined;
    const gone = new Error('left');
    const waitUntilLeft = ({ left: signal }: Waiters) => {
      left = signal;
      return new Promise<never>((_, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason));
      });
    };
    const always = () => true;
    const all = clients.map(({ signal: leaving }) =>
      cache.get('a', waitUntilLeft, always, { leaving }),
    );
    clients[0]?.abort(gone);
    expect(left?.aborted).toBe(false);
    clients[1]?.abort(gone);
    expect(left?.aborted).toBe(true);
    const later = cache.get('a', compute('x'));
    expect(await Promise.allSettled(all)).toMatchObject([{ reason: gone }, { reason: gone }]);
    expect((await later).value).toBe('x');
  });

  it('drops a value if the clock is set back, perhaps to before a publication', async () => {
    const { cache, clock, compute } = create();
    clock.ms = 5_000;
    const ahead = await cache.get('a', compute('with the next episode'));
    clock.ms = 4_999;
    expect(ahead.isLive(clock.ms)).toBe(false);
    expect((await cache.get('a', compute('without it', { until: 5_000 }))).value).toBe(
      'without it',
    );
    const { compute: slow, finish } = held('begun ahead');
    clock.ms = 6_000;
    const begun = cache.get('b', slow);
    clock.ms = 3_000;
    finish();
    expect((await begun).isLive(clock.ms)).toBe(false);
  });

  // REQ-24
  it('drops only the values of a changed podcast', async () => {
    const { cache, compute } = create();
    const mine = await cache.get('a', compute('old'));
    const other = await cache.get('b', compute('other', { podcastId: 'p2' }));
    cache.drop('p1');
    expect([mine.isLive(1_000), other.isLive(1_000)]).toEqual([false, true]);
    expect((await cache.get('a', compute('new'))).value).toBe('new');
    cache.dropAll();
    expect(other.isLive(1_000)).toBe(false);
  });

  // REQ-24
  it('drops a value at the next publication, to the millisecond', async () => {
    const { cache, clock, compute } = create();
    const entry = await cache.get('a', compute('before', { until: 2_000 }));
    expect([entry.isLive(1_999), entry.isLive(2_000)]).toEqual([true, false]);
    clock.ms = 1_999;
    expect((await cache.get('a', compute('after'))).value).toBe('before');
    clock.ms = 2_000;
    expect((await cache.get('a', compute('after'))).value).toBe('after');
  });

  // REQ-24
  it('PodcastCache does not keep a value if its podcast changed during the computation', async () => {
    for (const change of [
      (cache: PodcastCache<string>) => cache.drop('p1'),
      (cache: PodcastCache<string>) => cache.dropAll(),
    ]) {
      const { cache, compute } = create();
      const { compute: slow, finish } = held('old');
      const early = cache.get('a', slow);
      change(cache);
      // A caller after the change must not get a result that was begun before it.
      const late = cache.get('a', compute('new'));
      finish();
      expect((await late).value).toBe('new');
      expect((await early).value).toBe('old');
      expect((await early).isLive(1_000)).toBe(false);
      expect((await cache.get('a', compute('newest'))).value).toBe('new');
    }
  });

  it('computes a value once at a time, however often its podcast changes', async () => {
    const { cache } = create();
    const begun: string[] = [];
    let atWork = 0;
    const ends: (() => void)[] = [];
    const ask = (version: string, isCurrent = () => true) =>
      cache.get(
        'a',
        async () => {
          begun.push(version);
          atWork += 1;
          expect(atWork).toBe(1);
          await new Promise<void>((resolve) => ends.push(resolve));
          atWork -= 1;
          return { podcastId: 'p1', value: version, validUntil: null, sizeBytes: 10 };
        },
        isCurrent,
      );
    let newest = 0;
    const responses = Array.from({ length: 5 }, (_, version) => {
      newest = version;
      cache.drop('p1');
      return ask(String(version), () => newest === version).catch((error) => error);
    });
    ends[0]?.();
    await expect.poll(() => ends.length).toBe(2);
    ends[1]?.();
    const [first, ...rest] = await Promise.all(responses);
    expect(begun).toEqual(['0', '4']);
    expect(first.value).toBe('0');
    // Those in between read their show again.
    expect(rest.slice(0, -1).every((each) => each instanceof SourceChangedError)).toBe(true);
    expect(rest.at(-1).value).toBe('4');
  });

  it('keeps a value if another podcast changed during the computation', async () => {
    const { cache, compute } = create();
    const { compute: slow, finish } = held('mine');
    const early = cache.get('a', slow);
    cache.drop('p2');
    finish();
    await early;
    expect((await cache.get('a', compute('again'))).value).toBe('mine');
  });

  it('PodcastCache does not keep a value whose source has changed since', async () => {
    const { cache, compute } = create();
    const stale = async () => ({ ...(await compute('stale')()), isCurrent: () => false });
    expect((await cache.get('a', stale)).isLive(1_000)).toBe(false);
    expect((await cache.get('a', compute('fresh'))).value).toBe('fresh');
  });

  it('PodcastCache does not cache a failure', async () => {
    const { cache, compute } = create();
    await expect(cache.get('a', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
    expect((await cache.get('a', compute('back'))).value).toBe('back');
  });

  it('a caller who waits for a computation of somebody else tries again if it is refused', async () => {
    const { cache, compute } = create();
    const refusal = new DomainError('service_unavailable', 'Busy.');
    const refuse = () => Promise.reject(refusal);
    const first = cache.get('a', refuse);
    const joined = [cache.get('a', compute('x')), cache.get('a', compute('y'))];
    await expect(first).rejects.toBe(refusal);
    expect((await Promise.all(joined)).map(({ value }) => value)).toEqual(['x', 'x']);
    // Once only: a crowd must not try again for each of its members.
    let refused = 0;
    const count = () => {
      refused += 1;
      return refuse();
    };
    const all = Array.from({ length: 9 }, () => cache.get('b', count));
    expect(await Promise.allSettled(all)).toMatchObject(all.map(() => ({ reason: refusal })));
    expect(refused).toBe(2);
  });

  it('stays within its size, and dropped entries are no longer live', async () => {
    const { cache, compute } = create();
    const first = await cache.get('key 0', compute('0'));
    for (let i = 1; i <= 100; i += 1) await cache.get(`key ${i}`, compute(String(i)));
    expect(first.isLive(1_000)).toBe(false);
  });

  it('what is dropped for lack of room is current until its podcast changes', async () => {
    const { cache, clock, compute } = create();
    const dropped = await cache.get('dropped', compute('x', { until: 2_000 }));
    for (let n = 0; n < 100; n += 1) await cache.get(`${n}`, compute('y', { podcastId: 'p2' }));
    const tooLarge = await cache.get('large', async () => ({
      ...(await compute('z')()),
      sizeBytes: 999,
    }));
    const all = [dropped, tooLarge];
    expect(all.map((entry) => entry.isLive(1_000))).toEqual([false, false]);
    cache.drop('p2');
    expect(all.map((entry) => cache.isCurrent(entry))).toEqual([true, true]);
    clock.ms = 2_000;
    expect(all.map((entry) => cache.isCurrent(entry))).toEqual([false, true]);
    clock.ms = 1_000;
    cache.drop('p1');
    expect(all.map((entry) => cache.isCurrent(entry))).toEqual([false, false]);
    const later = await cache.get('later', compute('x'));
    expect(cache.isCurrent(later)).toBe(true);
    cache.dropAll();
    expect(cache.isCurrent(later)).toBe(false);
  });

  it('what is kept stays current, however many other podcasts change', async () => {
    const { cache, compute } = create();
    const entry = await cache.get('a', compute('x'));
    for (let n = 0; n < 20_000; n += 1) cache.drop(`other-${n}`);
    expect(cache.isCurrent(entry)).toBe(true);
    cache.drop('p1');
    expect(cache.isCurrent(entry)).toBe(false);
  });

  it('gives a value that is too large to keep to the waiting readers only', async () => {
    const { cache, compute } = create();
    const small = await cache.get('small', compute('small'));
    const { compute: slow, finish } = held('large');
    const large = async () => ({ ...(await slow()), sizeBytes: 999 });
    const waiting = [cache.get('large', large), cache.get('large', large)];
    finish();
    const [one, other] = await Promise.all(waiting);
    expect([one?.value, other]).toEqual(['large', one]);
    // No change would reach it.
    expect(one?.isLive(1_000)).toBe(false);
    expect((await cache.get('large', compute('later'))).value).toBe('later');
    expect(small.isLive(1_000)).toBe(true);
  });
});
