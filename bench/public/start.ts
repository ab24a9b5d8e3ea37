import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import type { Figure, Part, Run } from '../bench.ts';
import { Child } from '../child.ts';
import { openInstallation } from '../installation/open-installation.ts';
import { median } from '../median.ts';
import { makeTempFolder } from '../temp-folder.ts';
import { makeFreshCopy } from './fresh-copy.ts';
import { measureStart, repositoryRoot } from './serve-process.ts';

const slug = 'long';
const episodes = 5_000;
const size = { slug, episodes, notesChars: 3_000, distinctNotes: 500 };
const runs = 5;

export const startPart: Part = {
  name: 'start',
  about: 'from `serve` to its first response, on the embedded database',
  async measure(run) {
    await using folder = await makeTempFolder();
    run.say(`  making ${episodes} episodes`);
    const filled = await fillTwice(folder.path, run.signal);
    const show = `/v1/podcasts/${slug}`;
    const figures = [
      await measureFirstEver(run, join(folder.path, 'fresh')),
      await measureStarts(run, { name: 'an empty DATA_DIR', path: '/readyz' }),
      await measureStarts(run, { ...afterClose, from: filled.closed, path: show }),
      await measureStarts(run, { ...afterKill, from: filled.killed, path: show }),
    ];
    return [{ title: `Starting, median of ${runs}`, figures }];
  },
};

const afterClose = { name: `${episodes} episodes, after a clean stop` };
const afterKill = { name: `${episodes} episodes, killed in the midst of its work` };

/** Makes the same data twice: after kill -9, with a WAL to replay, and after a clean stop. */
async function fillTwice(
  folder: string,
  signal: AbortSignal,
): Promise<{ killed: string; closed: string }> {
  const killed = join(folder, 'killed');
  const closed = join(folder, 'closed');
  const script = new URL('./fill-installation.ts', import.meta.url);
  const { child } = await Child.start(script, { place: { dataDir: killed }, size }, signal);
  await child.kill();
  await cp(killed, closed, { recursive: true });
  await using _app = await openInstallation({ dataDir: closed });
  return { killed, closed };
}

/** Measures the first start after `npm ci`, without a compile cache. */
async function measureFirstEver({ say, signal }: Run, copyTo: string): Promise<Figure> {
  const name = 'the first start of all, after npm ci';
  say(`  ${name}`);
  const copy = await makeFreshCopy(copyTo);
  const times: number[] = [];
  for (let i = 0; i < runs; i += 1) {
    await copy.purge();
    await using data = await makeTempFolder();
    const start = { root: copy.root, dataDir: data.path, path: '/readyz' };
    times.push(await measureStart(start, signal));
  }
  return { name, value: median(times), unit: 'ms' };
}

async function measureStarts(
  { say, signal }: Run,
  start: { readonly name: string; readonly from?: string; readonly path: string },
): Promise<Figure> {
  const { name, from, path } = start;
  say(`  ${name}`);
  const times: number[] = [];
  for (let i = 0; i < runs; i += 1) {
    await using data = await makeTempFolder();
    if (from !== undefined) await cp(from, data.path, { recursive: true });
    times.push(await measureStart({ root: repositoryRoot, dataDir: data.path, path }, signal));
  }
  return { name, value: median(times), unit: 'ms' };
}
