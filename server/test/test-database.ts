import { createHash, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { inspect } from 'node:util';
import pg from 'pg';
import { type DatabaseConnection, openDatabase } from '../src/platform/database/database.ts';
import type { DatabaseLog } from '../src/platform/database/database-log.ts';
import { migrate } from '../src/platform/database/migrations/migrate.ts';
import {
  hashMigrations,
  migrationsFolder,
  readMigrations,
} from '../src/platform/database/migrations/migration-files.ts';
import { openMemory } from './data-image.ts';
import { EmptiedDatabase } from './emptied-database.ts';
import { testDatabaseUrl } from './postgres-available.ts';

export interface TestDatabase<Tables> extends AsyncDisposable {
  readonly connection: DatabaseConnection<Tables>;
  /** The database's address; undefined for PGlite, which other connections cannot reach. */
  readonly url: string | undefined;
}

const PREFIX = 'podstead_test_';
const POOL_SIZE = 5;
const HASH_LENGTH = 16;
const migrateCode = new URL('../src/platform/database/migrations/migrate.ts', import.meta.url);
const LEFT_OVER_AFTER_MS = 24 * 60 * 60 * 1_000;
// Taken while the template is made, so that test workers do not make it twice.
const TEMPLATE_LOCK = 5_320_441_907;

/** Logs only errors that no test should have, such as a crash. */
const log: DatabaseLog = {
  info: () => undefined,
  warn: () => undefined,
  error: (fields, message) => void process.stderr.write(`${message} ${inspect(fields)}\n`),
};

/** A new, migrated database of the kind in TEST_DATABASE: 'pglite' or 'postgres'. */
export async function createTestDatabase<Tables>(): Promise<TestDatabase<Tables>> {
  if (process.env['TEST_DATABASE'] === 'postgres') return await createOnServer();
  const connection = await openMemory<Tables>(log);
  return {
    connection,
    url: undefined,
    [Symbol.asyncDispose]: () => connection[Symbol.asyncDispose](),
  };
}

export interface DatabaseSource {
  /** A new, migrated database, or one that is like it. */
  open<Tables>(): Promise<TestDatabase<Tables>>;
}

/** One database for several tests, which use it one after the other. */
export interface ReusedDatabase extends DatabaseSource, AsyncDisposable {}

/**
 * Emptying a database takes a fraction of the time of making one. On PGlite, each test has its own,
 * whose files are in the memory of this process.
 */
export async function createReusedDatabase(): Promise<ReusedDatabase> {
  if (process.env['TEST_DATABASE'] !== 'postgres') {
    return { open: createTestDatabase, [Symbol.asyncDispose]: async () => undefined };
  }
  const opened = new AsyncDisposableStack();
  let current: { readonly name: string; readonly emptied: EmptiedDatabase } | undefined;
  const createCurrent = async () => {
    const name = await createFromTemplate();
    opened.defer(() => dropDatabase(name));
    current = { name, emptied: opened.use(await EmptiedDatabase.open(urlOf(name))) };
    return current;
  };
  return {
    open: async <Tables>() => {
      const isUsable = (await current?.emptied.tryEmpty()) ?? false;
      const { name } = current && isUsable ? current : await createCurrent();
      return await connectTo<Tables>(name);
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

/** A copy of such a database on the server. What is still connected to that one is cut off. */
export async function copyTestDatabase<Tables>(url: string): Promise<TestDatabase<Tables>> {
  const original = new URL(url).pathname.slice(1);
  await asOperator(async (client) => {
    await client.query(
      'select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = $1',
      [original],
    );
  });
  return await createOnServer(original);
}

async function createOnServer<Tables>(template?: string): Promise<TestDatabase<Tables>> {
  await using opened = new AsyncDisposableStack();
  const name = await createFromTemplate(template);
  opened.defer(() => dropDatabase(name));
  const database = opened.use(await connectTo<Tables>(name));
  const resources = opened.move();
  return { ...database, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}

async function createFromTemplate(given?: string): Promise<string> {
  const template = given ?? (await findTemplate());
  const name = `${PREFIX}${Date.now()}_${randomBytes(6).toString('hex')}`;
  // A template is small: its files are copied in half the time of writing them to the log.
  const copy = `create database ${name} template ${template} strategy file_copy`;
  await asOperator((client) => client.query(copy));
  return name;
}

async function connectTo<Tables>(name: string): Promise<TestDatabase<Tables>> {
  const url = urlOf(name);
  const connection = await openDatabase<Tables>({ kind: 'server', url, poolSize: POOL_SIZE, log });
  return { connection, url, [Symbol.asyncDispose]: () => connection[Symbol.asyncDispose]() };
}

async function dropDatabase(name: string): Promise<void> {
  await asOperator((client) => client.query(`drop database ${name} with (force)`));
}

let prepared: Promise<string> | undefined;

/** Only the first caller asks the server. */
async function findTemplate(): Promise<string> {
  prepared ??= prepareTemplate();
  return await prepared;
}

/** The name of the migrated database that is copied. The first caller creates it. */
async function prepareTemplate(): Promise<string> {
  const hash = await hashSchema();
  return await asOperator(async (client) => {
    await client.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK]);
    const { rows } = await client.query<{ datname: string }>(
      'select datname from pg_database where datname like $1',
      [`${PREFIX}%_template_${hash}`],
    );
    return rows[0]?.datname ?? (await makeTemplate(client, hash));
  });
}

/** Of the migrations, and of the code that makes the table in which they are noted. */
async function hashSchema(): Promise<string> {
  const hash = createHash('sha256').update(hashMigrations(await readMigrations(migrationsFolder)));
  hash.update(await readFile(migrateCode));
  return hash.digest('hex').slice(0, HASH_LENGTH);
}

/** Creates it under another name and renames it, so that a killed run leaves no incomplete one. */
async function makeTemplate(client: pg.Client, hash: string): Promise<string> {
  await dropLeftOvers(client);
  const template = `${PREFIX}${Date.now()}_template_${hash}`;
  const halfMade = `${template}_new`;
  await client.query(`create database ${halfMade}`);
  {
    const url = urlOf(halfMade);
    await using connection = await openDatabase({ kind: 'server', url, poolSize: 1, log });
    await migrate(connection, migrationsFolder);
  }
  await client.query(`alter database ${halfMade} rename to ${template}`);
  return template;
}

/** Drops databases of killed runs, and templates of older migrations. */
async function dropLeftOvers(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ datname: string }>(
    'select datname from pg_database where datname like $1',
    [`${PREFIX}%`],
  );
  for (const { datname } of rows) {
    const madeAt = Number(datname.slice(PREFIX.length).split('_')[0]);
    if (madeAt < Date.now() - LEFT_OVER_AFTER_MS) {
      await client.query(`drop database if exists ${datname} with (force)`);
    }
  }
}

async function asOperator<Result>(work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client(testDatabaseUrl);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

function urlOf(database: string): string {
  const url = new URL(testDatabaseUrl);
  url.pathname = `/${database}`;
  return url.href;
}
