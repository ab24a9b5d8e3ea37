import { expect, it } from 'vitest';
import { createTestContext } from '../../../../test/create-test-context.ts';
import { makePodcast, makeUser } from '../../../../test/make.ts';
import { consumeAttempt } from '../../foundation/accounts/index.ts';
import { startEpisode } from '../../publishing/episodes/index.ts';
import { duplicateEpisode } from './index.ts';

it('a user makes at most 600 episodes an hour by hand, copies included; commands make more', async () => {
  await using test = await createTestContext();
  const user = await makeUser(test.ctx);
  const { id: podcastId } = await makePodcast(test.ctx, { owner: user });
  const ctx = test.contextFor({ kind: 'user', userId: user.id });
  const hour = { name: 'episodes-user', most: 600, windowMs: 3_600_000 };
  for (let n = 0; n < 598; n += 1) await consumeAttempt(ctx, [hour, user.id]);

  const { id } = await startEpisode(ctx, { podcastId, title: 'One' });
  await duplicateEpisode(ctx, id);
  const refusal = { kind: 'rate_limited', retryAfterSeconds: 3_600 };
  await expect(duplicateEpisode(ctx, id)).rejects.toMatchObject(refusal);
  await expect(startEpisode(ctx, { podcastId, title: 'Two' })).rejects.toMatchObject(refusal);
  await duplicateEpisode(test.ctx, id);
  test.clock.advance(3_600_000);
  await startEpisode(ctx, { podcastId, title: 'Two' });
});
