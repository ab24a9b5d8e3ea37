import { setTimeout as sleep } from 'node:timers/promises';
import type { ReadSpan, Span } from '../../src/platform/processes/job.ts';

// Tasks of child processes in tests.

type Files = AsyncIterable<AsyncIterable<Buffer>>;

const hoard: unknown[] = [];

export async function* id(): AsyncGenerator<number> {
  yield process.pid;
}

export async function* environment(): AsyncGenerator<string[]> {
  yield Object.keys(process.env);
}

export async function* refuse(reason: string): AsyncGenerator<number> {
  if (reason !== '') throw Object.assign(new TypeError('no'), { reason });
  yield 0;
}

export async function* quote(): AsyncGenerator<number> {
  yield 0;
  throw new Error('x'.repeat(100_000));
}

/** So many parts of 256 kB. */
export async function* pour(parts: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < parts; at += 1) yield Buffer.alloc(256 * 1024, at);
}

/** Uses the processor. */
export async function* loop(): AsyncGenerator<number> {
  for (let at = 0; ; at += 1) if (at < 0) yield at;
}

export async function* wait(ms: number): AsyncGenerator<number> {
  await sleep(ms);
  yield process.pid;
}

/** The id of the process that has started this one. */
export async function* parentId(ms: number): AsyncGenerator<number> {
  await sleep(ms);
  yield process.ppid;
}

/** Fills the memory of V8. */
export async function* hoardObjects(): AsyncGenerator<number> {
  while (hoard.push(Array.from({ length: 10_000 }, () => ({}))) > 0);
  yield 0;
}

/** V8 cannot end this with an exception: it aborts. */
export async function* hoardInNativeCode(): AsyncGenerator<number> {
  yield JSON.parse(`[${'{},'.repeat(20_000_000)}{}]`).length;
}

/** Fills memory outside V8. */
export async function* hoardBytes(): AsyncGenerator<number> {
  while (hoard.push(Buffer.alloc(8 * 1024 * 1024, 1)) > 0) await sleep(1);
  yield 0;
}

export async function* crash(): AsyncGenerator<number> {
  yield 0;
  process.abort();
}

export async function* count(_: unknown, files: Files): AsyncGenerator<number> {
  for await (const file of files) {
    let bytes = 0;
    for await (const chunk of file) bytes += chunk.length;
    yield bytes;
  }
}

/** Yields each span's first byte and length. */
export async function* readSpans(
  spans: readonly Span[],
  _: unknown,
  readSpan: ReadSpan,
): AsyncGenerator<readonly [first: number | undefined, length: number]> {
  for (const span of spans) {
    const bytes = await readSpan(span);
    yield [bytes[0], bytes.length];
  }
}

/** Reads one piece, and returns although there is more. */
export async function* peek(_: unknown, files: Files): AsyncGenerator<number | undefined> {
  for await (const file of files) {
    for await (const chunk of file) {
      yield chunk[0];
      return;
    }
  }
}

export async function* send(megabytes: number): AsyncGenerator<Buffer> {
  for (let sent = 0; sent < megabytes; sent += 1) yield Buffer.alloc(1024 * 1024);
}
