import { flushCompileCache } from 'node:module';
import { connect } from 'node:net';
import { cpuUsage, memoryUsage } from 'node:process';
import { Worker } from 'node:worker_threads';
import { type Frame, FrameReader, frameKinds, readValue, writeValue } from './frames.ts';
import {
  cpuLimitAt,
  maxCallBytes,
  memoryLimitAt,
  type Span,
  type Task,
  type WatchData,
} from './job.ts';

// The program of a child process. It does one job after the other, and ends with its parent.

/** A signal for all processes of a service is for the parent, which may still need the result. */
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});

const limits = new SharedArrayBuffer(16);
const limit = new Float64Array(limits);
new Worker(new URL('./watch-limits.ts', import.meta.url), {
  workerData: { limits, parentId: process.ppid } satisfies WatchData,
  resourceLimits: { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 1 },
}).unref();

// The parent is whoever listens there; what has started this process ends with it.
const parent = connect(process.argv[2] ?? '');
parent.on('error', () => process.exit());
parent.on('close', () => process.exit());

interface Call {
  readonly module: string;
  readonly task: string;
  readonly input: unknown;
  readonly memoryMb: number;
  readonly cpuMs: number;
}

async function* readFrames(): AsyncGenerator<Frame> {
  const reader = new FrameReader(maxCallBytes);
  for await (const chunk of parent) yield* reader.read(chunk as Buffer);
}
const frames = readFrames();

/** The frames until the end of the call, as files. */
class Files {
  #isOver = false;

  async next(): Promise<Frame | undefined> {
    if (this.#isOver) return undefined;
    const { value, done } = await frames.next();
    if (done === true) process.exit();
    this.#isOver = value.kind === frameKinds.callEnd;
    return this.#isOver ? undefined : value;
  }

  async *list(): AsyncGenerator<AsyncIterable<Buffer>> {
    for (;;) {
      const first = await this.next();
      if (first === undefined) return;
      const file = this.#file(first);
      yield file;
      // What the task has not read of it.
      for await (const _ of file);
    }
  }

  async read(span: Span): Promise<Buffer> {
    await send(writeValue(frameKinds.ask, span));
    const chunks: Buffer[] = [];
    for (;;) {
      const frame = await this.next();
      if (frame?.kind !== frameKinds.bytes) return Buffer.concat(chunks);
      chunks.push(frame.body);
    }
  }

  async *#file(first: Frame): AsyncGenerator<Buffer> {
    let frame: Frame | undefined = first;
    while (frame?.kind === frameKinds.bytes) {
      yield frame.body;
      frame = await this.next();
    }
  }
}

async function send(frame: Buffer): Promise<void> {
  await new Promise<void>((resolve) => {
    parent.write(frame, () => resolve());
  });
}

async function run(call: Call, files: Files): Promise<Buffer> {
  const { user, system } = cpuUsage();
  limit[cpuLimitAt] = (user + system) / 1000 + call.cpuMs;
  limit[memoryLimitAt] = call.memoryMb;
  try {
    const module = (await import(call.module)) as Record<string, Task<unknown>>;
    keepCompiled(call.module);
    const task = module[call.task];
    if (task === undefined) throw new Error(`there is no task ${call.task}`);
    for await (const part of task(call.input, files.list(), (span) => files.read(span))) {
      await send(writeValue(frameKinds.part, part));
    }
    return writeValue(frameKinds.done, memoryUsage.rss());
  } catch (error) {
    return writeValue(frameKinds.failed, describe(error));
  } finally {
    limit[memoryLimitAt] = 0;
  }
}

const kept = new Set<string>();

/**
 * Node writes its compile cache when a process exits, but this one is killed. Without it, each
 * process spends most of its first second on compiling.
 */
function keepCompiled(module: string): void {
  if (kept.has(module)) return;
  kept.add(module);
  flushCompileCache();
}

/** A message may quote what it is about. It is logged, and kept in reports. */
const mostMessageChars = 2_000;

/** Errors are sent as plain objects with `name`, `message` and their own fields. */
function describe(error: unknown): object {
  const cut = (text: string | undefined) => text?.slice(0, mostMessageChars);
  if (!(error instanceof Error)) return { name: 'Error', message: cut(String(error)) };
  const { name, message, stack } = error;
  return { ...error, cause: undefined, name, message: cut(message), stack: cut(stack) };
}

for (;;) {
  const { value: frame, done } = await frames.next();
  if (done === true) break;
  const files = new Files();
  await send(await run(readValue(frame) as Call, files));
  // What the task has not read.
  while ((await files.next()) !== undefined);
}
process.exit();
