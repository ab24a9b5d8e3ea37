import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { attachTone } from '../../src/domain/publishing/audio/index.ts';
import { setChapters } from '../../src/domain/publishing/transcripts/index.ts';
import type { TestApp } from '../create-test-app.ts';
import { makeEpisode, makePodcast } from '../make.ts';
import { serveToBrowser } from '../serve-to-browser.ts';

// What is beside and below each other on listen pages, in narrow windows and on paper.

const opened = new AsyncDisposableStack();
let browser: Browser;
let app: TestApp;
let service: string;

beforeAll(async () => {
  ({ browser, app, service } = opened.use(await serveToBrowser()));
  const show = await makePodcast(app.ctx, {
    slug: 'nacht',
    title: 'Signale der Nacht',
    language: 'de',
    websiteUrl: 'https://signals.example/',
    fundingUrl: 'https://signals.example/support',
  });
  const light = { slug: 'licht', title: 'Licht', season: 12, explicit: true } as const;
  const { id } = await makeEpisode(app.ctx, show, light);
  await attachTone(app.ctx, id, 120);
  await setChapters(app.ctx, id, [
    { startMs: 0, title: 'Das Relais', linkUrl: 'https://www.signals.example/relay?night=1' },
    { startMs: 60_000, title: 'Antennen auf dem Dach, in vielen Worten, auf mehreren Zeilen' },
  ]);
  const publishedAt = new Date(app.clock.now().getTime() - 86_400_000);
  const trailer = { slug: 'bald', title: 'Bald', episodeType: 'trailer', publishedAt } as const;
  await attachTone(app.ctx, (await makeEpisode(app.ctx, show, trailer)).id, 20);
}, 120_000);
afterAll(() => opened.disposeAsync());

let page: Page;
afterEach(() => page.context().close());

async function open(path: string, width: number): Promise<void> {
  page = await (await browser.newContext({ viewport: { width, height: 640 } })).newPage();
  await page.goto(`${service}/listen/${path}`);
}

const read = <T>(script: string): Promise<T> => page.evaluate(script) as Promise<T>;
/** Distances in CSS pixels from the start and the top of the window. */
const placesOf = (selector: string) =>
  read<{ left: number; right: number; top: number; bottom: number }[]>(
    `[...document.querySelectorAll(${JSON.stringify(selector)})].map((one) => {
      const { left, right, top, bottom } = one.getBoundingClientRect();
      return { left, right, top, bottom };
    })`,
  );

describe('a window of 320 px', () => {
  it('four German buttons of a show need two rows', async () => {
    await open('nacht', 320);
    const buttons = await placesOf('.hero .actions > *');
    expect(buttons).toHaveLength(4);
    expect(new Set(buttons.map(({ top }) => Math.round(top))).size).toBe(2);
  });

  it('no line of facts begins with the dot that is between them', async () => {
    await open('nacht/licht', 320);
    const [line] = await placesOf('.hero .facts');
    const facts = await placesOf('.hero .facts > *');
    const first = facts.filter(({ left }) => Math.abs(left - line!.left) < 1);
    expect(first.length).toBeGreaterThan(1);
    const dots = `[...document.querySelectorAll('.hero .facts > * + *')].map((fact) =>
      getComputedStyle(fact, '::before').insetInlineStart)`;
    const starts = (await read<string[]>(dots)).map(Number.parseFloat);
    // Those at the beginning of a line are outside of the box, which cuts them off.
    expect(Math.max(...starts)).toBeLessThan(-10);
    expect(await read(`getComputedStyle(document.querySelector('.facts')).overflowX`)).toBe('clip');
  });

  it('the link of a chapter begins below its title, and times are at the first line', async () => {
    await open('nacht/licht', 320);
    const [title, long] = await placesOf('.place > .time + [dir]');
    const [link] = await placesOf('.chapter > a.meta');
    expect(link!.left).toBeCloseTo(title!.left, 0);
    expect(link!.top).toBeGreaterThanOrEqual(title!.bottom - 10);
    const [, time] = await placesOf('.place > .time');
    expect(long!.bottom - long!.top).toBeGreaterThan(1.5 * (time!.bottom - time!.top));
    expect(time!.top).toBeCloseTo(long!.top, 0);
  });
});

it('paper has the address of a chapter’s link once, in place of its host', async () => {
  await open('nacht/licht', 800);
  await page.emulateMedia({ media: 'print' });
  const link = `document.querySelector('.chapter > a.meta')`;
  const address = await read<string>(`getComputedStyle(${link}, '::after').content`);
  expect(address).toBe('"https://www.signals.example/relay?night=1"');
  expect(await read(`getComputedStyle(${link}).fontSize`)).toBe('0px');
  const [title] = await placesOf('.place > .time + [dir]');
  const [place] = await placesOf('.chapter > a.meta');
  expect(place!.left).toBeCloseTo(title!.left, 0);
});

it('paper has no buttons to queue or to search, and all of a long description', async () => {
  const description = Array.from({ length: 40 }, (_, i) => `Paragraph ${i}.`).join('\n\n');
  const show = await makePodcast(app.ctx, { slug: 'lang', description });
  for (let i = 0; i < 10; i += 1) await makeEpisode(app.ctx, show, { slug: `e${i}` });
  await open('lang', 800);
  expect(await page.getByText('Paragraph 39.').isVisible()).toBe(false);
  await page.emulateMedia({ media: 'print' });
  expect(await page.getByText('Paragraph 39.').isVisible()).toBe(true);
  const seen = await page.locator('.later:visible, .search:visible, .fold:visible').count();
  expect(seen).toBe(0);
});
