import { setImmediate } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { type Claim, type TurnLimits, Turns } from './turns.ts';

/** Notes whose work begins, by name, until it is ended. */
class Desk {
  readonly begun: string[] = [];
  readonly turns: Turns;
  readonly #current: [name: string, turn: Disposable][] = [];

  constructor(most: number, limits?: TurnLimits) {
    this.turns = new Turns(most, limits);
  }

  /** Resolves when the work has ended. */
  async come(claim: Claim, name = claim.owner): Promise<void> {
    const turn = await this.turns.take(claim);
    this.begun.push(name);
    const { promise, resolve } = Promise.withResolvers<void>();
    const end = () => {
      turn[Symbol.dispose]();
      resolve();
    };
    this.#current.push([name, { [Symbol.dispose]: end }]);
    await promise;
  }

  /** What works now. */
  get current(): string[] {
    return this.#current.map(([name]) => name);
  }

  /** Ends the work of that name that began first. */
  async end(name: string): Promise<void> {
    const at = this.current.indexOf(name);
    expect(at).not.toBe(-1);
    this.#current.splice(at, 1)[0]?.[1][Symbol.dispose]();
    await setImmediate();
  }
}

async function createDesk(most: number, ...owners: string[]): Promise<Desk> {
  const desk = new Desk(most);
  for (const owner of owners) void desk.come({ owner });
  await setImmediate();
  return desk;
}

describe('turns', () => {
  it('turns go round among owners, who have all but one place', async () => {
    const desk = await createDesk(3, 'ana', 'ana', 'ana', 'ana', 'bo', 'bo', 'cy');
    expect(desk.begun).toEqual(['ana', 'ana', 'bo']);
    for (const name of ['ana', 'ana', 'bo', 'ana']) await desk.end(name);
    expect(desk.begun.slice(3)).toEqual(['ana', 'bo', 'cy', 'ana']);
  });

  it('turns are limited for each owner, who may have the only one', async () => {
    const desk = new Desk(4, { mostOfOwner: 2 });
    for (const owner of ['ana', 'ana', 'ana', 'bo', 'bo', 'bo', 'cy']) void desk.come({ owner });
    const single = new Desk(1, { mostOfOwner: 1 });
    for (const owner of ['ana', 'ana', 'ana', 'bo']) void single.come({ owner });
    await setImmediate();
    expect(desk.begun).toEqual(['ana', 'ana', 'bo', 'bo']);
    for (const name of ['ana', 'ana', 'bo']) await single.end(name);
    expect(single.begun).toEqual(['ana', 'ana', 'bo', 'ana']);
  });

  it('turns of what has begun come before the new work of its owner, and are never refused', async () => {
    const desk = await createDesk(2, 'ana', 'bo');
    const wait = (name: string, goesFirst: boolean) =>
      void desk.come({ owner: 'ana', goesFirst }, name);
    for (let at = 0; at < 200; at += 1) wait('new', false);
    await expect(desk.come({ owner: 'ana' })).rejects.toMatchObject({ reason: 'busy' });
    for (const name of ['step 1', 'step 2']) wait(name, true);
    for (const name of ['ana', 'step 1', 'step 2']) await desk.end(name);
    expect(desk.begun).toEqual(['ana', 'bo', 'step 1', 'step 2', 'new']);
  });

  it('turns of one owner go round among its clients', async () => {
    const desk = new Desk(1, { mostOfOwner: 1 });
    const come = (client: string, name: string, owner = 'show') =>
      void desk.come({ owner, client }, name);
    for (const name of ['a1', 'a2', 'a3', 'a4']) come('a', name);
    come('b', 'b1');
    come('c', 'c1');
    come('a', 'other', 'other show');
    come('b', 'b2');
    await setImmediate();
    for (const name of ['a1', 'a2', 'other']) await desk.end(name);
    // A newcomer is before all that wait twice, and after the first claim of each.
    come('d', 'd1');
    for (const name of ['b1', 'c1', 'a3', 'b2', 'd1']) await desk.end(name);
    expect(desk.begun).toEqual(['a1', 'a2', 'other', 'b1', 'c1', 'a3', 'b2', 'd1', 'a4']);
  });

  it('turns of what goes first do not hold up the other clients of its owner', async () => {
    const desk = new Desk(1, { mostOfOwner: 1 });
    const come = (client: string, name: string, goesFirst: boolean) =>
      void desk.come({ owner: 'show', client, goesFirst }, name);
    for (const name of ['a1', 'a2', 'a3']) come('a', name, true);
    come('b', 'b1', false);
    come('a', 'late', false);
    come('b', 'b2', true);
    await setImmediate();
    for (const name of ['a1', 'a2', 'b2', 'a3']) {
      await desk.end(name);
      come('a', `${name} again`, true);
      await setImmediate();
    }
    expect(desk.begun).toEqual(['a1', 'a2', 'b2', 'a3', 'b1']);
  });

  it('turns of a client who waits for many owners hold up those of others by a few', async () => {
    const desk = new Desk(1, { mostOfOwner: 1 });
    for (let n = 0; n < 600; n += 1) void desk.come({ owner: `show ${n}`, client: 'flood' });
    void desk.come({ owner: 'quiet show', client: 'reader' }, 'reader');
    // Nor do they within a show for which the client waits, too.
    void desk.come({ owner: 'show 599', client: 'reader' }, 'reader of a flooded show');
    await setImmediate();
    for (let n = 0; n < 600; n += 1) await desk.end(desk.current[0] ?? '');
    expect(desk.begun.indexOf('reader')).toBe(9);
    expect(desk.begun.indexOf('reader of a flooded show')).toBe(10);
    const [first = '', second = ''] = desk.begun;
    expect([first, second]).toEqual(['show 0', 'show 1']);
    for (let n = 0; n < 2; n += 1) await desk.end(desk.current[0] ?? '');
    expect(new Set(desk.begun).size).toBe(602);
  });

  it('turns of owners go round even if all that wait have the same client', async () => {
    const desk = new Desk(1, { mostOfOwner: 1 });
    const come = (owner: string) => void desk.come({ owner, client: 'proxy' });
    for (let n = 0; n < 1_000; n += 1) come(`show ${n % 20}`);
    come('quiet show');
    await setImmediate();
    for (let n = 0; n < 60; n += 1) await desk.end(desk.current[0] ?? '');
    // It is the last of 21 shows.
    expect(desk.begun.indexOf('quiet show')).toBeLessThan(30);
    const ofShow = (show: number) => desk.begun.filter((name) => name === `show ${show}`).length;
    for (let show = 0; show < 20; show += 1) expect(ofShow(show)).toBeGreaterThan(1);
  });

  it('turns for which a client waits longer are left and refused like others', async () => {
    const desk = new Desk(1, { mostOfOwner: 1, mostWaitingOfOwner: 2 });
    const leaving = new AbortController();
    for (let n = 0; n < 20; n += 1) {
      const signal = n > 5 ? leaving.signal : undefined;
      desk.come({ owner: `show ${n}`, client: 'a', signal }).catch(() => undefined);
    }
    const come = () => desk.come({ owner: 'last', client: 'a' });
    for (let n = 0; n < 2; n += 1) void come();
    await expect(come()).rejects.toMatchObject({ reason: 'busy' });
    leaving.abort(new Error('left'));
    for (let n = 0; n < 7; n += 1) await desk.end(desk.current[0] ?? '');
    const shows = Array.from({ length: 6 }, (_, n) => `show ${n}`);
    expect(desk.begun).toEqual([...shows, 'last', 'last']);
  });

  it('turns are refused to the client of an owner who has most waiting, not to its others', async () => {
    const desk = new Desk(1, { mostOfOwner: 1, mostWaitingOfOwner: 4 });
    const busy = { reason: 'busy' };
    const come = (client: string, name: string) => desk.come({ owner: 'show', client }, name);
    void come('a', 'a1');
    for (const name of ['a2', 'a3']) void come('a', name);
    const last = come('a', 'a4');
    void come('b', 'b1');
    await expect(come('a', 'a5')).rejects.toMatchObject(busy);
    void come('c', 'c1');
    await expect(last).rejects.toMatchObject(busy);
    for (const name of ['a1', 'a2', 'b1', 'c1']) await desk.end(name);
    expect(desk.begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3']);
  });

  it('turns are refused to the newest if no client of the owner has more waiting', async () => {
    const desk = new Desk(1, { mostOfOwner: 1, mostWaitingOfOwner: 3 });
    const come = (client: string, goesFirst = false) =>
      desk.come({ owner: 'show', client, goesFirst }, client);
    for (const client of ['a', 'b', 'c', 'd']) void come(client);
    await expect(come('e')).rejects.toMatchObject({ reason: 'busy' });
    await desk.end('a');
    // What is never refused does not count.
    for (const client of ['f', 'g', 'h']) void come(client, true);
    void come('i');
    for (const client of ['b', 'c', 'd', 'f', 'g', 'h']) await desk.end(client);
    expect(desk.begun).toEqual(['a', 'b', 'c', 'd', 'f', 'g', 'h', 'i']);
  });

  it('turns are refused to whose last turn was most recent, if all clients have as much waiting', async () => {
    const desk = new Desk(1, { mostOfOwner: 1, mostWaitingOfOwner: 3 });
    const refused: string[] = [];
    const come = (client: string) =>
      desk.come({ owner: 'show', client }, client).catch(() => refused.push(client));
    // Four clients of a flood come back as soon as they have had their turn.
    for (const client of ['a', 'b', 'c', 'd']) void come(client);
    await setImmediate();
    for (const client of ['a', 'b']) {
      await desk.end(client);
      void come(client);
    }
    void come('reader');
    await setImmediate();
    expect(refused).toEqual(['b']);
    for (const client of ['c', 'd', 'a']) await desk.end(client);
    expect(desk.begun.slice(-2)).toEqual(['a', 'reader']);
  });

  it('turns are refused to a client who comes from a new block each time, before others', async () => {
    const desk = new Desk(1, { mostOfOwner: 1, mostWaitingOfOwner: 4 });
    const refused: string[] = [];
    const come = (client: string) =>
      desk.come({ owner: 'show', client }, client).catch(() => refused.push(client));
    let count = 0;
    const comeAgain = () => void come(`2001:db8:${(count++).toString(16)}::/48`);
    void come('192.0.2.0/24');
    await setImmediate();
    await desk.end('192.0.2.0/24');
    for (let n = 0; n < 5; n += 1) comeAgain();
    // The reader has had a turn, and no block of the flood has.
    void come('192.0.2.0/24');
    for (let n = 0; n < 5; n += 1) comeAgain();
    await setImmediate();
    expect(refused).toHaveLength(6);
    expect(refused).not.toContain('192.0.2.0/24');
    for (let n = 0; n < 4; n += 1) await desk.end(desk.current[0] ?? '');
    expect(desk.begun.slice(1)).toContain('192.0.2.0/24');
  });

  it('turns are refused to the client of an owner who keeps most in memory', async () => {
    const MB = 1024 * 1024;
    const desk = new Desk(1, { mostOfOwner: 1 });
    const come = (client: string, megabytes: number) =>
      desk.come({ owner: 'show', client, heldBytes: megabytes * MB }, client);
    void come('a', 1);
    const large = come('a', 60);
    void come('b', 20);
    await expect(large).rejects.toMatchObject({ reason: 'busy' });
    await desk.end('a');
    expect(desk.begun).toEqual(['a', 'b']);
  });

  it('turns are not gained by coming again and again with one file', async () => {
    const desk = await createDesk(2, ...Array(40).fill('ana'), ...Array(40).fill('bo'));
    let rounds = 0;
    const comeAgain = async (owner: string) => {
      while (rounds < 30) await desk.come({ owner });
    };
    for (const owner of ['cy', 'di', 'ed']) void comeAgain(owner);
    for (; rounds < 30; rounds += 1) await desk.end(desk.current[0] as string);
    for (const owner of ['ana', 'bo', 'cy', 'di', 'ed']) {
      // A fifth of 32, or less while the owner is not there.
      const turns = desk.begun.filter((name) => name === owner).length;
      expect(turns, owner).toBeGreaterThanOrEqual(5);
      expect(turns, owner).toBeLessThanOrEqual(9);
    }
  });

  it('turns are not lost to newcomers, however many come', async () => {
    const desk = await createDesk(2, 'ana', 'bo', 'ana', 'bo');
    for (let at = 0; at < 10; at += 1) void desk.come({ owner: `newcomer ${at}` });
    for (const name of ['ana', 'bo']) await desk.end(name);
    expect(desk.begun).toEqual(['ana', 'bo', 'ana', 'bo']);
  });

  it('turns with short files do not cost the turn with a long one', async () => {
    const desk = new Desk(3);
    for (const owner of ['bo', 'cy']) void desk.come({ owner, isLong: true }, `long of ${owner}`);
    for (let at = 0; at < 3; at += 1) void desk.come({ owner: 'cy', isLong: true }, 'long of cy');
    void desk.come({ owner: 'ana', isLong: true }, 'long of ana');
    for (let at = 0; at < 20; at += 1) void desk.come({ owner: 'ana' }, 'short of ana');
    await setImmediate();
    expect(desk.begun).toEqual(['long of bo', 'long of cy', 'short of ana']);
    for (let at = 0; at < 4; at += 1) await desk.end('short of ana');
    await desk.end('long of bo');
    await desk.end('long of cy');
    const long = desk.begun.filter((name) => name.startsWith('long'));
    expect(long).toEqual(['long of bo', 'long of cy', 'long of cy', 'long of ana']);
  });

  it('turns are refused to an owner who keeps too much in memory', async () => {
    const MB = 1024 * 1024;
    const desk = await createDesk(2, 'bo', 'bo');
    void desk.come({ owner: 'ana', heldBytes: 200 * MB });
    await setImmediate();
    // It has begun, so it does not wait.
    expect(desk.begun).toEqual(['bo', 'ana']);
    void desk.come({ owner: 'ana', heldBytes: 40 * MB });
    const busy = { reason: 'busy' };
    const refused = desk.come({ owner: 'ana', heldBytes: 40 * MB, isLong: true });
    await expect(refused).rejects.toMatchObject(busy);
    void desk.come({ owner: 'ana', heldBytes: 24 * MB, isLong: true });
    await expect(desk.come({ owner: 'ana', heldBytes: 1 })).rejects.toMatchObject(busy);
    void desk.come({ owner: 'ana' }, 'without bytes');
    for (const owner of ['cy', 'di', 'ed']) void desk.come({ owner, heldBytes: 64 * MB });
    void desk.come({ owner: 'fay' });
    await desk.end('ana');
    for (let at = 0; at < 8; at += 1) await desk.end(desk.current[0] as string);
    expect(desk.begun.slice(2).sort()).toEqual(
      ['ana', 'ana', 'bo', 'cy', 'di', 'ed', 'fay', 'without bytes'].sort(),
    );
  });

  it('turns are refused to the owner who keeps most in memory, not to others', async () => {
    const MB = 1024 * 1024;
    const desk = new Desk(1, { mostOfOwner: 1 });
    const busy = { reason: 'busy' };
    void desk.come({ owner: 'bo' });
    void desk.come({ owner: 'ana', heldBytes: 40 * MB });
    const second = desk.come({ owner: 'ana', heldBytes: 20 * MB });
    const cy = desk.come({ owner: 'cy', heldBytes: 49 * MB });
    for (const owner of ['di', 'ed', 'fay']) void desk.come({ owner, heldBytes: 49 * MB });
    void desk.come({ owner: 'gil', heldBytes: MB });
    await expect(second).rejects.toMatchObject(busy);
    await expect(desk.come({ owner: 'hal', heldBytes: 60 * MB })).rejects.toMatchObject(busy);
    // Now four owners keep as much, and the first of them is refused.
    void desk.come({ owner: 'ivy', heldBytes: 45 * MB });
    await expect(cy).rejects.toMatchObject(busy);
    for (let at = 0; at < 6; at += 1) await desk.end(desk.current[0] as string);
    expect(desk.begun).toEqual(['bo', 'ana', 'di', 'ed', 'fay', 'gil', 'ivy']);
  });

  it('turns are for others while an owner rests', async () => {
    vi.useFakeTimers();
    try {
      const desk = new Desk(2, { mostOfOwner: 1 });
      for (const owner of ['ana', 'ana', 'bo', 'bo']) void desk.come({ owner });
      await vi.advanceTimersByTimeAsync(0);
      desk.turns.rest('ana', 1_000);
      await desk.end('ana');
      await desk.end('bo');
      await vi.advanceTimersByTimeAsync(999);
      expect(desk.begun).toEqual(['ana', 'bo', 'bo']);
      await vi.advanceTimersByTimeAsync(1);
      expect(desk.begun).toEqual(['ana', 'bo', 'bo', 'ana']);
    } finally {
      vi.useRealTimers();
    }
  });

  it('turns are kept by an owner of whom a file no longer waits', async () => {
    const desk = await createDesk(2, 'bo', 'bo', 'cy', 'cy');
    const stop = new AbortController();
    const cancelled = desk.come({ owner: 'ana', signal: stop.signal });
    void desk.come({ owner: 'ana' });
    void desk.come({ owner: 'di' });
    stop.abort(new Error('no longer needed'));
    await expect(cancelled).rejects.toThrow('no longer needed');
    for (const name of ['cy', 'bo', 'cy', 'bo']) await desk.end(name);
    expect(desk.begun).toEqual(['bo', 'cy', 'cy', 'bo', 'ana', 'di']);
  });

  it('turns are not kept by an owner of whom nothing waits', async () => {
    const desk = await createDesk(2, 'ana', 'ana', 'bo', 'bo');
    const stop = new AbortController();
    const early = desk.come({ owner: 'cy', signal: stop.signal });
    void desk.come({ owner: 'di' });
    stop.abort(new Error('no longer needed'));
    await expect(early).rejects.toThrow('no longer needed');
    void desk.come({ owner: 'cy' });
    for (const name of ['bo', 'ana', 'bo', 'ana']) await desk.end(name);
    expect(desk.begun).toEqual(['ana', 'bo', 'bo', 'ana', 'di', 'cy']);
  });
});
