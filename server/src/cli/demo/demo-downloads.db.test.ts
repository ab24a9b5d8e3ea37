import { expect, it } from 'vitest';
import { createTestContext } from '../../../test/create-test-context.ts';
import { makeEpisode, makePodcast } from '../../../test/make.ts';
import { attachTone } from '../../domain/publishing/audio/index.ts';
import { countDemoDownloads } from './demo-downloads.ts';

it('counts invented downloads of the episodes that have audio', async () => {
  await using test = await createTestContext();
  const podcast = await makePodcast(test.ctx);
  const publishedAt = new Date(test.clock.now().getTime() - 20 * 86_400_000);
  const audible = await makeEpisode(test.ctx, podcast, { status: 'published', publishedAt });
  await attachTone(test.ctx, audible.id, 90);
  await makeEpisode(test.ctx, podcast, { status: 'published', publishedAt });
  await countDemoDownloads(test, podcast.id);
  const { rows } = await test.database.pool.query(
    `select episode_id, count(*)::int as days, sum(downloads) > 50 as many
      from episode_download_days group by episode_id`,
  );
  expect(rows).toEqual([{ episode_id: audible.id, days: expect.any(Number), many: true }]);
  expect(rows[0].days).toBeGreaterThan(15);
});
