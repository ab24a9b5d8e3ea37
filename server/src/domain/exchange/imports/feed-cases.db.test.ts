import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestContext, type TestContext } from '../../../../test/create-test-context.ts';
import { feedCases, readFeedCase } from '../../../../test/feed-cases.ts';
import { makeUser } from '../../../../test/make.ts';
import { noNetwork } from '../../../../test/no-network.ts';
import { parseFeed } from '../../../../test/parse-feed.ts';
import type { DomainError } from '../../foundation/errors.ts';
import { importFeed } from './index.ts';

let test: TestContext;
beforeAll(async () => {
  test = await createTestContext({}, { outbound: noNetwork });
});
afterAll(() => test[Symbol.asyncDispose]());

describe('a feed in the shape of another generator', () => {
  it.each(feedCases)(
    'a feed in the shape of another generator is imported, and changes nothing when it is imported again: %s',
    async (name) => {
      const bytes = await readFeedCase(name);
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
    },
  );
});
