import { createHash, randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { freePort } from '../../../../../test/free-port.ts';
import { discoverTopic, parseLinkHeader } from '../../../../../test/hosts/web-links.ts';
import {
  openWebSubSubscriber,
  type TopicRequest,
  type TopicSubscription,
  type WebSubSubscriber,
} from '../../../../../test/hosts/websub-subscriber.ts';
import { makePodcast } from '../../../../../test/make.ts';
import {
  type NotificationTest,
  openNotificationTest,
} from '../../../../../test/open-notification-test.ts';
import { useOneDatabase } from '../../../../../test/use-one-database.ts';
import {
  type Podcast,
  setPodcastStatus,
  updatePodcast,
} from '../../../publishing/podcasts/index.ts';

// Each MUST and SHOULD for publishers and hubs in the W3C Recommendation "WebSub" of 23 January 2018
// (https://www.w3.org/TR/2018/REC-websub-20180123/), with a subscriber written from that text. What it
// leaves to a hub is in hub.db.test.ts.

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

const databases = useOneDatabase();
let feeds: NotificationTest;
let subscriber: WebSubSubscriber;
let podcast: Podcast;
/** The subscription of most tests, and what it has discovered. */
let subscription: TopicSubscription;
let found: Required<Pick<TopicRequest, 'hub' | 'topic'>>;

beforeEach(async () => {
  const port = await freePort();
  feeds = await openNotificationTest(
    {
      BASE_URL: `http://127.0.0.1:${port}`,
      PODCAST_INDEX: 'off',
      WEBSUB_HUBS: '',
      PODPING_TOKEN: '',
      OUTBOUND_ALLOW: '127.0.0.1',
    },
    databases,
  );
  await feeds.test.http.server.listen({ port, host: '127.0.0.1' });
  subscriber = await openWebSubSubscriber(now);
  podcast = await makePodcast(feeds.test.ctx, { slug: 'night-signals', title: 'Night Signals' });
  await feeds.makeListed(podcast);
  await feeds.send();
  subscription = subscriber.createSubscription();
  found = await discover();
});
afterEach(async () => {
  await subscriber[Symbol.asyncDispose]();
  await feeds[Symbol.asyncDispose]();
});

const now = () => feeds.test.clock.now().getTime();
const feedUrlOf = (slug: string) => `${feeds.test.config.baseUrl}/feeds/${slug}.xml`;

async function discover(resource = feedUrlOf('night-signals')) {
  const { hubs, self } = await subscriber.discover(resource);
  const [hub] = hubs;
  if (hub === undefined || self === undefined) throw new Error(`${resource} names no hub or topic`);
  return { hub, topic: self };
}

/** Lets the hub do what is due after the pauses between its requests. */
async function work(milliseconds = 30 * second): Promise<void> {
  feeds.test.clock.advance(milliseconds);
  await feeds.send();
}

async function publish(title: string): Promise<void> {
  await updatePodcast(feeds.test.ctx, podcast.id, { title });
  await work();
}

async function subscribed(request: Partial<TopicRequest> = {}, to = subscription): Promise<void> {
  expect(await to.subscribe({ ...found, ...request })).toMatchObject({ status: 202 });
  await work();
}

const titlesOf = ({ contents }: TopicSubscription) =>
  contents.map(({ body }) => /<title>([^<]+)/.exec(body.toString())?.[1]);
const respondWith =
  (status: number, body = '', headers: Record<string, string> = {}) =>
  (_: IncomingMessage, response: ServerResponse) =>
    void response.writeHead(status, headers).end(body);
const postForm = (body: string, type = 'application/x-www-form-urlencoded') =>
  fetch(found.hub, { method: 'POST', body, headers: { 'content-type': type } });

type Rule = readonly [
  section: string,
  level: 'MUST' | 'SHOULD',
  text: string,
  check: () => Promise<void>,
];
const rule = (...all: Rule): Rule => all;

const publishing: readonly Rule[] = [
  rule('4', 'MUST', 'names its hub and its topic in a way that can be discovered', async () => {
    const hubs = [`${feeds.test.config.baseUrl}/hub`];
    const expected = { hubs, self: feedUrlOf('night-signals'), from: 'headers' };
    expect(await subscriber.discover(feedUrlOf('night-signals'))).toEqual(expected);
  }),
  rule('4', 'SHOULD', 'has a Link header with rel=hub and exactly one with rel=self', async () => {
    for (const method of ['GET', 'HEAD']) {
      const response = await fetch(found.topic, { method });
      const links = parseLinkHeader(response.headers.get('link') ?? '', found.topic);
      expect(links).toEqual([
        { rel: 'hub', url: found.hub },
        { rel: 'self', url: found.topic },
      ]);
    }
  }),
  rule('4', 'SHOULD', 'has link elements in an XML feed', async () => {
    const response = await fetch(found.topic);
    const type = response.headers.get('content-type') ?? '';
    const silent = new Response(await response.text(), { headers: { 'content-type': type } });
    Object.defineProperty(silent, 'url', { value: found.topic });
    const inDocument = { hubs: [found.hub], self: found.topic, from: 'document' };
    expect(await discoverTopic(silent)).toEqual(inDocument);
  }),
  rule('4.1', 'SHOULD', 'offers a single representation at the rel=self URL', async () => {
    const read = async (headers: Record<string, string>) =>
      await (await fetch(found.topic, { headers })).text();
    const feed = await read({});
    for (const accept of ['text/html', 'application/json', 'application/atom+xml'])
      expect(await read({ accept, 'accept-language': 'de' })).toBe(feed);
  }),
  rule('6', 'MUST', 'informs the hub when a topic has been updated', async () => {
    await subscribed();
    await publish('Another');
    expect(titlesOf(subscription)).toEqual(['Another']);
  }),
  rule('6.1', 'SHOULD', 'redirects a previous topic URL to the new one', async () => {
    await updatePodcast(feeds.test.ctx, podcast.id, { slug: 'day-signals' });
    expect(await discover()).toEqual({ ...found, topic: feedUrlOf('day-signals') });
  }),
];

const requests: readonly Rule[] = [
  rule('5.1', 'MUST', 'accepts callback, mode and topic, and a secret', async () => {
    await subscribed();
    expect(subscription.state).toBe('active');
    await subscribed({ secret: randomBytes(99).toString('hex') });
    await publish('Another');
    expect(subscription.contents).toMatchObject([{ trusted: true }]);
  }),
  rule('5.1', 'MUST', 'supports unsubscribing, and ignores the lease in it', async () => {
    await subscribed();
    for (const leaseSeconds of ['none', -1]) {
      const reply = await subscription.unsubscribe({ ...found, leaseSeconds });
      expect(reply.status).toBe(202);
    }
    await work();
    expect(subscription.state).toBe('ended');
    await publish('Another');
    expect(subscription.contents).toEqual([]);
  }),
  rule('5.1', 'MUST', 'ignores parameters that it does not understand', async () => {
    const form = new URLSearchParams({
      ...{ 'hub.mode': 'subscribe', 'hub.callback': subscription.callback },
      ...{ 'hub.topic': found.topic, 'hub.verify': 'sync', 'hub.verify_token': 'a', other: '' },
    });
    const twice = '&hub.verify=async&hub.x[y]=1&constructor=1&__proto__=1&=1&a';
    expect((await postForm(`${form}${twice}`)).status).toBe(202);
    const many = Array.from({ length: 300 }, (_, at) => `p${at}=1`).join('&');
    expect((await postForm(`${many}&${form}`)).status).toBe(202);
  }),
  rule(
    '5.1',
    'MUST',
    'lets subscribers renew, with another secret or none, and lease',
    async () => {
      await subscribed({ leaseSeconds: 86_400, secret: 'one' });
      const first = subscription.until ?? 0;
      await subscribed({ leaseSeconds: 90_000, secret: 'two' });
      expect(subscription.until).toBeGreaterThan(first);
      await publish('Another');
      await subscribed();
      await publish('A third');
      expect(subscription.contents).toMatchObject([{ trusted: true }, { trusted: true }]);
      expect(subscription.contents.at(-1)?.signature).toBeUndefined();
    },
  ),
  rule(
    '5.1',
    'MUST',
    'changes nothing until a request is confirmed, and if it is not',
    async () => {
      await subscribed({ secret: 'one' });
      await subscription.subscribe({ ...found, secret: 'two' });
      subscription.question = respondWith(404);
      await updatePodcast(feeds.test.ctx, podcast.id, { title: 'Another' });
      await work();
      await subscription.unsubscribe(found);
      await publish('A third');
      expect(subscription.questions).toHaveLength(3);
      expect(subscription.contents).toMatchObject([{ trusted: true }, { trusted: true }]);
    },
  ),
  rule('5.1.1', 'MUST', 'decodes non-reserved characters of the topic', async () => {
    const topic = found.topic.replace('night', '%6eigh%74').replace('feeds', 'f%65eds');
    await subscribed({ topic });
    expect(subscription.questions).toMatchObject([{ topic }]);
    await publish('Another');
    expect(titlesOf(subscription)).toEqual(['Another']);
  }),
  rule('5.1.1', 'MUST', 'preserves the query of the callback and appends its own', async () => {
    const query = 'foo=bar&red=fish&hub.mode=x&a=%2f%41+b&&c';
    const own = subscriber.createSubscription(query);
    await subscribed({}, own);
    const parameters = (target = '') => target.slice(target.indexOf('?') + 1);
    const asked = parameters(own.questions[0]?.target);
    expect(asked.slice(0, query.length + 20)).toBe(`${query}&hub.mode=subscribe&`);
    await publish('Another');
    expect(own.contents.map(({ target }) => parameters(target))).toEqual([query]);
  }),
  rule('5.1.2', 'MUST', 'responds 202, whatever the verification will find', async () => {
    const answers = [respondWith(404), respondWith(500), respondWith(200, 'no'), undefined];
    const replies = [];
    for (const answer of answers) {
      subscription.question = answer;
      replies.push(await subscription.subscribe(found));
      await work();
    }
    expect(new Set(replies.map((reply) => JSON.stringify(reply))).size).toBe(1);
    expect(replies[0]?.status).toBe(202);
  }),
  rule('5.1.2', 'SHOULD', 'verifies a request at once', async () => {
    await subscription.subscribe(found);
    await feeds.send();
    expect(subscription.state).toBe('active');
  }),
  rule('5.1.2', 'MUST', 'refuses wrong requests with 4xx, and SHOULD say why in text', async () => {
    const { callback } = subscription;
    const good = new URLSearchParams({
      ...{ 'hub.mode': 'subscribe', 'hub.callback': callback, 'hub.topic': found.topic },
    });
    const refused = [
      await postForm(''),
      await postForm(`${good}`.replace('hub.mode=subscribe', 'hub.mode=other')),
      await postForm(`${good}`.replace('night', 'noon')),
      await postForm(`${good}&hub.secret=${'x'.repeat(200)}`),
      await postForm(`${good}&hub.lease_seconds=soon`),
      await postForm(JSON.stringify({ 'hub.mode': 'subscribe' }), 'application/json'),
      await postForm(`${good}&x=${'x'.repeat(2_000_000)}`),
    ];
    for (const response of refused) {
      expect(response.status).toBeGreaterThanOrEqual(400);
      expect(response.status).toBeLessThan(500);
      expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
      expect(await response.text()).toMatch(/\w+ \w+.*\n$/);
    }
    await work();
    expect(subscription.questions).toEqual([]);
  }),
];

const verification: readonly Rule[] = [
  rule('5.2', 'MUST', 'informs the callback of a denial, with mode, topic and reason', async () => {
    await subscription.subscribe(found);
    await setPodcastStatus(feeds.test.ctx, podcast.id, 'draft');
    await work();
    expect(subscription).toMatchObject({ state: 'denied', questions: [{ mode: 'denied' }] });
    expect(subscription.questions[0]).toMatchObject({ topic: found.topic, challenge: '' });
  }),
  rule('5.3', 'MUST', 'asks with mode, topic, challenge and the lease in seconds', async () => {
    await subscribed();
    await subscription.unsubscribe(found);
    await work();
    const { topic } = found;
    expect(subscription.questions).toMatchObject([
      { mode: 'subscribe', topic, challenge: expect.stringMatching(/./), leaseSeconds: 864_000 },
      { mode: 'unsubscribe', topic, challenge: expect.stringMatching(/./) },
    ]);
  }),
  rule('5.3', 'MUST', 'sends nothing to a callback that did not ask for it', async () => {
    await postForm(
      `${new URLSearchParams({
        ...{ 'hub.mode': 'subscribe', 'hub.callback': subscription.callback },
        ...{ 'hub.topic': found.topic, 'hub.secret': "someone else's" },
      })}`,
    );
    await work();
    await publish('Another');
    expect(subscription).toMatchObject({ state: 'none', contents: [] });
    expect(subscription.questions).toHaveLength(1);
  }),
  ...[
    respondWith(301, '', { location: '/' }),
    respondWith(404),
    respondWith(500),
    respondWith(200, 'another body'),
  ].map((answer, at) =>
    rule(
      '5.3.1',
      'MUST',
      `takes a wrong answer for a failed verification (${at + 1})`,
      async () => {
        subscription.question = answer;
        await subscribed();
        await publish('Another');
        expect(subscription.questions).toHaveLength(1);
        expect(subscription.contents).toEqual([]);
      },
    ),
  ),
  rule(
    '5.3.1',
    'MUST',
    'ends a subscription with its lease, counted from the question',
    async () => {
      await subscribed({ leaseSeconds: 90_000 });
      const until = subscription.until ?? 0;
      await work(until - now() - 31 * second);
      await publish('In time');
      await work(2 * second);
      await publish('Too late');
      expect(titlesOf(subscription)).toEqual(['In time']);
    },
  ),
  rule('5.3.1', 'MUST', 'issues no endless lease', async () => {
    for (const leaseSeconds of [undefined, 999_999_999_999]) {
      await subscribed(leaseSeconds === undefined ? {} : { leaseSeconds });
      const { leaseSeconds: given } = subscription.questions.at(-1) ?? {};
      expect(given).toBeGreaterThan(0);
      expect(given).toBeLessThanOrEqual(30 * 86_400);
    }
  }),
  rule('8.2', 'SHOULD', 'has leases of 10 days and random challenges for one use', async () => {
    for (let at = 0; at < 3; at += 1) await subscribed();
    expect(subscription.questions.map(({ leaseSeconds }) => leaseSeconds)).toEqual(
      Array(3).fill(864_000),
    );
    const challenges = subscription.questions.map(({ challenge }) => challenge);
    expect(new Set(challenges).size).toBe(3);
    for (const challenge of challenges) expect(challenge.length).toBeGreaterThan(20);
  }),
];

const distribution: readonly Rule[] = [
  rule('7', 'MUST', 'posts the full topic with its Content-Type', async () => {
    await subscribed();
    await publish('Another');
    const response = await fetch(found.topic);
    const [content] = subscription.contents;
    expect(content?.type).toBe(response.headers.get('content-type'));
    expect(content?.body.toString()).toBe(await response.text());
  }),
  rule('7', 'MUST', 'sends the Link headers of the topic, and SHOULD in a single one', async () => {
    await subscribed();
    await updatePodcast(feeds.test.ctx, podcast.id, { slug: 'day-signals' });
    await work();
    const { links = [] } = subscription.contents[0] ?? {};
    expect(links).toHaveLength(1);
    expect(parseLinkHeader(links[0] ?? '', 'http://127.0.0.1')).toEqual([
      { rel: 'hub', url: found.hub },
      { rel: 'self', url: feedUrlOf('day-signals') },
    ]);
    expect(links).toEqual([(await fetch(feedUrlOf('day-signals'))).headers.get('link')]);
  }),
  rule('7', 'MUST', 'takes a 2xx for a success, and ignores its body', async () => {
    subscription.content = respondWith(299, 'x'.repeat(5_000_000));
    await subscribed();
    await publish('Another');
    await work(hour);
    expect(subscription.contents).toHaveLength(1);
  }),
  rule('7', 'MUST', 'takes 3xx, 4xx and 5xx for failures, and SHOULD try again', async () => {
    for (const [at, status] of [302, 308, 400, 404, 500].entries()) {
      const own = subscriber.createSubscription();
      await subscribed({}, own);
      own.content = respondWith(status, '', { location: subscription.callback });
      await publish(`Change ${at}`);
      own.content = undefined;
      await work(minute);
      expect(titlesOf(own)).toEqual([`Change ${at}`, `Change ${at}`]);
    }
    expect(subscription.contents).toEqual([]);
  }),
  rule('7', 'MUST', 'keeps a failing subscription, and delivers the next update', async () => {
    await subscribed();
    subscription.content = respondWith(500);
    await publish('One');
    for (let at = 0; at < 10; at += 1) await work(12 * hour);
    const tries = subscription.contents.length;
    expect(tries).toBe(7);
    subscription.content = undefined;
    await publish('Two');
    expect(titlesOf(subscription).slice(tries)).toEqual(['Two']);
  }),
  rule('7', 'SHOULD', 'ends a subscription whose callback responds 410', async () => {
    await subscribed();
    subscription.content = respondWith(410);
    await publish('One');
    subscription.content = undefined;
    await publish('Two');
    expect(titlesOf(subscription)).toEqual(['One']);
  }),
  rule('7.1', 'MUST', 'signs the body with the secret by a recognized method', async () => {
    await subscribed({ secret: 'ключ & key = ü' });
    await publish('Ünïcode ☃');
    const [content] = subscription.contents;
    expect(content).toMatchObject({ trusted: true });
    expect(content?.signature).toMatch(/^sha256=[0-9a-f]{64}$/);
    const plain = createHash('sha256')
      .update(content?.body ?? '')
      .digest('hex');
    expect(content?.signature).not.toContain(plain);
  }),
  rule('8.3', 'MUST', 'requests the callback exactly as it was given', async () => {
    const own = subscriber.createSubscription('b=%7e%7E&a=!*()|^`{}&/../?');
    await subscribed({}, own);
    await publish('Another');
    const target = own.callback.slice(new URL(own.callback).origin.length);
    expect(own.contents.map((content) => content.target)).toEqual([target]);
    expect(own.questions[0]?.target.startsWith(`${target}&hub.mode=subscribe`)).toBe(true);
  }),
];

describe('the WebSub Recommendation, checked by a subscriber written from it', () => {
  it.each(publishing)('a publisher, section %s, %s: %s', (...[, , , check]) => check());
  it.each(requests)('requests to a hub, section %s, %s: %s', (...[, , , check]) => check());
  it.each(verification)('verification, section %s, %s: %s', (...[, , , check]) => check());
  it.each(distribution)('distribution, section %s, %s: %s', (...[, , , check]) => check());
});
