import { join } from 'node:path';
import type { Bench, Figure, Group, Run } from '../bench.ts';
import { createBenchDatabase } from '../installation/bench-database.ts';
import { insertNetwork } from '../installation/fill-network.sql.ts';
import { vacuum } from '../installation/fill-show.sql.ts';
import { openInstallation, type Place } from '../installation/open-installation.ts';
import { makeTempFolder } from '../temp-folder.ts';
import { killsPart } from './kills.ts';
import { type EndedCommand, runCommand } from './run-command.ts';
import { showPart } from './show.ts';

const network = { shows: 10_000, episodesOfShow: 50, users: 2_000, showsOfFirst: 1_000, days: 5 };
const mega = 1_000_000;
const memoryAim = { atMost: 300 };
/** Of the database part (`docs/backups.md`), on two cores. */
const timeAim = { atMost: 120 };

/** Backups of a network, and backups and restores that are killed. */
export const backupsBench: Bench = {
  name: 'backups',
  about: 'backups and restores of an installation, and of one show: time, memory, kills',
  parts: [
    {
      name: 'network',
      about: `${network.shows} shows of ${network.episodesOfShow} episodes on PostgreSQL`,
      measure,
    },
    killsPart,
    showPart,
  ],
};

async function measure(run: Run): Promise<readonly Group[]> {
  await using opened = new AsyncDisposableStack();
  const folder = opened.use(await makeTempFolder());
  const make = async (name: string): Promise<Place> => ({
    dataDir: join(folder.path, name),
    databaseUrl: opened.use(await createBenchDatabase()).url,
  });
  const [place, other] = [await make('original'), await make('restored')];
  run.say('  filling the network');
  {
    await using app = await openInstallation(place);
    await using session = await app.database.openLongSession();
    await insertNetwork(session.query, network);
    await vacuum(session.query);
  }
  const target = join(folder.path, 'backups');
  const figures: Figure[] = [];
  const remarks: string[] = [];
  const measureCommand = async (name: string, at: Place, ...argv: string[]) => {
    run.say(`  ${name}`);
    const ended = await runCommand(at, ['backup', ...argv], run);
    if (ended.code !== 0) throw new Error(`${name}: ${ended.stderr}`);
    figures.push(...describe(name, ended));
    remarks.push(`${name}: ${JSON.stringify(ended.json).slice(0, 400)}`);
  };
  await measureCommand('create', place, 'create', target);
  await measureCommand('create again', place, 'create', target);
  await measureCommand('verify', place, 'verify', target);
  await measureCommand('restore', other, 'restore', target);
  return [{ title: 'Backup of a network', figures, remarks }];
}

function describe(name: string, { seconds, peakBytes }: EndedCommand): Figure[] {
  return [
    { name: `${name}: time`, value: seconds, unit: 's', aim: timeAim },
    { name: `${name}: peak memory`, value: peakBytes / mega, unit: 'MB', aim: memoryAim },
  ];
}
