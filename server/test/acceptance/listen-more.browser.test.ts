import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { attachTone } from '../../src/domain/publishing/audio/index.ts';
import { setChapters } from '../../src/domain/publishing/transcripts/index.ts';
import type { TestApp } from '../create-test-app.ts';
import { makeEpisode, makePodcast, makePodroll, makeSoundbite, makeTrailer } from '../make.ts';
import { serveToBrowser } from '../serve-to-browser.ts';

// What else a listen page offers to hear, in a real browser: highlights, the trailer, other episodes and shows.

const opened = new AsyncDisposableStack();
let browser: Browser;
let app: TestApp;
let service: string;

beforeAll(async () => {
  const served = opened.use(await serveToBrowser());
  ({ browser, app, service } = served);
  const other = await makePodcast(app.ctx, { slug: 'other', title: 'Harbour Notes' });
  const show = await makePodcast(app.ctx, {
    ...{ slug: 'en', title: 'Night Signals', extraElements: [makePodroll([other.guid])] },
    pageSections: ['episodes', 'podroll'],
  });
  const at = (ms: number) => new Date(app.clock.now().getTime() - 3_600_000 + ms);
  const make = async (slug: string, title: string, ms: number, more: object = {}) => {
    const about = { slug, title, publishedAt: at(ms), ...more };
    const { id } = await makeEpisode(app.ctx, show, about);
    await attachTone(app.ctx, id, 40);
    return id;
  };
  await make('soon', 'Soon on air', 0, { episodeType: 'trailer' });
  await make('dusk', 'Dusk', 1000);
  const extraElements = [makeSoundbite(25, 'The lamp'), makeSoundbite(5, '')];
  const id = await make('light', 'First light', 2000, { extraElements });
  await setChapters(app.ctx, id, [
    { startMs: 0, title: 'Opening' },
    { startMs: 20_000, title: 'Dawn' },
  ]);
}, 120_000);
afterAll(() => opened.disposeAsync());

let page: Page;
let complaints: string[];
afterEach(async () => {
  await page.context().close();
  expect(complaints).toEqual([]);
});

async function open(path: string, options: BrowserContextOptions = {}): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 390, height: 800 }, ...options });
  page = await context.newPage();
  complaints = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  await page.goto(`${service}/listen/${path}`);
}
const withoutScripts = { javaScriptEnabled: false };
const dock = () => page.locator('aside.visit');
const secondsIn = (selector: string) =>
  page
    .locator(selector)
    .first()
    .evaluate((element) => (element as unknown as { currentTime: number }).currentTime);

// PAGE-32
describe('a highlight', () => {
  it('a highlight plays from its second, and the chapter there is marked, not the highlight', async () => {
    await open('en/light');
    await page.locator('podstead-player .card:not([aria-busy])').waitFor();
    await page.getByRole('link', { name: 'The lamp' }).click();
    await expect.poll(() => secondsIn('podstead-player')).toBeGreaterThan(25.1);
    const marked = page.locator('main [aria-current]');
    await expect.poll(() => marked.allTextContents()).toEqual([expect.stringContaining('Dawn')]);
  });

  it('a highlight without a title has a number, and leads to its second without scripts', async () => {
    await open('en/light', withoutScripts);
    await page.getByRole('link', { name: 'Highlight 1' }).click();
    expect(page.url()).toBe(`${service}/listen/en/light#t=5`);
  });
});

// PAGE-33
describe('the trailer of a show', () => {
  it('the trailer of a show plays at the bottom of the window, and its button pauses it', async () => {
    await open('en');
    await page.getByText('Play the trailer', { exact: true }).click();
    await dock().getByText('Soon on air').first().waitFor();
    await page.getByText('Pause the trailer', { exact: true }).click();
    await page.getByText('Play the trailer', { exact: true }).waitFor();
  });

  it('the trailer of a show opens the browser’s own player without scripts, on a row of its own', async () => {
    await open('en', withoutScripts);
    const audio = page.getByLabel('Play Soon on air').first();
    expect(await audio.isVisible()).toBe(false);
    const button = page.locator('.trailer summary');
    const place = await button.boundingBox();
    await button.click();
    const [player, row] = [
      await audio.boundingBox(),
      await page.locator('.actions').first().boundingBox(),
    ];
    expect(player?.width).toBe(row?.width);
    expect(await button.boundingBox()).toEqual(place);
  });
});

// PAGE-33
describe('a trailer elsewhere', () => {
  const url = 'https://far.example/soon.mp3';
  const openWithTrailer = async (slug: string, options: BrowserContextOptions = {}) => {
    const pubdate = new Date(app.clock.now().getTime() - 60_000).toUTCString();
    const extraElements = [makeTrailer('Soon', { url, pubdate, type: 'audio/mpeg' })];
    const show = await makePodcast(app.ctx, { slug, title: 'Far Signals', extraElements });
    await attachTone(app.ctx, (await makeEpisode(app.ctx, show, { title: 'Near' })).id, 40);
    await open(slug, options);
    const here = await page.locator('.episode audio').getAttribute('src');
    await page.route(url, async (route) => {
      await route.fulfill({ response: await route.fetch({ url: String(here) }) });
    });
  };
  const button = () => page.locator('.trailer summary');
  const isPlaying = (selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((element) => !(element as unknown as { paused: boolean }).paused);

  it('a trailer elsewhere plays in the page, and never together with an episode', async () => {
    await openWithTrailer('far');
    await button().click();
    await button().getByText('Pause the trailer').waitFor();
    await expect.poll(() => secondsIn('.trailer audio')).toBeGreaterThan(0.2);
    await page.locator('.episode .play').click();
    await expect.poll(() => isPlaying('aside.visit podstead-player')).toBe(true);
    await button().getByText('Play the trailer').waitFor();
    expect(await isPlaying('.trailer audio')).toBe(false);
    await button().click();
    await button().getByText('Pause the trailer').waitFor();
    await expect.poll(() => isPlaying('aside.visit podstead-player')).toBe(false);
    await button().click();
    await button().getByText('Play the trailer').waitFor();
    expect(await page.locator('.trailer audio').isVisible()).toBe(true);
  });

  it('a trailer elsewhere opens the browser’s own player without scripts', async () => {
    await openWithTrailer('far-away', withoutScripts);
    expect(await page.getByLabel('Play Soon').isVisible()).toBe(false);
    await button().click();
    expect(await page.getByLabel('Play Soon').isVisible()).toBe(true);
  });
});

// PAGE-31
it('a panel that opens behind the player at the bottom is moved above it', async () => {
  await open('en/light', { viewport: { width: 800, height: 900 } });
  await page.getByRole('button', { name: 'Play', exact: true }).first().click();
  await dock().waitFor();
  const share = page.locator('summary', { hasText: 'Share' });
  // The button is just above the player.
  await share.evaluate((of) => of.scrollIntoView({ block: 'end' }));
  await share.click();
  const end = async () => {
    const { height = 0, y = 0 } = (await page.locator('.panel[open] .sheet').boundingBox()) ?? {};
    return y + height;
  };
  const top = (await dock().boundingBox())?.y ?? 0;
  await expect.poll(end).toBeLessThanOrEqual(top);
});

it('other episodes on the page of an episode play, and show what is left of them', async () => {
  await open('en/light');
  const row = page.locator('.others .episode', { hasText: 'Dusk' });
  await row.getByLabel('Play Dusk').first().click();
  await dock().getByText('Dusk').first().waitFor();
  await row.getByText(/left$/).waitFor();
  await row.getByLabel('Pause Dusk').first().click();
});

// PAGE-34
it('a recommended show leads to its page on the same installation', async () => {
  await open('en');
  await page.getByRole('link', { name: 'Harbour Notes' }).click();
  await page.getByRole('heading', { name: 'Harbour Notes' }).waitFor();
});
