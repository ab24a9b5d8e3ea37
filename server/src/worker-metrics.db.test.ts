import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createTestContext, type TestContext } from '../test/create-test-context.ts';
import { freePort } from '../test/free-port.ts';
import { startWorkerProcess } from './processes.ts';

let port: number;
let test: TestContext;
beforeEach(async () => {
  port = await freePort();
  test = await createTestContext({ METRICS_PORT: String(port) });
});
afterEach(() => test[Symbol.asyncDispose]());

const read = async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text();

it('a worker serves the metrics of its counts, and none about requests', async () => {
  test.downloadCounts.add({ requests: 3, counted: 2, rejected: {}, withoutDetails: 0 });
  test.downloadCounts.logCountedAtMs = performance.now() - 100_000;
  {
    await using _worker = await startWorkerProcess(test);
    const text = await read();
    expect(text).toContain('\npodstead_downloads_requests_total 3\n');
    expect(text).toMatch(/\npodstead_downloads_lag_seconds 1\d\d(\.\d+)?\n/);
    expect(text).toContain('\npodstead_emails{state="waiting"} 0\n');
    expect(text).not.toContain('podstead_http_requests_total');
  }
  await expect(read()).rejects.toThrow('fetch failed');
});

it('a worker works without metrics if its port is in use', async () => {
  await using _first = await startWorkerProcess(test);
  const warn = vi.spyOn(test.log, 'warn');
  await using _second = await startWorkerProcess(test);
  expect(warn.mock.calls.map(([, message]) => message)).toEqual([
    'this worker has no /metrics: give it a METRICS_PORT of its own',
  ]);
  expect(await read()).toContain('podstead_downloads_lag_seconds 0');
});
