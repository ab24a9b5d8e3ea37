import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findEmails } from '../../../../../test/find-emails.ts';
import { type Certificate, makeCertificate } from '../../../../../test/hosts/certificate.ts';
import { makeEpisode, makePodcast, makeUser } from '../../../../../test/make.ts';
import { openWebhookTest, type WebhookTest } from '../../../../../test/open-webhook-test.ts';
import { useOneDatabase } from '../../../../../test/use-one-database.ts';
import type { User } from '../../../foundation/accounts/index.ts';
import {
  type Episode,
  publishEpisode,
  unpublishEpisode,
  updateEpisode,
} from '../../../publishing/episodes/index.ts';
import { addMember, type Podcast } from '../../../publishing/podcasts/index.ts';
import {
  listDeliveries,
  rollWebhookSecret,
  sendDeliveryAgain,
  testWebhook,
  updateWebhook,
  type WebhookRef,
} from '../index.ts';
import { purgeDeliveriesJob } from '../purge-deliveries.job.ts';

const certificate = makeCertificate();
const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

describe.skipIf(certificate === undefined)('deliveries of a webhook', () => {
  const databases = useOneDatabase();
  let hooks: WebhookTest;
  let owner: User;
  let podcast: Podcast;
  let one: Episode;
  let other: Episode;
  let ref: WebhookRef;
  let secret: string;
  beforeEach(async () => {
    hooks = await openWebhookTest(certificate as Certificate, databases);
    const { ctx, clock } = hooks.test;
    owner = await makeUser(ctx);
    podcast = await makePodcast(ctx, { owner });
    one = await makeEpisode(ctx, podcast, { publishedAt: new Date(0) });
    other = await makeEpisode(ctx, podcast);
    clock.advance(1);
    const made = await hooks.makeWebhook(podcast);
    ref = { podcastId: podcast.id, webhookId: made.webhook.id };
    secret = made.secret;
    await hooks.send();
  });
  afterEach(() => hooks[Symbol.asyncDispose]());

  const fail = (status = 500, text = 'no') =>
    hooks.respond((_, response) => void response.writeHead(status).end(text));
  const change = (episode: Episode, title: string) =>
    updateEpisode(hooks.test.ctx, episode.id, { title });
  const list = async () => (await listDeliveries(hooks.test.ctx, ref, { limit: 100 })).items;
  const states = async () => (await list()).map(({ type, state }) => `${type} ${state}`);
  const webhook = async () => (await hooks.rows('select * from webhooks'))[0];
  const sign = (of: string, received = hooks.received[0]) => {
    const time = /^t=(\d+)/.exec(`${received?.headers['podstead-signature']}`)?.[1];
    return createHmac('sha256', of).update(`${time}.${received?.body}`).digest('hex');
  };

  // HOOK-7, SITE-40
  it('a delivery is signed with the secret, and for a day after a roll with both', async () => {
    await change(one, 'A');
    await hooks.told();
    const seconds = Math.floor(hooks.test.clock.now().getTime() / 1000);
    const header = () => hooks.received[0]?.headers['podstead-signature'];
    expect(header()).toBe(`t=${seconds},v1=${sign(secret)}`);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9_-]{43}$/);
    const rolled = await rollWebhookSecret(hooks.test.ctx, ref);
    expect(rolled.webhook.graceEndsAt?.getTime()).toBe(hooks.test.clock.now().getTime() + day);
    await change(one, 'B');
    await hooks.told();
    expect(header()).toBe(`t=${seconds},v1=${sign(rolled.secret)},v1=${sign(secret)}`);
    hooks.test.clock.advance(day);
    await change(one, 'C');
    await hooks.told();
    expect(header()).toBe(`t=${seconds + 86_400},v1=${sign(rolled.secret)}`);
  });

  // HOOK-8
  it('a delivery of the same episode waits for one that fails, and those of others do not', async () => {
    fail();
    await change(one, 'First');
    expect(await hooks.told()).toEqual(['episode.updated']);
    hooks.respond(undefined);
    await unpublishEpisode(hooks.test.ctx, one.id);
    await change(other, 'Not held');
    await hooks.told();
    expect(hooks.received.map(({ told }) => told.episode_id)).toEqual([other.id]);
    hooks.test.clock.advance(minute);
    await hooks.told();
    // What the first one was about is not public any more.
    expect(hooks.received.map(({ told }) => told.type)).toEqual(['episode.unpublished']);
    expect(await states()).toEqual([
      'episode.updated delivered',
      'episode.unpublished delivered',
      'episode.updated dropped',
    ]);
  });

  it('a delivery arrives in the order of the changes of its episode', async () => {
    fail();
    await change(one, 'First');
    await hooks.send();
    for (const again of [true, false]) {
      await unpublishEpisode(hooks.test.ctx, one.id);
      await hooks.send();
      await publishEpisode(hooks.test.ctx, one.id);
      await hooks.send();
      if (again) await change(one, 'Second');
    }
    hooks.respond(undefined);
    hooks.test.clock.advance(minute);
    // What came and went again in the meantime is not told.
    const inOrder = ['episode.updated', 'episode.unpublished', 'episode.published'];
    expect(await hooks.told()).toEqual(inOrder);
  });

  // HOOK-9
  it('a delivery is repeated with growing pauses for three days, with what is public then', async () => {
    fail(503);
    const began = hooks.test.clock.now().getTime();
    await change(one, 'First');
    await hooks.told();
    const tried = [0];
    for (let at = 0; at < 30; at += 1) {
      const [due] = await hooks.rows(`select due_at from webhooks where due_at is not null`);
      if (due === undefined) break;
      hooks.test.clock.set(due['due_at'] as Date);
      await change(one, `Version ${at}`);
      await hooks.told();
      const { told } = hooks.received[0] ?? {};
      expect(told).toMatchObject({ type: 'episode.updated', data: { title: `Version ${at}` } });
      tried.push((hooks.test.clock.now().getTime() - began) / minute);
    }
    expect(tried).toEqual([0, 1, 6, 36, 156, 516, 1236, 1956, 2676, 3396, 4116, 4320]);
    expect(new Set(hooks.received.map(({ told }) => told.id)).size).toBe(1);
  });

  // HOOK-10
  it('a delivery switches its webhook off after three days of failures, with an email to owner and admins', async () => {
    const { ctx, clock } = hooks.test;
    const [admin, editor] = [await makeUser(ctx), await makeUser(ctx)];
    for (const [user, role] of [
      [admin, 'admin'],
      [editor, 'editor'],
    ] as const)
      await addMember(ctx, { podcastId: podcast.id, userId: user.id, role });
    fail();
    await change(one, 'First');
    for (let at = 0; at < 30; at += 1) {
      await hooks.send();
      const due = (await webhook())?.['due_at'] as Date | null;
      if (due === null) break;
      clock.set(due);
    }
    expect(await webhook()).toMatchObject({ off_reason: 'failing', due_at: null, claim: null });
    const templates = async ({ email }: User) =>
      (await findEmails(hooks.test, email)).map(({ template }) => template);
    expect(await templates(owner)).toEqual(['webhook-off']);
    expect(await templates(admin)).toEqual(['webhook-off']);
    expect(await templates(editor)).toEqual([]);
    await change(other, 'Not collected');
    expect(await hooks.told()).toEqual([]);
    hooks.respond(undefined);
    await updateWebhook(ctx, { ...ref, isOn: true });
    await change(other, 'From now on');
    expect(await hooks.told()).toEqual(['episode.updated']);
    expect(hooks.received[0]?.told.data).toMatchObject({ title: 'From now on' });
  });

  it('a delivery that fails alone is given up, and later ones of its episode follow', async () => {
    hooks.respond((_, response) => {
      const isOne = hooks.received.at(-1)?.told.episode_id === one.id;
      response.writeHead(isOne ? 500 : 204).end();
    });
    await change(one, 'First');
    await hooks.send();
    await unpublishEpisode(hooks.test.ctx, one.id);
    await publishEpisode(hooks.test.ctx, one.id);
    for (let at = 0; at < 7; at += 1) {
      await change(other, `Version ${at}`);
      await hooks.send();
      hooks.test.clock.advance(12 * hour);
    }
    expect(await states()).toContain('episode.updated failed');
    expect(await webhook()).toMatchObject({ off_reason: null });
  });

  // HOOK-11
  it('a delivery shows status, response and time, and can be sent again', async () => {
    fail(418, `I'm a teapot\0${'x'.repeat(20_000)}`);
    await change(one, 'First');
    await hooks.told();
    const [shown] = await list();
    expect(shown).toMatchObject({ state: 'waiting', status: 418, attempts: 1, error: null });
    expect(shown?.response).toMatch(/^I'm a teapot\ufffdx+$/);
    expect(shown?.response).toHaveLength(1_000);
    hooks.respond(undefined);
    // Before its retry is due.
    await sendDeliveryAgain(hooks.test.ctx, { ...ref, deliveryId: shown?.id ?? '' });
    expect(await hooks.told()).toEqual(['episode.updated']);
    await sendDeliveryAgain(hooks.test.ctx, { ...ref, deliveryId: shown?.id ?? '' });
    expect(await hooks.told()).toEqual(['episode.updated']);
    expect(hooks.received[0]?.told.id).toBe(shown?.id);
    expect(await states()).toEqual(['episode.updated delivered']);
  });

  // HOOK-5
  it('a delivery that was unpublished is not sent again while its episode is public', async () => {
    await unpublishEpisode(hooks.test.ctx, one.id);
    await hooks.told();
    const [unpublished] = await list();
    const sendAgain = () =>
      sendDeliveryAgain(hooks.test.ctx, { ...ref, deliveryId: unpublished?.id ?? '' });
    await sendAgain();
    expect(await hooks.told()).toEqual(['episode.unpublished']);
    await publishEpisode(hooks.test.ctx, one.id);
    await hooks.told();
    await sendAgain();
    expect(await hooks.told()).toEqual([]);
    expect(await states()).toEqual(['episode.published delivered', 'episode.unpublished dropped']);
  });

  // HOOK-9
  it.each(['utf-8', 'gzip, gzip, gzip, gzip', 'gzip'])(
    'a delivery arrives if the response is 200 in the coding "%s", which nobody can read',
    async (coding) => {
      hooks.respond((_, response) => {
        response.writeHead(200, { 'Content-Encoding': coding }).end('not in this coding');
      });
      await change(one, 'First');
      await hooks.told();
      expect((await list())[0]).toMatchObject({ state: 'delivered', status: 200, response: '' });
    },
  );

  // HOOK-12
  it('a delivery that is a test is sent once, also to a webhook that is off', async () => {
    const { ctx } = hooks.test;
    fail();
    await testWebhook(ctx, ref);
    expect(await hooks.told()).toEqual(['ping']);
    expect(hooks.received[0]?.told).toMatchObject({ episode_id: null, data: null });
    expect(await states()).toEqual(['ping failed']);
    expect(await webhook()).toMatchObject({ failing_since: null, due_at: null });
    await updateWebhook(ctx, { ...ref, isOn: false });
    hooks.respond(undefined);
    await testWebhook(ctx, ref);
    expect(await hooks.told()).toEqual(['ping']);
  });

  // HOOK-10
  it('a delivery that waits is cancelled when somebody switches the webhook off', async () => {
    const { ctx } = hooks.test;
    fail();
    await change(one, 'First');
    await hooks.send();
    await updateWebhook(ctx, { ...ref, isOn: false });
    hooks.test.clock.advance(hour);
    expect(await hooks.told()).toEqual([]);
    expect(await states()).toEqual(['episode.updated cancelled']);
    const [{ id: deliveryId = '' } = {}] = await list();
    await expect(sendDeliveryAgain(ctx, { ...ref, deliveryId })).rejects.toThrow('is off');
  });

  // HOOK-10
  it('a delivery of another webhook arrives although somebody switches this one off', async () => {
    const { webhook: kept } = await hooks.makeWebhook(podcast, { path: '/kept' });
    const changed = await updateWebhook(hooks.test.ctx, { ...ref, isOn: false });
    expect(changed.offReason).toBe('user');
    await change(one, 'First');
    await hooks.told();
    expect(hooks.received.map(({ path }) => path)).toEqual(['/kept']);
    const rows = await hooks.rows('select off_reason from webhooks where id = $1', [kept.id]);
    expect(rows).toEqual([{ off_reason: null }]);
  });

  // HOOK-10
  it('a delivery that fails does not switch its webhook off if only one before it failed, days ago', async () => {
    const { clock } = hooks.test;
    const daysAgo = new Date(clock.now().getTime() - 4 * day);
    await hooks.rows('update webhooks set failing_since = $1', [daysAgo]);
    fail();
    await change(one, 'First');
    await hooks.send();
    expect(await webhook()).toMatchObject({ off_reason: null, failing_since: clock.now() });
  });

  // HOOK-10
  it('a delivery that somebody has sent again counts as one failure, whenever it was sent before', async () => {
    const { ctx, clock } = hooks.test;
    await change(one, 'First');
    await hooks.send();
    const [{ id: deliveryId = '' } = {}] = await list();
    clock.advance(day);
    await hooks.rows('update webhooks set failing_since = $1', [clock.now()]);
    clock.advance(4 * day);
    fail();
    await sendDeliveryAgain(ctx, { ...ref, deliveryId });
    await hooks.send();
    expect(await webhook()).toMatchObject({ off_reason: null, failing_since: clock.now() });
    clock.advance(5 * minute);
    const daysAgo = new Date(clock.now().getTime() - 3 * day);
    await hooks.rows('update webhooks set failing_since = $1', [daysAgo]);
    await hooks.send();
    expect(await webhook()).toMatchObject({ off_reason: 'failing' });
  });

  // HOOK-11
  it('a delivery is in the list for seven days', async () => {
    const { ctx, clock } = hooks.test;
    await change(one, 'First');
    await hooks.send();
    fail();
    await change(other, 'Waits');
    await hooks.send();
    const tools = { signal: new AbortController().signal, enqueue: async () => undefined };
    clock.advance(7 * day);
    await purgeDeliveriesJob.run(ctx, {}, tools);
    expect(await list()).toHaveLength(2);
    clock.advance(1);
    await purgeDeliveriesJob.run(ctx, {}, tools);
    expect(await states()).toEqual(['episode.updated waiting']);
  });

  // HOOK-11
  it('a delivery keeps its response and its row while few are newer', async () => {
    await hooks.rows(
      `insert into webhook_deliveries (id, webhook_id, type, subject_id, created_at, state,
          attempts, tried_at, status, response)
        select gen_random_uuid(), $1, 'show.updated', $2, $3::timestamptz, 'delivered',
          1, $3::timestamptz + n * interval '1 ms', 200, n::text
        from generate_series(1, 10100) n`,
      [ref.webhookId, podcast.id, new Date(hooks.test.clock.now().getTime() - day)],
    );
    hooks.respond((_, response) => void response.end('newest'));
    for (let turn = 0; turn < 12; turn += 1) {
      await change(one, `Version ${turn}`);
      await hooks.send();
    }
    const [{ count } = {}] = await hooks.rows('select count(*) from webhook_deliveries');
    expect(Number(count)).toBe(10_000);
    const kept = 'select response from webhook_deliveries where response is not null';
    const responses = (await hooks.rows(kept)).map(({ response }) => response);
    expect(responses).toHaveLength(100);
    expect(responses.filter((response) => response === 'newest')).toHaveLength(12);
    expect(responses).toContain('10100');
    expect((await list())[0]).toMatchObject({ state: 'delivered', response: 'newest' });
  });

  it('a delivery does not wait for a far future after the clock was set back', async () => {
    fail();
    await change(one, 'First');
    await hooks.send();
    hooks.test.clock.advance(-365 * day);
    hooks.respond(undefined);
    expect((await hooks.told()).sort()).toEqual(['episode.unpublished', 'episode.updated']);
    expect(await webhook()).toMatchObject({ failing_since: null, due_at: null });
  });
});
