import { afterEach, beforeEach, expect, it } from 'vitest';
import { beforeCommit } from '../../../../test/before-commit.ts';
import { createTestContext, type TestContext } from '../../../../test/create-test-context.ts';
import { makeEpisode, makePodcast, makeUser } from '../../../../test/make.ts';
import { refusalOf } from '../../../../test/refusal-of.ts';
import { useOneDatabase } from '../../../../test/use-one-database.ts';
import type { User } from '../../foundation/accounts/index.ts';
import { addMember, type Podcast } from '../../publishing/podcasts/index.ts';
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listDeliveries,
  listWebhooks,
  rollWebhookSecret,
  sendDeliveryAgain,
  testWebhook,
  updateWebhook,
} from './index.ts';

const databases = useOneDatabase();
let test: TestContext;
let owner: User;
let podcast: Podcast;
beforeEach(async () => {
  test = await createTestContext({}, { databases });
  owner = await makeUser(test.ctx);
  podcast = await makePodcast(test.ctx, { owner });
});
afterEach(() => test[Symbol.asyncDispose]());

const types = ['episode.published'] as const;
const hook = 'https://example.com/hook';
const create = (url = hook, ctx = test.ctx) =>
  createWebhook(ctx, { podcastId: podcast.id, url, types });
const as = ({ id: userId }: User) => test.contextFor({ kind: 'user', userId });
const rows = async (sql: string) => (await test.database.pool.query(sql)).rows;

// HOOK-1
it('ten webhooks fit into a show, also if they are created at the same time', async () => {
  const created = await Promise.allSettled(
    Array.from({ length: 14 }, (_, at) => create(`https://${at}.example/`)),
  );
  const refused = created.filter(({ status }) => status === 'rejected');
  expect(refused).toHaveLength(4);
  const [first, ...others] = await listWebhooks(test.ctx, podcast.id);
  expect(others).toHaveLength(9);
  expect(await refusalOf(create())).toMatchObject({ details: [{ reason: 'webhook_limit' }] });
  await deleteWebhook(test.ctx, { podcastId: podcast.id, webhookId: first?.id ?? '' });
  await create();
  expect(await listWebhooks(test.ctx, podcast.id)).toHaveLength(10);
});

const reasonOf = async (work: Promise<unknown>) => (await refusalOf(work)).details[0]?.reason;

// HOOK-1
it('a show has one webhook for a URL, also if two are created at the same time', async () => {
  await Promise.allSettled(Array.from({ length: 4 }, () => create()));
  expect(await listWebhooks(test.ctx, podcast.id)).toHaveLength(1);
  expect(await reasonOf(create('HTTPS://EXAMPLE.com:443/hook'))).toBe('webhook_url_taken');
  const other = await makePodcast(test.ctx, { owner });
  await createWebhook(test.ctx, { podcastId: other.id, url: hook, types });
  const { webhook } = await create(`${hook}?second`);
  const ref = { podcastId: podcast.id, webhookId: webhook.id };
  expect(await reasonOf(updateWebhook(test.ctx, { ...ref, url: hook }))).toBe('webhook_url_taken');
  expect(await updateWebhook(test.ctx, { ...ref, url: webhook.url })).toEqual(webhook);
});

// HOOK-1
it('a show has three webhooks for a host, whatever their ports', async () => {
  for (const url of [hook, 'https://example.com:8443/', 'https://EXAMPLE.com/2']) await create(url);
  const fourth = 'https://example.com:9443/';
  expect(await refusalOf(create(fourth))).toMatchObject({
    details: [{ field: 'url', reason: 'webhook_host_limit' }],
  });
  const { webhook } = await create('https://www.example.com/');
  const ref = { podcastId: podcast.id, webhookId: webhook.id };
  expect(await reasonOf(updateWebhook(test.ctx, { ...ref, url: fourth }))).toBe(
    'webhook_host_limit',
  );
  // Those of an earlier release may be too many, and can still be changed.
  await rows(
    `update webhooks set url = '${fourth}', host = 'example.com:9443' where id = '${webhook.id}'`,
  );
  expect(await updateWebhook(test.ctx, { ...ref, url: fourth, isOn: false })).toMatchObject({
    offReason: 'user',
  });
});

// HOOK-1
it('owner and admins manage webhooks, and nobody else knows of them', async () => {
  const { webhook } = await create('https://example.com/hook', as(owner));
  const ref = { podcastId: podcast.id, webhookId: webhook.id };
  const deliveryId = webhook.id;
  const attempts = (ctx: ReturnType<typeof as>) => [
    listWebhooks(ctx, podcast.id),
    create('https://example.com/', ctx),
    getWebhook(ctx, ref),
    updateWebhook(ctx, { ...ref, isOn: true }),
    rollWebhookSecret(ctx, ref),
    testWebhook(ctx, ref),
    listDeliveries(ctx, ref, { limit: 1 }),
    sendDeliveryAgain(ctx, { ...ref, deliveryId }),
    deleteWebhook(ctx, ref),
  ];
  for (const role of ['editor', 'analyst', 'cohost'] as const) {
    const user = await makeUser(test.ctx);
    await addMember(test.ctx, { podcastId: podcast.id, userId: user.id, role });
    const refused = await Promise.all(attempts(as(user)).map(refusalOf));
    expect(new Set(refused.map(({ kind }) => kind))).toEqual(new Set(['forbidden']));
  }
  const stranger = await makeUser(test.ctx);
  const refused = await Promise.all(attempts(as(stranger)).map(refusalOf));
  expect(new Set(refused.map(({ kind }) => kind))).toEqual(new Set(['not_found']));
  const admin = await makeUser(test.ctx);
  await addMember(test.ctx, { podcastId: podcast.id, userId: admin.id, role: 'admin' });
  expect(await listWebhooks(as(admin), podcast.id)).toHaveLength(1);
});

// HOOK-1. With the embedded database, nothing else runs while a transaction holds a lock.
it.skipIf(process.env['TEST_DATABASE'] !== 'postgres')(
  'an admin who is removed while a request waits changes nothing',
  async () => {
    const { webhook } = await create();
    const ref = { podcastId: podcast.id, webhookId: webhook.id };
    const { id: deliveryId } = await testWebhook(test.ctx, ref);
    const stored = () =>
      rows(`select w.url, w.secret, d.* from webhooks w
      join webhook_deliveries d on d.webhook_id = w.id`);
    const before = await stored();
    const remove = "delete from podcast_members where podcast_id = $1 and role = 'admin'";
    const lock = 'select from webhooks where podcast_id = $1 for update';
    const attempts: ((ctx: ReturnType<typeof as>) => Promise<unknown>)[] = [
      (ctx) => updateWebhook(ctx, { ...ref, url: 'https://example.com/stolen' }),
      (ctx) => rollWebhookSecret(ctx, ref),
      (ctx) => testWebhook(ctx, ref),
      (ctx) => sendDeliveryAgain(ctx, { ...ref, deliveryId }),
      (ctx) => deleteWebhook(ctx, ref),
    ];
    for (const attempt of attempts) {
      const admin = await makeUser(test.ctx);
      await addMember(test.ctx, { podcastId: podcast.id, userId: admin.id, role: 'admin' });
      const waiting = beforeCommit(test, podcast.id, [remove, lock], () => attempt(as(admin)));
      expect(await refusalOf(waiting)).toMatchObject({ kind: 'not_found' });
      expect(await stored()).toEqual(before);
    }
  },
);

it('a webhook of another show is not found under a show of one’s own', async () => {
  const { webhook } = await create();
  const other = await makePodcast(test.ctx, { owner });
  const ref = { podcastId: other.id, webhookId: webhook.id };
  expect(await refusalOf(getWebhook(as(owner), ref))).toMatchObject({ kind: 'not_found' });
  expect(await refusalOf(deleteWebhook(as(owner), ref))).toMatchObject({ kind: 'not_found' });
  expect(await refusalOf(testWebhook(as(owner), ref))).toMatchObject({ kind: 'not_found' });
});

// HOOK-1
it.each([
  'http://example.com/',
  'https://name@example.com/',
  'https://name:word@example.com/',
  'https://example.com/#part',
  'https://example.com/#',
  'example.com',
  'https://',
  `https://example.com/${'x'.repeat(2048)}`,
  'javascript:alert(1)',
  '',
])('a webhook cannot have the URL %s', async (url) => {
  expect(await refusalOf(create(url))).toMatchObject({ details: [{ field: 'url' }] });
});

it('a webhook is told of nothing that nobody knows, or of at least one thing', async () => {
  const [podcastId, url] = [podcast.id, 'https://example.com/'];
  for (const wrong of [[], ['ping'], ['episode.published', 'x']]) {
    const created = createWebhook(test.ctx, { podcastId, url, types: wrong as never });
    expect(await refusalOf(created)).toMatchObject({ details: [{ field: 'types' }] });
  }
});

// HOOK-7
it('the secret is only in the responses that create and roll it', async () => {
  const { webhook, secret } = await create();
  const ref = { podcastId: podcast.id, webhookId: webhook.id };
  const rolled = await rollWebhookSecret(test.ctx, ref);
  const again = await rollWebhookSecret(test.ctx, ref);
  expect(new Set([secret, rolled.secret, again.secret]).size).toBe(3);
  const shown = [webhook, rolled.webhook, again.webhook, await listWebhooks(test.ctx, podcast.id)];
  expect(JSON.stringify(shown)).not.toContain('whsec_');
  // The grace of the first ended.
  const [stored] = await rows('select secret, previous_secret from webhooks');
  expect(stored).toEqual({ secret: again.secret, previous_secret: rolled.secret });
});

it('the eleventh test in a minute is refused', async () => {
  const { webhook } = await create();
  const ref = { podcastId: podcast.id, webhookId: webhook.id };
  for (let at = 0; at < 10; at += 1) await testWebhook(test.ctx, ref);
  expect(await refusalOf(testWebhook(test.ctx, ref))).toMatchObject({ kind: 'rate_limited' });
  expect(await rows('select id from webhook_deliveries')).toHaveLength(10);
  test.clock.advance(60_000);
  await testWebhook(test.ctx, ref);
});

it('a list of deliveries has pages, newest first', async () => {
  const { webhook } = await create();
  const ref = { podcastId: podcast.id, webhookId: webhook.id };
  const made: string[] = [];
  for (let at = 0; at < 5; at += 1) made.unshift((await testWebhook(test.ctx, ref)).id);
  const first = await listDeliveries(test.ctx, ref, { limit: 3 });
  const second = await listDeliveries(test.ctx, ref, { limit: 3, after: first.next });
  expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(made);
  expect(second.next).toBeUndefined();
});

it('nothing is remembered for a show without webhooks', async () => {
  await makeEpisode(test.ctx, podcast);
  const { webhook } = await create();
  expect(await rows('select * from webhook_episodes')).toHaveLength(1);
  await deleteWebhook(test.ctx, { podcastId: podcast.id, webhookId: webhook.id });
  for (const table of ['webhook_shows', 'webhook_episodes', 'webhooks', 'webhook_deliveries'])
    expect(await rows(`select * from ${table}`)).toEqual([]);
});

it('a webhook stays when the account that created it is deleted', async () => {
  const admin = await makeUser(test.ctx);
  await addMember(test.ctx, { podcastId: podcast.id, userId: admin.id, role: 'admin' });
  await create('https://example.com/', as(admin));
  await rows(`delete from users where id = '${admin.id}'`);
  expect(await rows('select created_by from webhooks')).toEqual([{ created_by: null }]);
});
