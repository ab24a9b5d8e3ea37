import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Certificate, makeCertificate } from '../../../../../test/hosts/certificate.ts';
import { makeEpisode, makePodcast, makeUser } from '../../../../../test/make.ts';
import { openWebhookTest, type WebhookTest } from '../../../../../test/open-webhook-test.ts';
import { useOneDatabase } from '../../../../../test/use-one-database.ts';
import { setPlan, type User } from '../../../foundation/accounts/index.ts';
import { announceChange } from '../../../foundation/outbox/index.ts';
import {
  deleteEpisode,
  type Episode,
  publishEpisode,
  unpublishEpisode,
  updateEpisode,
} from '../../../publishing/episodes/index.ts';
import {
  activatePodcast,
  type Podcast,
  pausePodcast,
  resumePodcast,
  updatePodcast,
} from '../../../publishing/podcasts/index.ts';
import { deletePodcast } from '../../../service/shows/index.ts';
import { findWebhookChanges } from './find-changes.ts';

const certificate = makeCertificate();
const minute = 60_000;

describe.skipIf(certificate === undefined)('changes of a show', () => {
  const databases = useOneDatabase();
  let hooks: WebhookTest;
  let owner: User;
  let podcast: Podcast;
  let episode: Episode;
  beforeEach(async () => {
    hooks = await openWebhookTest(certificate as Certificate, databases);
    const { ctx } = hooks.test;
    owner = await makeUser(ctx);
    podcast = await makePodcast(ctx, { owner });
    episode = await makeEpisode(ctx, podcast);
    hooks.test.clock.advance(1);
    await hooks.makeWebhook(podcast);
    expect(await hooks.told()).toEqual([]);
  });
  afterEach(() => hooks[Symbol.asyncDispose]());

  const change = (fields: object) => updateEpisode(hooks.test.ctx, episode.id, fields);
  const changeShow = (fields: object) => updatePodcast(hooks.test.ctx, podcast.id, fields);
  const told = () => hooks.told();

  // HOOK-3
  it('a webhook is told of an episode that is published, with what the public API has of it', async () => {
    const { ctx } = hooks.test;
    const draft = await makeEpisode(ctx, podcast, { status: 'draft', title: 'News' });
    await updateEpisode(ctx, draft.id, { title: 'Newer' });
    expect(await told()).toEqual([]);
    await publishEpisode(ctx, draft.id);
    expect(await told()).toEqual(['episode.published']);
    const { told: body } = hooks.received[0] ?? {};
    expect(body).toEqual({
      id: expect.any(String),
      type: 'episode.published',
      created_at: hooks.test.clock.now().toISOString(),
      podcast_id: podcast.id,
      episode_id: draft.id,
      data: expect.objectContaining({ id: draft.id, title: 'Newer' }),
    });
    expect(Object.keys(body?.data ?? {})).toContain('show_notes_html');
  });

  // HOOK-4
  it('a webhook is told of a scheduled episode at its second, without a request', async () => {
    const { ctx, clock } = hooks.test;
    const scheduledFor = new Date(clock.now().getTime() + minute);
    await makeEpisode(ctx, podcast, { status: 'scheduled', scheduledFor });
    expect(await told()).toEqual([]);
    clock.set(new Date(scheduledFor.getTime() - 1));
    expect(await told()).toEqual([]);
    clock.set(scheduledFor);
    expect(await told()).toEqual(['episode.published']);
    expect(await told()).toEqual([]);
  });

  it('a webhook is told of an episode that changes, once', async () => {
    await change({ title: 'Another' });
    await change({ title: 'A third' });
    expect(await told()).toEqual(['episode.updated']);
    expect(hooks.received[0]?.told.data).toMatchObject({ title: 'A third' });
    expect(await told()).toEqual([]);
  });

  // HOOK-5
  it('a webhook is told of an episode that changes before its publication was sent once', async () => {
    const { ctx } = hooks.test;
    const present = await hooks.test.loadWebhookPresenter();
    const draft = await makeEpisode(ctx, podcast, { status: 'draft' });
    await publishEpisode(ctx, draft.id);
    await findWebhookChanges(ctx, present);
    await updateEpisode(ctx, draft.id, { title: 'Another' });
    await findWebhookChanges(ctx, present);
    expect(await told()).toEqual(['episode.published']);
    expect(hooks.received[0]?.told.data).toMatchObject({ title: 'Another' });
    await updateEpisode(ctx, draft.id, { title: 'A third' });
    expect(await told()).toEqual(['episode.updated']);
  });

  // HOOK-5
  it('a webhook is told of nothing that the public does not see', async () => {
    await change({ title: episode.title });
    await change({ itunesBlock: true });
    await changeShow({ teamKeys: false });
    await announceChange(hooks.test.ctx, { kind: 'podcast.changed', podcastId: podcast.id });
    expect(await told()).toEqual([]);
  });

  it('a webhook is told of an episode that is unpublished or deleted, without data', async () => {
    await unpublishEpisode(hooks.test.ctx, episode.id);
    expect(await told()).toEqual(['episode.unpublished']);
    expect(hooks.received[0]?.told).toMatchObject({ episode_id: episode.id, data: null });
    await publishEpisode(hooks.test.ctx, episode.id);
    expect(await told()).toEqual(['episode.published']);
    await deleteEpisode(hooks.test.ctx, episode.id);
    expect(await told()).toEqual(['episode.unpublished']);
  });

  // HOOK-2
  // HOOK-5
  it('a webhook is told once of an episode that was unpublished and restored many times', async () => {
    const { ctx } = hooks.test;
    await hooks.makeWebhook(podcast, { path: '/one', types: ['episode.published'] });
    await hooks.makeWebhook(podcast, { path: '/other', types: ['episode.unpublished'] });
    const { signal } = new AbortController();
    const present = await hooks.test.loadWebhookPresenter();
    const find = () => findWebhookChanges(ctx, present, signal);
    const alternate = async () => {
      await unpublishEpisode(ctx, episode.id);
      await find();
      await publishEpisode(ctx, episode.id);
      await find();
    };
    for (let time = 0; time < 5; time += 1) await alternate();
    const waiting = await hooks.rows("select type from webhook_deliveries where state = 'waiting'");
    expect(waiting).toHaveLength(4);
    await told();
    const ofAll = () =>
      hooks.received.filter(({ path }) => path === '/hook').map(({ told }) => told.type);
    expect(ofAll()).toEqual(['episode.unpublished', 'episode.published']);
    for (let time = 0; time < 5; time += 1) await alternate();
    await change({ title: 'Other' });
    await unpublishEpisode(ctx, episode.id);
    await told();
    expect(ofAll()).toEqual(['episode.unpublished']);
  });

  it('a webhook is told of a show that changes, once and not for its episodes', async () => {
    await changeShow({ title: 'Renamed', slug: `renamed-${podcast.slug}`.slice(0, 60) });
    expect(await told()).toEqual(['show.updated']);
    expect(hooks.received[0]?.told).toMatchObject({
      podcast_id: podcast.id,
      episode_id: null,
      data: { title: 'Renamed', episode_count: 1 },
    });
    // The episode's links have changed with the show's slug.
    await announceChange(hooks.test.ctx, {
      ...{ kind: 'episode.changed', podcastId: podcast.id, episodeId: episode.id },
    });
    expect(await told()).toEqual([]);
  });

  // HOOK-2
  it('a webhook is told of a show that gets a domain of its own, and not for its episodes', async () => {
    const { ctx } = hooks.test;
    await hooks.rows(
      `insert into podcast_domains (podcast_id, host, token, state, held, created_at)
        values ($1, 'signals.example', 'x', 'verified', true, now())`,
      [podcast.id],
    );
    await announceChange(ctx, { kind: 'podcast.changed', podcastId: podcast.id });
    const changed = { podcastId: podcast.id, episodeId: episode.id };
    await announceChange(ctx, { kind: 'episode.changed', ...changed });
    expect(await told()).toEqual(['show.updated']);
    expect(JSON.stringify(hooks.received[0]?.told.data)).toContain('signals.example');
  });

  it('a webhook is told of a plan that changes what the public sees of the show', async () => {
    await changeShow({ showPoweredBy: false });
    await told();
    await setPlan(hooks.test.ctx, { email: owner.email, plan: 'free', planState: 'active' });
    const free = await told();
    await setPlan(hooks.test.ctx, { email: owner.email, plan: 'studio', planState: 'active' });
    expect([free, await told()].flat()).toContain('show.updated');
  });

  // HOOK-6
  it('a webhook is told of nothing while the show is paused, and afterwards of what is different', async () => {
    const { ctx } = hooks.test;
    await pausePodcast(ctx, podcast.id);
    const other = await makeEpisode(ctx, podcast);
    await change({ title: 'Changed in the pause' });
    await changeShow({ title: 'Renamed in the pause' });
    expect(await told()).toEqual([]);
    await resumePodcast(ctx, podcast.id);
    expect((await told()).sort()).toEqual(['episode.published', 'episode.updated', 'show.updated']);
    const ids = hooks.received.map((received) => received.told.episode_id);
    expect(ids.sort()).toEqual([episode.id, other.id, null].sort());
  });

  it('a webhook is told of no episode twice because the show was paused', async () => {
    await pausePodcast(hooks.test.ctx, podcast.id);
    await told();
    await resumePodcast(hooks.test.ctx, podcast.id);
    expect(await told()).toEqual([]);
  });

  it('a webhook is told of what happened shortly before a pause only after it', async () => {
    await change({ title: 'Another' });
    await pausePodcast(hooks.test.ctx, podcast.id);
    expect(await told()).toEqual([]);
    hooks.test.clock.advance(10 * 24 * 60 * minute);
    await resumePodcast(hooks.test.ctx, podcast.id);
    expect(await told()).toEqual(['episode.updated']);
  });

  it('a webhook is told of all episodes of a draft that becomes public', async () => {
    const { ctx } = hooks.test;
    const draft = await makePodcast(ctx, { owner });
    await hooks.rows(`update podcasts set status = 'draft' where id = $1`, [draft.id]);
    await makeEpisode(ctx, draft);
    await hooks.makeWebhook(draft);
    await updatePodcast(ctx, draft.id, { title: 'Not yet' });
    expect(await told()).toEqual([]);
    await activatePodcast(ctx, draft.id);
    expect((await told()).sort()).toEqual(['episode.published', 'show.updated']);
  });

  it('a webhook is told of an import that ends', async () => {
    await announceChange(hooks.test.ctx, { kind: 'import.finished', podcastId: podcast.id });
    expect(await told()).toEqual(['import.finished']);
    expect(hooks.received[0]?.told.data).toMatchObject({ id: podcast.id });
  });

  it('a webhook is told only of what it wants', async () => {
    await hooks.makeWebhook(podcast, { path: '/some', types: ['show.updated'] });
    await change({ title: 'Another' });
    await told();
    expect(hooks.received.map(({ path }) => path)).toEqual(['/hook']);
    await changeShow({ title: 'Renamed' });
    await told();
    expect(hooks.received.map(({ path }) => path).sort()).toEqual(['/hook', '/some']);
  });

  // HOOK-14
  it('a webhook is told of nothing more when its show is handed over', async () => {
    const { ctx } = hooks.test;
    const { id: userId } = await makeUser(ctx);
    await change({ title: 'Another' });
    const handedOver = { podcastId: podcast.id, userId, previousUserId: owner.id };
    await announceChange(ctx, { kind: 'ownership.changed', ...handedOver });
    expect(await told()).toEqual([]);
    const [webhook] = await hooks.rows('select off_reason, due_at from webhooks');
    expect(webhook).toEqual({ off_reason: 'ownership', due_at: null });
  });

  it('a webhook is told of changes if the new owner of its show has created it', async () => {
    const { ctx, clock } = hooks.test;
    const { id: userId } = await makeUser(ctx);
    const handedOver = { podcastId: podcast.id, userId, previousUserId: owner.id };
    await announceChange(ctx, { kind: 'ownership.changed', ...handedOver });
    // Before background work has seen this.
    clock.advance(1);
    await hooks.makeWebhook(podcast, { path: '/new' });
    await change({ title: 'Another' });
    await told();
    expect(hooks.received.map(({ path }) => path)).toEqual(['/new']);
  });

  it('a webhook is told of nothing more when its show is deleted', async () => {
    await change({ title: 'Another' });
    await deletePodcast(hooks.test.ctx, podcast.id);
    expect(await told()).toEqual([]);
    expect(await hooks.rows('select * from webhook_deliveries')).toEqual([]);
    expect(await hooks.rows('select * from webhook_episodes')).toEqual([]);
  });

  it('a webhook is told of a change made between its creation and the first look at what was public', async () => {
    const { ctx } = hooks.test;
    const other = await makePodcast(ctx, { owner });
    const one = await makeEpisode(ctx, other);
    hooks.test.clock.advance(1);
    await hooks.makeWebhook(other);
    await updateEpisode(ctx, one.id, { title: 'At once' });
    expect(await told()).toEqual(['episode.updated']);
  });

  it('a webhook is told of what was lost with the outbox when a backup was restored', async () => {
    await hooks.rows('update webhook_shows set is_stale = true');
    expect(await told()).toEqual([]);
    await change({ title: 'Another' });
    await makeEpisode(hooks.test.ctx, podcast);
    await hooks.rows(`update change_consumers set seq = 1000000 where name = 'webhooks'`);
    await hooks.rows('delete from change_events');
    expect(await told()).toEqual([]);
    await hooks.rows('update webhook_shows set is_stale = true');
    expect((await told()).sort()).toEqual(['episode.published', 'episode.updated']);
    expect(await told()).toEqual([]);
  });

  it('a webhook is told of very many changes during a pause in parts, of which each is short', async () => {
    const { ctx } = hooks.test;
    const others = await Promise.all(Array.from({ length: 44 }, () => makeEpisode(ctx, podcast)));
    await told();
    await pausePodcast(ctx, podcast.id);
    for (const { id } of [episode, ...others]) await updateEpisode(ctx, id, { title: 'Changed' });
    expect(await told()).toEqual([]);
    await activatePodcast(ctx, podcast.id);
    const stopping = new AbortController();
    const present = await hooks.test.loadWebhookPresenter();
    let reads = 0;
    const counting = {
      ...present,
      episode(...read: Parameters<typeof present.episode>) {
        reads += 1;
        stopping.abort();
        return present.episode(...read);
      },
    };
    await findWebhookChanges(ctx, counting, stopping.signal);
    expect(reads).toBe(20);
    expect(await told()).toEqual(Array.from({ length: 45 }, () => 'episode.updated'));
    expect(await told()).toEqual([]);
  });

  it('a webhook is told of the same only once, whichever of several workers looks', async () => {
    const { ctx, clock } = hooks.test;
    for (let at = 0; at < 20; at += 1) {
      const scheduledFor = new Date(clock.now().getTime() + minute);
      await makeEpisode(ctx, podcast, { status: 'scheduled', scheduledFor });
    }
    clock.advance(minute);
    hooks.received.length = 0;
    await Promise.all([hooks.send(), hooks.send(), hooks.send()]);
    expect(hooks.received).toHaveLength(20);
  });
});
