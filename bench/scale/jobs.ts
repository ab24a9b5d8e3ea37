import { setTimeout as sleep } from 'node:timers/promises';
import type { App } from '../../server/src/app.ts';
import type { Job } from '../../server/src/domain/foundation/job.ts';
import { system } from '../../server/src/domain/foundation/principal.ts';
import { updateEpisode } from '../../server/src/domain/publishing/episodes/index.ts';
import { schedule } from '../../server/src/worker/schedule.ts';
import type { Figure, Part, Run } from '../bench.ts';
import { postgresAvailable } from '../installation/bench-database.ts';
import { openInstallation } from '../installation/open-installation.ts';
import { timeMs } from '../median.ts';
import { largeOwner, makeNetwork } from './network.ts';
import { countRowsRead, selectShowsOf } from './shows.sql.ts';

const saveEveryMs = 20;
/** PostgreSQL's counts arrive with the next statement of each connection, at most once a second. */
const countsAfterMs = 1_500;
const jobAim = { atMost: 5 };
/** What a job may add to the longest save alone. */
const saveWaitsMs = 50;
const aloneMs = 5_000;

export const jobsPart: Part = {
  name: 'jobs',
  about: 'each background job: time, rows read, and the longest save beside it',
  async measure(run) {
    if (!(await postgresAvailable())) {
      run.say('  no PostgreSQL server');
      return [];
    }
    await using network = await makeNetwork(run);
    await using app = await openInstallation(network.place);
    await using other = await openInstallation(network.place);
    const saver = await Saver.of(other);
    const alone = await saver.during(() => sleep(aloneMs));
    const figures: Figure[] = [{ name: 'longest save alone', value: alone, unit: 'ms' }];
    const saveAim = { atMost: Math.ceil(alone) + saveWaitsMs };
    for (const { job } of schedule) {
      run.say(`  ${job.name}`);
      figures.push(...(await measureJob(app, job, run, { saver, saveAim })));
    }
    return [{ title: 'Background jobs', figures }];
  },
};

async function measureJob(
  app: App,
  job: Job,
  run: Run,
  { saver, saveAim }: { saver: Saver; saveAim: NonNullable<Figure['aim']> },
): Promise<Figure[]> {
  const ctx = app.contextFor(system);
  const { db } = app.ctx;
  const before = await countRowsRead(db);
  let ms = 0;
  const save = await saver.during(async () => {
    const tools = { signal: run.signal, enqueue: async () => undefined };
    ms = await timeMs(() => job.run(ctx, {}, tools));
  });
  await sleep(countsAfterMs);
  const rows = (await countRowsRead(db)) - before;
  return [
    { name: job.name, value: ms / 1_000, unit: 's', aim: jobAim, note: `${rows} rows read` },
    { name: `${job.name}: longest save beside it`, value: save, unit: 'ms', aim: saveAim },
  ];
}

/** Saves one episode again and again. */
class Saver {
  readonly #app: App;
  readonly #episodeId: string;
  #saves = 0;

  private constructor(app: App, episodeId: string) {
    this.#app = app;
    this.#episodeId = episodeId;
  }

  static async of(app: App): Promise<Saver> {
    const [show] = await selectShowsOf(app.ctx.db, largeOwner, 1);
    if (show === undefined) throw new Error('there is no show');
    const saver = new Saver(app, show.episodeId);
    await saver.#save();
    return saver;
  }

  /** The milliseconds of the longest save while `work` runs. */
  async during(work: () => Promise<unknown>): Promise<number> {
    let [longest, isOver] = [0, false];
    const working = work().finally(() => {
      isOver = true;
    });
    while (!isOver) {
      longest = Math.max(longest, await timeMs(() => this.#save()));
      await sleep(saveEveryMs);
    }
    await working;
    return longest;
  }

  async #save(): Promise<void> {
    this.#saves += 1;
    await updateEpisode(this.#app.ctx, this.#episodeId, { subtitle: `Saved ${this.#saves} times` });
  }
}
