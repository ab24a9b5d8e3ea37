import { join } from 'node:path';
import { createUser } from '../../server/src/domain/foundation/accounts/index.ts';
import type { Figure, Group, Part, Run } from '../bench.ts';
import { createBenchDatabase } from '../installation/bench-database.ts';
import { removeCopies, vacuum } from '../installation/fill-show.sql.ts';
import { fillShow } from '../installation/fill-show.ts';
import { openInstallation, type Place } from '../installation/open-installation.ts';
import { makeTempFolder } from '../temp-folder.ts';
import { runCommand } from './run-command.ts';

const size = { slug: 'night', episodes: 10_000, notesChars: 2_000, distinctNotes: 500 };
const owner = { email: 'bo@example.com', password: 'correct horse battery staple', name: 'Bo' };
const mega = 1_000_000;
const memoryAim = { atMost: 300 };

/** A large show moves to another installation. */
export const showPart: Part = {
  name: 'show',
  about: `export and restore of a show with ${size.episodes} episodes on PostgreSQL, without audio`,
  async measure(run: Run): Promise<readonly Group[]> {
    await using opened = new AsyncDisposableStack();
    const folder = opened.use(await makeTempFolder());
    const make = async (name: string): Promise<Place> => ({
      dataDir: join(folder.path, name),
      databaseUrl: opened.use(await createBenchDatabase()).url,
    });
    const [place, other] = [await make('original'), await make('restored')];
    run.say('  filling the show');
    await fill(place, other, run.signal);
    const target = join(folder.path, 'export');
    const figures: Figure[] = [];
    const remarks: string[] = [];
    const measureCommand = async (name: string, at: Place, ...argv: string[]) => {
      run.say(`  ${name}`);
      const { code, stderr, seconds, peakBytes, json } = await runCommand(at, [name, ...argv], run);
      if (code !== 0) throw new Error(`${name}: ${stderr}`);
      figures.push(
        { name: `${name}: time`, value: seconds, unit: 's' },
        { name: `${name}: peak memory`, value: peakBytes / mega, unit: 'MB', aim: memoryAim },
      );
      remarks.push(`${name}: ${JSON.stringify(json)}`);
    };
    await measureCommand('export', place, size.slug, '--to', target);
    await measureCommand('restore', other, target, '--owner', owner.email);
    return [{ title: 'One show to another installation', figures, remarks }];
  },
};

async function fill(place: Place, other: Place, signal: AbortSignal): Promise<void> {
  await using app = await openInstallation(place);
  await fillShow(app, size, signal);
  // Its files do not exist.
  await removeCopies(app.ctx.db);
  await using session = await app.database.openLongSession();
  await vacuum(session.query);
  await using there = await openInstallation(other);
  await createUser(there.ctx, owner);
}
