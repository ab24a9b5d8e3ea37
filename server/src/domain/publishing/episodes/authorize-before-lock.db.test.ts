import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestContext, type TestContext } from '../../../../test/create-test-context.ts';
import { makeEpisode, makePodcast, makeUser } from '../../../../test/make.ts';
import type { Context } from '../../foundation/context.ts';
import { addMember, type Podcast } from '../podcasts/index.ts';
import {
  archiveEpisode,
  deleteEpisode,
  publishEpisode,
  restoreStatus,
  scheduleEpisode,
  unpublishEpisode,
  updateEpisode,
} from './index.ts';

const earlier = { status: 'archived', publishedAt: null, scheduledFor: null } as const;
const verbs: readonly [string, (ctx: Context, episodeId: string) => Promise<unknown>][] = [
  ['updateEpisode', (ctx, id) => updateEpisode(ctx, id, { title: 'Mine' })],
  ['publishEpisode', (ctx, id) => publishEpisode(ctx, id)],
  ['scheduleEpisode', (ctx, id) => scheduleEpisode(ctx, id, ctx.clock.now())],
  ['unpublishEpisode', (ctx, id) => unpublishEpisode(ctx, id)],
  ['archiveEpisode', (ctx, id) => archiveEpisode(ctx, id)],
  ['restoreStatus', (ctx, id) => restoreStatus(ctx, id, earlier)],
  ['deleteEpisode', (ctx, id) => deleteEpisode(ctx, id)],
];

// With the embedded database, nothing else runs while a transaction holds the lock.
describe.skipIf(process.env['TEST_DATABASE'] !== 'postgres')('a row that its owner locks', () => {
  let test: TestContext;
  let podcast: Podcast;
  beforeAll(async () => {
    test = await createTestContext();
    podcast = await makePodcast(test.ctx);
  });
  afterAll(() => test[Symbol.asyncDispose]());

  it.each(verbs)('%s refuses people without the right, and waits for no lock', async (_, verb) => {
    const { id } = await makeEpisode(test.ctx, podcast);
    const [stranger, analyst] = [await makeUser(test.ctx), await makeUser(test.ctx)];
    await addMember(test.ctx, { podcastId: podcast.id, userId: analyst.id, role: 'analyst' });
    const owner = await test.database.pool.connect();
    try {
      await owner.query('begin');
      await owner.query('select from episodes where id = $1 for update', [id]);
      const act = (userId: string) => verb(test.contextFor({ kind: 'user', userId }), id);
      await expect(act(stranger.id)).rejects.toMatchObject({ kind: 'not_found' });
      await expect(act(analyst.id)).rejects.toMatchObject({ kind: 'forbidden' });
    } finally {
      await owner.query('rollback');
      owner.release();
    }
  });
});
