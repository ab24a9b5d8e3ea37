import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestContext, type TestContext } from '../../test/create-test-context.ts';
import { runCommand } from '../../test/run-command.ts';
import { addDays, utcDayOf } from '../lib/utc-day.ts';

let test: TestContext;
beforeAll(async () => {
  test = await createTestContext();
});
afterAll(() => test[Symbol.asyncDispose]());

const recount = (from: string, to: string) =>
  runCommand(test, ['downloads', 'recount', '--from', from, '--to', to]);

// A clock may be ahead, so requests of tomorrow have evidence too.
// CLI-22, COUNT-16
it('names each day that it skips', async () => {
  const today = utcDayOf(test.ctx.clock.now());
  const [from, to] = [addDays(today, -4), addDays(today, 2)];
  const skipped = [from, addDays(today, -3), to];
  expect(await recount(from, to)).toMatchObject({
    code: 0,
    json: { from, to, before: 0, after: 0, skipped },
  });
});

it.each([
  ['2026-03-10', '2026-03-09', 2, '--to must not be before --from. See --help.\n'],
  ['2026-03-10', 'today', 2, '--to must be a date like 2026-11-22. See --help.\n'],
  ['2020-03-10', '2020-03-11', 1, 'from: There is no evidence for these days.'],
])('refuses %s to %s', async (from, to, code, said) => {
  expect(await recount(from, to)).toMatchObject({ code, said: expect.stringContaining(said) });
});
