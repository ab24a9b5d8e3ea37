/** Opens a file when the child has read the previous one. */
export type FileSource = () => AsyncIterable<Uint8Array> | Promise<AsyncIterable<Uint8Array>>;

/** A file in memory, or one that is opened when its turn comes. */
export type JobFile = Uint8Array | FileSource;

/** A part of a file: at most `length` bytes from `at` on, fewer at the end of the file. */
export interface Span {
  readonly at: number;
  readonly length: number;
}

export type SpanSource = (span: Span) => ReturnType<FileSource>;

export interface JobLimits {
  /** Of the whole process, native memory included. JavaScript has 256 MB of it. */
  readonly memoryMb: number;
  /** CPU time of all threads, which does not depend on the load of the machine. */
  readonly cpuMs: number;
  /** A much higher wall-clock limit, for a process that hangs or waits. */
  readonly wallMs: number;
  /** After so long without a byte to or from it, a process that waits for a disk is ended. */
  readonly quietMs?: number;
  /** All parts of the result together. */
  readonly resultBytes: number;
}

export interface Job {
  /** The module of the child's side. It exports the task, a `Task`. */
  readonly module: URL;
  readonly task: string;
  /** What can be cloned; at most a megabyte. */
  readonly input?: unknown;
  /** Streamed to the child; it may end without reading them. */
  readonly files?: readonly JobFile[];
  /** Instead of `files`: a large file, of which the child gets the spans that it requests. */
  readonly spans?: SpanSource | undefined;
  /** Whose bytes they are: users take turns. */
  readonly owner: string;
  readonly limits: JobLimits;
  /** It may take minutes: half of the processes are for others. */
  readonly isLong?: boolean | undefined;
  /** Ends it, and the process that does it. */
  readonly signal?: AbortSignal | undefined;
  /** Ends it while it waits for a process. Once begun, it continues: a new process costs more. */
  readonly abandoned?: AbortSignal | undefined;
  /** Called when the child has sent something, or has taken a piece of a file. */
  readonly onSign?: (() => void) | undefined;
}

/**
 * Takes a part of the result. If it returns a promise, the child waits before it sends much more, and the
 * job ends after the promise; a rejection ends both.
 */
export type OnPart = (part: unknown) => unknown;

/** Reads a span of the job's file. Wait for it before the next one. */
export type ReadSpan = (span: Span) => Promise<Buffer>;

/** The child's side of a job: reads the files in order, and yields the parts of the result. */
export type Task<Input> = (
  input: Input,
  files: AsyncIterableIterator<AsyncIterable<Buffer>>,
  readSpan: ReadSpan,
) => AsyncIterable<unknown>;

/** Plain data that the child's watcher is started with. */
export interface WatchData {
  /** In MB; 0: no job runs. */
  readonly limits: SharedArrayBuffer;
  readonly parentId: number;
}
/** The most that a call may have beside its files. */
export const maxCallBytes = 1024 * 1024;
/** The most that a job may ask for: each span may be a request to a remote store. */
export const mostSpans = { count: 10_000, bytes: 64 * 1024 * 1024 } as const;

export const memoryLimitAt = 0;
export const cpuLimitAt = 1;

/** What the watcher writes to standard error before it ends the process. */
export const endedFor = { memory: 'podstead: memory limit', time: 'podstead: CPU limit' } as const;

/** Why a child process has given no result. */
type ProcessFailure =
  | 'memory' // exceeded its memory limit, or a result was too large
  | 'time' // exceeded its CPU or time limit
  | 'crash' // ended by itself, such as by a fault in native code
  | 'busy' // too many jobs of the same owner wait
  | 'unavailable' // no process could be started
  | 'stopped'; // the program ends

export class ProcessError extends Error {
  readonly reason: ProcessFailure;

  constructor(reason: ProcessFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ProcessError';
    this.reason = reason;
  }

  /** The bytes that were read made the process fail: another try would fail in the same way. */
  get isOfInput(): boolean {
    return this.reason === 'memory' || this.reason === 'time' || this.reason === 'crash';
  }
}
