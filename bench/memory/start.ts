import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Figure, Part } from '../bench.ts';
import { makeFreshCopy } from '../public/fresh-copy.ts';
import { makeTempFolder } from '../temp-folder.ts';
import { aims, eachKind, inMegabytes } from './databases.ts';
import { describeMemory } from './describe-memory.ts';
import { type ServeOptions, startServe } from './running-server.ts';

/** After this time the worker has done its first jobs. */
const settleMs = 10_000;

export const startPart: Part = {
  name: 'start',
  about: 'what a process takes when it has started, and on the way there',
  async measure({ say, signal }) {
    const figures: Figure[] = [];
    for await (const place of eachKind(say)) {
      await using _place = place;
      say(`  ${place.name}`);
      // Fills the caches beside the packages. The start without them is the last figure.
      await measureStart({ ...place, signal });
      figures.push(
        ...describeMemory(place.name, await measureStart({ ...place, signal }), {
          peak: aims[place.kind].start,
        }),
      );
    }
    say('  the first start of all, after npm ci');
    await using folder = await makeTempFolder();
    const copy = await makeFreshCopy(join(folder.path, 'copy'));
    await copy.purge();
    const first = await measureStart({
      root: copy.root,
      dataDir: join(folder.path, 'data'),
      signal,
    });
    figures.push({
      name: 'embedded, first start of all: peak',
      value: inMegabytes(first.peak),
      unit: 'MB',
      aim: aims.embedded.start,
      note: 'without a compile cache',
    });
    return [{ title: 'Memory after the start', figures }];
  },
};

async function measureStart(options: ServeOptions) {
  await using server = await startServe(options);
  await sleep(settleMs);
  return await server.memory();
}
