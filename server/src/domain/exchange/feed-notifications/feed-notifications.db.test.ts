import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { countStatements } from '../../../../test/count-statements.ts';
import { makeEpisode, makePodcast } from '../../../../test/make.ts';
import {
  type NotificationTest,
  openNotificationTest,
} from '../../../../test/open-notification-test.ts';
import { patience } from '../../../../test/patience.ts';
import { useOneDatabase } from '../../../../test/use-one-database.ts';
import { createOutboundHttp } from '../../../platform/outbound-http/create-outbound-http.ts';
import { setPlan } from '../../foundation/accounts/index.ts';
import { updateEpisode } from '../../publishing/episodes/index.ts';
import {
  activatePodcast,
  movePodcast,
  type Podcast,
  pausePodcast,
  setPodcastStatus,
  suspendPodcast,
  updatePodcast,
} from '../../publishing/podcasts/index.ts';

import { startFeedNotifications } from './index.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const all = ['hub', 'index', 'podping'];

const databases = useOneDatabase();
let feeds: NotificationTest;
let podcast: Podcast;
beforeEach(async () => {
  feeds = await openNotificationTest({}, databases);
  podcast = await makePodcast(feeds.test.ctx, { slug: 'night-signals' });
  await feeds.send();
  feeds.test.clock.advance(hour);
  feeds.told();
});
afterEach(() => feeds[Symbol.asyncDispose]());

/** The channels that are notified of what has changed, also if they wait for their turn. */
async function toldNow(): Promise<string[]> {
  await feeds.send();
  feeds.test.clock.advance(30 * second);
  await feeds.send();
  return feeds.told();
}
const retitle = (title: string) => updatePodcast(feeds.test.ctx, podcast.id, { title });
const states = (where = 'true') =>
  feeds.rows(`select * from feed_notifications where ${where} order by channel`);
const after = (ms: number) => new Date(feeds.test.clock.now().getTime() + ms);

describe('a changed feed', () => {
  // NOTIFY-8, NOTIFY-9, NOTIFY-11
  it('a changed feed is announced to each channel in the form that it expects', async () => {
    await feeds.makeListed(podcast);
    await feeds.send();
    const url = 'https://pods.test/feeds/night-signals.xml';
    const [hub, index, podping] = feeds.received
      .slice(-3)
      .sort((a, b) => (a.path < b.path ? -1 : 1));
    expect(index).toMatchObject({
      method: 'GET',
      path: `/index/api/1.0/hub/pubnotify?url=${encodeURIComponent(url)}`,
    });
    expect(podping).toMatchObject({
      method: 'GET',
      path: `/podping?v=1&url=${encodeURIComponent(url)}&reason=update&medium=podcast`,
      headers: { authorization: 'a-token' },
    });
    expect(hub).toMatchObject({
      method: 'POST',
      path: '/hub',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(Object.fromEntries(new URLSearchParams(hub?.body))).toEqual({
      'hub.mode': 'publish',
      'hub.url': url,
      'hub.topic': url,
    });
    expect([...feeds.test.notificationCounts.entries()]).toEqual(
      expect.arrayContaining([{ channel: 'podping', result: 'sent', count: 2 }]),
    );
    expect(await states()).toMatchObject(
      all.map(() => ({ last_status: 204, last_error: null, failures: 0, due_at: null })),
    );
  });

  it.each<readonly [string, () => Promise<unknown>]>([
    ['a title', () => retitle('Another')],
    ['a new slug', () => updatePodcast(feeds.test.ctx, podcast.id, { slug: 'day-signals' })],
    ['a new episode', () => feeds.makeListed(podcast)],
    ['an end of the show', () => updatePodcast(feeds.test.ctx, podcast.id, { complete: true })],
  ])('a changed feed is announced after %s', async (_, change) => {
    await change();
    expect(await toldNow()).toEqual(all);
    expect(await toldNow()).toEqual([]);
  });

  it('a changed feed is announced with its present URL', async () => {
    await updatePodcast(feeds.test.ctx, podcast.id, { slug: 'day-signals' });
    await feeds.send();
    expect(feeds.received.at(-1)?.path + String(feeds.received.at(-1)?.body)).toContain(
      encodeURIComponent('/feeds/day-signals.xml'),
    );
  });

  // NOTIFY-10
  it.each<readonly [string, () => Promise<unknown>]>([
    ['player', () => updatePodcast(feeds.test.ctx, podcast.id, { playerTheme: 'dark' })],
    ['same title', () => retitle(podcast.title)],
    ['draft', () => makeEpisode(feeds.test.ctx, podcast, { status: 'draft' })],
    ['episode without audio', () => makeEpisode(feeds.test.ctx, podcast)],
    ['pause', () => pausePodcast(feeds.test.ctx, podcast.id)],
    ['suspension', () => suspendPodcast(feeds.test.ctx, podcast.id)],
    [
      'lapsed plan',
      async () => {
        const [owner] = await feeds.rows(
          'select email from users join podcasts using (account_id) where podcasts.id = $1',
          [podcast.id],
        );
        const email = String(owner?.['email']);
        await setPlan(feeds.test.ctx, { email, plan: 'free', planState: 'lapsed' });
      },
    ],
    ['deletion', () => feeds.rows('delete from podcasts where id = $1', [podcast.id])],
    ['unpublished show', () => setPodcastStatus(feeds.test.ctx, podcast.id, 'draft')],
  ])('a change that the feed does not show is announced to nobody: %s', async (_, change) => {
    await change();
    expect(await toldNow()).toEqual([]);
  });

  it('a feed that is changed and changed back is announced to nobody who did not see it', async () => {
    await retitle('One');
    await feeds.send();
    feeds.told();
    await retitle('Two');
    await feeds.send();
    await retitle('One');
    expect(await toldNow()).toEqual([]);
  });

  it('a feed that is public again is announced, although it is as before', async () => {
    await setPodcastStatus(feeds.test.ctx, podcast.id, 'draft');
    await feeds.send();
    await activatePodcast(feeds.test.ctx, podcast.id);
    expect(await toldNow()).toEqual(all);
  });

  // NOTIFY-8
  it('a show that directories may not list, or that has moved, is not announced to Podcast Index', async () => {
    const { ctx } = feeds.test;
    await updatePodcast(ctx, podcast.id, { itunesBlock: true });
    expect(await toldNow()).toEqual(['hub', 'podping']);
    await updatePodcast(ctx, podcast.id, { itunesBlock: false });
    expect(await toldNow()).toEqual(all);
    await movePodcast(ctx, podcast.id, { newFeedUrl: 'https://elsewhere.example/rss' });
    expect(await toldNow()).toEqual(['hub', 'podping']);
  });

  it('a feed is announced to Podcast Index when its show ends a pause in which it waited', async () => {
    const { ctx } = feeds.test;
    await retitle('One');
    await feeds.send();
    await retitle('Two');
    await feeds.send();
    await pausePodcast(ctx, podcast.id);
    feeds.test.clock.advance(30 * second);
    await feeds.send();
    feeds.told();
    await activatePodcast(ctx, podcast.id);
    expect(await toldNow()).toEqual(['index']);
  });

  // NOTIFY-8
  it('a feed without an https URL is not announced to Podcast Index', async () => {
    await using plain = await openNotificationTest({ BASE_URL: 'http://pods.test' });
    await makePodcast(plain.test.ctx);
    await plain.send();
    expect(plain.told()).toEqual(['hub', 'podping']);
  });

  it('a feed is announced to nobody with PODCAST_INDEX=off and no hub and no token', async () => {
    const off = { PODCAST_INDEX: 'off', PODPING_TOKEN: '', WEBSUB_HUBS: '' };
    await using quiet = await openNotificationTest(off);
    await makePodcast(quiet.test.ctx);
    await quiet.send();
    expect(quiet.received).toEqual([]);
    const [head] = await quiet.rows(
      `select head.seq = consumer.seq as is_read from change_head head, change_consumers consumer
       where consumer.name = 'feed-notifications'`,
    );
    expect(head).toEqual({ is_read: true });
  });
});

describe('the time of an announcement', () => {
  // NOTIFY-10
  it('a channel is told once in 30 seconds, and always of the last change', async () => {
    await retitle('One');
    await feeds.send();
    expect(feeds.told()).toEqual(all);
    for (let at = 1; at <= 5; at += 1) {
      feeds.test.clock.advance(5 * second);
      await retitle(`Title ${at}`);
      await feeds.send();
      expect(feeds.told()).toEqual([]);
    }
    feeds.test.clock.advance(5 * second);
    await feeds.send();
    expect(feeds.told()).toEqual(all);
    const [feed] = await feeds.rows('select digest from feed_states');
    expect(await states()).toMatchObject(all.map(() => ({ ...feed, due_at: null })));
  });

  it('a change is announced at once if the last request is 30 seconds ago', async () => {
    await retitle('One');
    await feeds.send();
    feeds.test.clock.advance(30 * second);
    await retitle('Two');
    feeds.told();
    await feeds.send();
    expect(feeds.told()).toEqual(all);
  });

  it('a change during a request is announced when the pause is over', async () => {
    let isFirst = true;
    feeds.respond((_, response) => {
      if (!isFirst) return void response.end();
      isFirst = false;
      void retitle('Two').then(() => response.end());
    });
    await retitle('One');
    await feeds.send();
    await feeds.send();
    feeds.told();
    feeds.test.clock.advance(29 * second);
    await feeds.send();
    expect(feeds.told()).toEqual([]);
    feeds.test.clock.advance(second);
    await feeds.send();
    expect(feeds.told()).toEqual(all);
  });

  it('a scheduled episode is announced at its second, and no request comes in', async () => {
    const scheduledFor = after(hour);
    await feeds.makeListed(podcast, { status: 'scheduled', scheduledFor });
    expect(await toldNow()).toEqual([]);
    feeds.test.clock.set(new Date(scheduledFor.getTime() - 1));
    await feeds.send();
    expect(feeds.told()).toEqual([]);
    feeds.test.clock.set(scheduledFor);
    await feeds.send();
    expect(feeds.told()).toEqual(all);
  });

  // FEED-14
  it('an element that expires is announced at its second, and no request comes in', async () => {
    const expires = after(36 * hour);
    const txt = [{ text: 'code', purpose: 'applepodcastsverify', expires: expires.toISOString() }];
    await updatePodcast(feeds.test.ctx, podcast.id, { txt });
    expect(await toldNow()).toEqual(all);
    feeds.test.clock.advance(12 * hour);
    expect(await toldNow()).toEqual([]);
    await retitle('Another');
    expect(await toldNow()).toEqual(all);
    feeds.test.clock.advance(12 * hour);
    expect(await toldNow()).toEqual([]);
    feeds.test.clock.set(new Date(expires.getTime() - 1));
    await feeds.send();
    expect(feeds.told()).toEqual([]);
    feeds.test.clock.set(expires);
    await feeds.send();
    expect(feeds.told()).toEqual(all);
    expect(await feeds.rows('select due_at from feed_states')).toEqual([{ due_at: null }]);
    feeds.test.clock.advance(hour);
    await updatePodcast(feeds.test.ctx, podcast.id, { txt: [] });
    expect(await toldNow()).toEqual([]);
  });

  // FEED-14
  it('an element whose expiry is moved or removed is announced when it leaves the feed', async () => {
    const { ctx } = feeds.test;
    const expiring = (at: Date) => ({
      txt: [{ text: 'code', purpose: 'applepodcastsverify', expires: at.toISOString() }],
    });
    await updatePodcast(ctx, podcast.id, expiring(after(hour)));
    await feeds.send();
    feeds.told();
    const moved = after(2 * hour);
    await updatePodcast(ctx, podcast.id, expiring(moved));
    feeds.test.clock.advance(hour);
    expect(await toldNow()).toEqual([]);
    feeds.test.clock.set(moved);
    expect(await toldNow()).toEqual(all);
  });

  it('an episode whose time was set back is announced again when it is public again', async () => {
    const scheduledFor = after(hour);
    await feeds.makeListed(podcast, { status: 'scheduled', scheduledFor });
    feeds.test.clock.set(scheduledFor);
    expect(await toldNow()).toEqual(all);
    feeds.test.clock.advance(-30 * minute);
    expect(await toldNow()).toEqual(all);
    feeds.test.clock.advance(30 * minute);
    expect(await toldNow()).toEqual(all);
  });

  it('a clock that was set back by a year delays no announcement', async () => {
    await retitle('One');
    feeds.respond((_, response) => void response.writeHead(500).end());
    await feeds.send();
    feeds.respond(undefined);
    feeds.told();
    feeds.test.clock.advance(-365 * 24 * hour);
    await retitle('Two');
    expect(await toldNow()).toEqual(all);
  });

  // NOTIFY-5, NOTIFY-10
  it('a failed announcement is repeated after 1, 5, 30 minutes, 2, 6 and 12 hours, then with the next change', async () => {
    feeds.respond((_, response) => void response.writeHead(503).end());
    await retitle('One');
    const waits = [minute, 5 * minute, 30 * minute, 2 * hour, 6 * hour, 12 * hour];
    for (const [at, wait] of waits.entries()) {
      await feeds.send();
      expect(feeds.told()).toEqual(all);
      const failed = { failures: at + 1, due_at: after(wait), last_status: 503, last_error: '503' };
      expect(await states()).toMatchObject(all.map(() => failed));
      feeds.test.clock.advance(wait - second);
      await updatePodcast(feeds.test.ctx, podcast.id, {
        playerTheme: at % 2 === 0 ? 'dark' : 'light',
      });
      await feeds.send();
      expect(feeds.told()).toEqual([]);
      feeds.test.clock.advance(second);
    }
    await feeds.send();
    expect(feeds.told()).toEqual(all);
    expect(await states()).toMatchObject(all.map(() => ({ failures: 7, due_at: null })));
    feeds.respond(undefined);
    await retitle('Two');
    feeds.test.clock.advance(minute);
    await feeds.send();
    expect(feeds.told()).toEqual(all);
    expect(await states()).toMatchObject(
      all.map(() => ({ failures: 0, last_error: null, first_failed_at: null })),
    );
  });

  it('a new change is announced at once to a channel that failed', async () => {
    feeds.respond((_, response) => void response.writeHead(503).end());
    await retitle('One');
    await feeds.send();
    feeds.test.clock.advance(minute);
    await feeds.send();
    feeds.respond(undefined);
    feeds.test.clock.advance(40 * second);
    await retitle('Two');
    feeds.told();
    await feeds.send();
    expect(feeds.told()).toEqual(all);
  });
});

describe('the channels of a feed', () => {
  it('a channel that does not respond delays neither the others nor a save', async () => {
    const stopping = new AbortController();
    feeds.respond((request, response) => {
      if (!request.url?.startsWith('/index')) response.end();
    });
    await retitle('One');
    const sending = feeds.send(feeds.test.ctx, { signal: stopping.signal });
    while (feeds.received.filter(({ path }) => !path.startsWith('/index')).length < 4)
      await new Promise(setImmediate);
    await retitle('Two');
    stopping.abort(new Error('the test ends'));
    await sending;
    expect(await states(`channel = 'podcast_index'`)).toMatchObject([{ claim: null, failures: 0 }]);
  });

  it('a channel at a private address is not reached unless OUTBOUND_ALLOW has it', async () => {
    const outbound = createOutboundHttp({ allow: [], userAgent: 'test' });
    await retitle('One');
    await feeds.send({ ...feeds.test.ctx, outbound });
    expect(feeds.told()).toEqual([]);
    expect(await states()).toMatchObject(
      all.map(() => ({ last_status: null, last_error: 'address_not_allowed', failures: 1 })),
    );
  });

  it('many shows that change in the same second take at most eight statements each', async () => {
    const shows = 40;
    for (let at = 0; at < shows; at += 1) await makePodcast(feeds.test.ctx);
    const counted = countStatements(feeds.test.ctx);
    await feeds.send(counted.ctx);
    expect(feeds.told()).toHaveLength(shows * all.length);
    expect(counted.count() / shows).toBeLessThan(8);
  });

  it('several workers tell each channel once', async () => {
    const others = await Promise.all(Array.from({ length: 12 }, () => makePodcast(feeds.test.ctx)));
    await Promise.all([feeds.send(), feeds.send(), feeds.send()]);
    expect(feeds.told()).toHaveLength(others.length * all.length);
  });

  it('what a killed worker had claimed is done by the next one, when the claim has ended', async () => {
    const until = new Date(feeds.test.clock.now().getTime() + 15 * second);
    await retitle('One');
    await feeds.send();
    feeds.told();
    const claim = 'due_at = null, claim = gen_random_uuid(), claimed_until = $1';
    await feeds.rows(`update feed_states set digest = sha256('other'), ${claim}`, [until]);
    await feeds.rows(`update feed_notifications set ${claim} where channel = 'podping'`, [until]);
    await feeds.send();
    expect(feeds.told()).toEqual([]);
    feeds.test.clock.set(until);
    await feeds.send();
    expect(feeds.told()).toEqual([]);
    expect(await feeds.rows('select claim from feed_states')).toEqual([{ claim: null }]);
    await retitle('Two');
    expect(await toldNow()).toEqual(all);
  });

  // NOTIFY-10
  it('a request whose result could not be stored is repeated when its pause is over', async () => {
    await retitle('One');
    feeds.respond(async (_, response) => {
      await feeds.rows('alter table if exists feed_notifications rename to away');
      response.end();
    });
    await feeds.send();
    feeds.respond(undefined);
    await feeds.rows('alter table away rename to feed_notifications');
    feeds.told();
    for (const elapsed of [15, 14]) {
      feeds.test.clock.advance(elapsed * second);
      await feeds.send();
      expect(feeds.told()).toEqual([]);
    }
    feeds.test.clock.advance(second);
    await feeds.send();
    expect(feeds.told().length).toBeGreaterThan(0);
    expect(await states()).toMatchObject(all.map(() => ({ claim: null, due_at: null })));
  });

  it('a database that is away delays announcements until it is back', async () => {
    await retitle('One');
    await feeds.rows('alter table feed_states rename to away');
    await feeds.send();
    expect(feeds.told()).toEqual([]);
    await feeds.rows('alter table away rename to feed_states');
    await feeds.send();
    expect(feeds.told()).toEqual(all);
  });

  it('an episode that changes often in one transaction is announced once', async () => {
    const episode = await feeds.makeListed(podcast);
    for (const title of ['One', 'Two', 'Three'])
      await updateEpisode(feeds.test.ctx, episode.id, { title });
    await feeds.send();
    expect(feeds.told()).toEqual(all);
  });

  it('a worker announces a change and a publication by itself, and stops', async () => {
    const { ctx, notificationCounts: counts } = feeds.test;
    const scheduledFor = after(hour);
    await feeds.makeListed(podcast, { status: 'scheduled', scheduledFor });
    await feeds.send();
    feeds.told();
    const worker = startFeedNotifications(ctx, { counts });
    await retitle('One');
    await vi.waitUntil(() => feeds.received.length >= 6, patience);
    expect(feeds.told()).toEqual(all);
    feeds.test.clock.set(scheduledFor);
    await vi.waitUntil(() => feeds.received.length >= 9, patience);
    expect(feeds.told()).toEqual(all);
    await worker[Symbol.asyncDispose]();
    await retitle('Two');
    expect(feeds.told()).toEqual([]);
  });
});
