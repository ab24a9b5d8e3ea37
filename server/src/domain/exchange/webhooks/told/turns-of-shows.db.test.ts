import { afterEach, beforeEach, expect, it } from 'vitest';
import { insertEpisodes } from '../../../../../test/insert-episodes.ts';
import { makeEpisode, makePodcast } from '../../../../../test/make.ts';
import { openWebhookTest, type WebhookTest } from '../../../../../test/open-webhook-test.ts';
import { useOneDatabase } from '../../../../../test/use-one-database.ts';
import type { Context } from '../../../foundation/context.ts';
import { announceChange } from '../../../foundation/outbox/index.ts';
import { type Podcast, pausePodcast, resumePodcast } from '../../../publishing/podcasts/index.ts';
import type { WebhookPresenter } from '../webhook.ts';
import { createShowTurns, findWebhookChanges } from './find-changes.ts';

const databases = useOneDatabase();
let hooks: WebhookTest;
let ctx: Context;
let present: WebhookPresenter;
let old: Podcast[];
let young: Podcast;
beforeEach(async () => {
  hooks = await openWebhookTest(undefined, databases);
  ctx = hooks.test.ctx;
  present = await hooks.test.loadWebhookPresenter();
  const made: Podcast[] = [];
  for (let at = 0; at < 4; at += 1) {
    made.push(await makePodcast(ctx));
    hooks.test.clock.advance(1);
  }
  made.sort((one, other) => (one.id < other.id ? -1 : 1));
  young = made.pop() as Podcast;
  old = made;
});
afterEach(() => hooks[Symbol.asyncDispose]());

const makeWebhooks = async (podcasts: readonly Podcast[]) => {
  for (const [at, podcast] of podcasts.entries())
    await hooks.makeWebhook(podcast, { url: `https://h${at}.example/` });
  await findWebhookChanges(ctx, present);
  hooks.test.clock.advance(1);
};
const typesFor = async ({ id }: Podcast) => {
  const rows = await hooks.rows(
    `select type from webhook_deliveries where webhook_id in
      (select id from webhooks where podcast_id = $1) order by seq`,
    [id],
  );
  return rows.map(({ type }) => type);
};
/** Until the time of a run is over, which is so when it has read one episode. */
async function findForOneTurn(turns = createShowTurns()) {
  const stopping = new AbortController();
  const impatient: WebhookPresenter = {
    podcast: present.podcast,
    episode(...read) {
      stopping.abort();
      return present.episode(...read);
    },
  };
  await findWebhookChanges(ctx, impatient, stopping.signal, turns);
}

// HOOK-15
it('a show has its turn although older ones have changed again whenever time is over', async () => {
  await makeWebhooks([...old, young]);
  for (const podcast of [...old, young]) await makeEpisode(ctx, podcast);
  for (let run = 0; run <= old.length; run += 1) {
    await findForOneTurn();
    hooks.test.clock.advance(1);
    for (const podcast of old) await makeEpisode(ctx, podcast);
  }
  expect(await typesFor(young)).toEqual(['episode.published']);
});

it('a show rests for ten times as long as its comparison took, and others have their turns', async () => {
  const { clock } = hooks.test;
  const [slow] = old as [Podcast];
  await makeWebhooks([slow, young]);
  const turns = createShowTurns();
  const ticking: WebhookPresenter = {
    podcast: present.podcast,
    episode(show, episode) {
      if (show.id === slow.id) clock.advance(100);
      return present.episode(show, episode);
    },
  };
  const find = () => findWebhookChanges(ctx, ticking, undefined, turns);
  await makeEpisode(ctx, slow);
  await find();
  for (const podcast of [slow, young]) await makeEpisode(ctx, podcast);
  clock.advance(899);
  await find();
  expect([await typesFor(slow), await typesFor(young)]).toEqual([
    ['episode.published'],
    ['episode.published'],
  ]);
  clock.advance(101);
  await find();
  expect(await typesFor(slow)).toEqual(['episode.published', 'episode.published']);
});

it('shows whose episodes are hashed take turns from run to run', async () => {
  for (const podcast of old) await insertEpisodes(hooks.test, podcast.id, 60, ctx.clock.now());
  for (const [at, podcast] of old.entries())
    await hooks.makeWebhook(podcast, { url: `https://h${at}.example/` });
  const turns = createShowTurns();
  for (let run = 0; run < old.length; run += 1) await findForOneTurn(turns);
  const hashed = await hooks.rows(`select count(*)::int as count from webhook_episodes
    where hash is not null group by podcast_id`);
  expect(hashed).toEqual([{ count: 20 }, { count: 20 }, { count: 20 }]);
});

// HOOK-6
it('a hundred of the imports that end while a show is hidden are told when it can be seen', async () => {
  await makeWebhooks([young]);
  await pausePodcast(ctx, young.id);
  await findWebhookChanges(ctx, present);
  for (let at = 0; at < 120; at += 1)
    await announceChange(ctx, { kind: 'import.finished', podcastId: young.id });
  await findWebhookChanges(ctx, present);
  expect(await typesFor(young)).toEqual([]);
  await resumePodcast(ctx, young.id);
  await findWebhookChanges(ctx, present);
  expect(await typesFor(young)).toEqual(Array.from({ length: 100 }, () => 'import.finished'));
  await findWebhookChanges(ctx, present);
  expect(await typesFor(young)).toHaveLength(100);
});
