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
import { PGlite } from '@electric-sql/pglite';
import { Activity } from './activity.ts';
import type { FromWorker, ToWorker, WorkerData, WorkerStart } from './embedded-messages.ts';
import { EmbeddedSession } from './embedded-session.ts';
import { type DataFile, packImage, unpackImage } from './image-format.ts';
import { isDatabase } from './is-database.ts';
import { ImageMemoryFs } from './memory-file-system.ts';
import { SyncedNodeFs } from './synced-file-system.ts';

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
        const answer: FromWorker = { kind: 'bytes', session: message.session, bytes };
        port.postMessage(answer, [bytes.buffer]);
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
