import { launchBrowser } from '../../player/test/browser.ts';
import type { Figure, Group, Part, Run } from '../bench.ts';
import { median } from '../median.ts';
import { makeTempFolder } from '../temp-folder.ts';
import { type Candidate, createMediaChrome, createPlyr, createPodstead } from './candidates.ts';
import { openShow } from './open-show.ts';
import { servePage } from './serve-page.ts';
import { type Visit, visit } from './visit.ts';

const players = 10;
const rounds = 3;

export const pagePart: Part = {
  name: 'page',
  about: `a page with ${players} players on a slow telephone`,
  async measure(run) {
    await using folder = await makeTempFolder();
    await using show = await openShow(folder.path, players, run.signal);
    const candidates = [
      createPodstead(show),
      await createPlyr(show),
      await createMediaChrome(show),
    ];
    const visits = await visitAll(candidates, run);
    const title = `A page with ${players} players: processor 4 times slower, 1.6 Mbit/s, 150 ms`;
    const figures = measures.flatMap((measure) => compare(measure, visits));
    return [{ title, figures: [...figures, ...listShifts(visits)] }] satisfies Group[];
  },
};

/** Visits all pages in rounds, so that slow changes of the machine affect all equally. */
async function visitAll(
  candidates: readonly Candidate[],
  { signal, say }: Run,
): Promise<ReadonlyMap<string, readonly Visit[]>> {
  const browser = await launchBrowser();
  const visits = new Map<string, Visit[]>();
  try {
    for (let round = 1; round <= rounds; round += 1) {
      for (const candidate of candidates) {
        signal.throwIfAborted();
        say(`  round ${round} of ${rounds}: ${candidate.name}`);
        await using page = await servePage(candidate);
        const found = visits.get(candidate.name) ?? [];
        found.push(await visit(browser, page.url, candidate));
        visits.set(candidate.name, found);
      }
    }
  } finally {
    await browser.close();
  }
  return visits;
}

interface Measure {
  readonly name: string;
  readonly unit: Figure['unit'];
  readonly of: (visit: Visit) => number;
}

const measures: readonly Measure[] = [
  { name: 'bytes before play', unit: 'kB', of: ({ bytesBefore }) => bytesBefore / 1000 },
  { name: 'bytes after play', unit: 'kB', of: ({ bytesAfter }) => bytesAfter / 1000 },
  { name: 'time to interactive', unit: 'ms', of: ({ readyMs }) => readyMs },
  { name: 'time to all titles', unit: 'ms', of: ({ wholeMs }) => wholeMs },
  { name: 'blocking time', unit: 'ms', of: ({ blockedMs }) => blockedMs },
];

/** Our value, as a share of that of each other player. */
function compare(
  { name, unit, of }: Measure,
  visits: ReadonlyMap<string, readonly Visit[]>,
): Figure[] {
  const values = new Map([...visits].map(([who, all]) => [who, median(all.map(of))]));
  const ours = values.get('podstead') ?? Number.NaN;
  const peers = [...values].filter(([who]) => who !== 'podstead');
  return [
    { name, value: ours, unit },
    ...peers.map(
      ([who, theirs]): Figure => ({
        name: `${name}, of ${who}'s`,
        value: ours / theirs,
        unit: 'ratio',
        aim: { atMost: 1 },
        note: `${Math.round(theirs)} ${unit}`,
      }),
    ),
  ];
}

/** Not as shares, because our aim is 0. */
function listShifts(visits: ReadonlyMap<string, readonly Visit[]>): Figure[] {
  return [...visits].map(([who, all]) => ({
    name: who === 'podstead' ? 'layout shift' : `layout shift of ${who}`,
    value: median(all.map(({ layoutShift }) => layoutShift)),
    unit: 'ratio',
    ...(who === 'podstead' ? { aim: { atMost: 0 } } : {}),
  }));
}
