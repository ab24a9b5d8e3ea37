import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Group, Part, Run } from '../bench.ts';
import { createBenchDatabase } from '../installation/bench-database.ts';
import type { Place } from '../installation/open-installation.ts';
import { makeTempFolder } from '../temp-folder.ts';
import { runCommand } from './run-command.ts';

const kills = Number(process.env['BACKUP_KILLS']) || 50;
/** Of a command in whose time the kills are spread, beyond its own. */
const spread = 1.1;

export const killsPart: Part = {
  name: 'kills',
  about: `${kills} SIGKILLs of backups and as many of restores, at random moments, on each database (BACKUP_KILLS)`,
  measure,
};

const episode = (n: number) => ({
  ref: `e${n}`,
  slug: `e${n}`,
  title: `Episode ${n}`,
  status: 'published',
  audio: { tone_seconds: 30 + n },
});
const seed = {
  users: [{ ref: 'ana', email: 'ana@example.com', password: 'correct horse battery' }],
  podcasts: [
    {
      ref: 'show',
      owner: 'ana',
      slug: 'show',
      title: 'Show',
      episodes: Array.from({ length: 40 }, (_, n) => episode(n)),
    },
  ],
};

async function measure(run: Run): Promise<readonly Group[]> {
  const groups: Group[] = [];
  for (const kind of ['embedded', 'PostgreSQL'] as const) {
    run.say(`  ${kind}`);
    groups.push(await killOn(kind, run));
  }
  return groups;
}

async function killOn(kind: 'embedded' | 'PostgreSQL', run: Run): Promise<Group> {
  await using opened = new AsyncDisposableStack();
  const folder = opened.use(await makeTempFolder());
  const make = async (name: string): Promise<Place> => {
    const dataDir = join(folder.path, name);
    if (kind === 'embedded') return { dataDir };
    return { dataDir, databaseUrl: opened.use(await createBenchDatabase()).url };
  };
  const command = async (place: Place, argv: readonly string[], killAfterMs?: number) =>
    await runCommand(place, argv, { ...run, ...(killAfterMs !== undefined && { killAfterMs }) });
  const must = async (place: Place, ...argv: string[]) => {
    const ended = await command(place, argv);
    if (ended.code !== 0) throw new Error(`${argv.join(' ')}: ${ended.stderr}`);
    return ended;
  };

  const original = await make('original');
  const file = join(folder.path, 'seed.json');
  await writeFile(file, JSON.stringify(seed));
  await must(original, '--new', 'seed', file);
  const target = join(folder.path, 'backups');
  const tally = { killedCreates: 0, endedCreates: 0, killedRestores: 0, endedRestores: 0 };

  const { seconds: createSeconds } = await must(
    original,
    'backup',
    'create',
    join(folder.path, 'first'),
  );
  for (let n = 0; n < kills; n += 1) {
    const ended = await command(
      original,
      ['backup', 'create', target],
      Math.random() * createSeconds * spread * 1000,
    );
    if (ended.code === null) tally.killedCreates += 1;
    else tally.endedCreates += 1;
    if (!existsSync(target)) continue;
    const { json } = await must(original, 'backup', 'list', target);
    const complete = (json as unknown[]).length;
    // One may have been killed between its last write and its exit.
    if (complete < tally.endedCreates)
      throw new Error(`${complete} backups are listed, ${tally.endedCreates} have ended`);
    if (complete > 0) await must(original, 'backup', 'verify', target);
  }
  await must(original, 'backup', 'create', target);
  await must(original, 'backup', 'verify', target);

  const { seconds } = await must(await make('measured'), 'backup', 'restore', target);
  for (let n = 0; n < kills; ) {
    const restored = await make(`restored-${tally.endedRestores}`);
    // The same restore is killed until it ends, each time later.
    for (let attempt = 1; ; attempt += 1) {
      const killAfterMs = Math.random() * seconds * spread * 1000;
      const ended = await command(
        restored,
        ['backup', 'restore', target],
        attempt > 5 ? undefined : killAfterMs,
      );
      if (ended.code === null) {
        tally.killedRestores += 1;
        n += 1;
        continue;
      }
      // It may have been killed between its last write and its exit.
      const isDone = ended.stderr.includes('was restored here already');
      if (ended.code !== 0 && !isDone) throw new Error(ended.stderr);
      tally.endedRestores += 1;
      break;
    }
    const { json } = await must(restored, 'podcast', 'list');
    if (!JSON.stringify(json).includes('"show"')) throw new Error('the show is missing');
  }
  const words = `${tally.killedCreates} backups and ${tally.killedRestores} restores killed; ${tally.endedCreates} backups and ${tally.endedRestores} restores ended, all whole`;
  return { title: `Kills on ${kind}`, figures: [], remarks: [words] };
}
