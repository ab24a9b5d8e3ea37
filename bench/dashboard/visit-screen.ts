import type { CDPSession } from 'playwright-core';
import type { BenchDashboard } from './open-dashboard.ts';

/** Measurements of one visit of a screen with an empty cache. */
export interface ScreenVisit {
  /** Compressed, as sent over the network. */
  readonly scriptBytes: number;
  /** From the start of the navigation until the screen can be used and no long task runs. */
  readonly readyMs: number;
  readonly longestTaskMs: number;
  /** Requests of the private API. */
  readonly requests: number;
  readonly statements: number;
}

const slowerProcessor = 4;
/** The screen is interactive after this long without a long task; browsers use a longer time. */
const quietMs = 500;

export async function visitScreen(
  dashboard: BenchDashboard,
  path: string,
  ready: string,
): Promise<ScreenVisit> {
  const context = await dashboard.signedIn();
  try {
    const page = await context.newPage();
    const cdp = await context.newCDPSession(page);
    await cdp.send('Network.enable');
    await cdp.send('Emulation.setCPUThrottlingRate', { rate: slowerProcessor });
    const count = countLoads(cdp);
    await page.addInitScript({ content: watchTasks });
    const statementsBefore = dashboard.statements();
    await page.goto(dashboard.url + path);
    await page.waitForSelector(ready);
    const { scriptBytes } = count();
    const seenMs = await page.evaluate<number>('performance.now()');
    // Polled from outside, because the app's policy forbids waiting with a function in the page.
    while (!(await page.evaluate<boolean>(`performance.now() - lastTaskEnd > ${quietMs}`))) {
      await page.waitForTimeout(50);
    }
    const [lastTaskEnd, longestTaskMs] = await page.evaluate<[number, number]>(
      '[lastTaskEnd, longestTask]',
    );
    const { requests } = count();
    const statements = dashboard.statements() - statementsBefore;
    const readyMs = Math.max(seenMs, lastTaskEnd);
    return { scriptBytes, readyMs, longestTaskMs, requests, statements };
  } finally {
    await context.close();
  }
}

/** Runs before all scripts of the page. Browsers do not report tasks under 50 ms. */
const watchTasks = `Object.assign(window, { lastTaskEnd: 0, longestTask: 0 });
new PerformanceObserver((list) => {
  for (const { startTime, duration } of list.getEntries()) {
    window.lastTaskEnd = startTime + duration;
    window.longestTask = Math.max(window.longestTask, duration);
  }
}).observe({ type: 'longtask', buffered: true });`;

function countLoads(cdp: CDPSession) {
  const scripts = new Set<string>();
  let scriptBytes = 0;
  let requests = 0;
  cdp.on('Network.responseReceived', ({ requestId, type, response }) => {
    if (type === 'Script') scripts.add(requestId);
    if (new URL(response.url).pathname.startsWith('/app/api/')) requests += 1;
  });
  cdp.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (scripts.has(requestId)) scriptBytes += encodedDataLength;
  });
  return () => ({ scriptBytes, requests });
}
