import { afterEach, beforeEach, expect, it } from 'vitest';
import { createTestContext, type TestContext } from '../../../../test/create-test-context.ts';
import { makeEpisode, makePodcast } from '../../../../test/make.ts';
import { useOneDatabase } from '../../../../test/use-one-database.ts';
import { consumePublications, hasNewPublications } from './index.ts';

const hour = 3_600_000;
const databases = useOneDatabase();
let test: TestContext;
let podcastId: string;
beforeEach(async () => {
  test = await createTestContext({}, { databases });
  await test.database.pool.query('delete from publication_clocks');
  const podcast = await makePodcast(test.ctx);
  podcastId = podcast.id;
  const scheduledFor = new Date(test.clock.now().getTime() + hour);
  await makeEpisode(test.ctx, podcast, { status: 'scheduled', scheduledFor });
});
afterEach(() => test[Symbol.asyncDispose]());

const consume = async (consumer: string) => {
  const passed: string[] = [];
  await consumePublications(test.ctx, consumer, async (_, ids) => void passed.push(...ids));
  return passed;
};

it('a new consumer begins with what is published after its first call', async () => {
  test.clock.advance(2 * hour);
  expect(await hasNewPublications(test.ctx, 'one')).toBe(true);
  expect(await consume('one')).toEqual([]);
  expect(await hasNewPublications(test.ctx, 'one')).toBe(false);
});

it('each consumer gets a publication once, whatever others have handled', async () => {
  await consume('one');
  await consume('two');
  test.clock.advance(hour);
  expect(await consume('one')).toEqual([podcastId]);
  expect(await consume('one')).toEqual([]);
  expect(await hasNewPublications(test.ctx, 'two')).toBe(true);
  expect(await consume('two')).toEqual([podcastId]);
});

it('a publication whose work fails is passed again', async () => {
  await consume('one');
  test.clock.advance(hour);
  const failing = consumePublications(test.ctx, 'one', () => Promise.reject(new Error('no')));
  await expect(failing).rejects.toThrow('no');
  expect(await consume('one')).toEqual([podcastId]);
});
