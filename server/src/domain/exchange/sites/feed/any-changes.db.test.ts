import fc from 'fast-check';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { createTestContext, type TestContext } from '../../../../../test/create-test-context.ts';
import { type RandomChange, randomChange } from '../../../../../test/feed-model/random-changes.ts';
import { FeedTrial, type RandomRead } from '../../../../../test/feed-model/trial.ts';
import { makeUser } from '../../../../../test/make.ts';
import type { User } from '../../../foundation/accounts/index.ts';

const runs = Number(process.env['FEED_RUNS'] ?? 6);
/** The embedded database has one session, so nothing else runs while a transaction is open. */
const hasSessions = process.env['TEST_DATABASE'] === 'postgres';

let test: TestContext;
let ana: User;
let bo: User;
beforeAll(async () => {
  test = await createTestContext();
  [ana, bo] = [await makeUser(test.ctx), await makeUser(test.ctx)];
});
afterAll(() => test[Symbol.asyncDispose]());

type Step =
  /** Steps one after the other. */
  | { readonly does: 'change'; readonly change: RandomChange }
  /** Steps in a transaction that a later step ends. */
  | { readonly does: 'begin'; readonly changes: readonly RandomChange[]; readonly fails: boolean }
  | { readonly does: 'end' }
  /** Steps all at once. */
  | { readonly does: 'race'; readonly change: RandomChange; readonly reads: readonly RandomRead[] }
  | { readonly does: 'read'; readonly reads: readonly RandomRead[] }
  | { readonly does: 'wait'; readonly minutes: number };

const read: fc.Arbitrary<RandomRead> = fc.record({
  reader: fc.nat({ max: 5 }),
  limit: fc.constantFrom(1, 2, 3, 20, 100),
  fresh: fc.nat({ max: 9 }).map((chance) => chance === 0),
});
const reads = fc.array(read, { minLength: 1, maxLength: 4 });
const change = fc.record({ does: fc.constant('change' as const), change: randomChange });
const race = fc.record({ does: fc.constant('race' as const), change: randomChange, reads });
const begin = fc.record({
  does: fc.constant('begin' as const),
  changes: fc.array(randomChange, { minLength: 1, maxLength: 3 }),
  fails: fc.boolean(),
});
const minutes = fc.constantFrom(1, 5, 10, 30, -5, -30);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: change },
  { weight: 4, arbitrary: fc.record({ does: fc.constant('read' as const), reads }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('wait' as const), minutes }) },
  ...(hasSessions
    ? [
        { weight: 2, arbitrary: race },
        { weight: 2, arbitrary: begin },
      ]
    : []),
  { weight: 2, arbitrary: fc.constant({ does: 'end' as const }) },
);

async function perform(trial: FeedTrial, step: Step): Promise<void> {
  switch (step.does) {
    case 'change':
      return trial.change(step.change);
    case 'begin':
      return trial.begin(step.changes, step);
    case 'end':
      return trial.endTransactions();
    case 'race':
      return trial.race(step.change, step.reads);
    case 'read':
      return trial.read(step.reads);
    default:
      return trial.wait(step.minutes);
  }
}

describe('a feed', () => {
  // SITE-26, SITE-42
  it('a feed gives every reader the right state, with any changes and any readers', async () => {
    const steps = fc.array(step, { minLength: 20, maxLength: 60 });
    const property = fc.asyncProperty(steps, async (given) => {
      await using trial = await FeedTrial.begin(test, ana, bo);
      for (const next of given) await perform(trial, next);
      await trial.endTransactions();
      await trial.expectTruth();
      await trial.bringAllToLife();
      await trial.expectTruth();
      await trial.expectNothingNew();
    });
    // Shrinking a failure would take minutes; the seed and the path are enough to repeat it.
    await fc.assert(property, {
      numRuns: hasSessions ? runs : Math.ceil(runs / 3),
      endOnFailure: true,
    });
  }, 600_000);
});
