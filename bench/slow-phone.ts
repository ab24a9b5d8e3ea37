import type { Browser, CDPSession, Page } from 'playwright-core';

/** An older phone with a slow connection. */
const slowerProcessor = 4;
const line = { latency: 150, downloadThroughput: 200_000, uploadThroughput: 90_000 };
const viewport = { width: 412, height: 823 };

export interface SlowPhone extends AsyncDisposable {
  readonly page: Page;
  readonly cdp: CDPSession;
}

/** Opens an empty window with an empty cache. */
export async function openSlowPhone(browser: Browser): Promise<SlowPhone> {
  const context = await browser.newContext({ viewport });
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  await cdp.send('Network.enable');
  await cdp.send('Network.emulateNetworkConditions', { offline: false, ...line });
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: slowerProcessor });
  return { page, cdp, [Symbol.asyncDispose]: () => context.close() };
}

/**
 * Runs before all scripts of a page. `blockedMs`: total blocking time as web.dev and Lighthouse define it,
 * the parts of tasks above 50 ms after the first contentful paint. Before it, nobody can press anything.
 */
export const observeTrouble = `const longTasks = [];
Object.defineProperty(window, 'blockedMs', {
  get() {
    const [{ startTime: paintedMs } = { startTime: Infinity }] =
      performance.getEntriesByName('first-contentful-paint');
    const blocked = longTasks.map(({ startTime, duration }) =>
      Math.max(0, startTime + duration - Math.max(startTime, paintedMs) - 50));
    return blocked.reduce((sum, ms) => sum + ms, 0);
  },
});
new PerformanceObserver((list) => longTasks.push(...list.getEntries()))
  .observe({ type: 'longtask', buffered: true });
window.layoutShift = 0;
new PerformanceObserver((list) => {
  for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) window.layoutShift += value;
}).observe({ type: 'layout-shift', buffered: true });`;
