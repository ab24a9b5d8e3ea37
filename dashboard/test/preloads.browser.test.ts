import type { BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeEpisode, makePodcast, makeUser } from '../../server/test/make.ts';
import { type OpenDashboard, openDashboard } from './open-dashboard.ts';

let dashboard: OpenDashboard;
beforeAll(async () => {
  dashboard = await openDashboard();
});
afterAll(() => dashboard[Symbol.asyncDispose]());

/**
 * Everything that a URL loads in a window of its own until its screen is there, in order. Left out are
 * icons, which only some browsers load, and what is read again once the stream of changes is open.
 */
async function loadsOf(
  context: BrowserContext,
  path: string,
  ready: string,
): Promise<readonly string[]> {
  const page = await context.newPage();
  const loads: string[] = [];
  let isOpen = false;
  page.on('request', (request) => {
    const load = request.url().replace(dashboard.service, '');
    if (!isOpen && !load.startsWith('/favicon.')) loads.push(load);
  });
  page.on('response', (response) => {
    isOpen ||= response.url().includes('/app/api/events');
  });
  await page.goto(dashboard.service + path);
  await page.locator(ready).first().waitFor();
  await page.close();
  return loads;
}

it('asks for what the page has named, and for nothing of it twice', async () => {
  const { app, service } = dashboard;
  const owner = await makeUser(app.ctx);
  const podcast = await makePodcast(app.ctx, { owner });
  const episode = await makeEpisode(app.ctx, podcast);
  const context = (await dashboard.signIn(owner.email)).context();
  const show = `/app/shows/${podcast.id}`;
  for (const [path, ready] of [
    ['/app', 'main li h2 a'],
    [`${show}/episodes`, 'main tbody tr a'],
    [`${show}/episodes/${episode.id}`, 'main input:not([type=file])'],
    [`${show}/statistics`, 'main h2'],
  ] as const) {
    const shell = await (await context.request.get(service + path)).text();
    const named = [...shell.matchAll(/<link rel="(?:module)?preload"[^>]* href="([^"]*)"/g)].map(
      ([, href = '']) => href.replaceAll('&amp;', '&'),
    );
    expect(named.some((href) => href.startsWith('/app/api/'))).toBe(true);
    const loads = await loadsOf(context, path, ready);
    expect(loads).toEqual(expect.arrayContaining(named));
    const paths = loads.map((load) => load.split('?', 1)[0]);
    expect(paths.filter((one, index) => paths.indexOf(one) !== index)).toEqual([]);
  }
  await context.close();
});
