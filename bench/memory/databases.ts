import { createBenchDatabase, postgresAvailable } from '../installation/bench-database.ts';
import type { Place } from '../installation/open-installation.ts';
import { makeTempFolder } from '../temp-folder.ts';

const mega = 1_000_000;

/** The maximum memory of a process (its peak, in MB), by the kind of its database. */
export const aims = {
  embedded: { start: { atMost: 320 }, loaded: { atMost: 320 } },
  server: { start: { atMost: 220 }, loaded: { atMost: 350 } },
} as const;

export interface BenchPlace extends Place, AsyncDisposable {
  readonly kind: keyof typeof aims;
  readonly name: string;
}

/** An empty installation of each kind that this machine has, one after the other. */
export async function* eachKind(say: (text: string) => void): AsyncGenerator<BenchPlace> {
  const embedded = await makeTempFolder();
  yield {
    kind: 'embedded',
    name: 'embedded',
    dataDir: embedded.path,
    [Symbol.asyncDispose]: () => embedded[Symbol.asyncDispose](),
  };
  if (!(await postgresAvailable())) return say('  no PostgreSQL server: left out');
  await using opened = new AsyncDisposableStack();
  const folder = opened.use(await makeTempFolder());
  const database = opened.use(await createBenchDatabase());
  const resources = opened.move();
  yield {
    kind: 'server',
    name: 'PostgreSQL',
    dataDir: folder.path,
    databaseUrl: database.url,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

export const inMegabytes = (bytes: number): number => bytes / mega;
