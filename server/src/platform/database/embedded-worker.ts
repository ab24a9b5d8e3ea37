import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
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

// The thread in which the embedded PostgreSQL runs. It speaks the wire protocol with one session
// at a time and is started, and again after a crash, by embedded-engine.ts.

// Small buffers and few connections: some 150 MB less memory.
const COMMON_PARAMETERS = ['-c', 'shared_buffers=16MB', '-c', 'max_connections=5'];
const SYNC_PARAMETERS = ['-c', 'fsync=on', '-c', 'wal_sync_method=fsync'];
// Log files of 1 MB instead of 16: a fresh database is a third of the size, and stays small.
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
  initDbStartParams: INITDB_PARAMETERS,
  startParams: [
    ...PGlite.defaultStartParams.filter((parameter) => memory || parameter !== '-F'),
    ...COMMON_PARAMETERS,
    ...(memory ? [] : SYNC_PARAMETERS),
  ],
  onStderr: remember,
}).catch(stop);
const session = new EmbeddedSession(database);

// One message after the other, in the order in which they came.
let handled = Promise.resolve();
port.on('message', (message: ToWorker) => {
  handled = handled.then(() => handle(message)).catch(stop);
});
tell({ kind: 'ready', commitsAreSynced: memory || (await commitIsSynced()) });

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
      // So that the next start finds nothing to replay.
      await database.exec('checkpoint').catch(() => undefined);
      await database.close();
      return process.exit(0);
  }
}

/** Closed in order, the files need no recovery when they are opened. */
async function closeForImage(): Promise<readonly DataFile[]> {
  if (!(files instanceof ImageMemoryFs)) throw new Error('only a database in memory is dumped');
  // Nobody makes further databases from these two, which are two thirds of all files.
  await database.exec(`update pg_database set datistemplate = false where datistemplate`);
  for (const name of ['template0', 'template1']) await database.exec(`drop database ${name}`);
  const left: DataFile[] = [];
  files.filesAtClose = left;
  await database.close();
  return left;
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
  mkdirSync(halfMade, { recursive: true, mode: 0o700 });
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
  // Whole or not there at all; over an empty folder, but over nothing else.
  renameSync(halfMade, filesDir);
  syncFolder(dirname(filesDir));
}

function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
}

/** A broken server is not asked again: the thread ends, and the engine starts a new one. */
function stop(error: unknown): never {
  tell({ kind: 'failed', message: [String(error), ...lastWords].join('\n') });
  process.exit(1);
}

/** Keeps what the server wrote to its own log last; true is PGlite's word for "print it too". */
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
