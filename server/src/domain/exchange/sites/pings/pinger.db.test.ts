import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  type Certificate,
  makeCertificate,
  testHost,
} from '../../../../../test/hosts/certificate.ts';
import {
  createSiteClient,
  hostileBodies,
  hostileSites,
  refusedHomes,
} from '../../../../../test/hosts/hostile-sites.ts';
import { makePodcast, makeUser } from '../../../../../test/make.ts';
import {
  openPingTest,
  type PingedSite,
  type PingTest,
} from '../../../../../test/open-ping-test.ts';
import { patience } from '../../../../../test/patience.ts';
import { useOneDatabase } from '../../../../../test/use-one-database.ts';
import { newId } from '../../../../lib/uuid.ts';
import { createOutboundHttp } from '../../../../platform/outbound-http/create-outbound-http.ts';
import { claimMs } from '../../../foundation/sending/leases.ts';
import { queueForUser } from '../feed/site-queue.ts';
import { schedulePing, startPings } from './index.ts';
import { claimPings } from './queue.sql.ts';

const certificate = makeCertificate();
const second = 1_000;

describe.skipIf(certificate === undefined)('a worker', () => {
  const databases = useOneDatabase();
  let pings: PingTest;
  beforeEach(async () => {
    pings = await openPingTest(certificate as Certificate, databases);
  });
  afterEach(() => pings[Symbol.asyncDispose]());

  const change = async (...sites: PingedSite[]) => {
    for (const site of sites) {
      await pings.addChange(site);
      await schedulePing(pings.test.ctx, site.id);
    }
  };
  const makeSites = (count: number) =>
    Promise.all(Array.from({ length: count }, () => pings.makeSite()));
  const states = () => pings.rows('select * from site_pings order by site_id');
  const told = () => pings.received.map(({ body }) => JSON.parse(body).site_id as string).sort();
  const ids = (sites: readonly PingedSite[]) => sites.map(({ id }) => id).sort();

  it('shares the work with others: each site is told once', async () => {
    const sites = await makeSites(40);
    await change(...sites);
    await Promise.all([pings.send(), pings.send(), pings.send()]);
    expect(told()).toEqual(ids(sites));
  });

  it('a worker takes the newest and the oldest by turns, so no change delays later ones', async () => {
    const { ctx, clock } = pings.test;
    const [old, middle, young] = await makeSites(3);
    for (const site of [old, middle, young]) {
      await change(site as PingedSite);
      clock.advance(second);
    }
    const claim = async (first: 'oldest' | 'newest') => {
      const [at, until] = [clock.now(), new Date(clock.now().getTime() + 90 * second)];
      const request = { id: newId(), at, until, limit: 1, first, busyHosts: [], busyAccounts: [] };
      return (await claimPings(ctx.db, 'regular', request)).map(({ siteId }) => siteId);
    };
    expect(await claim('newest')).toEqual([young?.id]);
    expect(await claim('oldest')).toEqual([old?.id]);
    expect(await claim('newest')).toEqual([middle?.id]);
    expect(await claim('newest')).toEqual([]);
  });

  it('a worker does not send a ping that another worker is sending', async () => {
    const asked = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<void>();
    pings.respond(async (_, response) => {
      asked.resolve();
      await ended.promise;
      response.end();
    });
    const [site] = await makeSites(1);
    await change(site as PingedSite);
    const first = pings.send();
    await asked.promise;
    await change(site as PingedSite);
    // Within the claim, which the clock of the test ends without a renewal.
    pings.test.clock.advance(claimMs - second);
    await pings.send();
    expect(pings.received).toHaveLength(1);
    ended.resolve();
    await first;
  });

  it('a worker takes over what a killed worker had claimed, after its claim has ended', async () => {
    const [site] = await makeSites(1);
    await change(site as PingedSite);
    // As if the worker died during a request.
    const until = new Date(pings.test.clock.now().getTime() + 90 * second);
    await pings.rows(
      `update site_pings set due_at = null, claim = gen_random_uuid(), claimed_until = $1`,
      [until],
    );
    await pings.send();
    expect(pings.received).toEqual([]);
    pings.test.clock.set(until);
    await pings.send();
    expect(pings.received).toHaveLength(1);
  });

  it('leaves unfinished pings to the next worker when it stops', async () => {
    const asked = Promise.withResolvers<void>();
    pings.respond(() => asked.resolve());
    const [site] = await makeSites(1);
    const { ctx } = pings.test;
    const worker = startPings(ctx, { counts: pings.counts });
    await change(site as PingedSite);
    await asked.promise;
    await worker[Symbol.asyncDispose]();
    expect(await states()).toMatchObject([{ due_at: ctx.clock.now(), claim: null, failures: 0 }]);
    pings.respond(undefined);
    await pings.send();
    expect(pings.received).toHaveLength(2);
  });

  it('finds due pings by itself, also those that become due while it runs', async () => {
    const [one, two] = await makeSites(2);
    await change(one as PingedSite);
    await using _worker = startPings(pings.test.ctx, { counts: pings.counts });
    await vi.waitUntil(() => pings.received.length === 1, patience);
    await change(two as PingedSite);
    await vi.waitUntil(() => pings.received.length === 2, patience);
  });

  it('sends a ping again if its success could not be stored', async () => {
    const [site] = await makeSites(1);
    await change(site as PingedSite);
    pings.respond(async (_, response) => {
      await pings.rows('alter table site_pings rename to pings_away');
      response.end();
    });
    await pings.send();
    pings.respond(undefined);
    await pings.rows('alter table pings_away rename to site_pings');
    pings.test.clock.advance(90 * second);
    await pings.send();
    expect(pings.received).toHaveLength(2);
    expect(await states()).toMatchObject([{ sent_seq: 1, due_at: null, claim: null }]);
  });

  it('pings the others while many sites do not respond', async () => {
    const silent = await makeSites(60);
    const isSilent = new Set(silent.map(({ id }) => `/${id}/wp-json/podstead/v1/ping`));
    await change(...silent);
    pings.respond((_, response) => void response.writeHead(500).end());
    await pings.send();
    pings.test.clock.advance(60 * second);
    pings.received.length = 0;
    pings.respond((request, response) => {
      if (!isSilent.has(request.url ?? '')) response.end();
    });
    const stopping = new AbortController();
    const pinger = pings.createPinger({ signal: stopping.signal });
    await pinger.runOnce();
    // The places for sites that failed before are all used.
    await vi.waitUntil(() => pings.received.length === 32, patience);
    const others = await makeSites(40);
    await change(...others);
    await pinger.runOnce();
    await vi.waitUntil(() => pings.received.length === 72, patience);
    expect(told().filter((id) => ids(others).includes(id))).toEqual(ids(others));
    stopping.abort();
    await pinger.settled();
  });

  // SITE-39
  it('sites of one user that wait for each other delay no ping of another user', async () => {
    const crowd = await makeSites(8);
    const owner = await makeUser(pings.test.ctx);
    const podcast = await makePodcast(pings.test.ctx, { owner });
    const other = await pings.makeSite({ userId: owner.id, podcasts: [podcast] });
    await change(...crowd);
    const [{ userId } = { userId: '' }] = crowd;
    const compared = Promise.withResolvers<void>();
    // As a large site, of which much is compared.
    const comparing = queueForUser(userId, () => compared.promise);
    const pinger = pings.createPinger();
    await pinger.runOnce();
    const claimed = () =>
      pings.rows('select site_id as id from site_pings where claim is not null');
    await vi.waitUntil(async () => {
      const inWork = (await claimed()).map(({ id }) => id);
      return crowd.every(({ id }) => inWork.includes(id));
    }, patience);
    await change(other);
    await pinger.runOnce();
    await vi.waitUntil(() => told().includes(other.id), patience);
    expect(told()).toEqual([other.id]);
    compared.resolve();
    await comparing;
    await pinger.settled();
    expect(told()).toEqual(ids([...crowd, other]));
  });

  it.each(hostileSites.filter(({ failure }) => failure === 'timeout'))(
    'gives up a site that $title after its time limit',
    async ({ handle }) => {
      const [site] = await makeSites(1);
      await change(site as PingedSite);
      pings.respond(handle);
      const limits = { connectTimeoutMs: 20_000, timeoutMs: 300 };
      await pings.send(pings.createPinger({ limits }));
      expect(await states()).toMatchObject([{ failures: 1, last_error: 'timeout' }]);
    },
  );

  it.each(hostileSites.filter(({ failure }) => failure !== 'timeout'))(
    'a worker counts a site that $title as failed',
    async ({ handle, failure }) => {
      const [site] = await makeSites(1);
      await change(site as PingedSite);
      pings.respond(handle);
      await pings.send();
      expect(pings.received).toHaveLength(1);
      expect(await states()).toMatchObject([{ failures: 1, last_error: failure, sent_seq: 0 }]);
      expect(pings.counts).toMatchObject({ sent: 0, failed: 1 });
    },
  );

  it.each(hostileBodies)('reads nothing from a site that $title', async ({ handle }) => {
    const [site] = await makeSites(1);
    await change(site as PingedSite);
    pings.respond(handle);
    await pings.send();
    await vi.waitUntil(() => pings.host.connections().open === 0, patience);
    expect(await states()).toMatchObject([{ failures: 0, sent_seq: 1 }]);
    expect(pings.counts).toMatchObject({ sent: 1, failed: 0 });
  });

  it('a worker does not call a refused home', async () => {
    const refused = refusedHomes.filter(({ resolvesTo }) => resolvesTo === undefined);
    const homes = [
      ...refused,
      { home: `http://${testHost}:${pings.host.port}/`, failure: 'https_required' },
    ];
    const strict = createOutboundHttp({
      allow: [],
      userAgent: 'test',
      lookup: async () => ['10.0.0.1'],
    });
    const expected = new Map<string, string>();
    for (const { home, failure } of homes) {
      const site = await pings.makeSite({ restRoot: `${home}wp-json/` });
      expected.set(site.id, failure);
      await change(site);
    }
    await pings.send(pings.createPinger({}, { ...pings.test.ctx, outbound: strict }));
    for (const { site_id, last_error } of await states()) {
      expect(last_error).toBe(expected.get(String(site_id)));
    }
    expect(pings.host.connections().opened).toBe(0);
    expect(pings.counts).toMatchObject({ sent: 0, failed: homes.length });
  });

  it('sends nothing to a host whose certificate has another name', async () => {
    const restRoot = `https://other.test:${pings.host.port}/wp-json/`;
    await change(await pings.makeSite({ restRoot }));
    await pings.send();
    expect(pings.received).toEqual([]);
    expect(await states()).toMatchObject([{ failures: 1, last_error: 'unreachable' }]);
  });

  it('looks names up each time, and refuses one that now has a private address', async () => {
    const [site] = await makeSites(1);
    const responses = [['127.0.0.1'], ['127.0.0.2']];
    const outbound = createSiteClient(certificate as Certificate, () => responses.shift() ?? []);
    const pinger = pings.createPinger({}, { ...pings.test.ctx, outbound });
    for (let times = 0; times < 2; times += 1) {
      await change(site as PingedSite);
      await pings.send(pinger);
      pings.test.clock.advance(10 * second);
    }
    expect(pings.received).toHaveLength(1);
    expect(await states()).toMatchObject([{ sent_seq: 1, last_error: 'address_not_allowed' }]);
  });
});
