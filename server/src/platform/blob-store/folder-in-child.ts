import { PassThrough, Readable } from 'node:stream';
import { ChildProcesses } from '../processes/child-processes.ts';
import { type Job, type JobLimits, ProcessError } from '../processes/job.ts';
import type { BackupStore, ReceivedFile } from './backup-store.ts';
import { BlobNotFoundError, type ListedBlob } from './blob-store.ts';
import type * as folderTasks from './folder-tasks.ts';
import type { FolderInput } from './folder-tasks.ts';

export interface FolderOptions extends FolderInput {
  /** Whether it is created if it is missing. */
  readonly mayBegin: boolean;
  /** After so long without a sign of the folder, a call fails. By default 15 minutes. */
  readonly quietMs?: number;
  /** By default those that all folders share. */
  readonly processes?: ChildProcesses;
}

/** A slow disk may need minutes until all of a large file is on it. */
const defaultQuietMs = 15 * 60_000;
/** How long a call waits for the calls before it. */
const mostWaitMs = 3600_000;
const limits: JobLimits = {
  memoryMb: 512,
  cpuMs: Number.POSITIVE_INFINITY,
  wallMs: 24 * 3600_000,
  resultBytes: Number.POSITIVE_INFINITY,
};
const readAtOnce = 4 * 1024 * 1024;
const module = new URL('./folder-tasks.ts', import.meta.url);

/** Of all folders: as many processes wait for a folder that never answers, and no more. */
const mostProcesses = 3;
let shared: ChildProcesses | undefined;

/**
 * Opens a folder for backups. Undefined: it is missing, and may not be created. Everything that touches the folder is done in child
 * processes. A call into a mount that has stopped answering never ends, and blocks one of the few threads that
 * do all file work of a process: here, this would stop the whole service.
 */
export async function openFolderInChild(options: FolderOptions): Promise<BackupStore | undefined> {
  shared ??= new ChildProcesses({ most: mostProcesses });
  const store = new FolderInChild({ processes: shared, quietMs: defaultQuietMs, ...options });
  return (await store.open()) ? store : undefined;
}

type TaskName = keyof typeof folderTasks;
type Call = Pick<Job, 'files' | 'signal'> & { readonly input?: object };

class FolderInChild implements BackupStore {
  readonly #options: Required<FolderOptions>;

  constructor(options: Required<FolderOptions>) {
    this.#options = options;
  }

  async open(): Promise<boolean> {
    const { mayBegin } = this.#options;
    return await this.#ask('open', '', { input: { mayBegin } });
  }

  async put(key: string, body: Buffer): Promise<void> {
    await this.#ask('put', key, { input: { key }, files: [body] });
  }

  async receive(...[open, expectedBytes, signal]: Parameters<BackupStore['receive']>) {
    const call = { input: { expectedBytes }, files: [open], signal };
    type Received = Pick<ReceivedFile, 'sha256' | 'bytes'> & { readonly path: string };
    const { path, ...found } = await this.#ask<Received>('receive', 'files', call);
    let hasMoved = false;
    return {
      ...found,
      moveTo: async (key: string) => {
        await this.#ask('move', key, { input: { path, key } });
        hasMoved = true;
      },
      [Symbol.asyncDispose]: async () => {
        if (!hasMoved) await this.#ask('drop', 'files', { input: { path } });
      },
    };
  }

  async read(key: string): Promise<Readable> {
    const readAt = (at: number) =>
      this.#ask<Uint8Array>('read', key, { input: { key, at, length: readAtOnce } });
    const first = await readAt(0).catch((error: Error) => {
      throw error.name === 'BlobNotFoundError' ? new BlobNotFoundError(key) : error;
    });
    return Readable.from(readOn(first, readAt), { objectMode: false });
  }

  async delete(key: string): Promise<void> {
    await this.#ask('remove', key, { input: { key } });
  }

  async *list(under: string): AsyncGenerator<ListedBlob[]> {
    const batches = new PassThrough({ objectMode: true });
    this.#run('list', under, { input: { under } }, (batch) => batches.write(batch)).then(
      () => batches.end(),
      (error: Error) => batches.destroy(error),
    );
    yield* batches;
  }

  /** Idle processes end soon. */
  async [Symbol.asyncDispose](): Promise<void> {}

  async #ask<Result>(task: TaskName, key: string, call: Call = {}): Promise<Result> {
    let result: unknown;
    await this.#run(task, key, call, (part) => {
      result = part;
    });
    return result as Result;
  }

  async #run(
    task: TaskName,
    key: string,
    { input, ...call }: Call,
    onPart: (part: unknown) => void,
  ): Promise<void> {
    const { folder, spareBytes, quietMs, processes } = this.#options;
    // The mark of a process at work never waits for files.
    const owner = `${folder} ${key.split('/')[0]}`;
    const waiting = new AbortController();
    const timer = setTimeout(() => waiting.abort(this.#silent(mostWaitMs)), mostWaitMs).unref();
    const job = { module, task, owner, ...call, input: { folder, spareBytes, ...input } };
    const ends = { limits: { ...limits, quietMs }, abandoned: waiting.signal };
    try {
      await processes.run({ ...job, ...ends }, onPart);
    } catch (error) {
      const isSilent = error instanceof ProcessError && error.reason === 'time';
      throw isSilent ? this.#silent(quietMs, error) : error;
    } finally {
      clearTimeout(timer);
    }
  }

  #silent(ms: number, cause?: Error): Error {
    const minutes = Math.ceil(ms / 60_000);
    return new Error(
      `The folder ${this.#options.folder} has not answered for ${minutes} minutes.`,
      { cause },
    );
  }
}

/** Piece by piece, as the reader takes them. */
async function* readOn(
  first: Uint8Array,
  readAt: (at: number) => Promise<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  let [piece, at] = [first, 0];
  for (;;) {
    if (piece.length > 0) yield piece;
    at += piece.length;
    if (piece.length < readAtOnce) return;
    piece = await readAt(at);
  }
}
