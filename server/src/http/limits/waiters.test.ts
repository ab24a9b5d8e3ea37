import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { Turns } from '../../platform/processes/turns.ts';
import { Waiters } from './waiters.ts';

const claimOf = (client?: string) => ({ owner: 'show', client });
const busy = { kind: 'service_unavailable', message: 'Busy.' };

/** Turns of which one network has some waiting already, behind one that is at work. */
async function createTurns(floodCount: number, mostWaitingOfOwner = 200) {
  const turns = new Turns(2, { mostWaitingOfOwner });
  const atWork = await turns.take({ owner: 'show', client: 'at work' });
  const begun: string[] = [];
  const note = (name: string) => (turn: Disposable) => {
    begun.push(name);
    turn[Symbol.dispose]();
  };
  const take = async (waiters: Waiters, name: string) =>
    note(name)(await waiters.takeTurn(turns, claimOf, 'Busy.'));
  const flood = Array.from({ length: floodCount }, () =>
    take(Waiters.one({ network: 'flood' }), 'flood').catch(() => undefined),
  );
  const end = async () => {
    atWork[Symbol.dispose]();
    await Promise.all(flood);
  };
  return { turns, begun, take, end };
}

it('a shared computation has the turn of whoever is first, also of one who joins later', async () => {
  const { begun, take, end } = await createTurns(9);
  const waiters = Waiters.shared({ network: 'flood' });
  const taken = take(waiters, 'shared');
  waiters.join({ network: 'reader' });
  await end();
  await taken;
  expect(begun.slice(0, 2)).toEqual(['flood', 'shared']);
  // What its other claims have had is left to others.
  expect(begun).toHaveLength(10);
});

it('a shared computation is refused when the turns of all who wait for it are', async () => {
  const { take, end } = await createTurns(2, 2);
  const alone = take(Waiters.shared({ network: 'flood' }), 'alone');
  await expect(alone).rejects.toMatchObject(busy);
  const waiters = Waiters.shared({ network: 'flood' });
  waiters.join({ network: 'reader' });
  const shared = take(waiters, 'shared');
  await end();
  await shared;
});

it.each(Array.from({ length: 16 }, (_, n) => n))(
  'no turn is lost if somebody joins %d microtasks after a computation has asked for one',
  async (microtasks) => {
    const { turns, take, end } = await createTurns(2, 2);
    const waiters = Waiters.shared({ network: 'flood' });
    const taken = take(waiters, 'shared').catch(() => undefined);
    for (let n = 0; n < microtasks; n += 1) await Promise.resolve();
    waiters.join({ network: 'reader' });
    await end();
    await taken;
    const all = Promise.all(['one', 'other'].map((owner) => turns.take({ owner })));
    expect(await Promise.race([all, setImmediate('waits')])).toHaveLength(2);
  },
);

it('a shared computation is refused with the claim that keeps it in memory', async () => {
  const { turns, end } = await createTurns(0);
  const waiters = Waiters.shared({ network: 'flood' });
  waiters.join({ network: 'reader' });
  const heldBytes = 65 * 1024 * 1024;
  const holding = (client?: string) => ({ ...claimOf(client), heldBytes });
  await expect(waiters.takeTurn(turns, holding, 'Busy.')).rejects.toMatchObject(busy);
  await end();
});

it('a shared computation that all have left gives up its claims', async () => {
  const { begun, take, end } = await createTurns(1);
  const clients = [new AbortController(), new AbortController()] as const;
  const [first, other] = clients.map(({ signal: leaving }, n) => ({ network: `${n}`, leaving }));
  const waiters = Waiters.shared(first ?? {});
  waiters.join(other ?? {});
  const taken = take(waiters, 'shared');
  clients[0].abort();
  expect(waiters.left?.aborted).toBe(false);
  clients[1].abort(new Error('left'));
  await expect(taken).rejects.toThrow('left');
  await expect(take(waiters, 'shared')).rejects.toThrow('left');
  await end();
  expect(begun).toEqual(['flood']);
});

it('only those who wait take turns, and eight of them at most', async () => {
  const turns = new Turns(2);
  using _atWork = await turns.take({ owner: 'show' });
  const leaving = new AbortController();
  const waiters = Waiters.shared({ network: 'gone', leaving: leaving.signal });
  waiters.join({ network: 'n0' });
  leaving.abort();
  const claimed: (string | undefined)[] = [];
  const claim = (client?: string) => {
    claimed.push(client);
    return claimOf(client);
  };
  const taken = waiters.takeTurn(turns, claim, 'Busy.');
  for (let n = 1; n < 20; n += 1) waiters.join({ network: `n${n % 10}` });
  await setImmediate();
  expect(claimed).toEqual(['n0', 'n1', 'n2', 'n3', 'n4', 'n5', 'n6', 'n7']);
  _atWork[Symbol.dispose]();
  await taken;
});
