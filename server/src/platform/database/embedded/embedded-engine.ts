import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { shareSuccess } from '../../../lib/share-success.ts';
import { isDiskFull } from '../../disk-full.ts';
import { Activity } from '../connections/activity.ts';
import type { DatabaseLog } from '../database-log.ts';
import type { FromWorker, ToWorker, WorkerData, WorkerStart } from './embedded-messages.ts';

/** The thread of the embedded database ended unexpectedly; pending statements may not have run. */
export class EmbeddedDatabaseCrashedError extends Error {
  /** Of the operating system, if the database could not go on because of it. */
  readonly code?: string;

  constructor(reason: string) {
    super(`the embedded database stopped: ${reason}`);
    this.name = 'EmbeddedDatabaseCrashedError';
    // The database ends the program then, and says why only in its output.
    if (diskFull.test(reason)) this.code = 'ENOSPC';
  }
}

const diskFull = /No space left on device|quota exceeded/i;

/** The client's end of a session. */
export interface SessionClient {
  onBytes(bytes: Uint8Array): void;
  /** The database is gone; no more responses will arrive. */
  onLost(error: Error): void;
}

interface Running {
  readonly worker: Worker;
  readonly ready: Promise<void>;
  readonly exited: Promise<void>;
}

const CLOSE_TIMEOUT_MS = 2_000;
// The embedded PostgreSQL has no statement_timeout. A statement that blocks everything for this
// long is ended together with its thread; commits are safe.
const LONGEST_STATEMENT_SECONDS = 10 * 60;
const WATCHES_PER_LIMIT = 20;
const YOUNG_HEAP_MB = 12;
// A start takes half a second of processor time, and one that failed would fail again at once.
const REST_AFTER_FAILED_START_MS = 1_000;

/**
 * The embedded PostgreSQL in its thread. After a crash, the next client restarts it on the same
 * files, with PostgreSQL's crash recovery. A database in memory is lost.
 */
export class EmbeddedEngine implements AsyncDisposable {
  readonly #start: WorkerStart;
  readonly #log: DatabaseLog;
  readonly #longestStatementSeconds: number;
  readonly #sessions = new Map<number, SessionClient>();
  #running: Running | undefined;
  #lastSession = 0;
  #closed = false;
  #hasRun = false;
  #failedStart: { readonly error: Error; readonly atMs: number } | undefined;
  #onDump: ((image: Uint8Array) => void) | undefined;

  constructor(
    start: WorkerStart,
    log: DatabaseLog,
    longestStatementSeconds: number = LONGEST_STATEMENT_SECONDS,
  ) {
    this.#start = start;
    this.#log = log;
    this.#longestStatementSeconds = longestStatementSeconds;
  }

  /** Resolves when the database accepts sessions; starts it if necessary. */
  async ensureRunning(): Promise<void> {
    const module = await loadEmbeddedModule();
    if (this.#closed) throw new EmbeddedDatabaseCrashedError('it is closed');
    if (!this.#running && this.#hasRun && this.#start.filesDir === undefined) {
      throw new EmbeddedDatabaseCrashedError('it was in memory and is lost');
    }
    if (!this.#running) this.#refuseSoonAfterFailure();
    this.#running ??= this.#launch(module);
    await this.#running.ready;
  }

  openSession(client: SessionClient): number {
    this.#lastSession += 1;
    this.#sessions.set(this.#lastSession, client);
    return this.#lastSession;
  }

  /** Bytes of the wire protocol; transfers their buffer. */
  send(session: number, bytes: Uint8Array<ArrayBuffer>): void {
    this.#post({ kind: 'bytes', session, bytes }, [bytes.buffer]);
  }

  closeSession(session: number): void {
    if (this.#sessions.delete(session)) this.#post({ kind: 'session-end', session });
  }

  /** Closes a database in memory and returns its packed image. */
  async dump(): Promise<Uint8Array> {
    await this.ensureRunning();
    const { promise, resolve } = Promise.withResolvers<Uint8Array>();
    this.#onDump = resolve;
    this.#closed = true;
    this.#post({ kind: 'dump' });
    const exited = this.#running?.exited.then(() => {
      throw new EmbeddedDatabaseCrashedError('it could not be dumped');
    });
    return await Promise.race([promise, exited ?? promise]);
  }

  /**
   * Stops immediately and permanently without touching the files, which may belong to another
   * process now.
   */
  abandon(reason: string): void {
    this.#log.error({ reason }, 'the embedded database was abandoned');
    this.#closed = true;
    void this.#running?.worker.terminate();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    const running = this.#running;
    if (!running) return;
    this.#post({ kind: 'close' });
    const stop = setTimeout(() => void running.worker.terminate(), CLOSE_TIMEOUT_MS);
    await running.exited;
    clearTimeout(stop);
  }

  /** Otherwise every request would start the database anew, while its disk is full for instance. */
  #refuseSoonAfterFailure(): void {
    if (this.#failedStart === undefined) return;
    const { error, atMs } = this.#failedStart;
    if (performance.now() - atMs < REST_AFTER_FAILED_START_MS) throw error;
  }

  #launch(module: WebAssembly.Module): Running {
    const activity = new Activity();
    const worker = new Worker(new URL('./embedded-worker.ts', import.meta.url), {
      workerData: { ...this.#start, module, activity: activity.shared } satisfies WorkerData,
      // Do not pass this process's arguments to the thread.
      argv: [],
      execArgv: [],
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_HEAP_MB },
    });
    const ready = Promise.withResolvers<void>();
    const exited = Promise.withResolvers<void>();
    let [reason, isReady] = ['its thread ended', false];
    worker.on('message', (message: FromWorker) => {
      if (message.kind === 'failed') reason = message.message;
      else if (message.kind === 'ready') {
        isReady = true;
        ready.resolve(this.#onReady(message.commitsAreSynced));
      } else this.#receive(message);
    });
    worker.on('error', (error) => {
      reason = String(error);
    });
    const limit = this.#longestStatementSeconds;
    const watch = setInterval(
      () => {
        if (activity.busySeconds() <= limit) return;
        reason = `a statement took more than ${limit} s`;
        void worker.terminate();
      },
      (limit * 1_000) / WATCHES_PER_LIMIT,
    );
    watch.unref();
    worker.once('exit', () => {
      clearInterval(watch);
      const error = this.#onExit(reason, ready.reject);
      this.#failedStart = isReady ? undefined : { error, atMs: performance.now() };
      exited.resolve();
    });
    // If no client waits, a failed start is only logged.
    ready.promise.catch(() => undefined);
    return { worker, ready: ready.promise, exited: exited.promise };
  }

  #onReady(commitsAreSynced: boolean): void {
    this.#hasRun = true;
    if (commitsAreSynced) return;
    this.#log.warn(
      {},
      'the embedded database does not sync its commits: a power cut may lose some',
    );
  }

  #onExit(reason: string, rejectReady: (error: Error) => void): Error {
    const error = new EmbeddedDatabaseCrashedError(reason);
    this.#running = undefined;
    rejectReady(error);
    if (isDiskFull(error)) this.#log.error({ reason }, 'the embedded database has a full disk');
    else if (!this.#closed) this.#log.error({ err: error }, 'the embedded database crashed');
    const clients = [...this.#sessions.values()];
    this.#sessions.clear();
    for (const client of clients) client.onLost(error);
    return error;
  }

  #receive(message: FromWorker): void {
    if (message.kind === 'bytes') this.#sessions.get(message.session)?.onBytes(message.bytes);
    else if (message.kind === 'dumped') this.#onDump?.(message.image);
  }

  #post(message: ToWorker, transfer: ArrayBuffer[] = []): void {
    this.#running?.worker.postMessage(message, transfer);
  }
}

// Node's types have WebAssembly.Module, but not `compile`.
const { WebAssembly: wasm } = globalThis as unknown as {
  WebAssembly: { compile(bytes: Uint8Array): Promise<WebAssembly.Module> };
};

/** PGlite's PostgreSQL, compiled once for all threads of this process. */
const loadEmbeddedModule = shareSuccess(compile);

async function compile(): Promise<WebAssembly.Module> {
  useBaselineCompiler();
  const dist = dirname(createRequire(import.meta.url).resolve('@electric-sql/pglite'));
  return await wasm.compile(await readFile(join(dist, 'pglite.wasm')));
}

/**
 * V8's optimizing compiler uses 600 MB for a single function of PostgreSQL at each start. The
 * options apply to the whole process: see docs/decisions/0005.
 */
function useBaselineCompiler(): void {
  setFlagsFromString('--no-wasm-tier-up');
  setFlagsFromString('--no-wasm-dynamic-tiering');
}
