import { setImmediate } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { DomainError } from '../../domain/foundation/errors.ts';
import { Turns } from '../../platform/processes/turns.ts';
import { type Build, LargeBuilds } from './large-builds.ts';
import { Waiters } from './waiters.ts';

const large = 1024 * 1024;

/** Lets a build become large, and notes when it has its turn. */
function grow(build: Build, name: string, begun: string[]): Promise<void> {
  return build.grow(large).then(() => void begun.push(name));
}

describe('LargeBuilds', () => {
  it('lets a few large builds go on at once, and only one of a show', async () => {
    const builds = new LargeBuilds();
    const begun: string[] = [];
    const names = ['a 1', 'a 2', 'b 1', 'c 1', 'a 3'];
    const all = names.map((name) => builds.begin(name.slice(0, 1)));
    const grown = all.map((build, i) => grow(build, names[i] ?? '', begun));
    await setImmediate();
    expect(begun).toEqual(['a 1', 'b 1']);
    // The show of what has ended rests first.
    all[0]?.[Symbol.dispose]();
    await grown[3];
    expect(begun).toEqual(['a 1', 'b 1', 'c 1']);
    for (const build of all.slice(2, 4)) build[Symbol.dispose]();
    await grown[1];
    all[1]?.[Symbol.dispose]();
    await Promise.all(grown);
    expect(begun.slice(3)).toEqual(['a 2', 'a 3']);
  });

  it('lets networks that request one show take turns', async () => {
    const builds = new LargeBuilds();
    const begun: string[] = [];
    const begin = async (client: string) => {
      using build = builds.within(client).begin('show');
      await grow(build, client, begun);
    };
    const flood = ['flood', 'flood', 'flood', 'flood'].map(begin);
    await Promise.all([...flood, begin('reader')]);
    expect(begun).toEqual(['flood', 'flood', 'reader', 'flood', 'flood']);
  });

  it('lets whoever joins a build have it with a turn of their own', async () => {
    const builds = new LargeBuilds();
    const begun: string[] = [];
    const begin = async (name: string, waiting?: Waiters) => {
      using build = builds.within('flood').begin('show', waiting);
      await grow(build, name, begun);
    };
    const flood = ['a', 'b', 'c', 'd'].map((name) => begin(name));
    const waiters = Waiters.shared({ network: 'flood' });
    const shared = begin('shared', waiters);
    waiters.join({ network: 'reader' });
    await Promise.all([...flood, shared]);
    expect(begun).toEqual(['a', 'b', 'shared', 'c', 'd']);
  });

  it('lets a show rest twice as long as its build took', async () => {
    vi.useFakeTimers();
    try {
      const builds = new LargeBuilds({ turns: new Turns(2), busyMs: () => 0 });
      const begun: string[] = [];
      const [one, other] = [builds.begin('a'), builds.begin('a')];
      await grow(one, 'one', begun);
      const grown = grow(other, 'other', begun);
      await vi.advanceTimersByTimeAsync(500);
      one[Symbol.dispose]();
      await vi.advanceTimersByTimeAsync(999);
      expect(begun).toEqual(['one']);
      await vi.advanceTimersByTimeAsync(1);
      await grown;
      expect(begun).toEqual(['one', 'other']);
      const third = grow(builds.begin('a'), 'third', begun);
      await vi.advanceTimersByTimeAsync(60_000);
      other[Symbol.dispose]();
      await vi.advanceTimersByTimeAsync(5_000);
      await third;
    } finally {
      vi.useRealTimers();
    }
  });

  it('takes half of the main thread at most, however many shows are built all the time', async () => {
    vi.useFakeTimers();
    try {
      let busyMs = 0;
      const builds = new LargeBuilds({ turns: new Turns(2), busyMs: () => busyMs });
      let mainThread = Promise.resolve();
      const work = async () => {
        await new Promise((resolve) => setTimeout(resolve, 100));
        busyMs += 100;
      };
      const buildAgain = async (show: string): Promise<void> => {
        const build = builds.begin(show);
        await build.grow(large);
        mainThread = mainThread.then(work);
        await mainThread;
        build[Symbol.dispose]();
        return buildAgain(show);
      };
      for (const show of ['a', 'b', 'c', 'd', 'e', 'f']) void buildAgain(show);
      await vi.advanceTimersByTimeAsync(20_000);
      expect(busyMs).toBeLessThanOrEqual(10_200);
      expect(busyMs).toBeGreaterThan(5_000);
    } finally {
      vi.useRealTimers();
    }
  });

  it('never lets small builds wait, nor one that has its turn', async () => {
    const builds = new LargeBuilds();
    const [one, other] = [builds.begin('a'), builds.begin('b')];
    await Promise.all([one.grow(large), other.grow(large)]);
    await builds.begin('c').grow(1_000);
    await one.grow(2 * large);
  });

  it('takes the place of clients that have left', async () => {
    const builds = new LargeBuilds();
    const [one, other] = [builds.begin('a'), builds.begin('b')];
    await Promise.all([one.grow(large), other.grow(large)]);
    const [leaving, begun] = [new AbortController(), [] as string[]];
    const left = builds.begin('c', leaving.signal).grow(large);
    const next = grow(builds.begin('d'), 'd', begun);
    leaving.abort(new Error('the client has left'));
    await expect(left).rejects.toThrow('the client has left');
    one[Symbol.dispose]();
    await next;
    expect(begun).toEqual(['d']);
  });

  it('refuses what is too much to wait', async () => {
    const builds = new LargeBuilds();
    await builds.begin('a').grow(large);
    const tooLarge = builds.begin('a').grow(65 * large);
    await expect(tooLarge).rejects.toThrow(DomainError);
  });
});
