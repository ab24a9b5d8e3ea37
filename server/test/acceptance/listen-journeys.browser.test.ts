import {
  type Browser,
  type BrowserContextOptions,
  devices,
  type Locator,
  type Page,
} from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { indexEpisodes } from '../../src/domain/public/search/index.ts';
import { attachTone } from '../../src/domain/publishing/audio/index.ts';
import { setTranscript } from '../../src/domain/publishing/transcripts/index.ts';
import type { TestApp } from '../create-test-app.ts';
import { makeEpisode, makePodcast } from '../make.ts';
import { serveToBrowser } from '../serve-to-browser.ts';

// What listeners do from the first page to the last, on several devices, and with one of the inputs.

const opened = new AsyncDisposableStack();
let browser: Browser;
let app: TestApp;
let service: string;
const sentence = (i: number) =>
  `Sentence ${i} says what the antenna heard in the dunes before anybody was awake.`;

beforeAll(async () => {
  ({ browser, app, service } = opened.use(await serveToBrowser()));
  const show = await makePodcast(app.ctx, { slug: 'signals', title: 'Night Signals' });
  for (let n = 0; n < 10; n += 1) {
    const { id } = await makeEpisode(app.ctx, show, { slug: `e${n}`, title: `Evening ${n}` });
    await attachTone(app.ctx, id, 5);
  }
  const whales = { slug: 'whales', title: 'The whales of the north', publishTranscript: true };
  const { id } = await makeEpisode(app.ctx, show, whales);
  await attachTone(app.ctx, id, 300);
  const segments = Array.from({ length: 60 }, (_, i) => ({
    ...{ startMs: i * 5000, endMs: i * 5000 + 4900, text: sentence(i) },
    speaker: i % 12 < 6 ? 'Ana' : 'Bo',
  }));
  const facts = { language: 'en', hasTimes: true, wordCount: 1, durationMs: 300_000 };
  await setTranscript(app.ctx, id, { ...facts, segments });
  await indexEpisodes(app.ctx);
}, 120_000);
afterAll(() => opened.disposeAsync());

const desktop = { viewport: { width: 1000, height: 800 }, reducedMotion: 'reduce' } as const;

async function open(url: string, options: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext(options);
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: service });
  const page = await context.newPage();
  page.on('pageerror', (error) => expect.fail(String(error)));
  await page.goto(url);
  return page;
}

const copied = (page: Page) => page.evaluate<string>('navigator.clipboard.readText()');
/** Of whichever player of the page is there, at the bottom or in its place. */
const seconds = (page: Page) =>
  page
    .locator('podstead-player')
    .evaluate((one) => (one as unknown as { currentTime: number }).currentTime);

// PAGE-27
it('a sentence that was shared on a desktop is marked, in view and played on a phone', async () => {
  const desk = await open(`${service}/listen/signals/whales`, desktop);
  await desk.locator('.rest > a').click();
  await desk.getByText(sentence(41), { exact: true }).selectText();
  await desk.getByRole('button', { name: 'Copy link from 3:25' }).click();
  await expect.poll(() => copied(desk)).toMatch(/#t=205$/);
  const link = await copied(desk);
  await desk.context().close();

  const phone = await open(link, devices['Pixel 7'] ?? {});
  const shared = phone.locator('#main').getByText(sentence(41), { exact: true });
  await expect.poll(() => shared.getAttribute('aria-current')).toBe('true');
  await phone.locator('podstead-player .card:not([aria-busy])').waitFor();
  expect(await isUncovered(shared)).toBe(true);
  const top = await topOf(shared);
  const { x, y, width, height } = (await phone.locator('podstead-player .play').boundingBox())!;
  await phone.touchscreen.tap(x + width / 2, y + height / 2);
  await expect.poll(() => seconds(phone)).toBeGreaterThan(205.2);
  expect(await seconds(phone)).toBeLessThan(215);
  // The player has moved to the bottom of the window, and the sentence is where it was.
  await phone.locator('aside.visit').waitFor();
  await expect.poll(() => topOf(shared)).toBeCloseTo(top, -1);
  expect(await isUncovered(shared)).toBe(true);
  await phone.context().close();
});

const topOf = (one: Locator) => one.evaluate((element) => element.getBoundingClientRect().top);

/** Whether all of a text is in the window, and nothing is in front of it. */
const isUncovered = (one: Locator) =>
  one.evaluate((element) => {
    const { innerHeight } = element.ownerDocument.defaultView;
    return [...element.getClientRects()].every(({ left, top, right, bottom }) => {
      const front = element.ownerDocument.elementFromPoint((left + right) / 2, (top + bottom) / 2);
      return top >= 0 && bottom <= innerHeight && element.contains(front);
    });
  });

interface Focus {
  readonly name: string;
  /** The focus is nowhere. */
  readonly isLost: boolean;
  /** What has it shows that, and nothing is in front of it. */
  readonly isSeen: boolean;
}

/** In the page: what has the focus, through shadow roots. Headings get it after a page was exchanged. */
const readFocus = `(() => {
  let focused = document.activeElement;
  while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
  const isLost = !focused || focused === document.body;
  const { id, labels, tabIndex } = focused ?? {};
  const name = focused?.getAttribute('aria-label') || labels?.[0]?.textContent || focused?.textContent;
  const outlines = [focused, focused?.parentElement?.querySelector('.ring')]
    .filter(Boolean)
    .map((each) => getComputedStyle(each))
    .filter(({ outlineStyle, outlineWidth }) => outlineStyle !== 'none' && outlineWidth !== '0px');
  const { x, y, width, height } = focused.getBoundingClientRect();
  let front = document.elementFromPoint(x + width / 2, y + height / 2);
  while (front?.shadowRoot) {
    const inner = front.shadowRoot.elementFromPoint(x + width / 2, y + height / 2);
    if (!inner || inner === front) break;
    front = inner;
  }
  const isInFront = focused.contains(front) || focused.parentElement?.contains(front);
  const isSeen = tabIndex === -1 || (outlines.length > 0 && Boolean(isInFront));
  return { name: (name ?? '').replace(/\\s+/g, ' ').trim() || id, isLost, isSeen };
})()`;

/** A visitor who has only a keyboard. Wherever the focus is, it is seen. */
class Keyboard {
  readonly #page: Page;
  constructor(page: Page) {
    this.#page = page;
  }

  async focus(): Promise<string> {
    const focus = await this.#page.evaluate<Focus>(readFocus);
    expect(focus).toEqual({ name: focus.name, isLost: false, isSeen: true });
    return focus.name;
  }

  async press(...keys: string[]): Promise<string> {
    for (const key of keys) await this.#page.keyboard.press(key);
    return this.focus();
  }

  /** Moves the focus until it is at what has this name. */
  async goTo(name: RegExp, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
    const passed: string[] = [];
    for (let presses = 0; presses < 60; presses += 1) {
      const at = await this.press(key);
      if (name.test(at)) return;
      passed.push(at);
    }
    expect.fail(`${name} is not among ${passed.join(', ')}`);
  }
}

// PAGE-19, PAGE-20
it('a visitor with only a keyboard searches, listens, seeks, queues, shares and goes back', async () => {
  const page = await open(`${service}/listen/signals`, desktop);
  const keys = new Keyboard(page);
  await page.locator('podstead-player .card:not([aria-busy])').waitFor();
  await page.keyboard.press('Tab');
  expect(await keys.focus()).toBe('Skip to content');
  await page.keyboard.press('Enter');
  await keys.goTo(/Search episodes/);
  await page.keyboard.type('whales');
  await page.waitForURL(/\?q=whales/);
  await page.keyboard.press('Enter');
  await page.waitForURL(/\?q=whales#episodes$/);
  await keys.goTo(/^The whales of the north$/);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/whales');
  await page.locator('podstead-player .card:not([aria-busy])').waitFor();

  await keys.goTo(/^Play$/);
  await keys.press('Enter');
  const dock = page.locator('aside.visit');
  await dock.waitFor();
  await expect.poll(() => seconds(page)).toBeGreaterThan(0.2);
  expect(await keys.focus()).toBe('Pause');
  await keys.press('l', 'l');
  expect(await seconds(page)).toBeGreaterThan(60);
  await keys.goTo(/^Speed/);
  await keys.press('ArrowDown');
  const rate = () =>
    page
      .locator('podstead-player')
      .evaluate((one) => (one as unknown as { playbackRate: number }).playbackRate);
  await expect.poll(rate).not.toBe(1);

  await keys.goTo(/^Queue, chapters and settings/);
  await keys.press('Enter');
  await keys.goTo(/Sleep timer/);
  expect(await keys.press('Escape')).toMatch(/^Queue, chapters and settings/);

  await keys.goTo(/^Share$/, 'Shift+Tab');
  await keys.press('Enter');
  await keys.goTo(/Link to this page/);
  await keys.goTo(/^Copy$/);
  await keys.press('Enter');
  await expect.poll(() => copied(page)).toBe(`${service}/listen/signals/whales`);
  expect(await keys.press('Escape')).toBe('Share');
  await keys.goTo(/^Add to queue$/);
  expect(await keys.press('Enter')).toBe('Remove from queue');

  await page.goBack();
  // Its document is another one, so the episode waits at its position.
  await page.waitForURL(/\?q=whales#episodes$/);
  await dock.locator('.card:not([aria-busy])').waitFor();
  expect(await keys.focus()).toMatch(/^Episodes/);
  expect(await page.getByRole('searchbox').inputValue()).toBe('whales');
  expect(await seconds(page)).toBeGreaterThanOrEqual(60);
  await keys.goTo(/^Queue, chapters and settings/);
  await keys.press('Enter');
  await keys.goTo(/^Close player$/);
  await keys.press('Enter');
  await expect.poll(() => dock.count()).toBe(0);
  expect(await keys.focus()).toBe('Night Signals');
  await page.context().close();
});
