import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  hostileBodies,
  hostileSites,
  refusedHomes,
} from '../../../../../test/hosts/hostile-sites.ts';
import { createHubSubscribers, type HubSubscribers } from '../../../../../test/hub-subscriber.ts';
import { makePodcast } from '../../../../../test/make.ts';
import {
  type NotificationTest,
  openNotificationTest,
} from '../../../../../test/open-notification-test.ts';
import { useOneDatabase } from '../../../../../test/use-one-database.ts';
import { newId } from '../../../../lib/uuid.ts';
import { createOutboundHttp } from '../../../../platform/outbound-http/create-outbound-http.ts';
import { type Podcast, updatePodcast } from '../../../publishing/podcasts/index.ts';
import { NotificationCounts } from '../notification-counts.ts';
import { createFeedDeliverer } from './deliver-feeds.ts';
import { claimHubRequests } from './hub-requests.sql.ts';
import { claimDeliveries } from './hub-subscriptions.sql.ts';

const second = 1_000;
const minute = 60 * second;
const settings = { PODCAST_INDEX: 'off', WEBSUB_HUBS: '', PODPING_TOKEN: '' };

const databases = useOneDatabase();
let feeds: NotificationTest;
let hub: HubSubscribers;
let podcast: Podcast;
const open = async (more: Record<string, string>, consume = () => true) => {
  feeds = await openNotificationTest({ ...settings, ...more }, databases, { hub: { consume } });
  hub = createHubSubscribers(feeds);
  podcast = await makePodcast(feeds.test.ctx, { slug: 'night-signals' });
  await feeds.send();
};
afterEach(() => feeds[Symbol.asyncDispose]());

const subscribe = (callback: string) => hub.post({ mode: 'subscribe', topic: hub.topic, callback });
const at = (name: string, path = '/s') => `http://${name}.test:${feeds.host.port}${path}`;
const count = async (table: string, where = 'true') => {
  const [row] = await feeds.rows(`select count(*)::int as count from ${table} where ${where}`);
  return Number(row?.['count']);
};
const claimAt = (at: Date, busyHosts: readonly string[] = []) => {
  const until = new Date(at.getTime() + minute);
  return {
    id: newId(),
    at,
    until,
    limit: 9,
    first: 'oldest',
    busyHosts,
    busyAccounts: [],
  } as const;
};
const insertSubscriptions = (callbacks: number, hosts: number) =>
  feeds.rows(
    `insert into hub_subscriptions (podcast_id, callback_hash, callback, host, created_at, expires_at)
     select $1, sha256(n::text::bytea), 'https://x.test/' || n, 'h' || n % $3 || '.test', $4, $5
     from generate_series(1, $2) n`,
    [podcast.id, callbacks, hosts, feeds.test.clock.now(), new Date('2030-01-01')],
  );
const insertRequests = (callbacks: number, domain: string) =>
  feeds.rows(
    `insert into hub_requests (podcast_id, callback_hash, callback, host, mode, topic,
       lease_seconds, due_at)
     select $1, sha256(n::text::bytea), 'https://x.test/' || n, n || '.' || $3, 'subscribe', '', 1, $4
     from generate_series(1, $2) n`,
    [podcast.id, callbacks, domain, feeds.test.clock.now()],
  );

describe('a callback at a place that must not be reached', () => {
  beforeEach(() => open({}));

  // NOTIFY-2
  it.each(refusedHomes)(
    '$home, resolved to $resolvesTo, is never connected to',
    async (refused) => {
      const { home, resolvesTo, failure } = refused;
      const lookup = async () => [...(resolvesTo ?? ['8.8.8.8'])];
      const strict = createOutboundHttp({ allow: [], userAgent: 'test', lookup });
      const reasons: string[] = [];
      const outbound: typeof strict = {
        request: (url, request) =>
          strict.request(url, request).catch((error) => {
            reasons.push(error.reason);
            throw error;
          }),
        fetchBytes: (url, request) => strict.fetchBytes(url, request),
        [Symbol.asyncDispose]: () => strict[Symbol.asyncDispose](),
      };
      const { statusCode } = await subscribe(home);
      await feeds.send({ ...feeds.test.ctx, outbound });
      const isRefusedAtOnce = failure === 'bad_address' || failure === 'https_required';
      expect([statusCode, reasons]).toEqual(
        isRefusedAtOnce || statusCode === 400 ? [400, []] : [202, [failure]],
      );
      expect(await count('hub_subscriptions')).toBe(0);
    },
  );

  it('a callback without TLS is refused unless OUTBOUND_ALLOW has its network', async () => {
    expect((await subscribe('http://example.com/')).statusCode).toBe(400);
    await feeds[Symbol.asyncDispose]();
    await open({ OUTBOUND_ALLOW: '127.0.0.1' });
    const lookup = async () => ['198.41.0.4'];
    const outbound = createOutboundHttp({ allow: ['127.0.0.1'], userAgent: 'test', lookup });
    expect((await subscribe('http://example.com/')).statusCode).toBe(202);
    await feeds.send({ ...feeds.test.ctx, outbound });
    expect(await count('hub_subscriptions')).toBe(0);
    expect(await count('hub_requests', 'due_at is null and claim is null')).toBe(1);
  });
});

describe('a hostile callback', () => {
  beforeEach(() => open({ OUTBOUND_ALLOW: '127.0.0.1' }));

  it.each([...hostileSites, ...hostileBodies].filter(({ failure }) => failure !== 'timeout'))(
    'a callback that $title confirms nothing',
    async ({ handle }) => {
      hub.answer(handle);
      await subscribe('/s');
      await feeds.send();
      expect(hub.questions()).toHaveLength(1);
      expect(await count('hub_subscriptions')).toBe(0);
    },
  );

  it.each(hostileSites.filter(({ failure }) => failure !== 'timeout'))(
    'a subscriber that $title has not got the feed',
    async ({ handle, failure }) => {
      await hub.subscribe();
      hub.answer(undefined, handle);
      await updatePodcast(feeds.test.ctx, podcast.id, { title: 'Another' });
      await feeds.send();
      const [subscription] = await feeds.rows('select failures, last_error from hub_subscriptions');
      const isStatus = failure === 'too_many_redirects' || failure === 'bad_address';
      expect(subscription).toMatchObject({
        failures: 1,
        last_error: isStatus ? failure : 'unreachable',
      });
    },
  );
});

describe('the limits of the hub', () => {
  beforeEach(() => open({ OUTBOUND_ALLOW: '127.0.0.1' }));

  it('the deliveries of an account that has its share of the places leave the rest to others', async () => {
    await insertSubscriptions(3, 3);
    const { ctx, clock } = feeds.test;
    const [at, until] = [clock.now(), new Date(clock.now().getTime() + minute)];
    await feeds.rows('update hub_subscriptions set due_at = $1', [at]);
    const [{ account_id: accountId } = {}] = await feeds.rows('select account_id from podcasts');
    const claim = (busyAccounts: string[]) => {
      const request = { id: newId(), at, until, limit: 2, first: 'oldest' } as const;
      return claimDeliveries(ctx.db, 'regular', { ...request, busyHosts: [], busyAccounts });
    };
    expect(await claim([`${accountId}`])).toEqual([]);
    expect(await claim([newId()])).toMatchObject([{ accountId }, { accountId }]);
  });

  // NOTIFY-13
  it('claims pass over all hosts of a registered domain that has enough to do', async () => {
    await insertSubscriptions(3, 3);
    await insertRequests(3, 'pod.test');
    const { ctx, clock } = feeds.test;
    const at = clock.now();
    await feeds.rows('update hub_subscriptions set due_at = $1', [at]);
    const asking = (busyHosts: string[]) => claimAt(at, busyHosts);
    expect(await claimHubRequests(ctx.db, asking(['pod.test']))).toEqual([]);
    const sites = (await claimHubRequests(ctx.db, asking(['other.test']))).map(({ site }) => site);
    expect(sites).toEqual(['pod.test', 'pod.test', 'pod.test']);
    await feeds.rows(`update hub_subscriptions set host = 'a.' || host`);
    const claimed = await claimDeliveries(ctx.db, 'regular', asking(['h0.test', 'h1.test']));
    expect(claimed.map(({ site }) => site)).toEqual(['h2.test']);
  });

  // NOTIFY-13
  it('deliveries to a registered domain that is slow have the lane of those that failed', async () => {
    await insertSubscriptions(3, 3);
    const { ctx, clock } = feeds.test;
    const at = clock.now();
    await feeds.rows('update hub_subscriptions set due_at = $1', [at]);
    const sitesIn = async (lane: 'regular' | 'retry') =>
      (await claimDeliveries(ctx.db, lane, claimAt(at), ['h1.test']))
        .map(({ site }) => site)
        .sort();
    expect(await sitesIn('regular')).toEqual(['h0.test', 'h2.test']);
    expect(await sitesIn('retry')).toEqual(['h1.test']);
  });

  it('a subscriber that was slow gets the next feeds', async () => {
    await hub.subscribe(at('a'));
    const now = performance.now.bind(performance);
    let laterMs = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => now() + laterMs);
    onTestFinished(() => void vi.restoreAllMocks());
    hub.answer(undefined, (_, response) => {
      laterMs += 6 * second;
      response.writeHead(204).end();
    });
    const counts = new NotificationCounts();
    const { signal } = new AbortController();
    const sender = createFeedDeliverer(feeds.test.ctx, { signal, counts });
    for (let n = 1; n <= 3; n += 1) {
      const due = feeds.test.clock.now();
      await feeds.rows('update hub_subscriptions set due_at = $1, digest = null', [due]);
      await sender.runOnce();
      await sender.settled();
      expect(hub.deliveries()).toHaveLength(n);
    }
  });

  // NOTIFY-13
  it('five hundred callbacks of a registered domain wait at most, and leave room to others', async () => {
    await insertRequests(500, 'pod.test');
    const refused = await subscribe(at('a.pod'));
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '60']);
    expect((await subscribe(at('a.other'))).statusCode).toBe(202);
  });

  // NOTIFY-6
  it('a host has at most ten subscriptions of a show, also when several are confirmed at once', async () => {
    for (let n = 0; n < 9; n += 1) await subscribe(at('a', `/s${n}`));
    await feeds.send();
    feeds.test.clock.advance(minute);
    await feeds.send();
    expect(await count('hub_subscriptions')).toBe(9);
    await subscribe(at('a', '/s10'));
    await subscribe(at('a', '/s11'));
    feeds.test.clock.advance(minute);
    await Promise.all([feeds.send(), feeds.send()]);
    expect(await count('hub_subscriptions')).toBe(10);
    const denied = feeds.received.filter(({ path }) => path.includes('hub.mode=denied'));
    expect(denied).toHaveLength(1);
    await hub.subscribe(at('a', '/s3'));
    expect(feeds.received.at(-1)?.path).toContain('hub.mode=subscribe');
    await hub.subscribe(at('b', '/s'));
    expect(await count('hub_subscriptions')).toBe(11);
  });

  // NOTIFY-6
  it('a show has at most 1,000 subscriptions, also when several are confirmed at once', async () => {
    await insertSubscriptions(999, 500);
    for (const name of ['a', 'b', 'c']) await subscribe(at(name));
    await Promise.all([feeds.send(), feeds.send()]);
    expect(await count('hub_subscriptions')).toBe(1_000);
    const other = await makePodcast(feeds.test.ctx, { slug: 'other' });
    const topic = 'https://pods.test/feeds/other.xml';
    await hub.post({ mode: 'subscribe', topic, callback: at('a') });
    feeds.test.clock.advance(minute);
    await feeds.send();
    expect(await count('hub_subscriptions', `podcast_id = '${other.id}'`)).toBe(1);
  });

  // NOTIFY-6
  it('a registered domain has at most twenty subscriptions of a show, whatever its hosts are', async () => {
    await feeds.rows(
      `insert into hub_subscriptions (podcast_id, callback_hash, callback, host, created_at, expires_at)
       select $1, sha256(n::text::bytea), 'https://x.test/' || n, n || '.pod.test', $2, $3
       from generate_series(1, 19) n`,
      [podcast.id, feeds.test.clock.now(), new Date('2030-01-01')],
    );
    for (const name of ['a.pod', 'b.pod', 'pod', 'a.other']) await subscribe(at(name));
    for (let n = 0; n < 4; n += 1) {
      feeds.test.clock.advance(second);
      await feeds.send();
    }
    const count20 = await count('hub_subscriptions', "host ~ '(^|[.])pod[.]test$'");
    expect([count20, await count('hub_subscriptions')]).toEqual([20, 21]);
  });

  it('a place is free again when a subscription ends', async () => {
    await insertSubscriptions(1_000, 500);
    await hub.subscribe(at('a'));
    expect(await count('hub_subscriptions')).toBe(1_000);
    feeds.test.clock.set(new Date('2030-01-02'));
    await hub.subscribe(at('a'));
    expect(await count('hub_subscriptions')).toBe(1);
  });

  it('subscriptions that nobody confirms take no places, and are deleted soon', async () => {
    hub.answer((_, response) => void response.writeHead(404).end());
    for (let n = 0; n < 30; n += 1) await subscribe(at('a', `/s${n}`));
    feeds.test.clock.advance(minute);
    await feeds.send();
    expect(feeds.received).toHaveLength(30);
    hub.answer(undefined);
    await hub.subscribe(at('a', '/s30'));
    expect(await count('hub_subscriptions')).toBe(1);
    feeds.test.clock.advance(2 * minute);
    await feeds.send();
    expect([await count('hub_requests'), await count('hub_hosts')]).toEqual([0, 0]);
  });

  // NOTIFY-7
  it('a host that has confirmed nothing is asked once a second, and its line has an end', async () => {
    hub.answer((_, response) => void response.writeHead(404).end());
    const codes: number[] = [];
    for (let n = 0; n < 70; n += 1)
      codes.push((await subscribe(at('victim', `/s${n}`))).statusCode);
    expect(codes.filter((code) => code === 202)).toHaveLength(61);
    const refused = await subscribe(at('VICTIM'));
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '60']);
    expect(refused.headers['content-type']).toBe('text/plain; charset=utf-8');
    await feeds.send();
    expect(feeds.received).toHaveLength(1);
    feeds.test.clock.advance(5 * second);
    await feeds.send();
    expect(feeds.received).toHaveLength(6);
    expect((await subscribe(at('other'))).statusCode).toBe(202);
  });

  // NOTIFY-7
  it('hosts of one registered domain that have confirmed nothing are asked in one line', async () => {
    hub.answer((_, response) => void response.writeHead(404).end());
    const codes: number[] = [];
    for (let n = 0; n < 70; n += 1) codes.push((await subscribe(at(`h${n}.victim`))).statusCode);
    expect(codes.filter((code) => code === 202)).toHaveLength(61);
    feeds.test.clock.advance(5 * second);
    await feeds.send();
    expect(feeds.received).toHaveLength(6);
    expect(await count('hub_hosts')).toBe(1);
  });

  it('a host with a subscription may have many more in the same minute', async () => {
    const shows = await Promise.all(
      Array.from({ length: 100 }, (_, n) => makePodcast(feeds.test.ctx, { slug: `show-${n}` })),
    );
    await hub.subscribe(at('aggregator', '/s'));
    for (const { slug } of shows) {
      const topic = `https://pods.test/feeds/${slug}.xml`;
      const callback = at('aggregator', `/s/${slug}`);
      const { statusCode } = await hub.post({ mode: 'subscribe', topic, callback });
      expect(statusCode).toBe(202);
    }
    feeds.test.clock.advance(6 * second);
    await feeds.send();
    expect(await count('hub_subscriptions')).toBe(101);
  });

  it('a callback is asked once in ten seconds about a show, about the newest request', async () => {
    hub.answer((_, response) => void response.writeHead(404).end());
    await subscribe('/s');
    await feeds.send();
    for (let n = 1; n < 5; n += 1) {
      feeds.test.clock.advance(2 * second);
      await hub.post({
        ...{ mode: 'subscribe', topic: hub.topic, callback: '/s' },
        lease_seconds: `${86_400 + n}`,
      });
      await feeds.send();
    }
    expect(hub.questions()).toHaveLength(1);
    feeds.test.clock.advance(2 * second);
    await feeds.send();
    expect(hub.questions().map((asked) => asked['lease_seconds'])).toEqual(['864000', '86404']);
  });

  it('nobody is asked whether to end a subscription that does not exist', async () => {
    const { statusCode } = await hub.post({
      ...{ mode: 'unsubscribe', topic: hub.topic, callback: '/s' },
    });
    await feeds.send();
    expect([statusCode, feeds.received]).toEqual([202, []]);
  });

  it('a request that replaces one which is being asked is confirmed alone', async () => {
    hub.answer(async ({ url = '' }, response) => {
      const { searchParams } = new URL(url, 'http://x');
      if (hub.questions().length === 1)
        await hub.post({ mode: 'unsubscribe', topic: hub.topic, callback: '/s' });
      response.end(searchParams.get('hub.challenge'));
    });
    await subscribe('/s');
    await feeds.send();
    expect(await count('hub_subscriptions')).toBe(0);
    feeds.test.clock.advance(10 * second);
    await feeds.send();
    expect(hub.questions().map(({ mode }) => mode)).toEqual(['subscribe', 'unsubscribe']);
    expect(await count('hub_subscriptions')).toBe(0);
  });

  it('a callback whose worker was killed is asked by the next one', async () => {
    await subscribe('/s');
    const until = new Date(feeds.test.clock.now().getTime() + 90 * second);
    await feeds.rows(
      'update hub_requests set due_at = null, claim = gen_random_uuid(), claimed_until = $1',
      [until],
    );
    await feeds.send();
    expect(feeds.received).toEqual([]);
    feeds.test.clock.set(until);
    await feeds.send();
    expect(await count('hub_subscriptions')).toBe(1);
  });

  it('a clock that was set back closes no line', async () => {
    for (let n = 0; n < 20; n += 1) await subscribe(at('a', `/s${n}`));
    feeds.test.clock.advance(-365 * 24 * 60 * minute);
    expect((await subscribe(at('a', '/t'))).statusCode).toBe(202);
    await feeds.send();
    expect(feeds.received.length).toBeGreaterThan(0);
  });
});

// NOTIFY-7, LIM-23
it('requests to the hub have a limit of their own', async () => {
  let left = 2;
  await open({ OUTBOUND_ALLOW: '127.0.0.1' }, () => left-- > 0);
  const codes: number[] = [];
  for (let n = 0; n < 3; n += 1) codes.push((await subscribe('/s')).statusCode);
  expect(codes).toEqual([202, 202, 429]);
});
