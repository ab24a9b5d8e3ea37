import { expect, it, vi } from 'vitest';
import { createTestClock } from '../../../../test/test-clock.ts';
import type { Context } from '../context.ts';
import { retryAfter, Sender, type SendQueue } from './index.ts';

interface Request {
  readonly id: string;
  readonly host: string;
  readonly accountId?: string;
}

interface QueueOptions {
  readonly placesPerHost?: number;
  readonly places?: number;
  readonly claimTurns?: number;
  readonly accountOf?: (host: string) => string;
}

/** A queue in memory, whose requests end when `end` is called. */
function makeQueue(due: string[], options: QueueOptions = {}) {
  const { placesPerHost, places = 64, claimTurns = 0, accountOf } = options;
  const underWay: { host: string; end: () => void }[] = [];
  const claims: (readonly string[])[] = [];
  const queue: SendQueue<'regular', Request> = {
    delayed: 'delayed',
    places: { regular: places },
    ...(placesPerHost === undefined ? {} : { placesPerHost }),
    limitsAccounts: accountOf !== undefined,
    schedule: async () => undefined,
    findDue: async () => (due.length > 0 ? ['regular'] : []),
    async claim(_, { id, limit, busyHosts, busyAccounts }) {
      claims.push(busyHosts);
      // Requests end while the database is asked.
      for (let at = 0; at < claimTurns; at += 1) await turn();
      const taken: Request[] = [];
      for (let at = 0; at < due.length && taken.length < limit; ) {
        const host = due[at] ?? '';
        const accountId = accountOf?.(host) ?? '';
        const isBusy = busyHosts.includes(host) || busyAccounts.includes(accountId);
        if (isBusy) at += 1;
        else taken.push({ id, host: due.splice(at, 1)[0] ?? '', accountId });
      }
      return taken;
    },
    renew: async (ids) => ids,
    releaseLost: async () => undefined,
    tidy: async () => undefined,
    async send({ host }) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const request = { host, end: resolve };
      underWay.push(request);
      await promise;
      underWay.splice(underWay.indexOf(request), 1);
    },
  };
  return { queue, underWay, claims };
}

const reports: unknown[] = [];
const ctx = {
  clock: createTestClock(),
  log: { warn: (...report: unknown[]) => void reports.push(report) },
} as unknown as Context;
const { signal } = new AbortController();
const turn = () => new Promise((resolve) => setImmediate(resolve));
const times = (count: number, host: string) => Array.from({ length: count }, () => host);

// The places of lanes that exist: of webhooks and feeds.
it.each([
  { places: 8, placesPerHost: 8 },
  { places: 16, placesPerHost: 8 },
  { places: 32, placesPerHost: 8 },
  { places: 32, placesPerHost: 16 },
  { places: 64, placesPerHost: 4 },
  { places: 128, placesPerHost: 8 },
])(
  'others do not wait for a host that never responds: $placesPerHost of $places places',
  async (options) => {
    const { queue, underWay } = makeQueue([...times(500, 'slow'), ...times(100, 'quick')], options);
    const sender = new Sender(ctx, queue, signal);
    let quick = 0;
    for (let at = 0; at < 2_000 && quick < 100; at += 1) {
      if (at % 10 === 0) await sender.runOnce();
      await turn();
      const next = underWay.find(({ host }) => host === 'quick');
      next?.end();
      if (next !== undefined) quick += 1;
    }
    expect(quick).toBe(100);
  },
);

it('no host gets more requests at once than it has places, and others do not wait for it', async () => {
  const { queue, underWay } = makeQueue([...times(500, 'slow'), ...times(100, 'quick')], {
    placesPerHost: 4,
  });
  const sender = new Sender(ctx, queue, signal);
  await sender.runOnce();
  let most = 0;
  let quick = 0;
  for (let at = 0; at < 1_000 && quick < 100; at += 1) {
    await turn();
    const slow = underWay.filter(({ host }) => host === 'slow');
    most = Math.max(most, slow.length);
    const [next] = underWay.filter(({ host }) => host === 'quick');
    next?.end();
    if (next !== undefined) quick += 1;
  }
  expect({ quick, most }).toEqual({ quick: 100, most: 4 });
});

it.each([0, 1, 5, 20])(
  'all that is due for one host is sent without another run (%d)',
  async (claimTurns) => {
    const due = times(200, 'only');
    const { queue, underWay } = makeQueue(due, { placesPerHost: 4, claimTurns });
    const sender = new Sender(ctx, queue, signal);
    await sender.runOnce();
    let sent = 0;
    for (let at = 0; at < 5_000 && sent < 200; at += 1) {
      await turn();
      underWay.at(0)?.end();
      if (underWay.length > 0) sent += 1;
      expect(underWay.length).toBeLessThanOrEqual(4);
    }
    await sender.settled();
    expect({ due: due.length, underWay: underWay.length }).toEqual({ due: 0, underWay: 0 });
  },
);

it('the hosts of one site share its places', async () => {
  const { queue, underWay } = makeQueue(['a.one', 'b.one', 'c.one', 'a.two'], { placesPerHost: 2 });
  const claim: typeof queue.claim = async (lane, request) =>
    (await queue.claim(lane, request)).map((one) => ({ ...one, site: one.host.slice(2) }));
  await new Sender(ctx, { ...queue, claim }, signal).runOnce();
  await vi.waitUntil(() => underWay.length === 3);
  expect(underWay.map(({ host }) => host)).toEqual(['a.one', 'b.one', 'a.two']);
});

it.each([8, 32, 128])(
  'an account with hosts of its own for each request holds a quarter of %d places',
  async (places) => {
    const due = Array.from({ length: 500 }, (_, at) => `slow.${at}`);
    due.push(...Array.from({ length: 100 }, (_, at) => `quick.${at}`));
    const accountOf = (host: string) => host.replace(/\..*/, '');
    const { queue, underWay } = makeQueue(due, { placesPerHost: 8, places, accountOf });
    const sender = new Sender(ctx, queue, signal);
    let quick = 0;
    let mostSlow = 0;
    for (let at = 0; at < 2_000 && quick < 100; at += 1) {
      if (at % 10 === 0) await sender.runOnce();
      await turn();
      const of = (account: string) => underWay.filter(({ host }) => accountOf(host) === account);
      mostSlow = Math.max(mostSlow, of('slow').length);
      const [next] = of('quick');
      next?.end();
      if (next !== undefined) quick += 1;
    }
    expect({ quick, mostSlow }).toEqual({ quick: 100, mostSlow: places / 4 });
  },
);

it.each([0, 1, 5])(
  'all that is due of one account is sent without another run (%d)',
  async (claimTurns) => {
    const due = Array.from({ length: 200 }, (_, at) => `host${at}`);
    const options = { places: 32, placesPerHost: 8, claimTurns, accountOf: () => 'only' };
    const { queue, underWay } = makeQueue(due, options);
    const sender = new Sender(ctx, queue, signal);
    await sender.runOnce();
    let sent = 0;
    for (let at = 0; at < 5_000 && sent < 200; at += 1) {
      await turn();
      if (underWay.length > 0) sent += 1;
      underWay.at(0)?.end();
    }
    await sender.settled();
    expect({ due: due.length, underWay: underWay.length }).toEqual({ due: 0, underWay: 0 });
  },
);

it('one host may use all places of a queue without a limit for hosts', async () => {
  const { queue, underWay, claims } = makeQueue(times(100, 'only'));
  await new Sender(ctx, queue, signal).runOnce();
  while (underWay.length < 64) await turn();
  expect(claims.flat()).toEqual([]);
});

it('a queue that fails is reported once, and its other steps still run', async () => {
  const { queue, underWay } = makeQueue(['one']);
  const failing = { ...queue, schedule: () => Promise.reject(new Error('away')) };
  const sender = new Sender(ctx, failing, signal);
  for (let run = 0; run < 3; run += 1) await sender.runOnce();
  await turn();
  expect(underWay.map(({ host }) => host)).toEqual(['one']);
  expect(reports).toEqual([[{ err: new Error('away') }, 'delayed']]);
});

it('a retry comes after the pause of its failure, and none after the last', () => {
  const at = new Date(1_000);
  const next = (failures: number) => retryAfter([60, 300], failures, at)?.getTime();
  expect([next(1), next(2), next(3)]).toEqual([61_000, 301_000, undefined]);
});
