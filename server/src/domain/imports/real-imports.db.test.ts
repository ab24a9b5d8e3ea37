import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestContext, type TestContext } from '../../../test/create-test-context.ts';
import { makeUser } from '../../../test/make.ts';
import { OutboundError, type OutboundHttp } from '../../platform/outbound-http/outbound-http.ts';
import type { DomainError } from '../errors.ts';
import { parseFeed } from './feed/parse-feed.ts';
import { importFeed } from './index.ts';

// Feeds of real shows, where they are at hand.
const folder = fileURLToPath(new URL('../../../../../shared/feeds', import.meta.url));
const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.xml')) : [];
if (files.length === 0) console.warn(`No real feeds in ${folder}: their imports are not tested.`);

const noNetwork = (): Promise<never> =>
  Promise.reject(new OutboundError('unreachable', 'there is no network here'));
const outbound: OutboundHttp = {
  request: noNetwork,
  fetchBytes: noNetwork,
  [Symbol.asyncDispose]: async () => undefined,
};

let test: TestContext;
beforeAll(async () => {
  test = await createTestContext({}, { outbound });
});
afterAll(() => test[Symbol.asyncDispose]());

describe.skipIf(files.length === 0)('real feeds', () => {
  it.each(files)('%s', async (name) => {
    const bytes = await readFile(join(folder, name));
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
    expect(report.created + report.failed).toBe(feed.items.length + problems);
    const again = await run();
    expect(again).toMatchObject({
      created: 0,
      updated: 0,
      unchanged: report.created,
      podcast: { id: report.podcast.id, outcome: 'unchanged' },
    });
  });
});
