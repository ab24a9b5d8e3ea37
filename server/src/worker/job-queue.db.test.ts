import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createTestContext, type TestContext } from '../../test/create-test-context.ts';
import { patience } from '../../test/patience.ts';
import { defineJob } from '../domain/foundation/job.ts';
import { createBoss, JobQueue } from './job-queue.ts';

let test: TestContext;
beforeAll(async () => {
  test = await createTestContext();
});
afterAll(() => test[Symbol.asyncDispose]());

it('a job queue counts the jobs that ended, by their results', async () => {
  const stopping = new AbortController();
  const boss = createBoss(test, stopping.signal);
  await boss.start();
  try {
    const queue = new JobQueue(boss, test.ctx, stopping.signal, test.jobCounts);
    const works = defineJob({ name: 'test-works', timeoutSeconds: 60, run: async () => {} });
    const fails = defineJob({
      ...{ name: 'test-fails', timeoutSeconds: 60 },
      run: () => Promise.reject(new Error('as it should')),
    });
    for (const job of [works, fails]) {
      await queue.work(job, 0.5);
      await queue.enqueue(job, {});
    }
    await vi.waitFor(() => {
      expect(Object.fromEntries(test.jobCounts.entries())).toEqual({
        'test-works': { done: 1, failed: 0 },
        'test-fails': { done: 0, failed: 1 },
      });
    }, patience);
  } finally {
    stopping.abort();
    await boss.stop({ graceful: true, timeout: 5_000, close: false });
  }
});
