import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { isSecondBrowser } from '../../player/test/find-chromium.ts';
import { updateEpisode } from '../../server/src/domain/publishing/episodes/index.ts';
import { makeEpisode, makePodcast, makeUser } from '../../server/test/make.ts';
import { newBrowser, type OpenDashboard, openDashboard } from './open-dashboard.ts';

let dashboard: OpenDashboard;
beforeAll(async () => {
  dashboard = await openDashboard();
});
afterAll(() => dashboard[Symbol.asyncDispose]());

/**
 * Everything that a URL loads in a window of its own until its screen is there and its stream of
 * changes has begun, in order. Left out are icons, which only some browsers load.
 */
async function loadsOf(
  context: BrowserContext,
  path: string,
  { ready, isShow }: Screen,
): Promise<readonly string[]> {
  const page = await context.newPage();
  const loads: string[] = [];
  page.on('request', (request) => {
    const load = request.url().replace(dashboard.service, '');
    if (!load.startsWith('/favicon.')) loads.push(load);
  });
  const beginning = isShow ? firstEvent(page) : undefined;
  await page.goto(dashboard.service + path);
  await page.locator(ready).first().waitFor();
  await beginning;
  // What the event makes the app load is requested before this.
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
  await page.close();
  return loads;
}

interface Screen {
  /** A selector of what the screen shows when it has its data. */
  readonly ready: string;
  readonly isShow: boolean;
}

/** Resolves with the name of the first event of the page's stream. */
async function firstEvent(page: Page): Promise<string> {
  const devTools = await page.context().newCDPSession(page);
  await devTools.send('Network.enable');
  return await new Promise((resolve) => {
    devTools.once('Network.eventSourceMessageReceived', ({ eventName }) => resolve(eventName));
  });
}

it('asks for what the page has named, and for nothing of it twice', async () => {
  const { app, service } = dashboard;
  const owner = await makeUser(app.ctx);
  const podcast = await makePodcast(app.ctx, { owner });
  const episode = await makeEpisode(app.ctx, podcast);
  const context = (await dashboard.signIn(owner.email, newBrowser)).context();
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
    const loads = await loadsOf(context, path, { ready, isShow: path !== '/app' });
    expect(loads).toEqual(expect.arrayContaining(named));
    const paths = loads
      .filter((load) => !load.startsWith('/app/api/events'))
      .map((load) => load.split('?', 1)[0]);
    expect(paths.filter((one, index) => paths.indexOf(one) !== index)).toEqual([]);
  }
  await context.close();
});

// The engine alone decides this, and both browsers have the same.
if (!isSecondBrowser) {
  it('shows what changed between the reading and the first event', async () => {
    const { app, service } = dashboard;
    const owner = await makeUser(app.ctx);
    const podcast = await makePodcast(app.ctx, { owner });
    const episode = await makeEpisode(app.ctx, podcast, { title: 'As it was read' });
    const page = await dashboard.signIn(owner.email);
    const beginning = Promise.withResolvers<void>();
    await page.route('**/app/api/events?*', async (route) => {
      await beginning.promise;
      await route.continue();
    });
    await page.goto(`${service}/app/shows/${podcast.id}/episodes`);
    await page.getByRole('link', { name: 'As it was read', exact: true }).waitFor();
    await updateEpisode(app.ctx, episode.id, { title: 'As it is now' });
    beginning.resolve();
    await page.getByRole('link', { name: 'As it is now', exact: true }).waitFor();
    await page.context().close();
  });
}
