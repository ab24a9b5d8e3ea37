import { join } from 'node:path';
import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely';
import type pg from 'pg';
import { type DatabaseServer, parseDatabaseUrl } from '../../lib/database-url.ts';
import { ChangeConfirmer } from './announcements/change-confirmer.ts';
import { NotificationListener } from './announcements/change-listener.ts';
import { ChangeReader } from './announcements/change-reader.ts';
import { CHANGES_CHANNEL, NotifiedAnnouncements } from './announcements/notified-announcements.ts';
import { isServed } from './announcements/served-lock.ts';
import { type Announcements, LocalAnnouncements } from './announcements.ts';
import { DatabaseServers } from './connections/database-servers.ts';
import { watchPool } from './connections/dead-connections.ts';
import { borrowSession, openServerSession } from './connections/long-session.ts';
import { createPing } from './connections/ping.ts';
import { createEmbeddedPool, endPool } from './connections/pools.ts';
import { refuseUnsuitableDatabase } from './connections/refuse-unsuitable-database.ts';
import { ServerPool } from './connections/server-pool.ts';
import type { DatabaseLog } from './database-log.ts';
import { openCheckpointRoom } from './embedded/checkpoint.ts';
import { EmbeddedEngine } from './embedded/embedded-engine.ts';
import { EmbeddedMaintenance } from './embedded/embedded-maintenance.ts';
import type { WorkerStart } from './embedded/embedded-messages.ts';
import { loadInitdbImage } from './embedded/initdb-image.ts';
import { takeLock } from './embedded/lock-file.ts';
import { isDatabase } from './is-database.ts';
import {
  holdSnapshot,
  openEmbeddedSnapshot,
  openServerSnapshot,
  removeSnapshots,
} from './open-snapshot.ts';
import type { DatabaseSnapshot, LongSession } from './snapshot.ts';
import { assertConnectionAllowed } from './transaction-guard.ts';

interface CommonOptions {
  readonly log: DatabaseLog;
  /** So much of the disk of an embedded database stays free when a snapshot is copied. */
  readonly spareBytes?: number | undefined;
}

export type DatabaseOptions = CommonOptions &
  (
    | {
        readonly kind: 'embedded';
        /** The folder of the database's files and lock; created if missing. */
        readonly dataDir: string;
      }
    /** For tests: starts from a packed image, and is deleted when it is closed. */
    | { readonly kind: 'memory'; readonly image: Uint8Array }
    | {
        readonly kind: 'server';
        /** postgres://…, of one or several servers. */
        readonly url: string;
        /** The same database past a pooler, for LISTEN and for long sessions. */
        readonly listenUrl?: string | undefined;
        /**
         * The most connections, besides one that listens, one that confirms caches, and a temporary
         * one that checks slow statements.
         */
        readonly poolSize: number;
      }
  );

type EmbeddedOptions = Exclude<DatabaseOptions, { kind: 'server' }>;

type TakeTurn = () => Promise<Disposable>;

export interface DatabaseConnection<Tables> extends AsyncDisposable {
  readonly kind: 'embedded' | 'server';
  /** For code that does not use `query`; one driver for both kinds. */
  readonly pool: pg.Pool;
  readonly query: Kysely<Tables>;
  /**
   * The same as `query`, but each statement, or each transaction, waits for a turn before it takes a
   * connection, and disposes it at its end.
   */
  queryInTurns(takeTurn: TakeTurn): Kysely<Tables>;
  readonly announcements: Announcements<Tables>;
  /** One round trip, for /readyz. Rejects if the database is unavailable, read-only or too slow. */
  ping(): Promise<void>;
  /**
   * Rejects if `url` points to a pooler or a database with which nothing would work reliably, with a
   * message for whoever set it.
   */
  refuseUnsuitable(): Promise<void>;
  /** Until it is disposed, no statement rewrites these tables. */
  openSnapshot(tables: readonly string[]): Promise<DatabaseSnapshot<Tables>>;
  openLongSession(): Promise<LongSession<Tables>>;
  /**
   * Whether another process serves this database or works on it. Not noticed is one that cannot LISTEN,
   * because it is behind a pooler. Nobody else can open the embedded database.
   */
  isServed(): Promise<boolean>;
}

const SERVER_PING_TIMEOUT_MS = 2_000;
// The only session may be busy for a while.
const EMBEDDED_PING_TIMEOUT_MS = 10_000;

/**
 * Opens the database. Starts the embedded one, or throws DatabaseInUseError if another process has
 * it; connects to a server with the first query.
 */
export async function openDatabase<Tables>(
  options: DatabaseOptions,
): Promise<DatabaseConnection<Tables>> {
  return options.kind === 'server' ? openServer(options) : await openEmbedded(options);
}

async function openEmbedded<Tables>(options: EmbeddedOptions): Promise<DatabaseConnection<Tables>> {
  const { log } = options;
  await using opened = new AsyncDisposableStack();
  const start = await findStart(options);
  const engine = new EmbeddedEngine(start, log);
  if (options.kind === 'embedded') {
    const onLost = () => engine.abandon(`its lock in ${options.dataDir} is missing`);
    opened.use(await takeLock(options.dataDir, { onLost }));
    await removeSnapshots(options.dataDir);
  }
  opened.use(engine);
  await engine.ensureRunning();
  const pool = createEmbeddedPool(engine, log);
  opened.defer(() => endPool(pool));
  if (start.filesDir !== undefined) {
    const room = openCheckpointRoom(start.filesDir);
    opened.use(new EmbeddedMaintenance({ pool, room }, log));
  }
  return connection({
    kind: 'embedded',
    pool,
    announcements: new LocalAnnouncements<Tables>(log),
    ping: createPing(pool, EMBEDDED_PING_TIMEOUT_MS),
    refuseUnsuitable: async () => undefined,
    openSnapshot: () =>
      options.kind === 'memory' || start.filesDir === undefined
        ? holdSnapshot(pool)
        : openEmbeddedSnapshot(pool, { ...options, filesDir: start.filesDir }),
    openLongSession: () => borrowSession(pool),
    isServed: async () => false,
    resources: opened.move(),
  });
}

async function findStart(options: EmbeddedOptions): Promise<WorkerStart> {
  if (options.kind === 'memory') return { filesDir: undefined, image: options.image };
  const filesDir = join(options.dataDir, 'files');
  return { filesDir, image: isDatabase(filesDir) ? undefined : await loadInitdbImage(options.log) };
}

function openServer<Tables>(
  options: Extract<DatabaseOptions, { kind: 'server' }>,
): DatabaseConnection<Tables> {
  const { log, poolSize } = options;
  const resources = new AsyncDisposableStack();
  const servers = new DatabaseServers(parseDatabaseUrl(options.url), log);
  const direct =
    options.listenUrl === undefined
      ? servers
      : new DatabaseServers(parseDatabaseUrl(options.listenUrl), log);
  const pool = new ServerPool(servers, poolSize, log);
  resources.defer(() => endPool(pool));
  const renew = (dead?: DatabaseServer) => {
    servers.leave(dead);
    pool.renewIdle();
  };
  const onSilence = servers.noteSilence.bind(servers);
  const configOf = servers.configOf.bind(servers);
  resources.use(watchPool(pool, configOf, log, { onDead: renew, onSilence }));
  const local = new LocalAnnouncements<Tables>(log);
  // The cause of one lost connection has often closed others too, unnoticed.
  const reader = new ChangeReader(servers, () => renew());
  const notify = async (channel: string, payload: string) => {
    await pool.query('select pg_notify($1, $2)', [channel, payload]);
  };
  const isApart = direct !== servers;
  const tryPastPooler = async () => {
    await using _line = await direct.open();
  };
  const line = { servers: direct, isApart, onLost: () => servers.doubt(), notify };
  const announcements = new NotifiedAnnouncements(local, (receiver) => ({
    listener: resources.use(
      new NotificationListener(line, CHANGES_CHANNEL, receiver.notifications, log),
    ),
    freshness: resources.use(
      new ChangeConfirmer(reader, receiver.changes, log, isApart ? tryPastPooler : undefined),
    ),
  }));
  return connection({
    kind: 'server',
    pool,
    announcements,
    ping: createPing(pool, SERVER_PING_TIMEOUT_MS),
    refuseUnsuitable: () => refuseUnsuitableDatabase(pool),
    openSnapshot: (tables) => openServerSnapshot(direct, tables),
    openLongSession: () => openServerSession(direct),
    isServed: () => isServed(pool),
    resources,
  });
}

function connection<Tables>(
  parts: Omit<DatabaseConnection<Tables>, 'query' | 'queryInTurns' | typeof Symbol.asyncDispose> & {
    readonly resources: AsyncDisposableStack;
  },
): DatabaseConnection<Tables> {
  const { resources, ...rest } = parts;
  const open = (pool: PostgresPool) =>
    new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  return {
    ...rest,
    query: open(guarded(rest.pool)),
    queryInTurns: (takeTurn) => open(guarded(rest.pool, takeTurn)),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

function guarded(pool: pg.Pool, takeTurn?: TakeTurn): PostgresPool {
  return {
    async connect() {
      assertConnectionAllowed(pool);
      return takeTurn === undefined ? await pool.connect() : await connectInTurn(pool, takeTurn);
    },
    end: () => pool.end(),
  };
}

async function connectInTurn(pool: pg.Pool, takeTurn: TakeTurn): Promise<PostgresPoolClient> {
  using opened = new DisposableStack();
  opened.use(await takeTurn());
  const client = await pool.connect();
  opened.defer(() => client.release());
  const lease = opened.move();
  const query = (...given: [never]) => client.query(...given);
  return { query: query as PostgresPoolClient['query'], release: () => lease.dispose() };
}
