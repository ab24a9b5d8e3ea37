import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Figure, Part } from '../bench.ts';
import { createBenchDatabase, postgresAvailable } from '../installation/bench-database.ts';
import { storeAudio } from '../make-audio.ts';
import { type RunningServer, startServe } from '../memory/running-server.ts';
import { makeTempFolder } from '../temp-folder.ts';
import { compareSides, describeRates } from './rates.ts';

/** 2 MB, so that even a busy machine sends several in each run. */
const toneSeconds = 500;
const aim = { atLeast: 0.98 };

const scenarios = [
  { name: 'files of 2 MB', headers: {} },
  { name: 'ranges of 64 KB', headers: { Range: 'bytes=1048576-1114111' } },
] as const;

/** Both processes use one database on this machine, which also uses CPU time for the counting. */
export const countingPart: Part = {
  name: 'counting',
  about: 'audio of a process that counts downloads against one that does not',
  async measure({ say, signal }) {
    const title = 'Audio with counting: without = 1';
    if (!(await postgresAvailable())) {
      return [{ title, figures: [], remarks: ['no PostgreSQL server'] }];
    }
    await using folder = await makeTempFolder();
    await using database = await createBenchDatabase();
    const place = { dataDir: folder.path, databaseUrl: database.url };
    const { path } = await storeAudio(place, toneSeconds);
    // With ACCESS_LOG set, a process counts nothing itself. No worker reads this log.
    const log = join(folder.path, 'access.log');
    await writeFile(log, '');
    const start = (settings: Readonly<Record<string, string>>) =>
      startServe({ ...place, settings: { WORKER: 'off', ...settings }, signal });
    await using counting = await start({});
    await using silent = await start({ ACCESS_LOG: log });
    const sideOf = ({ url, pid }: RunningServer) => ({ url: url + path, pids: [pid] });
    const figures: Figure[] = [];
    for (const { name, headers } of scenarios) {
      say(`  ${name}`);
      const runs = await compareSides(sideOf(counting), sideOf(silent), headers, signal);
      figures.push(...describeRates({ name, theirs: 'without', aim }, runs));
    }
    const requests = await counting.metric('podstead_downloads_requests_total');
    const remarks = [`${requests} requests are in the sums.`];
    return [{ title, figures, remarks }];
  },
};
