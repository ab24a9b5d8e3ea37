import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  type Certificate,
  makeCertificate,
  testHost,
} from '../../../../../test/hosts/certificate.ts';
import {
  hostileBodies,
  hostileSites,
  refusedHomes,
} from '../../../../../test/hosts/hostile-sites.ts';
import { makeEpisode, makePodcast, makeUser } from '../../../../../test/make.ts';
import { openWebhookTest, type WebhookTest } from '../../../../../test/open-webhook-test.ts';
import { patience } from '../../../../../test/patience.ts';
import { useOneDatabase } from '../../../../../test/use-one-database.ts';
import { createOutboundHttp } from '../../../../platform/outbound-http/create-outbound-http.ts';
import { updateEpisode } from '../../../publishing/episodes/index.ts';
import type { Podcast } from '../../../publishing/podcasts/index.ts';
import { listDeliveries, startWebhooks, testWebhook } from '../index.ts';
import { tryParseWebhookUrl } from '../webhook-url.ts';
import { claimWebhooks, countWebhooks } from './queue.sql.ts';

const certificate = makeCertificate();
const minute = 60_000;
const limits = { connectTimeoutMs: 20_000, timeoutMs: 20_000, bodyTimeoutMs: 20_000 };

describe.skipIf(certificate === undefined)('a worker', () => {
  const databases = useOneDatabase();
  let hooks: WebhookTest;
  let podcast: Podcast;
  beforeEach(async () => {
    hooks = await openWebhookTest(certificate as Certificate, databases);
    podcast = await makePodcast(hooks.test.ctx);
    hooks.test.clock.advance(1);
  });
  afterEach(() => hooks[Symbol.asyncDispose]());

  const publish = (of = podcast, count = 1) =>
    Promise.all(Array.from({ length: count }, () => makeEpisode(hooks.test.ctx, of)));
  const makeWebhookOf = (at: number) =>
    hooks.makeWebhook(podcast, { url: `https://h${at}.sites.test:${hooks.host.port}/` });
  const webhooks = () => hooks.rows('select * from webhooks order by created_at, id');
  const paths = () => hooks.received.map(({ path }) => path).sort();
  const deliveries = async (webhookId: string, of = podcast) => {
    const ref = { podcastId: of.id, webhookId };
    return (await listDeliveries(hooks.test.ctx, ref, { limit: 100 })).items;
  };

  it('shares the work with others: each webhook is told once', async () => {
    for (let at = 0; at < 10; at += 1) await makeWebhookOf(at);
    await publish(podcast, 10);
    await Promise.all([hooks.send(), hooks.send(), hooks.send()]);
    expect(hooks.received).toHaveLength(100);
    expect(new Set(hooks.received.map(({ told }) => told.id)).size).toBe(100);
  });

  it('a worker takes over what a killed worker had claimed, after its claim has ended', async () => {
    await hooks.makeWebhook(podcast);
    await publish();
    hooks.respond(() => undefined);
    const { ctx, clock } = hooks.test;
    await hooks.createSender({ limits: { ...limits, timeoutMs: 1 } }).runOnce();
    await vi.waitFor(async () => expect((await webhooks())[0]?.['claim']).toBeNull(), patience);
    // As if a worker died during a request.
    const [at, until] = [clock.now(), new Date(clock.now().getTime() + 90_000)];
    await hooks.rows('update webhooks set due_at = $1', [at]);
    const request = {
      id: podcast.id,
      at,
      until,
      limit: 1,
      first: 'oldest',
      busyHosts: [],
      busyAccounts: [],
    } as const;
    expect(await claimWebhooks(ctx.db, 'retry', request)).toHaveLength(1);
    hooks.respond(undefined);
    expect(await hooks.told()).toEqual([]);
    clock.set(until);
    expect(await hooks.told()).toEqual(['episode.published']);
  });

  it('finds by itself what is due, also what becomes due while it runs', async () => {
    const { ctx, webhookCounts: counts } = hooks.test;
    await hooks.makeWebhook(podcast);
    await publish();
    const present = await hooks.test.loadWebhookPresenter();
    await using _worker = startWebhooks(ctx, { present, counts });
    await vi.waitUntil(() => hooks.received.length === 1, patience);
    await publish();
    await vi.waitUntil(() => hooks.received.length === 2, patience);
  });

  it('leaves unfinished deliveries to the next worker when it stops', async () => {
    const asked = Promise.withResolvers<void>();
    hooks.respond(() => asked.resolve());
    const { ctx, webhookCounts: counts } = hooks.test;
    await hooks.makeWebhook(podcast);
    const present = await hooks.test.loadWebhookPresenter();
    const worker = startWebhooks(ctx, { present, counts });
    await publish();
    await asked.promise;
    await worker[Symbol.asyncDispose]();
    expect(await webhooks()).toMatchObject([{ claim: null, failing_since: null }]);
    hooks.respond(undefined);
    expect(await hooks.told()).toEqual(['episode.published']);
  });

  it('sends a delivery again if its success could not be stored', async () => {
    await hooks.makeWebhook(podcast);
    await publish();
    hooks.respond(async (_, response) => {
      await hooks.rows('alter table webhook_deliveries rename to deliveries_away');
      response.end();
    });
    const sender = hooks.createSender();
    await sender.runOnce();
    await sender.settled();
    hooks.respond(undefined);
    await hooks.rows('alter table deliveries_away rename to webhook_deliveries');
    hooks.test.clock.advance(90_000);
    await hooks.send();
    expect(new Set(hooks.received.map(({ told }) => told.id)).size).toBe(1);
    expect(hooks.received).toHaveLength(2);
    expect(await countWebhooks(hooks.test.ctx.db, hooks.test.clock.now())).toMatchObject({
      due: 0,
    });
  });

  // HOOK-8
  it('a flood for silent webhooks does not delay those of other shows', async () => {
    for (let at = 0; at < 4; at += 1) {
      const show = await makePodcast(hooks.test.ctx);
      hooks.test.clock.advance(1);
      for (const part of ['a', 'b', 'c']) await hooks.makeWebhook(show, { path: `/silent${part}` });
      await publish(show, 10);
    }
    hooks.respond((request, response) => {
      if (request.url?.startsWith('/silent') !== true) response.end();
    });
    const stopping = new AbortController();
    const sender = hooks.createSender({ signal: stopping.signal });
    await sender.runOnce();
    await vi.waitUntil(() => hooks.received.length >= 8 * 3, patience);
    // One host has places for eight webhooks at once, so that those of other hosts have some.
    const elsewhere = await makePodcast(hooks.test.ctx);
    hooks.test.clock.advance(1);
    await hooks.makeWebhook(elsewhere, {
      url: `https://other.sites.test:${hooks.host.port}/quick`,
    });
    await publish(elsewhere);
    await sender.runOnce();
    await vi.waitUntil(() => paths().includes('/quick'), patience);
    expect(hooks.received.filter(({ path }) => path !== '/quick')).toHaveLength(24);
    stopping.abort();
    await sender.settled();
  });

  // HOOK-16
  it('slow webhooks of one account, each at a host of its own, leave places for others', async () => {
    const { ctx, clock } = hooks.test;
    const owner = await makeUser(ctx);
    for (let show = 0; show < 4; show += 1) {
      const own = await makePodcast(ctx, { owner });
      clock.advance(1);
      for (let at = 0; at < 10; at += 1) {
        const host = `slow${show}-${at}.sites.test:${hooks.host.port}`;
        await hooks.makeWebhook(own, { url: `https://${host}/slow` });
      }
      await publish(own);
    }
    const slow: (() => void)[] = [];
    hooks.respond((request, response) => {
      if (request.url === '/slow') slow.push(() => response.end());
      else response.end();
    });
    const sender = hooks.createSender();
    await sender.runOnce();
    await vi.waitUntil(() => slow.length >= 8, patience);
    await hooks.makeWebhook(podcast, { path: '/quick' });
    await publish();
    await sender.runOnce();
    await vi.waitUntil(() => paths().includes('/quick'), patience);
    // A quarter of the places.
    expect(slow).toHaveLength(8);
    hooks.respond(undefined);
    for (const end of slow) end();
    await hooks.send(sender);
    expect(hooks.received).toHaveLength(41);
  });

  // HOOK-8
  it('a host gets few requests a minute from a show, whoever sends, and all of them later', async () => {
    const { ctx, clock } = hooks.test;
    for (const path of ['/a', '/b', '/c']) await hooks.makeWebhook(podcast, { path });
    await publish(podcast, 10);
    const rate = { perShow: 12, perAccount: 100, perHost: 20 };
    const sendWithLimit = () =>
      Promise.all([1, 2].map(() => hooks.send(hooks.createSender({ rate }))));
    await sendWithLimit();
    expect(hooks.received).toHaveLength(12);
    // Another show is told at the same host, while all of them have less than its limit.
    const elsewhere = await makePodcast(ctx);
    clock.advance(1);
    await hooks.makeWebhook(elsewhere, { path: '/elsewhere' });
    await publish(elsewhere, 9);
    await sendWithLimit();
    expect(hooks.received).toHaveLength(20);
    expect(paths().filter((path) => path === '/elsewhere')).toHaveLength(8);
    for (let at = 0; at < 8 && hooks.received.length < 39; at += 1) {
      const before = hooks.received.length;
      clock.advance(minute);
      await sendWithLimit();
      expect(hooks.received.length - before).toBeLessThanOrEqual(20);
    }
    expect(new Set(hooks.received.map(({ told }) => told.id)).size).toBe(39);
    const attempts = await hooks.rows('select distinct state, attempts from webhook_deliveries');
    expect(attempts).toEqual([{ state: 'delivered', attempts: 1 }]);
  });

  // HOOK-8
  it('a host gets few requests a minute from the shows of an account, and more from others', async () => {
    const { ctx, clock } = hooks.test;
    const owner = await makeUser(ctx);
    for (const path of ['/a', '/b', '/c']) {
      const show = await makePodcast(ctx, { owner });
      clock.advance(1);
      await hooks.makeWebhook(show, { path });
      await publish(show, 5);
    }
    const rate = { perShow: 6, perAccount: 8, perHost: 100 };
    const sendWithLimit = () => hooks.send(hooks.createSender({ rate }));
    await sendWithLimit();
    expect(hooks.received).toHaveLength(8);
    await hooks.makeWebhook(podcast, { path: '/elsewhere' });
    await publish(podcast, 5);
    await sendWithLimit();
    expect(paths().filter((path) => path === '/elsewhere')).toHaveLength(5);
    expect(hooks.received).toHaveLength(13);
    clock.advance(2 * minute);
    await sendWithLimit();
    expect(hooks.received).toHaveLength(20);
  });

  it('a test is sent before what waits for the next minutes of the host', async () => {
    const { ctx, clock } = hooks.test;
    const rate = { perShow: 6, perAccount: 6, perHost: 6 };
    const sendWithLimit = () => hooks.send(hooks.createSender({ rate }));
    const { webhook } = await hooks.makeWebhook(podcast);
    await publish(podcast, 20);
    await sendWithLimit();
    await testWebhook(ctx, { podcastId: podcast.id, webhookId: webhook.id });
    clock.advance(2 * minute);
    await sendWithLimit();
    const types = hooks.received.map(({ told }) => told.type);
    expect(types.slice(6)).toHaveLength(6);
    expect(types.slice(6)).toContain('ping');
  });

  it('a minute that is full begins with webhooks that were sent less in the one before', async () => {
    const { clock } = hooks.test;
    const rate = { perShow: 6, perAccount: 6, perHost: 6 };
    const sendWithLimit = () => hooks.send(hooks.createSender({ rate }));
    await hooks.makeWebhook(podcast, { path: '/much' });
    await publish(podcast, 20);
    await sendWithLimit();
    const elsewhere = await makePodcast(hooks.test.ctx);
    clock.advance(1);
    await hooks.makeWebhook(elsewhere, { path: '/little' });
    await publish(elsewhere, 1);
    await sendWithLimit();
    expect(paths()).not.toContain('/little');
    clock.advance(minute);
    await sendWithLimit();
    expect(hooks.received.at(-1)?.path).toBe('/little');
  });

  it('tells of many publications at once, and knows afterwards what was told', async () => {
    const { ctx, clock } = hooks.test;
    for (let at = 0; at < 10; at += 1) await makeWebhookOf(at);
    const scheduledFor = new Date(clock.now().getTime() + minute);
    const schedule = { status: 'scheduled', scheduledFor } as const;
    const episodes = await Promise.all(
      Array.from({ length: 40 }, () => makeEpisode(ctx, podcast, schedule)),
    );
    clock.set(scheduledFor);
    await hooks.send();
    expect(hooks.received).toHaveLength(400);
    const [{ id } = { id: '' }] = episodes;
    await updateEpisode(ctx, id, { itunesBlock: true });
    expect(await hooks.told()).toEqual([]);
    await updateEpisode(ctx, id, { title: 'Public' });
    expect(await hooks.told()).toEqual(Array.from({ length: 10 }, () => 'episode.updated'));
  });

  // HOOK-13
  for (const { home, resolvesTo = ['127.0.0.1'], failure } of refusedHomes) {
    const title = `does not send to ${home}${resolvesTo[0] === '127.0.0.1' ? '' : ` at ${resolvesTo}`}`;
    it(title, async () => {
      const lookup = async () => resolvesTo;
      const outbound = createOutboundHttp({ allow: [], userAgent: 'test', lookup });
      const ctx = { ...hooks.test.ctx, outbound };
      const { webhook } = await hooks.makeWebhook(podcast);
      const isRefusedBefore = tryParseWebhookUrl(home) === undefined;
      expect(isRefusedBefore).toBe(failure === 'bad_address' || failure === 'https_required');
      if (isRefusedBefore) return;
      await hooks.rows('update webhooks set url = $1', [tryParseWebhookUrl(home)?.url]);
      await testWebhook(ctx, { podcastId: podcast.id, webhookId: webhook.id });
      await hooks.send(hooks.createSender({}, ctx));
      expect(await deliveries(webhook.id)).toMatchObject([
        { state: 'failed', status: null, error: failure, response: null },
      ]);
      expect(hooks.received).toEqual([]);
    });
  }

  // HOOK-13: a redirect is a failure.
  for (const { title, handle, failure } of hostileSites) {
    it(`records the failure of a receiver that ${title}`, async () => {
      hooks.respond(handle);
      const isSlow = failure === 'timeout';
      const { webhook } = await hooks.makeWebhook(podcast);
      await testWebhook(hooks.test.ctx, { podcastId: podcast.id, webhookId: webhook.id });
      const impatient = isSlow ? { limits: { ...limits, timeoutMs: 300 } } : {};
      await hooks.send(hooks.createSender(impatient));
      const [delivery] = await deliveries(webhook.id);
      expect(delivery).toMatchObject({ state: 'failed', status: null, error: failure });
      expect(hooks.received).toHaveLength(1);
    });
  }

  for (const { title, handle } of [
    ...hostileBodies,
    {
      title: 'has a body of 10 MB',
      handle: (_: unknown, response: import('node:http').ServerResponse) =>
        void response.writeHead(200).end('x'.repeat(10_000_000)),
    },
  ]) {
    it(`a receiver that responds 200 and ${title} has the delivery`, async () => {
      hooks.respond(handle as Parameters<typeof hooks.respond>[0]);
      const { webhook } = await hooks.makeWebhook(podcast);
      await testWebhook(hooks.test.ctx, { podcastId: podcast.id, webhookId: webhook.id });
      await hooks.send(hooks.createSender({ limits: { ...limits, bodyTimeoutMs: 300 } }));
      const [delivery] = await deliveries(webhook.id);
      expect(delivery).toMatchObject({ state: 'delivered', status: 200, error: null });
      expect(delivery?.response?.length).toBeLessThanOrEqual(1_000);
    });
  }

  it('the URL of a webhook keeps its port and query', async () => {
    expect(tryParseWebhookUrl(`https://${testHost}:8443/a?token=b`)).toEqual({
      url: `https://${testHost}:8443/a?token=b`,
      host: `${testHost}:8443`,
    });
  });
});
