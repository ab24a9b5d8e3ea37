import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  confirm,
  createHubSubscribers,
  type HubSubscribers,
} from '../../../../../test/hub-subscriber.ts';
import { makePodcast } from '../../../../../test/make.ts';
import {
  type NotificationTest,
  openNotificationTest,
  type ToldChannel,
} from '../../../../../test/open-notification-test.ts';
import { useOneDatabase } from '../../../../../test/use-one-database.ts';
import {
  movePodcast,
  type Podcast,
  pausePodcast,
  setPodcastStatus,
  updatePodcast,
} from '../../../publishing/podcasts/index.ts';

// The requirements for hubs in the W3C recommendation WebSub, of 23 January 2018, by its sections.

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

const databases = useOneDatabase();
let feeds: NotificationTest;
let hub: HubSubscribers;
let podcast: Podcast;
beforeEach(async () => {
  const settings = {
    PODCAST_INDEX: 'off',
    WEBSUB_HUBS: '',
    PODPING_TOKEN: '',
    OUTBOUND_ALLOW: '127.0.0.1',
  };
  feeds = await openNotificationTest(settings, databases);
  hub = createHubSubscribers(feeds);
  podcast = await makePodcast(feeds.test.ctx, { slug: 'night-signals' });
  await feeds.makeListed(podcast);
  await feeds.send();
});
afterEach(() => feeds[Symbol.asyncDispose]());

const retitle = (title: string) => updatePodcast(feeds.test.ctx, podcast.id, { title });
const subscriptions = () => feeds.rows('select * from hub_subscriptions');
/** Changes the feed, and delivers it. */
async function publish(title: string): Promise<void> {
  feeds.test.clock.advance(30 * second);
  await retitle(title);
  await feeds.send();
}
const isSigned = (delivery: ToldChannel | undefined, secret: string) => {
  const hmac = createHmac('sha256', secret).update(delivery?.body ?? '');
  return delivery?.headers['x-hub-signature'] === `sha256=${hmac.digest('hex')}`;
};

describe('a request to the hub (WebSub 5.1)', () => {
  // NOTIFY-1
  it('the feed names the hub, and the hub accepts its self link as topic', async () => {
    const feed = await feeds.test.request({ method: 'GET', url: '/feeds/night-signals.xml' });
    expect(feed.body).toContain('<atom:link rel="hub" href="https://pods.test/hub"/>');
    expect(feed.body).toContain(`<atom:link rel="self" href="${hub.topic}"`);
  });

  // NOTIFY-2, DOMAIN-9
  it('the feed of a verified domain is a topic, by both of its URLs, and nothing else there is', async () => {
    await feeds.rows(
      `insert into podcast_domains (podcast_id, host, token, state, held, created_at)
       values ($1, 'night.example', 't', 'verified', true, $2)`,
      [podcast.id, feeds.test.clock.now()],
    );
    const ask = async (topic: string) =>
      (await hub.post({ mode: 'subscribe', topic, callback: '/s' })).statusCode;
    expect(await ask('https://night.example/feed.xml')).toBe(202);
    expect(await ask(hub.topic)).toBe(202);
    for (const topic of ['https://night.example/', 'http://night.example/feed.xml'])
      expect(await ask(topic)).toBe(400);
    expect(await ask('https://other.example/feed.xml')).toBe(400);
    await feeds.rows(`update podcast_domains set state = 'waiting', held = false`);
    expect(await ask('https://night.example/feed.xml')).toBe(400);
  });

  // NOTIFY-2
  it('a request is accepted with 202 before the callback was asked, also with unknown parameters', async () => {
    const accepted = await hub.post({
      ...{
        mode: 'subscribe',
        topic: hub.topic,
        callback: '/s',
        secret: 'x',
        lease_seconds: '90000',
      },
      ...{ verify: 'sync', 'unknown.thing': '1' },
    });
    expect(accepted.statusCode).toBe(202);
    expect(feeds.received).toEqual([]);
    await feeds.send();
    expect(hub.questions()).toHaveLength(1);
  });

  it.each<readonly [string, Record<string, string>]>([
    ['no mode', { mode: '' }],
    ['another mode', { mode: 'publish' }],
    ['no callback', { callback: '' }],
    ['a relative callback', { callback: 's' }],
    ['a callback of another scheme', { callback: 'ftp://example.com/' }],
    ['a callback with a password', { callback: 'https://a:b@example.com/' }],
    ['a callback with a fragment', { callback: 'https://example.com/#a' }],
    ['a callback with a line break', { callback: 'https://example.com/\r\nX-Y: z' }],
    ['a long callback', { callback: `https://example.com/${'x'.repeat(2_000)}` }],
    ['no topic', { topic: '' }],
    ['an unknown topic', { topic: 'https://pods.test/feeds/day-signals.xml' }],
    ['a topic elsewhere', { topic: 'https://other.test/feeds/night-signals.xml' }],
    ['a later page as topic', { topic: 'https://pods.test/feeds/night-signals.xml?cursor=a' }],
    ['a lease that is no number', { lease_seconds: '1e6' }],
    ['no lease at all', { lease_seconds: '0' }],
    ['a negative lease', { lease_seconds: '-5' }],
    ['a secret of 200 bytes', { secret: 'é'.repeat(100) }],
  ])('a request is refused with a reason in plain text: %s', async (_, fields) => {
    const given = { mode: 'subscribe', topic: hub.topic, callback: '/s', ...fields };
    const refused = await hub.post(given);
    expect(refused.statusCode).toBe(400);
    expect(refused.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(refused.body).toMatch(/^\S.*\.\n$/);
    await feeds.send();
    expect(feeds.received).toEqual([]);
  });

  const postForm = (payload: string) =>
    feeds.test.request({
      method: 'POST',
      url: '/hub',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload,
    });

  it.each(['mode', 'callback', 'topic', 'lease_seconds', 'secret'])(
    'hub.%s with a control character, or in another encoding, is refused in plain text',
    async (field) => {
      const given: Record<string, string> = {
        ...{ mode: 'subscribe', callback: 'https://a.example/s', topic: hub.topic },
        ...{ lease_seconds: '90000', secret: 'secret' },
      };
      for (const wrong of ['%00', '%01', '%09', '%0A', '%0D', '%1F', '%7F', '%C2%85', '%FF']) {
        const pairs = Object.entries(given).map(([name, value]) => {
          const inside = name === field ? wrong : '';
          const [start, end] = [value.slice(0, -1), value.slice(-1)].map(encodeURIComponent);
          return `hub.${name}=${start}${inside}${end}`;
        });
        const { statusCode, headers, body } = await postForm(pairs.join('&'));
        expect([statusCode, headers['content-type']], wrong).toEqual([
          400,
          'text/plain; charset=utf-8',
        ]);
        expect(body).toMatch(/^[ -~\n]+\.\n$/);
        expect(body).toContain(`hub.${field}`);
        expect(body).toMatch(wrong === '%FF' ? 'UTF-8' : /NUL|control/);
      }
    },
  );

  it('NUL in any other field is refused with the name of the field in printable characters', async () => {
    for (const payload of ['other=a%00b', 'o%0Ather=a%00b', 'hub.mode=a&hub.mode=%00']) {
      const refused = await postForm(payload);
      expect([refused.statusCode, refused.headers['content-type']], payload).toEqual([
        400,
        'text/plain; charset=utf-8',
      ]);
      expect(refused.body).toMatch(/^[ -~\n]+This must not contain a NUL character\.\n$/);
    }
  });

  it('a request with a repeated parameter, or with another type of body, is refused', async () => {
    const send = (type: string, payload: string) =>
      feeds.test.request({
        method: 'POST',
        url: '/hub',
        headers: { 'content-type': type },
        payload,
      });
    const twice = await send('application/x-www-form-urlencoded', 'hub.mode=subscribe&hub.mode=a');
    expect(twice.statusCode).toBe(400);
    expect((await send('application/json', '{}')).statusCode).toBe(415);
    const read = await feeds.test.request({ method: 'GET', url: '/hub' });
    expect([read.statusCode, read.headers['allow']]).toEqual([405, 'POST, OPTIONS']);
  });

  // NOTIFY-3
  it.each<readonly [string, number, () => Promise<unknown>]>([
    ['paused', 202, () => pausePodcast(feeds.test.ctx, podcast.id)],
    ['renamed', 202, () => updatePodcast(feeds.test.ctx, podcast.id, { slug: 'day-signals' })],
    ['draft', 400, () => setPodcastStatus(feeds.test.ctx, podcast.id, 'draft')],
    [
      'moved',
      400,
      () => movePodcast(feeds.test.ctx, podcast.id, { newFeedUrl: 'https://a.test/b' }),
    ],
  ])(
    'a feed is a topic as long as it is public: a %s show responds %d',
    async (_, status, change) => {
      await change();
      const { topic } = hub;
      const response = await hub.post({ mode: 'subscribe', topic, callback: '/s' });
      expect(response.statusCode).toBe(status);
    },
  );

  it('a topic may be percent-encoded', async () => {
    const topic = hub.topic.replace('night', '%6eight');
    const response = await hub.post({ mode: 'subscribe', topic, callback: '/s' });
    expect(response.statusCode).toBe(202);
    await feeds.send();
    expect(hub.questions()[0]?.['topic']).toBe(topic);
  });

  it('a hub that is off is not found, and the feed does not name it', async () => {
    await using off = await openNotificationTest({ WEBSUB: 'off', WEBSUB_HUBS: '' });
    await makePodcast(off.test.ctx, { slug: 'night-signals' });
    const { topic } = hub;
    const subscribers = createHubSubscribers(off);
    const response = await subscribers.post({ mode: 'subscribe', topic, callback: '/s' });
    expect(response.statusCode).toBe(404);
    const feed = await off.test.request({ method: 'GET', url: '/feeds/night-signals.xml' });
    expect(feed.body).not.toContain('rel="hub"');
  });
});

describe('a callback is asked (WebSub 5.3)', () => {
  // NOTIFY-2, NOTIFY-4
  it.each([
    [undefined, 864_000],
    ['1', 86_400],
    ['100000', 100_000],
    ['999999999', 2_592_000],
  ])(
    'a callback gets mode, topic, a challenge and a lease: %s becomes %d',
    async (asked, given) => {
      await hub.subscribe(
        '/s?foo=bar&hub.mode=x',
        asked === undefined ? {} : { lease_seconds: asked },
      );
      const [question] = feeds.received;
      expect(question?.method).toBe('GET');
      expect(question?.path.startsWith('/s?foo=bar&hub.mode=x&hub.mode=subscribe&hub.topic=')).toBe(
        true,
      );
      const [parameters] = hub.questions('/s?foo=bar&hub.mode=x');
      expect(parameters).toMatchObject({ topic: hub.topic, lease_seconds: `${given}` });
      expect(parameters?.['challenge']).toMatch(/^[\w-]{43}$/);
      const [subscription] = await subscriptions();
      const expiresAt = new Date(feeds.test.clock.now().getTime() + given * second);
      expect(subscription?.['expires_at']).toEqual(expiresAt);
    },
  );

  it('a callback gets another challenge each time', async () => {
    for (let at = 0; at < 3; at += 1) await hub.subscribe();
    expect(new Set(hub.questions().map(({ challenge }) => challenge)).size).toBe(3);
  });

  it.each<readonly [string, Parameters<HubSubscribers['answer']>[0]]>([
    ['404', (_, response) => void response.writeHead(404).end()],
    [
      '500 with the challenge',
      (request, response) => confirm(request, response.writeHead(500) as never),
    ],
    ['a redirect', (_, response) => void response.writeHead(302, { Location: '/s' }).end()],
    ['another body', (_, response) => void response.end('yes')],
    [
      'more than the challenge',
      (request, response) => {
        response.write(' ');
        confirm(request, response);
      },
    ],
    ['nothing', (_, response) => void response.writeHead(204).end()],
    ['a long body', (_, response) => void response.end('x'.repeat(100_000))],
    ['a hang-up', (_, response) => void response.destroy()],
  ])('a callback that responds with %s has not confirmed: nothing changes', async (_, answer) => {
    hub.answer(answer);
    await hub.subscribe();
    expect(hub.questions()).toHaveLength(1);
    expect(await subscriptions()).toEqual([]);
    hub.answer(confirm);
    await hub.subscribe('/s', { secret: 'one' });
    hub.answer(answer);
    const before = await subscriptions();
    await hub.subscribe('/s', { secret: 'two', lease_seconds: '2000000' });
    await hub.subscribe('/s', { mode: 'unsubscribe' });
    expect(await subscriptions()).toEqual(before);
    await publish('Another');
    expect(isSigned(hub.deliveries()[0], 'one')).toBe(true);
  });

  it('a confirmed request replaces the one before: its secret, its lease, and its end', async () => {
    await hub.subscribe('/s', { secret: 'one' });
    await hub.subscribe('/s', { secret: 'two', lease_seconds: '2000000' });
    expect(await subscriptions()).toHaveLength(1);
    await publish('One');
    expect(isSigned(hub.deliveries()[0], 'two')).toBe(true);
    await hub.subscribe();
    await publish('Two');
    expect(hub.deliveries()[1]?.headers).not.toHaveProperty('x-hub-signature');
    await hub.subscribe('/s', { mode: 'unsubscribe', lease_seconds: 'ignored' });
    expect(hub.questions().at(-1)).toMatchObject({ mode: 'unsubscribe', topic: hub.topic });
    await publish('Three');
    expect(hub.deliveries()).toHaveLength(2);
  });

  it('a lease ends, and is never endless', async () => {
    await hub.subscribe('/s', { lease_seconds: '86400' });
    feeds.test.clock.advance(day - second);
    await publish('Too late');
    expect(hub.deliveries()).toEqual([]);
    expect(await subscriptions()).toEqual([]);
  });

  // WebSub 5.2
  it('a callback learns that its subscription is denied', async () => {
    await hub.post({ mode: 'subscribe', topic: hub.topic, callback: '/s' });
    await setPodcastStatus(feeds.test.ctx, podcast.id, 'draft');
    await feeds.send();
    expect(hub.questions()).toEqual([
      { mode: 'denied', topic: hub.topic, reason: expect.stringContaining('not public') },
    ]);
  });
});

describe('a delivery (WebSub 7)', () => {
  // NOTIFY-5
  it('a delivery is the feed as it is served, with its type, its links and a signature', async () => {
    await hub.subscribe('/s?a=1', { secret: 'a secret' });
    await publish('Another');
    const [delivery] = hub.deliveries('/s?a=1');
    const feed = await feeds.test.request({ method: 'GET', url: '/feeds/night-signals.xml' });
    expect(delivery?.path).toBe('/s?a=1');
    expect(delivery?.body).toBe(feed.body);
    expect(delivery?.headers).toMatchObject({
      'content-type': feed.headers['content-type'],
      link: `<https://pods.test/hub>; rel="hub", <${hub.topic}>; rel="self"`,
      'content-length': String(Buffer.byteLength(feed.body)),
    });
    expect(isSigned(delivery, 'a secret')).toBe(true);
    expect([...feeds.test.notificationCounts.entries()]).toEqual([
      { channel: 'subscriber', result: 'sent', count: 1 },
    ]);
  });

  it('a delivery goes to each subscriber once, and only when the feed has changed', async () => {
    for (const callback of ['/s1', '/s2', '/s3']) await hub.subscribe(callback);
    expect(feeds.received.filter(({ method }) => method === 'POST')).toEqual([]);
    await publish('Another');
    await updatePodcast(feeds.test.ctx, podcast.id, { playerTheme: 'dark' });
    feeds.test.clock.advance(minute);
    await feeds.send();
    for (const callback of ['/s1', '/s2', '/s3']) expect(hub.deliveries(callback)).toHaveLength(1);
  });

  // NOTIFY-3
  it('a subscription goes on under a new URL of the feed', async () => {
    await hub.subscribe();
    feeds.test.clock.advance(minute);
    await updatePodcast(feeds.test.ctx, podcast.id, { slug: 'day-signals' });
    await feeds.send();
    const [delivery] = hub.deliveries();
    const self = 'https://pods.test/feeds/day-signals.xml';
    expect(delivery?.headers['link']).toContain(`<${self}>; rel="self"`);
    expect(delivery?.body).toContain(`rel="self" href="${self}"`);
    await hub.subscribe('/s', { mode: 'unsubscribe' });
    expect(await subscriptions()).toEqual([]);
  });

  // NOTIFY-5
  it('a 410 ends the subscription', async () => {
    hub.answer(undefined, (_, response) => void response.writeHead(410).end());
    await hub.subscribe();
    await publish('One');
    expect(await subscriptions()).toEqual([]);
    await publish('Two');
    expect(hub.deliveries()).toHaveLength(1);
  });

  it('a failed delivery is repeated with the newest feed, and a subscription outlives its failures', async () => {
    hub.answer(undefined, (_, response) => void response.writeHead(302, { Location: '/s' }).end());
    await hub.subscribe();
    await publish('One');
    const waits = [minute, 5 * minute, 30 * minute, 2 * hour, 6 * hour, 12 * hour];
    for (const [at, wait] of waits.entries()) {
      expect(hub.deliveries()).toHaveLength(at + 1);
      feeds.test.clock.advance(wait);
      await feeds.send();
    }
    feeds.test.clock.advance(day);
    await feeds.send();
    expect(hub.deliveries()).toHaveLength(7);
    await publish('Two');
    hub.answer(undefined);
    feeds.test.clock.advance(second);
    await publish('Three');
    const bodies = hub.deliveries().map(({ body }) => /<title>([^<]+)/.exec(body)?.[1]);
    expect(bodies.slice(-2)).toEqual(['Two', 'Three']);
    expect(await subscriptions()).toMatchObject([{ failures: 0, last_status: 204, due_at: null }]);
  });

  it('a subscriber that renews after its failures gets what it has missed', async () => {
    hub.answer(undefined, (_, response) => void response.writeHead(500).end());
    await hub.subscribe();
    await publish('One');
    hub.answer(undefined);
    feeds.test.clock.advance(30 * second);
    await hub.subscribe();
    await feeds.send();
    expect(hub.deliveries()).toHaveLength(2);
    expect(hub.deliveries()[1]?.body).toContain('<title>One</title>');
  });

  it('a subscriber gets nothing of a show that is not public, and the feed when it is again', async () => {
    await hub.subscribe();
    feeds.test.clock.advance(minute);
    await setPodcastStatus(feeds.test.ctx, podcast.id, 'draft');
    await feeds.send();
    expect(hub.deliveries()).toEqual([]);
    await setPodcastStatus(feeds.test.ctx, podcast.id, 'active');
    await feeds.send();
    expect(hub.deliveries()).toHaveLength(1);
  });
});
