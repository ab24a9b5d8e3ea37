import { PassThrough, Readable } from 'node:stream';
import type { Measure } from '../../lib/measured-stream.ts';
import { ChildProcesses } from '../processes/child-processes.ts';
import { type Job, type JobLimits, ProcessError } from '../processes/job.ts';
import type { BackupStore } from './backup-store.ts';
import { BlobNotFoundError, type ListedBlob } from './blob-store.ts';
import type * as folderTasks from './folder-tasks.ts';
import type { FolderInput } from './folder-tasks.ts';
import { newReceivedName } from './receive-file.ts';

export interface FolderOptions extends FolderInput {
  /** After so long without a sign of the folder, a call fails. By default 15 minutes. */
  readonly quietMs?: number;
  /** By default those that all folders share. */
  readonly processes?: ChildProcesses;
}

/** A slow disk may need minutes until all of a large file is on it. */
const defaultQuietMs = 15 * 60_000;
/** What could not be removed within this time stays for a day, as after a crash. */
const dropWithinMs = 60_000;
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
/** Of calls that wait for the calls before them: any sign of those restarts them. */
const waits = new Set<NodeJS.Timeout>();
const onSign = () => {
  for (const wait of waits) wait.refresh();
};

/**
 * Opens a folder for backups. Undefined: it is missing, and may not be created. Everything that touches it is
 * done in child processes: a call into a mount that has stopped answering never ends, and blocks one of the few
 * threads that do all file work of a process. Here, this would stop the whole service.
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
    return await this.#ask('open', '');
  }

  async put(key: string, body: Buffer, _type: string, signal?: AbortSignal): Promise<void> {
    await this.#ask('put', key, { input: { key }, files: [body], signal });
  }

  async mark(key: string, signal?: AbortSignal): Promise<void> {
    await this.#ask('mark', key, { input: { key }, signal });
  }

  async receive(...[open, expectedBytes, signal]: Parameters<BackupStore['receive']>) {
    const name = newReceivedName();
    let [hasBegun, hasMoved] = [false, false];
    const begin = async () => {
      const content = await open();
      hasBegun = true;
      return content;
    };
    const call = { input: { name, expectedBytes }, files: [begin], signal };
    const found = await this.#ask<Measure>('receive', 'files', call).catch(async (error) => {
      // The process that wrote it may have been killed.
      if (hasBegun) await this.#drop(name);
      throw error;
    });
    return {
      ...found,
      moveTo: async (key: string) => {
        await this.#ask('move', key, { input: { name, key } });
        hasMoved = true;
      },
      [Symbol.asyncDispose]: async () => {
        if (!hasMoved) await this.#drop(name);
      },
    };
  }

  async #drop(name: string): Promise<void> {
    const signal = AbortSignal.timeout(dropWithinMs);
    await this.#ask('drop', 'files', { input: { name }, signal }).catch(() => undefined);
  }

  async read(key: string): Promise<Readable> {
    const readAt = (at: number) =>
      this.#ask<Uint8Array>('read', key, { input: { key, at, length: readAtOnce } });
    const first = await readAt(0).catch((error: Error) => {
      throw error.name === 'BlobNotFoundError' ? new BlobNotFoundError(key) : error;
    });
    return Readable.from(readOn(first, readAt), { objectMode: false });
  }

  async delete(key: string, signal?: AbortSignal): Promise<void> {
    await this.#ask('remove', key, { input: { key }, signal });
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
    const { folder, spareBytes, mayBegin, quietMs, processes } = this.#options;
    // The mark of a process at work never waits for files.
    const owner = `${folder} ${key.split('/')[0]}`;
    const waiting = new AbortController();
    const wait = setTimeout(() => waiting.abort(this.#silent()), quietMs).unref();
    waits.add(wait);
    const ofFolder = { folder, spareBytes, mayBegin };
    const job = { module, task, owner, ...call, input: { ...ofFolder, ...input }, onSign };
    const ends = { limits: { ...limits, quietMs }, abandoned: waiting.signal };
    try {
      await processes.run({ ...job, ...ends }, onPart);
    } catch (error) {
      const isSilent = error instanceof ProcessError && error.reason === 'time';
      throw isSilent ? this.#silent(error) : error;
    } finally {
      clearTimeout(wait);
      waits.delete(wait);
    }
  }

  #silent(cause?: Error): Error {
    const { folder, quietMs } = this.#options;
    const minutes = Math.ceil(quietMs / 60_000);
    return new Error(`The folder ${folder} has not answered for ${minutes} minutes.`, { cause });
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
