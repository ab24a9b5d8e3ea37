import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createTestContext, type TestContext } from '../../test/create-test-context.ts';
import { patience } from '../../test/patience.ts';
import { defineJob } from '../domain/foundation/job.ts';
import { createLog } from '../platform/log/log.ts';
import { OutboundError } from '../platform/outbound-http/outbound-http.ts';
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

it('the log names the host of a failed request, and not the path, which may contain a token', async () => {
  const stopping = new AbortController();
  const boss = createBoss(test, stopping.signal);
  await boss.start();
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => void lines.push(line) });
  try {
    const ctx = { ...test.ctx, log };
    const queue = new JobQueue(boss, ctx, stopping.signal, test.jobCounts);
    const message = 'https://private.test:8443/feeds/s3cret/a.xml returned status 404';
    const cause = new Error('after a redirect from http://old.test/s3cret');
    const run = () => Promise.reject(new OutboundError('http_status', message, { cause }));
    const job = defineJob({ name: 'test-requests', timeoutSeconds: 60, run });
    await queue.work(job, 0.5);
    await queue.enqueue(job, {});
    await vi.waitUntil(() => lines.length > 0, patience);
  } finally {
    stopping.abort();
    await boss.stop({ graceful: true, timeout: 5_000, close: false });
  }
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    reason: 'https://private.test:8443 returned status 404',
    cause: 'after a redirect from http://old.test',
  });
  expect(lines.join('')).not.toContain('s3cret');
});
