import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { isRunning } from '../../../test/is-running.ts';
import { ChildProcesses } from './child-processes.ts';
import type { Job, Span, SpanSource } from './job.ts';

const module = new URL('../../../test/programs/child-tasks.ts', import.meta.url);
const roomy = { memoryMb: 512, cpuMs: 120_000, wallMs: 600_000, resultBytes: 1024 * 1024 };

const jobOf = (task: string, more: Partial<Job> = {}): Job => ({
  ...{ module, task, owner: 'ana', limits: roomy },
  ...more,
});

const shared = new ChildProcesses({ most: 2 });
afterAll(() => shared[Symbol.asyncDispose]());

async function* chunksOf(...sizes: number[]): AsyncGenerator<Buffer> {
  for (const size of sizes) yield Buffer.alloc(size, 7);
}

/** The process that has started it. */
const parentOf = (pid: number) =>
  Number(execFileSync('ps', ['-o', 'ppid=', '-p', String(pid)], { encoding: 'utf8' }));

async function untilEnded(pid: number, withinMs: number): Promise<void> {
  const until = Date.now() + withinMs;
  while (isRunning(pid) && Date.now() < until) await sleep(50);
  expect(isRunning(pid)).toBe(false);
}

describe('a job in a child process', () => {
  it('returns its parts in order, and uses the process again', async () => {
    const files = [() => chunksOf(100_000, 5), () => chunksOf(), () => chunksOf(1)];
    const counts: unknown[] = [];
    await shared.run(jobOf('count', { files }), (part) => counts.push(part));
    expect(counts).toEqual([100_005, 0, 1]);
    expect(await shared.ask(jobOf('id'))).toBe(await shared.ask(jobOf('id')));
  });

  it('rejects with what the task has thrown, and the process stays', async () => {
    const pid = await shared.ask(jobOf('id'));
    const refused = shared.ask(jobOf('refuse', { input: 'because' }));
    await expect(refused).rejects.toMatchObject({
      ...{ name: 'TypeError', message: 'no', reason: 'because' },
    });
    expect(await shared.ask(jobOf('id'))).toBe(pid);
  });

  it('what the task has thrown says no more than can be logged', async () => {
    const failure = await shared.ask(jobOf('quote')).catch((error: unknown) => error);
    const { message, stack } = failure as Error;
    expect([message, stack?.length]).toEqual(['x'.repeat(2_000), 2_000]);
  });

  it('sends a part when the one before is taken', async () => {
    const first = Promise.withResolvers<void>();
    let [begun, taken] = [0, 0];
    const limits = { ...roomy, resultBytes: 64 * 1024 * 1024 };
    const run = shared.run(jobOf('pour', { input: 40, limits }), async () => {
      begun += 1;
      await first.promise;
      taken += 1;
    });
    while (begun === 0) await setImmediate();
    for (let at = 0; at < 500; at += 1) await setImmediate();
    expect({ begun, taken }).toEqual({ begun: 1, taken: 0 });
    first.resolve();
    await run;
    expect({ begun, taken }).toEqual({ begun: 40, taken: 40 });
  });

  it('ends with the error of whoever takes a part, also of the last one', async () => {
    for (const parts of [40, 1]) {
      const refusal = new RangeError('enough');
      const limits = { ...roomy, resultBytes: 64 * 1024 * 1024 };
      const run = shared.run(jobOf('pour', { input: parts, limits }), async () => {
        await setImmediate();
        throw refusal;
      });
      await expect(run).rejects.toBe(refusal);
    }
    expect(await shared.ask(jobOf('id'))).toBeTypeOf('number');
  });

  it('stops reading a source when the task has ended', async () => {
    const endless = async function* () {
      for (;;) yield Buffer.alloc(1_000_000, 7);
    };
    const silent = async function* () {
      yield Buffer.from([9]);
      await new Promise(() => {});
    };
    const pid = await shared.ask(jobOf('id'));
    expect(await shared.ask(jobOf('peek', { files: [endless] }))).toBe(7);
    expect(await shared.ask(jobOf('peek', { files: [silent] }))).toBe(9);
    expect(await shared.ask(jobOf('id'))).toBe(pid);
  });

  it('a job in a child process takes no more of a file than the process reads', async () => {
    let [taken, large] = [0, 0];
    const endless = async function* () {
      for (; ; taken += 1) yield Buffer.alloc(64 * 1024, 7);
    };
    await shared.ask(jobOf('wait', { input: 200, files: [endless] }));
    expect(taken).toBeLessThan(64);
    const inLargePieces = async function* () {
      for (; ; large += 1) yield Buffer.alloc(16 * 1024 * 1024, 7);
    };
    await shared.ask(jobOf('wait', { input: 200, files: [inLargePieces] }));
    expect(large).toBe(0);
  });

  it('a job in a child process keeps nothing of a file that the process has read', async () => {
    setFlagsFromString('--expose-gc');
    const collectGarbage = runInNewContext('gc') as () => void;
    const sent: WeakRef<Buffer>[] = [];
    let kept = 0;
    const source = async function* () {
      for (let at = 0; at < 200; at += 1) {
        const chunk = Buffer.alloc(64 * 1024, 7);
        sent.push(new WeakRef(chunk));
        yield chunk;
      }
      await setImmediate();
      collectGarbage();
      kept = sent.filter((chunk) => chunk.deref() !== undefined).length;
    };
    await shared.ask(jobOf('count', { files: [source] }));
    expect(sent).toHaveLength(200);
    expect(kept).toBeLessThan(20);
  });

  it('rejects with the error of a source', async () => {
    const cut = async function* () {
      yield Buffer.alloc(10);
      throw new TypeError('the line is cut');
    };
    const failed = shared.ask(jobOf('count', { files: [cut] }));
    await expect(failed).rejects.toThrow(new TypeError('the line is cut'));
  });

  it('reads the spans of a file that it asks for, and no more than it may', async () => {
    const file = Buffer.from(Array.from({ length: 200_000 }, (_, at) => at % 251));
    let opened = 0;
    const spans: SpanSource = async function* ({ at, length }) {
      opened += 1;
      for (let from = at; from < at + length && from < file.length; from += 50_000) {
        yield file.subarray(from, Math.min(from + 50_000, at + length));
      }
    };
    const read = async (input: readonly Span[], source = spans) => {
      const found: unknown[] = [];
      await shared.run(jobOf('readSpans', { input, spans: source }), (part) => found.push(part));
      return found;
    };
    const pid = await shared.ask(jobOf('id'));
    const some = [
      { at: 150_000, length: 120_000 },
      { at: 251, length: 2 },
      { at: 300_000, length: 5 },
    ];
    expect(await read(some)).toEqual([
      [150_000 % 251, 50_000],
      [0, 2],
      [undefined, 0],
    ]);
    expect(await shared.ask(jobOf('id'))).toBe(pid);
    opened = 0;
    for (const [count, length] of [
      [10_001, 1],
      [3, 30 * 1024 * 1024],
    ] as const) {
      const many = Array.from({ length: count }, () => ({ at: 0, length }));
      await expect(read(many)).rejects.toMatchObject({ name: 'ProcessError', reason: 'crash' });
    }
    expect(opened).toBe(10_002);
    const cut: SpanSource = async () => {
      throw new TypeError('the store is away');
    };
    await expect(read(some, cut)).rejects.toThrow(new TypeError('the store is away'));
    await expect(shared.ask(jobOf('readSpans', { input: some }))).rejects.toMatchObject({
      reason: 'crash',
    });
  });

  it.runIf(process.platform === 'linux')(
    'a job in a child process gets what the server leaves of the processors',
    async () => {
      const pid = Number(await shared.ask(jobOf('id')));
      expect(getPriority(pid)).toBe(Math.min(getPriority() + 10, 19));
      const sessionOf = async (id: number) => {
        const stat = await readFile(`/proc/${id}/stat`, 'utf8');
        return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[3];
      };
      expect(await sessionOf(pid)).not.toBe(await sessionOf(process.pid));
    },
  );

  it('a job in a child process gets no settings', async () => {
    process.env['PODSTEAD_TEST_SECRET'] = 'x';
    const names = await shared.ask<string[]>(jobOf('environment'));
    delete process.env['PODSTEAD_TEST_SECRET'];
    expect(names).toEqual(expect.arrayContaining(['PATH', 'MALLOC_ARENA_MAX']));
    expect(names.filter((name) => /SECRET|DATABASE|S3|SMTP/.test(name))).toEqual([]);
  });
});

it('what a child process has compiled is kept for the next one', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'podstead-compiled-'));
  vi.stubEnv('NODE_COMPILE_CACHE', folder);
  await using processes = new ChildProcesses();
  await processes.ask(jobOf('id'));
  vi.unstubAllEnvs();
  expect((await readdir(folder, { recursive: true })).length).toBeGreaterThan(1);
  await rm(folder, { recursive: true });
});

describe('a job that fails costs its process only', () => {
  const heavy = { ...roomy, memoryMb: 1024 };
  it.each([
    ['objects', 'memory', jobOf('hoardObjects', { limits: heavy })],
    ['native code of V8', 'memory', jobOf('hoardInNativeCode', { limits: heavy })],
    ['bytes outside V8', 'memory', jobOf('hoardBytes', { limits: { ...roomy, memoryMb: 256 } })],
    ['an abort', 'crash', jobOf('crash')],
    ['CPU time', 'time', jobOf('loop', { limits: { ...roomy, cpuMs: 300 } })],
    ['a hang', 'time', jobOf('wait', { input: 60_000, limits: { ...roomy, wallMs: 300 } })],
    ['a large result', 'memory', jobOf('send', { input: 3 })],
  ])('%s', async (_, reason, job) => {
    const before = await shared.ask(jobOf('id'));
    await expect(shared.ask(job)).rejects.toMatchObject({ name: 'ProcessError', reason });
    expect(await shared.ask(jobOf('id'))).not.toBe(before);
  });

  it('a job whose file never opens, which gives its place to others', async () => {
    await using two = new ChildProcesses({ most: 2 });
    const late = Promise.withResolvers<Readable>();
    const stop = new AbortController();
    const reached = Promise.withResolvers<void>();
    const open = () => {
      reached.resolve();
      return late.promise;
    };
    const { signal } = stop;
    const stopped = two.ask(jobOf('count', { files: [open], signal }));
    await reached.promise;
    stop.abort(new Error('enough'));
    await expect(stopped).rejects.toThrow('enough');
    const limits = { ...roomy, wallMs: 50 };
    const slow = two.ask(jobOf('count', { files: [() => late.promise], limits }));
    await expect(slow).rejects.toMatchObject({ reason: 'time' });
    const spans = () => late.promise;
    const ofSpan = two.ask(jobOf('readSpans', { input: [{ at: 0, length: 1 }], spans, limits }));
    await expect(ofSpan).rejects.toMatchObject({ reason: 'time' });
    expect(
      await Promise.all([two.ask(jobOf('id')), two.ask(jobOf('id', { owner: 'bo' }))]),
    ).toEqual([expect.any(Number), expect.any(Number)]);
    const file = Readable.from(chunksOf(1));
    late.resolve(file);
    await expect.poll(() => file.destroyed).toBe(true);
  });

  it('an aborted signal, while it works and while it waits', async () => {
    await using processes = new ChildProcesses({ most: 2 });
    const stop = new AbortController();
    const { signal } = stop;
    const working = processes.ask(jobOf('loop', { signal }));
    const waiting = processes.ask(jobOf('id', { signal }));
    void sleep(300).then(() => stop.abort(new Error('no longer needed')));
    await expect(working).rejects.toThrow('no longer needed');
    await expect(waiting).rejects.toThrow('no longer needed');
    await expect(processes.ask(jobOf('id', { signal }))).rejects.toThrow('no longer needed');
    expect(await processes.ask(jobOf('id'))).toBeTypeOf('number');
  });
});

it('a job that is abandoned leaves the queue, or ends as it would', async () => {
  await using processes = new ChildProcesses({ most: 2 });
  const leave = new AbortController();
  const abandoned = leave.signal;
  const working = processes.ask(jobOf('wait', { input: 300, abandoned }));
  const waiting = processes.ask(jobOf('id', { abandoned }));
  leave.abort(new Error('nobody waits'));
  await expect(waiting).rejects.toThrow('nobody waits');
  const pid = await working;
  expect(processes.pids).toContain(pid);
});

it('jobs of an owner wait only with what fits into memory', async () => {
  await using processes = new ChildProcesses({ most: 2 });
  const MB = Buffer.alloc(1024 * 1024);
  const count = (files: readonly Buffer[]) => processes.ask(jobOf('count', { files }));
  const working = processes.ask(jobOf('wait', { input: 300 }));
  const waiting = count(Array(64).fill(MB));
  await expect(count([MB])).rejects.toMatchObject({ reason: 'busy' });
  const text = processes.ask(jobOf('refuse', { input: 'a long text' }));
  await expect(text).rejects.toMatchObject({ reason: 'busy' });
  expect(await count([])).toBe(undefined);
  expect(await waiting).toBe(MB.length);
  await working;
});

describe('processes are started by a small one', () => {
  const startTwo = (processes: ChildProcesses) =>
    Promise.all(
      ['ana', 'bo'].map((owner) => processes.ask<number>(jobOf('parentId', { owner, input: 200 }))),
    );

  it('processes are started by a small one, so this one keeps its memory to itself', async () => {
    await using processes = new ChildProcesses({ most: 2, idleMs: { one: 600_000, others: 1 } });
    const first = await processes.ask<number>(jobOf('parentId', { input: 0 }));
    expect(first).not.toBe(process.pid);
    const pages = Buffer.alloc(64 * 1024 * 1024, 1);
    expect(await startTwo(processes)).toEqual([first, first]);
    const before = process.resourceUsage().minorPageFault;
    for (let at = 0; at < pages.length; at += 4096) pages[at] = 2;
    // After a fork of this process, each of the 16,384 pages would be one.
    expect(process.resourceUsage().minorPageFault - before).toBeLessThan(4_000);
  });

  it('processes are started by a small one, which ends after the last of them', async () => {
    await using processes = new ChildProcesses({ idleMs: { one: 100, others: 100 } });
    const [starter = 0, same] = await startTwo(processes);
    expect(same).toBe(starter);
    await untilEnded(starter, 5_000);
    const next = await startTwo(processes);
    expect(next).not.toContain(starter);
    expect(next).not.toContain(process.pid);
  });

  it('processes are started by a small one, without which they are unavailable, until the next', async () => {
    await using processes = new ChildProcesses({ most: 2 });
    const starter = await processes.ask<number>(jobOf('parentId', { input: 0 }));
    const working = processes.ask(jobOf('loop'));
    await expect.poll(() => processes.pids.length).toBe(1);
    const [busy = 0] = processes.pids;
    process.kill(starter, 'SIGKILL');
    await expect(working).rejects.toMatchObject({ reason: 'unavailable' });
    await untilEnded(busy, 5_000);
    expect(await processes.ask(jobOf('id'))).not.toBe(busy);
  });
});

it('a job without a folder for temporary files is unavailable, and can be done when there is one', async () => {
  await using processes = new ChildProcesses();
  vi.stubEnv('TMPDIR', '/nonexistent');
  await expect(processes.ask(jobOf('id'))).rejects.toMatchObject({ reason: 'unavailable' });
  vi.unstubAllEnvs();
  expect(await processes.ask(jobOf('id'))).toBeTypeOf('number');
});

describe('turns of owners', () => {
  it('an owner with many jobs leaves a process for others', async () => {
    await using processes = new ChildProcesses({ most: 2 });
    const order: string[] = [];
    const run = (owner: string, input: number) =>
      processes.ask(jobOf('wait', { owner, input })).then(() => order.push(owner));
    const many = Array.from({ length: 6 }, () => run('ana', 150));
    await sleep(10);
    await run('bo', 0);
    // Started on demand: one works for ana, one for bo.
    expect(order.filter((owner) => owner === 'ana').length).toBeLessThan(6);
    await Promise.all(many);
  });

  it('a long job never takes the last process', async () => {
    await using processes = new ChildProcesses({ most: 2 });
    const stop = new AbortController();
    const { signal } = stop;
    const long = ['ana', 'bo', 'cy'].map((owner) =>
      processes.ask(jobOf('loop', { owner, signal, isLong: true })).catch(() => owner),
    );
    expect(await processes.ask(jobOf('id', { owner: 'di' }))).toBeTypeOf('number');
    stop.abort(new Error('enough'));
    expect(await Promise.all(long)).toEqual(['ana', 'bo', 'cy']);
  });

  it('refuses an owner with too many', async () => {
    await using processes = new ChildProcesses({ most: 2 });
    const all = Array.from({ length: 300 }, () => processes.ask(jobOf('id')));
    const results = await Promise.allSettled(all);
    const refused = results.filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(99);
    expect(refused[0]).toMatchObject({ reason: { reason: 'busy' } });
  });
});

describe('processes end', () => {
  it('processes end when they are idle', async () => {
    await using processes = new ChildProcesses({ most: 2, idleMs: { one: 100, others: 100 } });
    const pid = await processes.ask<number>(jobOf('id'));
    await untilEnded(pid, 5_000);
    expect(processes.pids).toEqual([]);
  });

  it('processes end when they are idle, except one, which waits longer', async () => {
    const idleMs = { one: 600_000, others: 100 };
    await using processes = new ChildProcesses({ most: 2, idleMs });
    const jobs = ['ana', 'bo'].map((owner) => processes.ask(jobOf('wait', { owner, input: 100 })));
    expect(new Set(await Promise.all(jobs)).size).toBe(2);
    await expect.poll(() => processes.pids.length).toBe(1);
    expect(processes.pids).toContain(await processes.ask(jobOf('id')));
  });

  it('processes end on disposal, and their jobs reject', async () => {
    const processes = new ChildProcesses({ most: 2 });
    const jobs = ['ana', 'bo', 'cy'].map((owner) => processes.ask(jobOf('loop', { owner })));
    const settled = Promise.allSettled(jobs);
    await expect.poll(() => processes.pids.length).toBe(2);
    const { pids } = processes;
    await processes[Symbol.asyncDispose]();
    for (const result of await settled) {
      expect(result).toMatchObject({ status: 'rejected', reason: { reason: 'stopped' } });
    }
    for (const pid of pids) await untilEnded(pid, 5_000);
    await expect(processes.ask(jobOf('id'))).rejects.toMatchObject({ reason: 'stopped' });
  });

  it.each(['SIGKILL', 'SIGTERM'] as const)(
    'processes end when the parent gets %s, even if busy',
    async (signal) => {
      const script = fileURLToPath(
        new URL('../../../test/programs/busy-children.ts', import.meta.url),
      );
      const folder = await mkdtemp(join(tmpdir(), 'podstead-parent-'));
      const parent = spawn(process.execPath, [script], {
        stdio: ['ignore', 'pipe', 'inherit'],
        env: { ...process.env, TMPDIR: folder },
      });
      const [line] = (await once(parent.stdout, 'data')) as [Buffer];
      const pids = JSON.parse(line.toString()) as number[];
      expect(pids).toHaveLength(2);
      await sleep(300);
      expect(pids.map(isRunning)).toEqual([true, true]);
      const [starter = 0] = pids.map(parentOf);
      parent.kill(signal);
      for (const pid of [...pids, starter]) await untilEnded(pid, 5_000);
      expect(await readdir(folder)).toEqual([]);
      await rm(folder, { recursive: true });
    },
  );
});
