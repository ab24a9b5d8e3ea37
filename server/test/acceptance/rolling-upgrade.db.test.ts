import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { describeParts } from '../../src/describe-parts.ts';
import { attachTone } from '../../src/domain/publishing/audio/index.ts';
import { updateEpisode } from '../../src/domain/publishing/episodes/index.ts';
import { updatePodcast } from '../../src/domain/publishing/podcasts/index.ts';
import { deletePodcast } from '../../src/domain/service/shows/index.ts';
import { openDatabase } from '../../src/platform/database/database.ts';
import { migrate } from '../../src/platform/database/migrations/migrate.ts';
import { migrationsFolder } from '../../src/platform/database/migrations/migration-files.ts';
import { createLog } from '../../src/platform/log/log.ts';
import { type CountingApp, createCountingApp } from '../create-counting-app.ts';
import { listen } from '../listen-to-audio.ts';
import { makeEpisode, makePodcast } from '../make.ts';
import { nextMigration } from '../next-migration.ts';
import { patience } from '../patience.ts';
import { isOnServer } from '../which-database.ts';

// The release before is this code, whose database the next one migrates. `npm run bench -- upgrade` replaces
// real processes.

const toneSeconds = 70;
const roundsAfter = 3;

/** A process of the release before, at work: it reads, saves, creates, deletes, and counts downloads. */
class OldProcess {
  rounds = 0;
  listeners = 0;
  readonly #app: CountingApp;
  readonly #network: number;
  readonly #episode: { readonly id: string; readonly slug: string };

  constructor(app: CountingApp, network: number, episode: { id: string; slug: string }) {
    this.#app = app;
    this.#network = network;
    this.#episode = episode;
  }

  async work(): Promise<void> {
    this.rounds += 1;
    const { ctx, url } = this.#app;
    const { id, slug } = this.#episode;
    const title = `${this.#network}, round ${this.rounds}`;
    await updateEpisode(ctx, id, { title });
    const podcast = await makePodcast(ctx);
    await makeEpisode(ctx, podcast);
    await updatePodcast(ctx, podcast.id, { title });
    const paths = ['/v1/podcasts/SLUG', '/v1/podcasts/SLUG/episodes', '/feeds/SLUG.xml'];
    for (const path of [...paths, '/listen/SLUG', `/v1/episodes/${id}`]) {
      const response = await fetch(url + path.replace('SLUG', podcast.slug));
      expect([path, response.status]).toEqual([path, 200]);
      await response.arrayBuffer();
    }
    await deletePodcast(ctx, podcast.id);
    this.listeners += 1;
    const address = `10.${this.#network}.0.${this.listeners}`;
    const listener = { address, userAgent: 'AntennaPod/3.4.0' };
    const heard = await listen(`${url}/media/${id}/f/${slug}.mp3`, listener);
    expect(heard.status).toBe(200);
  }
}

// RELEASE-6, RELEASE-7. The embedded database has only one process.
describe.runIf(isOnServer)('a rolling upgrade', () => {
  const opened = new AsyncDisposableStack();
  let old: CountingApp;
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'podstead-next-'));
    opened.defer(() => rm(folder, { recursive: true, force: true }));
    await cp(migrationsFolder, folder, { recursive: true });
    await writeFile(join(folder, '9999-next.sql'), nextMigration);
    old = opened.use(await createCountingApp());
  });
  afterAll(() => opened.disposeAsync());

  const connect = async () =>
    opened.use(
      await openDatabase<never>({
        ...{ kind: 'server', url: old.databaseUrl ?? '', poolSize: 3, log: createLog('silent') },
      }),
    );

  it('processes of the release before go on and start while the next one migrates, and count right', async () => {
    const slug = 'heard';
    const { id } = await makeEpisode(old.ctx, await makePodcast(old.ctx), { slug });
    await attachTone(old.ctx, id, toneSeconds);
    const first = new OldProcess(old, 1, { id, slug });
    await first.work();

    const next = await connect();
    const stop = new AbortController();
    const working = (async () => {
      while (!stop.signal.aborted) await first.work();
    })();
    const migrated = await migrate(next, folder);
    expect(migrated).toEqual(['9999-next.sql']);
    const before = first.rounds;
    await vi.waitUntil(() => first.rounds >= before + roundsAfter, patience);
    stop.abort();
    await working;

    const restarted = opened.use(
      await createCountingApp({ SECRET: 'x'.repeat(40) }, { database: (await connect()) as never }),
    );
    await describeParts(restarted).checks['migrations']?.();
    await describeParts(old).checks['migrations']?.();
    const second = new OldProcess(restarted, 2, { id, slug });
    // Its folder of files is another one.
    await attachTone(restarted.ctx, id, toneSeconds);
    await second.work();

    await vi.waitFor(async () => {
      await Promise.all([old.downloads.flush(), restarted.downloads.flush()]);
      const { rows } = await next.pool.query(
        'select sum(downloads)::int as sum from episode_download_days',
      );
      expect(rows).toEqual([{ sum: first.listeners + second.listeners }]);
    }, patience);
  });
});
