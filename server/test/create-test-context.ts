import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type App, createApp, type Overrides } from '../src/app.ts';
import { createConfig } from '../src/config/config.ts';
import { parseSettings, readEnvironment } from '../src/config/environment.ts';
import type { Tables } from '../src/domain/foundation/database.ts';
import type { Geo } from '../src/platform/geo/geo.ts';
import { SharedProcesses } from './shared-processes.ts';
import { createTestClock, type SettableClock } from './test-clock.ts';
import { createTestDatabase, type DatabaseSource } from './test-database.ts';

/** Locates nobody: loading the real data takes a second. */
const geo: Geo = { locate: async () => ({ country: null, network: null }) };

/** Everything that verbs need, with a new database and folder. `ctx` is the operator's. */
export interface TestContext extends App {
  readonly clock: SettableClock;
  /** The database's URL; undefined for PGlite, which only this process can use. */
  readonly databaseUrl: string | undefined;
}

const newDatabases: DatabaseSource = { open: createTestDatabase };

export interface TestContextOverrides extends Overrides {
  /** Where its database comes from; by default it is a new one. */
  readonly databases?: DatabaseSource | undefined;
}

export async function createTestContext(
  settings: Record<string, string> = {},
  { databases = newDatabases, ...overrides }: TestContextOverrides = {},
): Promise<TestContext> {
  await using opened = new AsyncDisposableStack();
  const dataDir = await mkdtemp(join(tmpdir(), 'podstead-test-'));
  opened.defer(() => rm(dataDir, { recursive: true, force: true }));
  const database = opened.use(await databases.open<Tables>());
  const clock = createTestClock();
  const env = {
    DATA_DIR: dataDir,
    BASE_URL: 'http://test.local',
    SECRET: randomBytes(32).toString('hex'),
    PUBLIC_RATE_LIMIT: '0',
    LOG_LEVEL: 'silent',
    ...settings,
  };
  const config = createConfig(parseSettings(readEnvironment(env)));
  const processes = new SharedProcesses();
  const app = opened.use(
    await createApp(config, { clock, geo, processes, database: database.connection, ...overrides }),
  );
  opened.use(processes);
  const resources = opened.move();
  return {
    ...app,
    clock,
    databaseUrl: database.url,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}
