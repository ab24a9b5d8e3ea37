import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { insertEpisodes } from '../../../bench/installation/fill-show.sql.ts';
import { indexEpisodes } from '../../src/domain/public/search/index.ts';
import { attachTone } from '../../src/domain/publishing/audio/index.ts';
import { setChapters, setTranscript } from '../../src/domain/publishing/transcripts/index.ts';
import type { TestApp } from '../create-test-app.ts';
import { makeEpisode, makePodcast } from '../make.ts';
import { serveToBrowser } from '../serve-to-browser.ts';

// What listen pages can do in a browser that runs no scripts. The directory, comments, the code of a player
// and the browser's controls have such tests beside those with scripts.

const opened = new AsyncDisposableStack();
let browser: Browser;
let app: TestApp;
let service: string;
const sentence = (i: number) =>
  `Sentence ${i} says what the antenna heard in the dunes before anybody was awake.`;

beforeAll(async () => {
  ({ browser, app, service } = opened.use(await serveToBrowser()));
  app.clock.advance(Date.now() - app.clock.now().getTime());
  const long = await makePodcast(app.ctx, {
    ...{ slug: 'long', title: 'Hourly', description: `First.\n\n${'More. '.repeat(200)}` },
  });
  const notes = ['<p>What was heard.</p>'];
  await insertEpisodes(app.ctx.db, { podcastId: long.id, from: 1, to: 40, count: 40, notes });
  const publishedAt = new Date(app.clock.now().getTime() - 800 * 86_400_000);
  await makeEpisode(app.ctx, long, { title: 'Long ago', season: 1, publishedAt });
  const show = await makePodcast(app.ctx, { slug: 'told', title: 'Told', showType: 'serial' });
  for (const [at, slug] of ['one', 'two', 'three'].entries()) await makeTold(show, slug, at);
  await indexEpisodes(app.ctx);
}, 240_000);
afterAll(() => opened.disposeAsync());

async function makeTold(show: Parameters<typeof makeEpisode>[1], slug: string, at: number) {
  const publishedAt = new Date(app.clock.now().getTime() - 3_600_000 + at * 1000);
  const { id } = await makeEpisode(app.ctx, show, {
    ...{ slug, title: `Part ${slug}`, publishedAt, publishTranscript: true },
    showNotesHtml: `<p>Dawn is at 1:00, the end at 4:10.</p>${'<p>More to read.</p>'.repeat(30)}`,
  });
  await attachTone(app.ctx, id, 300);
  await setChapters(app.ctx, id, [
    { startMs: 0, title: 'Opening' },
    { startMs: 250_000, title: 'The end' },
  ]);
  const segments = Array.from({ length: 60 }, (_, i) => ({
    ...{ startMs: i * 5000, endMs: i * 5000 + 4900, text: sentence(i) },
    speaker: i % 12 < 6 ? 'Ana' : 'Bo',
  }));
  const facts = { language: 'en', hasTimes: true, wordCount: 1, durationMs: 300_000 };
  await setTranscript(app.ctx, id, { ...facts, segments });
}

const rows = (page: Page) => page.locator('#list .episode');
const follow = (page: Page, name: string | RegExp) =>
  page.getByRole('link', typeof name === 'string' ? { name, exact: true } : { name }).click();
const unfold = (page: Page, name: string) => page.locator('summary', { hasText: name }).click();
/** While another page is loaded, the one before it may still be there, or only its beginning. */
const expectRows = (page: Page, count: number) => expect.poll(() => rows(page).count()).toBe(count);
const expectFirst = (page: Page, text: string) =>
  expect.poll(() => rows(page).first().textContent()).toContain(text);
/** A sentence that the URL names is where browsers scroll to. */
const expectInView = (page: Page, i: number) =>
  expect
    .poll(() =>
      page.getByText(sentence(i), { exact: true }).evaluate((element) => {
        const { top, bottom } = element.getBoundingClientRect();
        return top >= 0 && bottom <= element.ownerDocument.defaultView!.innerHeight;
      }),
    )
    .toBe(true);

type Feature = readonly [name: string, path: string, use: (page: Page) => Promise<void>];
const features: readonly Feature[] = [
  [
    'the search of a show',
    'long',
    async (page) => {
      await page.getByRole('searchbox').fill('number 39');
      await page.getByRole('searchbox').press('Enter');
      await page.waitForURL(/\?q=number\+39#episodes$/);
      await expectRows(page, 1);
      await follow(page, 'All episodes');
      await expectRows(page, 30);
    },
  ],
  [
    'a hit in a transcript',
    'told?q=%22Sentence+50%22',
    async (page) => {
      await page.locator('.snippet .time').first().click();
      await page.waitForURL(/\/told\/\w+\?transcript=all#t=\d+$/);
      await expectInView(page, Number(/\d+$/.exec(page.url())?.[0]) / 5);
    },
  ],
  [
    'seasons',
    'long',
    async (page) => {
      await unfold(page, 'Seasons');
      await follow(page, /^Season 2/);
      await page.waitForURL(/\?season=2#episodes$/);
      await expectFirst(page, 'Season 2');
    },
  ],
  [
    'years',
    'long',
    async (page) => {
      await unfold(page, 'Years');
      await page.locator('.panel[open] a').last().click();
      await page.waitForURL(/\?year=\d+#episodes$/);
      await expectFirst(page, 'Long ago');
    },
  ],
  [
    'the oldest episodes first',
    'long',
    async (page) => {
      await follow(page, 'Oldest first');
      await expectFirst(page, 'Long ago');
    },
  ],
  [
    'older episodes, and the way back',
    'long',
    async (page) => {
      await follow(page, 'Older episodes');
      await expectFirst(page, 'Episode number 10');
      await follow(page, 'Newest episodes');
      await expectFirst(page, 'Episode number 40');
    },
  ],
  [
    'the rest of a description',
    'long',
    async (page) => {
      await unfold(page, 'Read more');
      expect(await page.locator('details[open] .prose').isVisible()).toBe(true);
    },
  ],
  [
    'the first episode of a serial show',
    'told',
    async (page) => {
      expect(await page.locator('.latest > .meta').textContent()).toBe('First episode');
      expect(await page.locator('.latest audio').isVisible()).toBe(true);
      await page.locator('.latest a').click();
      await page.waitForURL('**/told/one');
    },
  ],
  [
    'apps, the feed and its URL to follow a show',
    'told',
    async (page) => {
      await unfold(page, 'Follow');
      await unfold(page, 'More apps');
      const apps = await page
        .locator('.panel[open] a')
        .evaluateAll((all) => all.filter((one) => one.checkVisibility()).length);
      expect(apps).toBeGreaterThan(10);
      const feed = await page.getByLabel('Feed URL for any podcast app').inputValue();
      expect(await page.getByRole('link', { name: 'RSS', exact: true }).getAttribute('href')).toBe(
        feed,
      );
      expect(await (await page.request.get(feed)).text()).toContain('<title>Told</title>');
    },
  ],
  [
    'the way to the episodes before and after',
    'told/two',
    async (page) => {
      await follow(page, 'Part three');
      await follow(page, 'Part two');
      await follow(page, 'Previous episode Part one');
      await page.waitForURL('**/told/one');
    },
  ],
  [
    'chapters, in the beginning of a transcript and after it',
    'told/one',
    async (page) => {
      await follow(page, '0:00 Opening');
      await page.waitForURL(/\/told\/one#t=0$/);
      await expectInView(page, 0);
      await follow(page, '4:10 The end');
      await page.waitForURL(/\/told\/one\?transcript=all#t=250$/);
      await expectInView(page, 50);
    },
  ],
  [
    'times in the notes',
    'told/one',
    async (page) => {
      const inNotes = page.locator('.prose').getByRole('link');
      await inNotes.filter({ hasText: '1:00' }).click();
      await expectInView(page, 12);
      await inNotes.filter({ hasText: '4:10' }).click();
      await page.waitForURL(/\?transcript=all#t=250$/);
      await expectInView(page, 50);
    },
  ],
  [
    'the whole transcript, from where its beginning ended',
    'told/one',
    async (page) => {
      const few = await page.locator('.said').count();
      // What is drawn around the link may move it from under a pointer.
      await page.getByRole('link', { name: 'Show the whole transcript' }).press('Enter');
      await page.waitForURL(/\?transcript=all#rest$/);
      const { y = -1 } = (await page.locator('.said').nth(few).boundingBox()) ?? {};
      expect(y).toBeGreaterThanOrEqual(0);
      expect(y).toBeLessThan(300);
    },
  ],
  [
    'the files of a transcript',
    'told/one',
    async (page) => {
      for (const format of ['VTT', 'SRT', 'JSON']) {
        const href = await page.getByRole('link', { name: format }).getAttribute('href');
        const file = await page.request.get(href ?? '');
        expect(await file.text(), format).toContain(sentence(59));
      }
    },
  ],
  [
    'the download of the audio',
    'told/one',
    async (page) => {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        follow(page, /^Download/),
      ]);
      expect(download.suggestedFilename()).toBe('one.mp3');
      expect(await download.failure()).toBe(null);
    },
  ],
  [
    'what can be shared, in fields to copy from, and the code of a player',
    'told/one',
    async (page) => {
      await unfold(page, 'Share');
      expect(await page.getByLabel('Link to this page').inputValue()).toBe(page.url());
      const picture = await page.getByLabel('Picture to share').inputValue();
      expect((await page.request.get(picture)).headers()['content-type']).toBe('image/jpeg');
      expect(await page.getByLabel('Embed code').inputValue()).toContain('<iframe');
      await follow(page, 'Choose size, color and start');
      await page.getByRole('heading', { name: 'Embed the player' }).waitFor();
    },
  ],
];

it.each(features)('a browser without scripts has %s', async (_, path, use) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${service}/listen/${path}`);
  // A button of a form submits it; all others would need a script.
  const idle = await page
    .locator('button, [role=button]')
    .evaluateAll((all) =>
      all
        .filter((one) => one.checkVisibility() && !one.closest('form'))
        .map((one) => one.outerHTML),
    );
  expect(idle).toEqual([]);
  await use(page);
  await context.close();
});
