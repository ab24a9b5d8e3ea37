import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { insertEpisodes } from '../../../bench/installation/fill-show.sql.ts';
import { indexEpisodes } from '../../src/domain/public/search/index.ts';
import { attachTone } from '../../src/domain/publishing/audio/index.ts';
import { setTranscript } from '../../src/domain/publishing/transcripts/index.ts';
import type { TestApp } from '../create-test-app.ts';
import { makeEpisode, makePodcast } from '../make.ts';
import { serveToBrowser } from '../serve-to-browser.ts';

// The search of a show's page, and its choices, in a real browser. PAGE-20.

const opened = new AsyncDisposableStack();
let browser: Browser;
let app: TestApp;
let service: string;
const titles = ['The whales of the north', 'A night on the dial', 'Two wires'];
const said = 'And then, out of nowhere, the whales began to sing. Nobody on the boat said a word.';

beforeAll(async () => {
  const served = opened.use(await serveToBrowser());
  ({ browser, app, service } = served);
  app.clock.advance(Date.now() - app.clock.now().getTime());
  await makeSpoken();
  const long = await makePodcast(app.ctx, { slug: 'long', title: 'Hourly', language: 'en' });
  const notes = ['<p>What was heard.</p>'];
  const count = 3_000;
  await insertEpisodes(app.ctx.db, { podcastId: long.id, from: 1, to: count, count, notes });
  await indexEpisodes(app.ctx);
}, 240_000);
afterAll(() => opened.disposeAsync());

async function makeSpoken(): Promise<void> {
  const show = await makePodcast(app.ctx, { slug: 'show-en', title: 'Night Signals' });
  for (let n = 0; n < 12; n += 1) {
    const title = titles[n % 3] ?? '';
    const episode = await makeEpisode(app.ctx, show, {
      ...{ slug: `e${n}`, title: n < 3 ? title : `${title} ${n}`, season: 1 + Math.floor(n / 4) },
      publishTranscript: true,
    });
    if (n === 0) await attachTone(app.ctx, episode.id, 20);
    if (n !== 1) continue;
    const segments = [
      { startMs: 12_500, endMs: 18_000, speaker: 'Ana', text: said },
      { startMs: 18_000, endMs: 19_000, speaker: 'Bo', text: '…' },
    ];
    const facts = { language: 'en', wordCount: 10, durationMs: 19_000 };
    await setTranscript(app.ctx, episode.id, { segments, ...facts });
  }
}

let page: Page;
let complaints: string[];
afterEach(async () => {
  await page.context().close();
  expect(complaints).toEqual([]);
});

async function open(path: string, options: BrowserContextOptions = {}): Promise<void> {
  const context = await browser.newContext({
    viewport: { width: 700, height: 900 },
    ...options,
  });
  page = await context.newPage();
  complaints = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  await page.goto(`${service}/listen/${path}`);
}

const rows = () => page.locator('#list .episode');
const field = () => page.getByRole('searchbox');

it('results appear while somebody types, and the list comes back', async () => {
  await open('show-en');
  await field().pressSequentially('whal');
  await expect.poll(() => rows().count()).toBe(5);
  expect(new URL(page.url()).search).toBe('?q=whal');
  await expect.poll(() => page.getByRole('status').textContent()).toBe('Results: 5');
  const quote = page.locator('.snippet');
  expect(await quote.locator('mark').allTextContents()).toEqual(['whales']);
  // It has a line of its own, as wide as the title's.
  const { y = 0, width } = (await quote.boundingBox()) ?? {};
  expect(width).toBeGreaterThan(400);
  expect(y).toBeGreaterThan((await rows().first().locator('h3').boundingBox())?.y ?? y);
  await field().fill('nothing like this');
  await expect.poll(() => page.getByRole('status').textContent()).toContain('Nothing was found');
  await field().fill('');
  await expect.poll(() => rows().count()).toBe(12);
  expect(new URL(page.url()).search).toBe('');
});

it('a hit in a transcript leads to its second', async () => {
  await open('show-en?q=sing');
  await page.getByRole('link', { name: '0:12' }).click();
  await page.waitForURL(/\/listen\/show-en\/e1\?transcript=all#t=12$/);
});

it('a long show is listed by season and by year, from either end', async () => {
  await open('long');
  await page.getByText('Seasons', { exact: true }).click();
  await page.getByRole('link', { name: /^Season 2/ }).click();
  await page.waitForURL(/\?season=2#episodes$/);
  expect(await page.locator('#list .panel').first().textContent()).toContain('Season 2');
  await page.getByRole('link', { name: 'Oldest first' }).click();
  await page.waitForURL(/\?season=2&order=oldest#episodes$/);
  expect(await rows().first().textContent()).toContain('Episode number 751');
});
