import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestContext, type TestContext } from '../../../../test/create-test-context.ts';
import { makeUser } from '../../../../test/make.ts';
import { noNetwork } from '../../../../test/no-network.ts';
import { parseFeed } from '../../../../test/parse-feed.ts';
import { readRealFeed, realFeeds } from '../../../../test/real-feeds.ts';
import type { DomainError } from '../../foundation/errors.ts';
import { importFeed } from './index.ts';

let test: TestContext;
beforeAll(async () => {
  test = await createTestContext({}, { outbound: noNetwork });
});
afterAll(() => test[Symbol.asyncDispose]());

describe.skipIf(realFeeds.length === 0)('real feeds', () => {
  it.each(realFeeds)('%s', async (name) => {
    const bytes = await readRealFeed(name);
    const feed = await parseFeed(bytes);
    const owner = await makeUser(test.ctx);
    const run = () => {
      test.clock.advance(1000);
      return importFeed(test.ctx, { source: { bytes }, owner, copyAudio: false });
    };
    if (feed.podcast.locked?.locked === true) {
      const error: unknown = await run().catch((thrown: unknown) => thrown);
      expect((error as DomainError).details[0]?.reason).toBe('feed_locked');
      return;
    }
    const report = await run();
    const problems = feed.problems.filter(({ leftOut }) => leftOut).length;
    const withAudio = feed.items.filter(({ enclosure }) => enclosure !== undefined).length;
    expect(report.created + report.failed).toBe(withAudio + problems);
    const again = await run();
    expect(again).toMatchObject({
      created: 0,
      updated: 0,
      unchanged: report.created,
      podcast: { id: report.podcast.id, outcome: 'unchanged' },
    });
  });
});
