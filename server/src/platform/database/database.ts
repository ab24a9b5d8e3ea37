import { join } from 'node:path';
import { Kysely, PostgresDialect, type PostgresPool } from 'kysely';
import type pg from 'pg';
import { NotificationListener } from './change-listener.ts';
import { CHANGES_CHANNEL, type Changes, LocalChanges, NotifiedChanges } from './changes.ts';
import { loadDataImage } from './data-image.ts';
import type { DatabaseLog } from './database-log.ts';
import { EmbeddedEngine } from './embedded-engine.ts';
import { isDatabase } from './is-database.ts';
import { takeLock } from './lock-file.ts';
import { migrationsFolder } from './migration-files.ts';
import { createPing } from './ping.ts';
import { createEmbeddedPool, createServerPool, endPool, serverClientConfig } from './pools.ts';
import { assertConnectionAllowed } from './transaction-guard.ts';
import { Upkeep } from './upkeep.ts';

export type DatabaseOptions = { readonly log: DatabaseLog } & (
  | {
      readonly kind: 'embedded';
      /** The folder for the database's files and its lock; made where it is missing. */
      readonly dataDir: string;
    }
  | { readonly kind: 'memory' }
  | {
      readonly kind: 'server';
      /** postgres://… */
      readonly url: string;
      /** The most connections at once, besides one that listens. */
      readonly poolSize: number;
    }
);

export interface DatabaseConnection<Tables> extends AsyncDisposable {
  readonly kind: 'embedded' | 'server';
  /** For what does not go through `query`; one driver for both kinds. */
  readonly pool: pg.Pool;
  readonly query: Kysely<Tables>;
  readonly changes: Changes<Tables>;
  /** One round trip, for /readyz. Rejects when the database is away or takes too long. */
  ping(): Promise<void>;
}

const SERVER_PING_TIMEOUT_MS = 2_000;
// The one session may be at work for a while without the database being away.
const EMBEDDED_PING_TIMEOUT_MS = 10_000;

/**
 * Opens the database. The embedded one is started, and is refused with DatabaseInUseError while
 * another process has it; a server is first connected to by the first query.
 */
export async function openDatabase<Tables>(
  options: DatabaseOptions,
): Promise<DatabaseConnection<Tables>> {
  return options.kind === 'server' ? openServer(options) : await openEmbedded(options);
}

async function openEmbedded<Tables>(
  options: Exclude<DatabaseOptions, { kind: 'server' }>,
): Promise<DatabaseConnection<Tables>> {
  const { log } = options;
  await using opened = new AsyncDisposableStack();
  const filesDir = options.kind === 'memory' ? undefined : join(options.dataDir, 'files');
  const isNew = filesDir === undefined || !isDatabase(filesDir);
  const image = isNew ? await loadDataImage(migrationsFolder, log) : undefined;
  const engine = new EmbeddedEngine({ filesDir, image }, log);
  if (options.kind === 'embedded') {
    const onLost = () => engine.abandon(`its lock in ${options.dataDir} is gone`);
    opened.use(await takeLock(options.dataDir, { onLost }));
  }
  opened.use(engine);
  await engine.ensureRunning();
  const pool = createEmbeddedPool(engine, log);
  opened.defer(() => endPool(pool));
  if (options.kind === 'embedded') opened.use(new Upkeep(pool, log));
  return connection({
    kind: 'embedded',
    pool,
    changes: new LocalChanges<Tables>(log),
    ping: createPing(pool, EMBEDDED_PING_TIMEOUT_MS),
    resources: opened.move(),
  });
}

function openServer<Tables>(
  options: Extract<DatabaseOptions, { kind: 'server' }>,
): DatabaseConnection<Tables> {
  const { log, url } = options;
  const resources = new AsyncDisposableStack();
  const pool = createServerPool(url, options.poolSize, log);
  resources.defer(() => endPool(pool));
  const changes = new NotifiedChanges(new LocalChanges<Tables>(log), (receiver) =>
    resources.use(
      new NotificationListener(serverClientConfig(url), CHANGES_CHANNEL, receiver, log),
    ),
  );
  return connection({
    kind: 'server',
    pool,
    changes,
    ping: createPing(pool, SERVER_PING_TIMEOUT_MS),
    resources,
  });
}

function connection<Tables>(
  parts: Pick<DatabaseConnection<Tables>, 'kind' | 'pool' | 'changes' | 'ping'> & {
    readonly resources: AsyncDisposableStack;
  },
): DatabaseConnection<Tables> {
  const { kind, pool, changes, ping, resources } = parts;
  return {
    kind,
    pool,
    query: new Kysely<Tables>({ dialect: new PostgresDialect({ pool: guarded(pool) }) }),
    changes,
    ping,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

function guarded(pool: pg.Pool): PostgresPool {
  return {
    async connect() {
      assertConnectionAllowed(pool);
      return await pool.connect();
    },
    end: () => pool.end(),
  };
}
