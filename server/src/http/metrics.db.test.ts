import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestContext, type TestContext } from '../../test/create-test-context.ts';
import { queueEmail, sendEmails } from '../domain/emails/index.ts';
import { createMetrics } from './metrics.ts';
import { RequestCounts } from './request-counts.ts';

let test: TestContext;
beforeAll(async () => {
  test = await createTestContext();
});
afterAll(() => test[Symbol.asyncDispose]());

const queue = () =>
  queueEmail(test.ctx, {
    template: 'member-removed',
    to: 'ana@example.com',
    values: { podcast: 'x' },
  });

it('count the emails of the installation, and are there without its database', async () => {
  const metrics = createMetrics(new RequestCounts(), () => 3, test.ctx);
  await queue();
  await sendEmails(test.ctx);
  await queue();
  const text = await metrics.metrics();
  expect(text).toContain('podstead_limit_faults_total 3\n');
  expect(text).toContain('podstead_emails{state="waiting"} 1\n');
  expect(text).toContain('podstead_emails{state="sent"} 1\n');
  expect(text).toContain('podstead_emails{state="given_up"} 0\n');
  await test.database[Symbol.asyncDispose]();
  const without = await metrics.metrics();
  expect(without).toContain('process_cpu_seconds_total');
  expect(without).not.toContain('podstead_emails{');
});
