import { describe, expect, it, vi } from 'vitest';
import { DomainError } from '../../domain/foundation/errors.ts';
import { ReadOnlyDatabaseError } from '../../platform/database/connections/read-only.ts';
import { createHealthRoutes, type ReadinessChecks } from './health-routes.ts';

/** Asks /readyz. Returns the names of the working parts, or the message. */
function createReadyz(checks: ReadinessChecks) {
  const stopping = new AbortController();
  const log = { info: vi.fn(), warn: vi.fn() };
  let nowMs = 0;
  const options = { limitMs: 20, nowMs: () => nowMs };
  const route = createHealthRoutes(checks, options).find(({ path }) => path === '/readyz');
  const send = vi.fn();
  const reply = { header: () => ({ send }) };
  const ask = async (): Promise<unknown> => {
    try {
      await route?.handle({ ctx: { log }, stopping: stopping.signal } as never, { reply } as never);
      return send.mock.lastCall?.[0];
    } catch (error) {
      expect(error).toBeInstanceOf(DomainError);
      return (error as Error).message;
    }
  };
  const pass = (ms: number) => {
    nowMs += ms;
  };
  return { ask, log, pass, stop: () => stopping.abort() };
}

const fine = async () => undefined;
const fail = async () => {
  throw new Error('connect ECONNREFUSED 10.0.0.7:5432');
};

describe('/readyz', () => {
  // PAGE-11
  it('names the parts that work', async () => {
    const { ask } = createReadyz({ database: fine, store: fine });
    expect(await ask()).toEqual({ status: 'ready', checks: ['database', 'store'] });
  });

  // PAGE-11
  it('names the parts that fail, with reasons that reveal nothing', async () => {
    const readOnly = async () => {
      throw new ReadOnlyDatabaseError();
    };
    const { ask } = createReadyz({ database: readOnly, migrations: fine, store: fail });
    expect(await ask()).toBe('Not ready: database (read-only), store.');
  });

  it('/readyz does not wait for a part that never responds, and asks it once at a time', async () => {
    const silent = vi.fn(() => new Promise<never>(() => undefined));
    const { ask } = createReadyz({ store: silent });
    const responses = await Promise.all([ask(), ask(), ask()]);
    expect(new Set(responses)).toEqual(new Set(['Not ready: store (no response).']));
    expect(silent).toHaveBeenCalledTimes(1);
  });

  // PAGE-11
  it('/readyz checks a part at most once in two seconds, whether it works or fails', async () => {
    const [working, failing] = [vi.fn(fine), vi.fn(fail)];
    const { ask, pass } = createReadyz({ database: working, store: failing });
    const askOften = async () => {
      for (let at = 0; at < 5; at += 1) expect(await ask()).toBe('Not ready: store.');
      return [working.mock.calls.length, failing.mock.calls.length];
    };
    expect(await askOften()).toEqual([1, 1]);
    pass(1_999);
    expect(await askOften()).toEqual([1, 1]);
    pass(1);
    expect(await askOften()).toEqual([2, 2]);
  });

  // RELEASE-10
  it('/readyz says that the process is stopping', async () => {
    const { ask, stop } = createReadyz({ store: fine });
    await ask();
    stop();
    expect(await ask()).toBe('Not ready: the process is stopping.');
  });

  it('logs an outage once, and its end', async () => {
    let check = fail;
    const { ask, log, pass } = createReadyz({ store: () => check() });
    await ask();
    pass(2_000);
    await ask();
    expect(log.warn).toHaveBeenCalledTimes(1);
    check = fine as typeof fail;
    pass(2_000);
    await ask();
    pass(2_000);
    await ask();
    expect(log.info.mock.calls).toEqual([['store is available again']]);
  });
});
