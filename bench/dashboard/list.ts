import type { Part } from '../bench.ts';
import { openDashboard } from './open-dashboard.ts';

const episodes = 5_000;
const stepPx = 600;
/** The list is scrolled in steps, as fast as with a mouse wheel. */
const stepMs = 30;

export const listPart: Part = {
  name: 'list',
  about: `a list of ${episodes} episodes scrolled from its beginning to its end`,
  async measure(run) {
    await using dashboard = await openDashboard(episodes, run.signal);
    const context = await dashboard.signedIn();
    const page = await context.newPage();
    await page.goto(`${dashboard.url}/app/shows/${dashboard.podcastId}/episodes`);
    await page.waitForSelector('main tbody tr a');
    await page.evaluate(watchTasks);
    const statementsBefore = dashboard.statements();
    const scrolledMs = await page.evaluate<number>(scrollToEnd);
    const longestMs = await page.evaluate<number>('longestTask');
    const rows = await page.locator('main tbody tr').count();
    await context.close();
    return [
      {
        title: `A list of ${episodes} episodes`,
        figures: [
          {
            name: 'longest task while it is scrolled',
            value: longestMs,
            unit: 'ms',
            aim: { atMost: 50 },
            note: `0: none of 50 ms or more; ${rows} rows in the document at the end`,
          },
          {
            name: 'from its beginning to its end',
            value: scrolledMs,
            unit: 'ms',
            note: `${dashboard.statements() - statementsBefore} statements`,
          },
        ],
      },
    ];
  },
};

const watchTasks = `window.longestTask = 0;
new PerformanceObserver((list) => {
  for (const { duration } of list.getEntries()) window.longestTask = Math.max(window.longestTask, duration);
}).observe({ type: 'longtask' });`;

/** Ends when the last row is at the end of the page and no further page is loading. */
const scrollToEnd = `(async () => {
  const begun = performance.now();
  const table = () => document.querySelector('main table');
  for (;;) {
    window.scrollBy(0, ${stepPx});
    await new Promise((resolve) => setTimeout(resolve, ${stepMs}));
    const atEnd = window.innerHeight + window.scrollY >= document.documentElement.scrollHeight - 2;
    if (atEnd && table().getAttribute('aria-rowcount') === '${episodes + 1}') break;
  }
  return performance.now() - begun;
})()`;
