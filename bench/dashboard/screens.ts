import type { Figure, Group, Part } from '../bench.ts';
import { median } from '../median.ts';
import { type BenchDashboard, openDashboard } from './open-dashboard.ts';
import { type ScreenVisit, visitScreen } from './visit-screen.ts';

interface Screen {
  readonly name: string;
  readonly path: (dashboard: BenchDashboard) => string;
  /** An element that can be used when the screen is ready. */
  readonly ready: string;
  /** Kilobytes of script, compressed. */
  readonly scriptAim?: number;
}

const episodes = 300;
const visits = 5;
/** For the script that every user loads before the app can be used. */
const firstUseAim = 120;

const screens: readonly Screen[] = [
  { name: 'home', path: () => '/app', ready: 'main li h2 a', scriptAim: firstUseAim },
  {
    name: 'episodes',
    path: ({ podcastId }) => `/app/shows/${podcastId}/episodes`,
    ready: 'main tbody tr a',
  },
  {
    name: 'episode',
    path: ({ podcastId, episodeId }) => `/app/shows/${podcastId}/episodes/${episodeId}`,
    ready: 'main input:not([type=file])',
  },
  {
    name: 'statistics',
    path: ({ podcastId }) => `/app/shows/${podcastId}/statistics`,
    ready: 'main h2',
  },
];

export const screensPart: Part = {
  name: 'screens',
  about: `each screen opened ${visits} times, with the processor four times slower`,
  async measure(run) {
    await using dashboard = await openDashboard(episodes, run.signal);
    const groups: Group[] = [];
    for (const screen of screens) {
      run.say(`  ${screen.name}`);
      const seen: ScreenVisit[] = [];
      for (let visit = 0; visit < visits; visit += 1) {
        run.signal.throwIfAborted();
        seen.push(await visitScreen(dashboard, screen.path(dashboard), screen.ready));
      }
      groups.push({ title: `The screen ${screen.name}`, figures: describe(screen, seen) });
    }
    return groups;
  },
};

function describe({ scriptAim }: Screen, seen: readonly ScreenVisit[]): Figure[] {
  const middle = (read: (visit: ScreenVisit) => number) => median(seen.map(read));
  const { requests, statements } = seen[0] ?? { requests: 0, statements: 0 };
  return [
    {
      name: 'script before it can be used',
      value: middle((visit) => visit.scriptBytes) / 1000,
      unit: 'kB',
      ...(scriptAim !== undefined && { aim: { atMost: scriptAim } }),
      note: `${requests} requests of the API, ${statements} statements`,
    },
    { name: 'time to interactive', value: middle((visit) => visit.readyMs), unit: 'ms' },
    { name: 'longest task', value: middle((visit) => visit.longestTaskMs), unit: 'ms' },
  ];
}
