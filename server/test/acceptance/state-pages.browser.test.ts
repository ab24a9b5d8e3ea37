import { afterAll, beforeAll, expect, it } from 'vitest';
import { attachTone } from '../../src/domain/publishing/audio/index.ts';
import { movePodcast, pausePodcast } from '../../src/domain/publishing/podcasts/index.ts';
import { makeEpisode, makePodcast } from '../make.ts';
import { type ServedApp, serveToBrowser } from '../serve-to-browser.ts';

// The directory, and pages of shows in special states, in a real browser.

let served: ServedApp;
const longTitle = 'The long story of those who kept the lights '.repeat(5).slice(0, 200);

beforeAll(async () => {
  served = await serveToBrowser({ PUBLIC_DIRECTORY: 'on' });
  const { ctx } = served.app;
  const make = async (slug: string, input: object = {}) => {
    const show = await makePodcast(ctx, { slug, title: 'قولات الليل', ...input });
    await attachTone(ctx, (await makeEpisode(ctx, show, { title: 'Night Signals' })).id, 2);
    return show;
  };
  await pausePodcast(ctx, (await make('paused')).id);
  await movePodcast(ctx, (await make('moved')).id, { newFeedUrl: 'https://new.example/rss' });
  await make('open', { title: longTitle, category: 'Society & Culture' });
  await make('arabic', { title: 'Night Signals', language: 'ar', author: 'Ana', category: 'Arts' });
  await pausePodcast(ctx, (await make('arabic-paused', { title: 'Night', language: 'ar' })).id);
}, 120_000);
afterAll(() => served[Symbol.asyncDispose]());

async function open(path: string, locale = 'en') {
  const page = await (await served.browser.newContext({ locale })).newPage();
  await page.goto(served.service + path);
  return page;
}

it.each([
  ['/listen/paused', 'en', 'left'],
  ['/listen/moved', 'en', 'left'],
  ['/listen/arabic', 'en', 'right'],
  ['/listen/arabic-paused', 'en', 'right'],
  ['/listen/arabic/missing', 'en', 'right'],
  ['/', 'ar', 'right'],
  ['/', 'en', 'left'],
] as const)(
  'names in another direction begin where the text around them does: %s in %s',
  async (path, locale, side) => {
    const page = await open(path, locale);
    const sides = (await page.evaluate(`[...document.querySelectorAll('main :is(h1, h2, h3, p, b)')]
      .filter((element) => element.checkVisibility() && element.textContent.trim() !== '')
      .map((element) => getComputedStyle(element))
      .map(({ textAlign, direction }) => textAlign === 'start'
        ? (direction === 'rtl' ? 'right' : 'left') : textAlign)`)) as string[];
    expect(sides.length).toBeGreaterThan(1);
    expect(new Set(sides)).toEqual(new Set([side]));
    await page.context().close();
  },
);

it('the directory searches and filters without scripts', async () => {
  const context = await served.browser.newContext({ javaScriptEnabled: false, locale: 'de' });
  const page = await context.newPage();
  await page.goto(served.service);
  await page.getByRole('searchbox').fill('night');
  await page.getByRole('button', { name: 'Suchen' }).click();
  await page.waitForURL(/\?q=night$/);
  expect(await page.getByRole('listitem').filter({ hasText: 'Ana' }).count()).toBe(1);
  await page.getByRole('link', { name: 'Gesellschaft und Kultur' }).click();
  await page.getByText('Keine Podcasts gefunden.').waitFor();
  await page.getByRole('link', { name: 'Podcasts' }).first().click();
  await page.getByRole('link', { name: longTitle }).click();
  await page.waitForURL(/listen\/open$/);
  await context.close();
});
