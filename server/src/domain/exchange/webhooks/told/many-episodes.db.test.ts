import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findEmails } from '../../../../../test/find-emails.ts';
import { insertEpisodes } from '../../../../../test/insert-episodes.ts';
import { makeEpisode, makePodcast, makeUser } from '../../../../../test/make.ts';
import { openWebhookTest, type WebhookTest } from '../../../../../test/open-webhook-test.ts';
import { useOneDatabase } from '../../../../../test/use-one-database.ts';
import type { User } from '../../../foundation/accounts/index.ts';
import type { Context } from '../../../foundation/context.ts';
import { announceChange } from '../../../foundation/outbox/index.ts';
import { updateEpisode } from '../../../publishing/episodes/index.ts';
import { type Podcast, pausePodcast, resumePodcast } from '../../../publishing/podcasts/index.ts';
import type { WebhookPresenter } from '../webhook.ts';
import { findWebhookChanges } from './find-changes.ts';

const minute = 60_000;
const databases = useOneDatabase();
let hooks: WebhookTest;
let ctx: Context;
let present: WebhookPresenter;
let owner: User;
let podcast: Podcast;
beforeEach(async () => {
  hooks = await openWebhookTest(undefined, databases);
  ctx = hooks.test.ctx;
  present = await hooks.test.loadWebhookPresenter();
  owner = await makeUser(ctx);
  podcast = await makePodcast(ctx, { owner });
  hooks.test.clock.advance(1);
});
afterEach(() => hooks[Symbol.asyncDispose]());

const insert = (count: number, at = hooks.test.clock.now()) =>
  insertEpisodes(hooks.test, podcast.id, count, at);
const makeWebhook = (at: number) => hooks.makeWebhook(podcast, { url: `https://h${at}.example/` });
/** Finds until no show is left, although a run takes a limited time. */
async function find(presenter = present) {
  const left = `select from webhook_shows where compare_at <= $1 or compare_at is null
    and (is_stale or has_stale_episodes or has_changed or has_publications or imports > 0)`;
  do await findWebhookChanges(ctx, presenter);
  while ((await hooks.rows(left, [hooks.test.clock.now()])).length > 0);
}
const count = async (rows: string) =>
  Number((await hooks.rows(`select count(*) from ${rows}`))[0]?.['count']);
/** The rows that each transaction has written last. */
const perTransaction = async (rows: string) =>
  (await hooks.rows(`select count(*) from ${rows} group by xmin`)).map((row) =>
    Number(row['count']),
  );
const most = async (rows: string) => Math.max(...(await perTransaction(rows)));
const fill = (webhookId: string, waiting: number) =>
  hooks.rows(
    `insert into webhook_deliveries (id, webhook_id, type, subject_id, created_at, due_at)
      select gen_random_uuid(), $1, 'episode.published', gen_random_uuid(), $3, $3
      from generate_series(1, $2::integer)`,
    [webhookId, waiting, hooks.test.clock.now()],
  );
const typesFor = async (webhookId: string) => {
  const rows = `select type from webhook_deliveries where webhook_id = $1
    and episode_id is not null order by seq`;
  return (await hooks.rows(rows, [webhookId])).map(({ type }) => type);
};

describe('very many episodes', () => {
  // HOOK-15
  it.each(['a pause that ends', 'a date that all episodes share'])(
    'very many episodes are told in parts after %s',
    async (reason) => {
      const { clock } = hooks.test;
      for (const at of [1, 2]) await makeWebhook(at);
      await find();
      if (reason.startsWith('a pause')) {
        await pausePodcast(ctx, podcast.id);
        await insert(1_200);
        await find();
        await resumePodcast(ctx, podcast.id);
      } else {
        await insert(1_200, new Date(clock.now().getTime() + minute));
        clock.advance(minute);
      }
      await find();
      expect(await count('webhook_deliveries')).toBe(2_400);
      expect(
        await count('(select distinct webhook_id, subject_id from webhook_deliveries) d'),
      ).toBe(2_400);
      expect(await most('webhook_deliveries')).toBe(1_000);
      await find();
      expect(await count('webhook_deliveries')).toBe(2_400);
    },
  );

  it('very many episodes that are not public any more are told in parts', async () => {
    const { clock } = hooks.test;
    await makeWebhook(1);
    await find();
    await insert(1_200, new Date(clock.now().getTime() + minute));
    clock.advance(minute);
    await find();
    await hooks.rows('delete from webhook_deliveries');
    clock.advance(-minute);
    await find();
    expect(await count(`webhook_deliveries where type = 'episode.unpublished'`)).toBe(1_200);
    expect(await most('webhook_deliveries')).toBe(500);
  });

  it('very many episodes are remembered in parts by the first webhook of a show, and none is told', async () => {
    await insert(6_000);
    await makeWebhook(1);
    expect(await count('webhook_episodes')).toBe(6_000);
    expect(await most('webhook_episodes')).toBe(5_000);
    await makeWebhook(2);
    await findWebhookChanges(ctx, present);
    expect(await count('webhook_deliveries')).toBe(0);
  });

  it('very many episodes are marked in parts after a restore', async () => {
    await insert(1_200);
    await makeWebhook(1);
    await hooks.rows('update webhook_shows set is_stale = true, hash = null');
    const stopping = new AbortController();
    const stopped: WebhookPresenter = {
      podcast: present.podcast,
      episode(...read) {
        stopping.abort();
        return present.episode(...read);
      },
    };
    await findWebhookChanges(ctx, stopped, stopping.signal);
    expect(await count('webhook_episodes where is_stale')).toBe(1_180);
    expect(await most('webhook_episodes where is_stale')).toBeLessThanOrEqual(1_000);
  });
});

describe('a webhook for which very much waits', () => {
  // HOOK-15
  it('a webhook for which very much waits gets what is different after it has sent a part', async () => {
    const { clock } = hooks.test;
    const { webhook } = await makeWebhook(1);
    const episode = await makeEpisode(ctx, podcast);
    await find();
    await fill(webhook.id, 4_999);
    await updateEpisode(ctx, episode.id, { title: 'Another' });
    await announceChange(ctx, { kind: 'import.finished', podcastId: podcast.id });
    await makeEpisode(ctx, podcast);
    await find();
    expect(await typesFor(webhook.id)).toEqual(['episode.published']);
    clock.advance(minute);
    await find();
    expect(await count('webhook_deliveries')).toBe(5_000);
    await hooks.rows(`update webhook_deliveries set state = 'delivered', due_at = null
      where seq in (select seq from webhook_deliveries order by seq limit 10)`);
    await find();
    expect(await count('webhook_deliveries')).toBe(5_000);
    clock.advance(minute);
    await find();
    const told = ['episode.published', 'episode.updated', 'episode.published'];
    expect(await typesFor(webhook.id)).toEqual(told);
    expect(await count(`webhook_deliveries where type = 'import.finished'`)).toBe(1);
  });

  // HOOK-10, HOOK-15
  it('a webhook for which very much waits is switched off if it has failed for an hour', async () => {
    const { clock } = hooks.test;
    const { webhook } = await makeWebhook(1);
    const { webhook: other } = await makeWebhook(2);
    await find();
    await fill(webhook.id, 5_100);
    const fail = 'update webhooks set failing_since = $2 where id = $1';
    await hooks.rows(fail, [webhook.id, clock.now()]);
    const tryOne = () =>
      hooks.rows(
        `update webhook_deliveries set attempts = 1, tried_at = $2, first_tried_at = $2, status = 500
          where id = (select id from webhook_deliveries where webhook_id = $1 and attempts = 0
            order by seq limit 1)`,
        [webhook.id, clock.now()],
      );
    await tryOne();
    await makeEpisode(ctx, podcast);
    await find();
    expect(await typesFor(other.id)).toEqual([]);
    // It had no turn: nothing is known of it.
    clock.advance(60 * minute);
    await find();
    expect(await typesFor(other.id)).toEqual([]);
    await tryOne();
    clock.advance(minute);
    await find();
    expect(await typesFor(other.id)).toEqual(['episode.published']);
    expect(await typesFor(webhook.id)).toEqual([]);
    const off = await hooks.rows('select off_reason from webhooks where id = $1', [webhook.id]);
    expect(off).toEqual([{ off_reason: 'failing' }]);
    const emails = await findEmails(hooks.test, owner.email);
    expect(emails.map(({ template }) => template)).toEqual(['webhook-off']);
  });
});

describe('a show that fails', () => {
  const failingFor = (title: string): WebhookPresenter => ({
    podcast: present.podcast,
    episode(show, episode) {
      if (episode.title === title) throw new Error('no JSON of this');
      return present.episode(show, episode);
    },
  });

  it('a show that fails holds up no other show and no change, and is told later, in order', async () => {
    const { clock } = hooks.test;
    const { webhook } = await makeWebhook(1);
    const episode = await makeEpisode(ctx, podcast);
    const elsewhere = await makePodcast(ctx);
    clock.advance(1);
    const { webhook: other } = await hooks.makeWebhook(elsewhere, { url: 'https://h3.example/' });
    await find();
    // What follows is not merged with it.
    await hooks.rows(`update webhook_deliveries set state = 'delivered', due_at = null`);
    await updateEpisode(ctx, episode.id, { title: 'Bad' });
    await announceChange(ctx, { kind: 'import.finished', podcastId: podcast.id });
    await makeEpisode(ctx, elsewhere);
    const failing = failingFor('Bad');
    await find(failing);
    expect(await typesFor(other.id)).toEqual(['episode.published']);
    expect(await typesFor(webhook.id)).toEqual(['episode.published']);
    const unread = `change_events where seq is null or seq >
      (select seq from change_consumers where name = 'webhooks')`;
    expect(await count(unread)).toBe(0);
    await makeEpisode(ctx, podcast);
    clock.advance(minute);
    await find();
    const told = ['episode.published', 'episode.updated', 'episode.published'];
    expect(await typesFor(webhook.id)).toEqual(told);
    expect(await count(`webhook_deliveries where type = 'import.finished'`)).toBe(1);
  });

  it('a show that cannot be hashed holds up no other show', async () => {
    await makeEpisode(ctx, podcast, { title: 'Bad' });
    const others = await Promise.all([1, 2].map(() => makePodcast(ctx)));
    for (const show of others) await makeEpisode(ctx, show);
    hooks.test.clock.advance(1);
    await makeWebhook(1);
    for (const [at, show] of others.entries())
      await hooks.makeWebhook(show, { url: `https://h${at + 2}.example/` });
    await findWebhookChanges(ctx, failingFor('Bad'));
    expect(await count('webhook_episodes where hash is null')).toBe(1);
  });
});

describe('deliveries that wait', () => {
  const waitFor = async (waiting: number) => {
    const { webhook } = await makeWebhook(1);
    await find();
    await fill(webhook.id, waiting);
    return webhook.id;
  };
  /** Claims and sends nothing: the host's minute is full. */
  const rate = { perShow: 0, perAccount: 0, perHost: 0 };
  const claim = () => hooks.send(hooks.createSender({ rate }));

  // HOOK-14
  it('very many deliveries that wait are cancelled in parts when a show is handed over', async () => {
    await waitFor(1_200);
    const { id: userId } = await makeUser(ctx);
    const handedOver = { podcastId: podcast.id, userId, previousUserId: owner.id };
    await announceChange(ctx, { kind: 'ownership.changed', ...handedOver });
    await findWebhookChanges(ctx, present);
    expect(await count(`webhook_deliveries where state = 'cancelled'`)).toBe(500);
    await claim();
    expect(await count(`webhook_deliveries where state = 'cancelled'`)).toBe(1_200);
    expect(await most('webhook_deliveries')).toBe(500);
    expect(await hooks.rows('select due_at, claim from webhooks')).toEqual([
      { due_at: null, claim: null },
    ]);
  });

  // HOOK-6
  it('very many deliveries that wait are due in parts when a show is public again', async () => {
    await waitFor(1_200);
    const { clock } = hooks.test;
    await hooks.rows(
      `update webhook_deliveries set attempts = 3, tried_at = $1, first_tried_at = $1,
        due_at = $1::timestamptz + interval '12 hours'`,
      [clock.now()],
    );
    await hooks.rows('update webhooks set failing_since = $1', [clock.now()]);
    await pausePodcast(ctx, podcast.id);
    await findWebhookChanges(ctx, present);
    clock.advance(minute);
    await resumePodcast(ctx, podcast.id);
    await claim();
    const woken = 'webhook_deliveries where first_tried_at is null and due_at <= $1';
    const rows = await hooks.rows(`select count(*) from ${woken} group by xmin`, [clock.now()]);
    expect(rows.map((row) => Number(row['count'])).sort()).toEqual([200, 500, 500]);
    expect(await hooks.rows('select failing_since, is_woken from webhooks')).toEqual([
      { failing_since: null, is_woken: false },
    ]);
  });
});
