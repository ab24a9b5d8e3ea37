import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import type { FromWorker, ToWorker, WorkerStart } from './embedded-messages.ts';
import { EmbeddedSession } from './embedded-session.ts';
import { packImage, unpackImage } from './image-format.ts';
import { ImageMemoryFs } from './memory-file-system.ts';
import { SyncedNodeFs } from './synced-file-system.ts';

// The thread in which the embedded PostgreSQL runs. It speaks the wire protocol with one session
// at a time and is started, and again after a crash, by embedded-engine.ts.

// Small buffers and few connections: some 150 MB less memory.
const COMMON_PARAMETERS = ['-c', 'shared_buffers=16MB', '-c', 'max_connections=5'];
const SYNC_PARAMETERS = ['-c', 'fsync=on', '-c', 'wal_sync_method=fsync'];
// Log files of 1 MB instead of 16: a fresh database is a third of the size, and stays small.
const INITDB_PARAMETERS = ['--wal-segsize=1'];

const port = requirePort();
const start = workerData as WorkerStart;
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
});
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
      await session.answer(message.session, message.bytes, (bytes) => {
        const answer: FromWorker = { kind: 'bytes', session: message.session, bytes };
        port.postMessage(answer, [bytes.buffer]);
      });
      return;
    case 'session-end':
      await session.end(message.session);
      return;
    case 'dump':
      await database.exec('checkpoint');
      if (!(files instanceof ImageMemoryFs)) throw new Error('only a database in memory is dumped');
      tell({ kind: 'dumped', image: packImage(files.dump()) });
      return;
    case 'close':
      await database.close();
      process.exit(0);
  }
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
  // PG_VERSION is there from the first moment on; only the renaming makes a folder a database.
  if (!existsSync(filesDir) && image !== undefined) {
    const halfMade = `${filesDir}.new`;
    rmSync(halfMade, { recursive: true, force: true });
    mkdirSync(halfMade, { recursive: true });
    for (const [path, content] of unpackImage(image)) {
      if (content === null) mkdirSync(join(halfMade, path));
      else writeFileSync(join(halfMade, path), content);
    }
    // No sync here: an image opens with a recovery, which syncs every file before anything else.
    renameSync(halfMade, filesDir);
  }
  return new SyncedNodeFs(filesDir);
}

/** A broken server is not asked again: the thread ends, and the engine starts a new one. */
function stop(error: unknown): void {
  tell({ kind: 'failed', message: String(error) });
  process.exit(1);
}

function tell(message: FromWorker): void {
  port.postMessage(message);
}

function requirePort(): MessagePort {
  if (!parentPort) throw new Error('embedded-worker.ts runs in a worker thread');
  return parentPort;
}
