import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { flushCompileCache } from 'node:module';
import { dirname, join } from 'node:path';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { MemoryFS, PGlite } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';
import { Activity } from '../connections/activity.ts';
import { isDatabase } from '../is-database.ts';
import type { FromWorker, ToWorker, WorkerData, WorkerStart } from './embedded-messages.ts';
import { FrontendBuffer, type FrontendUnit, STARTUP } from './frontend-buffer.ts';
import { type DataFile, packImage, unpackImage } from './image-format.ts';

// The part of PGlite's private interface that we use. Every start checks that it still works
// (`commitsAreSynced`).
interface EmscriptenModule {
  readonly FS: { readonly ErrnoError: new (errno: number) => Error };
  readonly NODEFS: { readonly stream_ops: { fsync?: (stream: { nfd: number }) => number } };
}
const EIO = 29;

/** PGlite's files on disk, with the call that PGlite omits: fsync. */
class SyncedNodeFs extends NodeFS {
  /** The number of fsync calls so far. */
  syncCount = 0;

  override async init(
    ...args: Parameters<NodeFS['init']>
  ): Promise<Awaited<ReturnType<NodeFS['init']>>> {
    const { emscriptenOpts } = await super.init(...args);
    const addSync = (module: unknown) => this.#addSync(module as EmscriptenModule);
    return {
      emscriptenOpts: { ...emscriptenOpts, preRun: [...(emscriptenOpts.preRun ?? []), addSync] },
    };
  }

  #addSync(module: EmscriptenModule): void {
    module.NODEFS.stream_ops.fsync = (stream) => {
      this.syncCount += 1;
      try {
        fsyncSync(stream.nfd);
      } catch {
        // PostgreSQL must not assume that the data is safe; it stops with a PANIC.
        throw new module.FS.ErrnoError(EIO);
      }
      return 0;
    };
  }
}

// The part of Emscripten's file system that is used here.
interface EmscriptenFs {
  readdir(path: string): string[];
  stat(path: string): { readonly mode: number };
  isDir(mode: number): boolean;
  mkdirTree(path: string): void;
  readFile(path: string): Uint8Array;
  writeFile(path: string, content: Uint8Array, options: { canOwn: boolean }): void;
}

/** A database in memory, started from a data image if there is one. */
class ImageMemoryFs extends MemoryFS {
  readonly #files: readonly DataFile[];
  /** Set it to [] before closing the database to receive the final files. */
  filesAtClose: DataFile[] | undefined;

  constructor(files: readonly DataFile[] = []) {
    super();
    this.#files = files;
  }

  override async initialSyncFs(): Promise<void> {
    const fs = this.#emscriptenFs();
    if (this.#files.length > 0) fs.mkdirTree(PGlite.paths.PGDATA);
    for (const [path, content] of this.#files) {
      const target = `${PGlite.paths.PGDATA}/${path}`;
      if (content === null) fs.mkdirTree(target);
      else fs.writeFile(target, content, { canOwn: true });
    }
  }

  override async closeFs(): Promise<void> {
    if (this.filesAtClose) this.#collect('', this.filesAtClose);
    await super.closeFs();
  }

  #collect(folder: string, files: DataFile[]): void {
    const fs = this.#emscriptenFs();
    const root = PGlite.paths.PGDATA;
    for (const name of fs.readdir(`${root}/${folder}`)) {
      if (name === '.' || name === '..') continue;
      const path = `${folder}${name}`;
      if (fs.isDir(fs.stat(`${root}/${path}`).mode)) {
        files.push([path, null]);
        this.#collect(`${path}/`, files);
      } else {
        files.push([path, fs.readFile(`${root}/${path}`)]);
      }
    }
  }

  #emscriptenFs(): EmscriptenFs {
    if (!this.pg) throw new Error('the file system is not mounted');
    return this.pg.Module.FS as unknown as EmscriptenFs;
  }
}

type Send = (bytes: Uint8Array<ArrayBuffer>) => void;

const CHUNK_BYTES = 1024 * 1024;
// 'Z', a length of 5, and the transaction status.
const READY_FOR_QUERY = Buffer.from([0x5a, 0, 0, 0, 5]);
const READY_BYTES = 6;
const TERMINATE = 'X';
// The response to Query, FunctionCall, Sync, the end of a COPY and the startup packet ends with
// ReadyForQuery.
const ANSWERED_BY_READY = new Set(['Q', 'F', 'S', 'c', STARTUP]);

/**
 * The single session of the embedded server, used by one client at a time. Each client gets it like
 * a new connection: no transaction, no prepared statements, default settings.
 */
class EmbeddedSession {
  readonly #database: PGlite;
  #client: number | undefined;
  #frontend = new FrontendBuffer();

  constructor(database: PGlite) {
    this.#database = database;
  }

  /** Sends the server's response in pieces. Throws if the server is broken. */
  async answer(client: number, bytes: Uint8Array, send: Send): Promise<void> {
    if (client !== this.#client) {
      await this.#reset();
      this.#client = client;
      this.#frontend = new FrontendBuffer();
    }
    for (const unit of this.#frontend.push(bytes)) {
      if (unit.last === TERMINATE) return await this.end(client);
      await this.#execute(unit, send);
    }
  }

  async end(client: number): Promise<void> {
    if (client !== this.#client) return;
    this.#client = undefined;
    await this.#reset();
  }

  async #reset(): Promise<void> {
    // Two messages, because DISCARD ALL must be alone.
    for (const sql of ['rollback', 'discard all']) {
      await this.#execute({ bytes: queryMessage(sql), last: 'Q' }, () => undefined);
    }
  }

  async #execute(unit: FrontendUnit, send: Send): Promise<void> {
    const pieces: Uint8Array[] = [];
    let size = 0;
    let tail: Uint8Array = new Uint8Array();
    const flush = () => {
      if (size > 0) send(joined(pieces, size));
      pieces.length = 0;
      size = 0;
    };
    // Not execProtocol, which parses and keeps every response.
    await this.#database.execProtocolRawStream(unit.bytes, {
      syncToFs: false,
      onRawData: (view) => {
        const bytes = view.slice(); // the view is in the server's memory
        pieces.push(bytes);
        size += bytes.length;
        tail = Buffer.concat([tail, bytes.subarray(-READY_BYTES)]).subarray(-READY_BYTES);
        if (size >= CHUNK_BYTES) flush();
      },
    });
    flush();
    if (ANSWERED_BY_READY.has(unit.last) && !isReadyForQuery(tail)) {
      throw new Error('the database stopped in the middle of a response');
    }
  }
}

function queryMessage(sql: string): Buffer {
  const text = Buffer.from(`${sql}\0`);
  const header = Buffer.alloc(5);
  header.write('Q');
  header.writeUInt32BE(text.length + 4, 1);
  return Buffer.concat([header, text]);
}

function isReadyForQuery(tail: Uint8Array): boolean {
  return tail.length === READY_BYTES && READY_FOR_QUERY.equals(tail.subarray(0, -1));
}

function joined(pieces: readonly Uint8Array[], size: number): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(size);
  let offset = 0;
  for (const piece of pieces) {
    whole.set(piece, offset);
    offset += piece.length;
  }
  return whole;
}

// The thread of the embedded PostgreSQL. It speaks the wire protocol with one session at a time.
// embedded-engine.ts starts it, and restarts it after a crash.

// Small buffers and few connections save some 150 MB.
const COMMON_PARAMETERS = ['-c', 'shared_buffers=16MB', '-c', 'max_connections=5'];
const SYNC_PARAMETERS = ['-c', 'fsync=on', '-c', 'wal_sync_method=fsync'];
// 1 MB WAL files instead of 16 MB keep a new database at a third of the size.
const INITDB_PARAMETERS = ['--wal-segsize=1'];

const LAST_WORDS = 5;

const lastWords: string[] = [];
const port = requirePort();
const start = workerData as WorkerData;
const activity = new Activity(start.activity);
const memory = start.filesDir === undefined;
const files = memory ? memoryFiles(start) : diskFiles(start, start.filesDir);

const database = await PGlite.create({
  fs: files,
  pgliteWasmModule: start.module,
  initDbStartParams: INITDB_PARAMETERS,
  startParams: [
    ...PGlite.defaultStartParams.filter((parameter) => memory || parameter !== '-F'),
    ...COMMON_PARAMETERS,
    ...(memory ? [] : SYNC_PARAMETERS),
  ],
  onStderr: remember,
}).catch(stop);
const session = new EmbeddedSession(database);

// Messages are handled one by one, in order.
let handled = Promise.resolve();
port.on('message', (message: ToWorker) => {
  handled = handled.then(() => handle(message)).catch(stop);
});
tell({ kind: 'ready', commitsAreSynced: memory || (await commitIsSynced()) });
// Each thread has its own compile cache, which a killed process would lose.
flushCompileCache();

async function handle(message: ToWorker): Promise<void> {
  switch (message.kind) {
    case 'bytes':
      activity.begin();
      await session.answer(message.session, message.bytes, (bytes) => {
        const response: FromWorker = { kind: 'bytes', session: message.session, bytes };
        port.postMessage(response, [bytes.buffer]);
      });
      activity.end();
      return;
    case 'session-end':
      await session.end(message.session);
      return;
    case 'dump':
      tell({ kind: 'dumped', image: packImage(await closeForImage()) });
      return process.exit(0);
    case 'close':
      // The next start then has nothing to replay.
      await database.exec('checkpoint').catch(() => undefined);
      await database.close();
      return process.exit(0);
  }
}

/** After an orderly shutdown, the files need no recovery. */
async function closeForImage(): Promise<readonly DataFile[]> {
  if (!(files instanceof ImageMemoryFs)) throw new Error('only a database in memory is dumped');
  // Template databases are two thirds of all files, and nobody creates databases from them. An
  // image made from another image no longer has them.
  await database.exec(`update pg_database set datistemplate = false where datistemplate`);
  for (const name of ['template0', 'template1']) {
    await database.exec(`drop database if exists ${name}`);
  }
  const left: DataFile[] = [];
  files.filesAtClose = left;
  await database.close();
  return withoutSpareLog(left);
}

/**
 * Recycled or preallocated WAL files; after an orderly shutdown, only the first is read (and the
 * next, if a record spans both).
 */
function withoutSpareLog(all: readonly DataFile[]): readonly DataFile[] {
  const isLog = ([path]: DataFile) => /^pg_wal\/[0-9A-F]{24}$/.test(path);
  const spare = new Set(all.filter(isLog).sort(byPath).slice(2));
  return all.filter((file) => !spare.has(file));
}

function byPath([a]: DataFile, [b]: DataFile): number {
  return a < b ? -1 : 1;
}

async function commitIsSynced(): Promise<boolean> {
  if (!(files instanceof SyncedNodeFs)) return false;
  const before = files.syncCount;
  await database.exec(`select pg_logical_emit_message(true, 'podstead', 'sync')`);
  return files.syncCount > before;
}

function memoryFiles({ image }: WorkerStart): ImageMemoryFs {
  return new ImageMemoryFs(image && unpackImage(image));
}

function diskFiles({ image }: WorkerStart, filesDir: string): SyncedNodeFs {
  if (!isDatabase(filesDir)) {
    if (image === undefined) throw new Error(`there is no database in ${filesDir}`);
    writeImage(image, filesDir);
  }
  return new SyncedNodeFs(filesDir);
}

function writeImage(image: Uint8Array, filesDir: string): void {
  const halfMade = `${filesDir}.new`;
  rmSync(halfMade, { recursive: true, force: true });
  mkdirSync(halfMade, { mode: 0o700 });
  const folders = [halfMade];
  for (const [path, content] of unpackImage(image)) {
    const target = join(halfMade, path);
    if (content !== null) writeFileSync(target, content, { flush: true });
    else {
      mkdirSync(target);
      folders.push(target);
    }
  }
  for (const folder of folders) syncFolder(folder);
  // Atomic; replaces an empty folder, but nothing else.
  renameSync(halfMade, filesDir);
  syncFolder(dirname(filesDir));
}

function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
}

/** A broken server is not used again: the thread ends, and the engine starts a new one. */
function stop(error: unknown): never {
  tell({ kind: 'failed', message: [String(error), ...lastWords].join('\n') });
  process.exit(1);
}

/** Keeps the last lines of the server's log; PGlite prints the line if this returns true. */
function remember(line: string): boolean {
  lastWords.push(line);
  if (lastWords.length > LAST_WORDS) lastWords.shift();
  return false;
}

function tell(message: FromWorker): void {
  port.postMessage(message);
}

function requirePort(): MessagePort {
  if (!parentPort) throw new Error('embedded-worker.ts runs in a worker thread');
  return parentPort;
}
