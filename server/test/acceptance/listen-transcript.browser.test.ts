import { type Browser, type BrowserContextOptions, devices, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { attachTone } from '../../src/domain/publishing/audio/index.ts';
import { setChapters, setTranscript } from '../../src/domain/publishing/transcripts/index.ts';
import type { TestApp } from '../create-test-app.ts';
import { makeEpisode, makePodcast } from '../make.ts';
import { serveToBrowser } from '../serve-to-browser.ts';

// A long transcript, of which the page has only the beginning, in a real browser. PAGE-27.

const opened = new AsyncDisposableStack();
let browser: Browser;
let app: TestApp;
let service: string;
const path = '/listen/en/long';
const minutes = 60;
const last = minutes * 12 - 1;
const sentence = (i: number) =>
  `Sentence ${i} says what the antenna heard in the dunes before anybody was awake.`;

beforeAll(async () => {
  const served = opened.use(await serveToBrowser());
  ({ browser, app, service } = served);
  await makeLong();
}, 120_000);
afterAll(() => opened.disposeAsync());

async function makeLong(): Promise<void> {
  const show = await makePodcast(app.ctx, { slug: 'en', title: 'Night Signals' });
  const episode = await makeEpisode(app.ctx, show, {
    ...{ slug: 'long', title: 'A long night', publishTranscript: true },
    showNotesHtml: '<p>More to read.</p>'.repeat(30),
  });
  await makeEpisode(app.ctx, show, { slug: 'dusk', title: 'Dusk' });
  await attachTone(app.ctx, episode.id, 300);
  await setChapters(app.ctx, episode.id, [
    { startMs: 0, title: 'Opening' },
    { startMs: 1_800_000, title: 'Dawn' },
  ]);
  const segments = Array.from({ length: last + 1 }, (_, i) => ({
    ...{ startMs: i * 5000, endMs: i * 5000 + 4900, text: sentence(i) },
    speaker: i % 12 < 6 ? 'Ana' : 'Bo',
  }));
  const facts = { language: 'en', hasTimes: true, wordCount: 1, durationMs: 60_000 * minutes };
  await setTranscript(app.ctx, episode.id, { ...facts, segments });
}

let page: Page;
let complaints: string[];
let wholePages: string[];
afterEach(async () => {
  await page.context().close();
  expect(complaints).toEqual([]);
});

async function open(url: string, options: BrowserContextOptions = {}): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 1000, height: 900 }, ...options });
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: service });
  page = await context.newPage();
  complaints = [];
  wholePages = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('request', (request) => {
    if (request.url().includes('transcript=all')) wholePages.push(request.resourceType());
  });
  await page.goto(`${service}${url}`);
}

const link = () => page.getByRole('link', { name: 'Show the whole transcript' });
const paragraphs = () => page.locator('.said').count();
const current = () => page.locator('.said [aria-current]').allTextContents();
const isInView = (text: string) =>
  page
    .locator('#main')
    .getByText(text, { exact: true })
    .evaluate((element) => {
      const { top, bottom } = element.getBoundingClientRect();
      return top >= 0 && bottom <= element.ownerDocument.defaultView.innerHeight;
    });
const observeShifts = () =>
  page.evaluate(
    `globalThis.shift = 0; new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) globalThis.shift += entry.value;
    }).observe({ type: 'layout-shift', buffered: true })`,
  );
const shift = () => page.evaluate<number>('globalThis.shift');
/** Scrolls until the link is so many pixels below what is seen; negative: it is seen. */
const approach = (px: number) =>
  link().evaluateAll(([element], below) => {
    if (element === undefined) return;
    const { innerHeight } = element.ownerDocument.defaultView;
    const by = element.getBoundingClientRect().top - innerHeight - below;
    element.ownerDocument.defaultView.scrollBy({ top: by, behavior: 'instant' });
  }, px);

/** Until it is there: what is drawn after a scroll may move the link away again. */
const loadRest = () =>
  expect
    .poll(async () => {
      await approach(400);
      return page.getByText(sentence(last), { exact: true }).count();
    })
    .toBe(1);

describe('the rest of a long transcript', () => {
  it('the rest of a long transcript is loaded once, before the reader has scrolled to it, and moves nothing', async () => {
    await open(path);
    const few = await paragraphs();
    expect(few).toBeLessThan(20);
    expect(wholePages).toEqual([]);
    await observeShifts();
    await loadRest();
    await page.waitForTimeout(300);
    expect(await link().count()).toBe(0);
    expect(await shift()).toBeLessThan(0.02);
    expect(wholePages).toEqual(['fetch']);
    const texts = await page.locator('.said span').allTextContents();
    expect(texts).toEqual(Array.from({ length: last + 1 }, (_, i) => sentence(i)));
  });

  it('the rest of a long transcript comes slowly without moving what the reader sees meanwhile', async () => {
    await open(path);
    await observeShifts();
    const held = Promise.withResolvers<void>();
    await page.route('**/*transcript=all', async (route) => {
      await held.promise;
      await route.continue();
    });
    await approach(400);
    await page.locator('.rest.loading').waitFor();
    await approach(-200);
    await page.waitForTimeout(700);
    held.resolve();
    await page.getByText(sentence(last), { exact: true }).waitFor({ state: 'attached' });
    await page.waitForTimeout(300);
    expect(await shift()).toBeLessThan(0.02);
  });

  it('the rest of a long transcript is loaded when its link is pressed by keyboard, which goes on there', async () => {
    await open(path, { viewport: { width: 1000, height: 4000 } });
    await link().focus();
    await page.keyboard.press('Enter');
    await page.getByText(sentence(last), { exact: true }).waitFor({ state: 'attached' });
    const focused = page.locator('.said:focus');
    expect(await focused.getAttribute('id')).toBe('rest');
    expect(page.url()).toBe(`${service}${path}`);
  });

  it('the rest of a long transcript is loaded for a search in the page', async () => {
    await open(path);
    await page.keyboard.press('Control+f');
    await page.getByText(sentence(last), { exact: true }).waitFor({ state: 'attached' });
  });

  it('the link leads to the whole page if the rest cannot be loaded', async () => {
    await open(path, { viewport: { width: 1000, height: 4000 } });
    await page.route('**/*transcript=all', (route) => route.abort(), { times: 1 });
    await link().click();
    await page.waitForURL(`**${path}?transcript=all#rest`);
    expect(await paragraphs()).toBeGreaterThan(100);
    complaints.length = 0;
  });
});

describe('a link to a late sentence', () => {
  it('a link to a late sentence leads there from the first page, and marks it', async () => {
    await open(`${path}#t=1802`);
    await expect.poll(current).toEqual([sentence(360)]);
    await expect.poll(() => isInView(sentence(360))).toBe(true);
    await page.evaluate("location.hash = '#t=3000'");
    await expect.poll(() => isInView(sentence(600))).toBe(true);
    expect(wholePages).toEqual(['fetch']);
  });

  it('a link to a late sentence is copied in the form that needs no script', async () => {
    await open(`${path}#t=1800`);
    await page.getByText(sentence(361), { exact: true }).selectText();
    await page.getByRole('button', { name: 'Copy link from 30:05' }).click();
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(copied).toBe(`${service}${path}?transcript=all#t=1805`);
  });
});

it('the text is followed across the end of the beginning', async () => {
  await open(path, { reducedMotion: 'reduce' });
  await page.locator('podstead-player .card:not([aria-busy])').waitFor();
  const from = Number(await link().getAttribute('data-from'));
  await page.getByRole('button', { name: 'Follow along' }).click();
  const player = page.locator('podstead-player');
  await player.evaluate((one, seconds) => {
    const element = one as unknown as { currentTime: number; play(): Promise<void> };
    element.play();
    element.currentTime = seconds;
  }, from - 4);
  const before = sentence(from / 5 - 1);
  await expect.poll(current).toEqual([before]);
  await expect.poll(current, { timeout: 10_000 }).toEqual([sentence(from / 5)]);
  expect(await isInView(sentence(from / 5))).toBe(true);
  expect(wholePages).toEqual(['fetch']);
});

it('a visit shows another page, whose rest is loaded as well', async () => {
  await open('/listen/en');
  await page.locator('.episode .play').first().click();
  await page.locator('.visiting').waitFor();
  await page.getByRole('link', { name: 'A long night' }).first().click();
  await page.waitForURL(`**${path}`);
  await link().waitFor();
  await loadRest();
});

describe('the place of a reader in the rest', () => {
  it('the place of a reader in the rest is the same after a reload, and after another', async () => {
    await open(path);
    const top = await readTo(400);
    for (let reloads = 0; reloads < 2; reloads += 1) {
      await page.reload();
      await expect.poll(() => topOf(400), { timeout: 10_000 }).toBeCloseTo(top, -1);
    }
    await readTo(650);
    const later = await topOf(650);
    await page.reload();
    await expect.poll(() => topOf(650)).toBeCloseTo(later, -1);
  });

  it('the place of a reader in the rest is kept on a phone, while the rest is slow', async () => {
    await open(path, { ...devices['Pixel 7'] });
    const top = await readTo(500);
    await page.route('**/*transcript=all', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 500));
      await route.continue();
    });
    await page.reload();
    await expect.poll(() => topOf(500)).toBeCloseTo(top, -1);
  });

  it('the place of a reader in the rest wins over the sentence of the link that led there', async () => {
    await open(`${path}#t=1802`);
    await expect.poll(() => isInView(sentence(360))).toBe(true);
    const top = await readTo(600);
    await page.reload();
    await expect.poll(() => topOf(600)).toBeCloseTo(top, -1);
    expect(await current()).toEqual([sentence(360)]);
  });

  it('the place of a reader in the rest is left to them if they scroll before it is loaded', async () => {
    await open(path);
    await readTo(400);
    const held = Promise.withResolvers<void>();
    await page.route('**/*transcript=all', async (route) => {
      await held.promise;
      await route.continue();
    });
    await page.reload();
    await page.locator('.rest.loading').waitFor();
    await page.mouse.wheel(0, -100_000);
    await expect.poll(scrolled).toBe(0);
    held.resolve();
    await page.getByText(sentence(last), { exact: true }).waitFor({ state: 'attached' });
    expect(await scrolled()).toBe(0);
  });

  it('the place of a reader who went back to the top is the top', async () => {
    await open(path);
    await readTo(400);
    await page.evaluate('scrollTo(0, 0)');
    await expect.poll(() => page.evaluate('history.state.place')).toBe(undefined);
    await page.reload();
    await page.locator('podstead-player .card:not([aria-busy])').waitFor();
    expect(await scrolled()).toBe(0);
    expect(wholePages).toEqual(['fetch']);
  });

  it('the place of a reader in the rest is found again when they go back to the page, also in a visit', async () => {
    await open(path);
    let top = await readTo(400);
    await page.locator('.home').evaluate((one) => one.click());
    await page.waitForURL('**/listen/en');
    await page.goBack();
    await expect.poll(() => topOf(400)).toBeCloseTo(top, -1);
    await page.getByRole('button', { name: 'Play', exact: true }).first().click();
    await page.locator('.visiting').waitFor();
    top = await readTo(650);
    await page.locator('.home').evaluate((one) => one.click());
    await page.waitForURL('**/listen/en');
    await page.goBack();
    await page.waitForURL(`**${path}`);
    await expect.poll(() => topOf(650)).toBeCloseTo(top, -1);
    await page.reload();
    await expect.poll(() => topOf(650)).toBeCloseTo(top, -1);
  });

  it('the place of a reader is kept on the page that has all of the transcript', async () => {
    await open(`${path}?transcript=all`);
    const top = await readTo(400);
    await page.reload();
    await expect.poll(() => topOf(400)).toBeCloseTo(top, -1);
  });
});

const scrolled = () => page.evaluate<number>('scrollY');
/** Pixels between a sentence and the upper edge of the window; NaN: it isn't there. */
const topOf = (i: number) =>
  page.evaluate<number>(
    `document.getElementById('t=${i * 5}')?.getBoundingClientRect().top ?? NaN`,
  );
/** Scrolls to a sentence, into the rest. Returns how far it is from the upper edge. */
async function readTo(i: number): Promise<number> {
  await loadRest();
  await page.getByText(sentence(i), { exact: true }).scrollIntoViewIfNeeded();
  const from = await scrolled();
  await page.mouse.wheel(0, 37);
  await expect.poll(scrolled).not.toBe(from);
  await expect.poll(isPlaceKept).toBe(true);
  expect(await scrolled()).toBeGreaterThan(5_000);
  return topOf(i);
}
/** Whether the page has noted where its paragraphs are, and they rest. */
const isPlaceKept = () =>
  page.evaluate<boolean>(`(async () => {
    const isThere = () => {
      const { number, top } = history.state?.place ?? {};
      const paragraph = document.querySelector('.speech').children[number];
      return Math.abs(paragraph?.getBoundingClientRect().top - top) < 1;
    };
    const wasThere = isThere();
    await new Promise((resolve) => setTimeout(resolve, 150));
    return wasThere && isThere();
  })()`);

it('paper has the address of the whole transcript, unless that was loaded', async () => {
  await open(path);
  await page.emulateMedia({ media: 'print' });
  const after = await link().evaluate(
    (one) => one.ownerDocument.defaultView.getComputedStyle(one, '::after').content,
  );
  expect(after).toContain(`${service}${path}?transcript=all`);
});
