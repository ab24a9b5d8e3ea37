import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser } from '../../../player/test/browser.ts';
import { findSecondBrowser } from '../../../player/test/find-chromium.ts';
import { attachTone } from '../../src/domain/publishing/audio/index.ts';
import type { TestApp } from '../create-test-app.ts';
import { makeEpisode, makePodcast } from '../make.ts';
import { serveToBrowser } from '../serve-to-browser.ts';

// What was heard continues in the next document of a tab, and in no other tab.

const opened = new AsyncDisposableStack();
let browser: Browser;
let keeping: Browser;
let strict: Browser;
let app: TestApp;
let service: string;

beforeAll(async () => {
  ({ browser, app, service } = opened.use(await serveToBrowser()));
  // The headless shell keeps no page that was left, and lets every page make sounds.
  keeping = await launchBrowser([], ['--disable-back-forward-cache'], findSecondBrowser());
  opened.defer(() => keeping.close());
  strict = await launchBrowser(['--autoplay-policy=user-gesture-required']);
  opened.defer(() => strict.close());
  const show = await makePodcast(app.ctx, { slug: 'signals', title: 'Night Signals' });
  for (const [slug, title] of [
    ['dusk', 'Dusk on the dial'],
    ['first-light', 'First light'],
  ] as const) {
    const { id } = await makeEpisode(app.ctx, show, { slug, title });
    await attachTone(app.ctx, id, 120);
  }
}, 120_000);
afterAll(() => opened.disposeAsync());

let page: Page;
afterEach(() => page.context().close());

const read = <T>(script: string, of = page): Promise<T> => of.evaluate(script) as Promise<T>;
const player = `document.querySelector('aside.visit')?.shadowRoot.querySelector('podstead-player')`;
const seconds = (of = page) => read<number | undefined>(`${player}?.currentTime`, of);
const isPaused = (of = page) => read<boolean | undefined>(`${player}?.paused`, of);
const isPlaying = async (of = page) => {
  await expect.poll(() => seconds(of)).toBeGreaterThan(0);
  const from = (await seconds(of)) as number;
  await expect.poll(() => seconds(of)).toBeGreaterThan(from + 0.2);
};
const dock = (of = page) => of.locator('aside.visit');
const isShown = async (title: string, of = page) => {
  await dock(of).getByRole('link', { name: title }).waitFor();
  await dock(of).locator('podstead-player .card:not([aria-busy])').waitFor();
};
const goBack = () => read('setTimeout(() => history.back())');
const isAt = (path: string) => expect.poll(() => page.url()).toBe(`${service}/listen/${path}`);

async function press(of = page): Promise<void> {
  await of.locator('main podstead-player .card:not([aria-busy])').waitFor();
  await of.getByRole('button', { name: 'Play', exact: true }).first().click();
  await isPlaying(of);
}

/** From the show's page, by a link that the browser follows itself, to an episode, which plays from its 50th second. */
async function listen(from: Browser = browser): Promise<void> {
  page = await (await from.newContext()).newPage();
  await page.goto(`${service}/listen/signals`);
  await page.locator('main').getByRole('link', { name: 'First light' }).first().click();
  await isAt('signals/first-light');
  await press();
  await read(`${player}.seek(50)`);
  await expect.poll(seconds).toBeGreaterThan(50);
}

// PAGE-36
describe('a page that is left while it plays', () => {
  it('an episode plays on when its listener goes back to a page that was loaded before', async () => {
    await listen();
    await goBack();
    await isAt('signals');
    await isShown('First light');
    await isPlaying();
    expect(await seconds()).toBeGreaterThanOrEqual(50);
    expect(await seconds()).toBeLessThan(60);
  });

  it.runIf(findSecondBrowser())(
    'an episode plays on when the browser brings back the page as it was',
    async () => {
      await listen(keeping);
      await read('window.marked = true');
      await goBack();
      await isAt('signals');
      await isShown('First light');
      await isPlaying();
      await read(`${player}.seek(80)`);
      await read('setTimeout(() => history.forward())');
      await isAt('signals/first-light');
      await isPlaying();
      expect(await read('window.marked')).toBe(true);
      expect(await seconds()).toBeGreaterThanOrEqual(80);
      // What was paused here or closed there is so when the listener continues.
      await read(`${player}.pause()`);
      await goBack();
      await isAt('signals');
      await expect.poll(isPaused).toBe(true);
      await read('podsteadVisit.close()');
      await read('setTimeout(() => history.forward())');
      await isAt('signals/first-light');
      await expect.poll(() => dock().count()).toBe(0);
    },
  );

  it('an episode waits for one press where the browser allows no sound without it', async () => {
    await listen(strict);
    // Whatever asks the page anything before it plays counts as a press.
    await page.addInitScript(`(() => {
      const { play } = HTMLMediaElement.prototype;
      HTMLMediaElement.prototype.play = function () {
        const playing = play.call(this);
        playing.catch(({ name }) => console.log(name));
        return playing;
      };
    })()`);
    const refused = page.waitForEvent('console', (message) => message.text() === 'NotAllowedError');
    await goBack();
    await refused;
    await isAt('signals');
    await isShown('First light');
    await expect.poll(isPaused).toBe(true);
    expect(await seconds()).toBeGreaterThanOrEqual(50);
    const button = page.locator('main [data-episode]:visible').first();
    await expect.poll(() => button.getAttribute('data-playing')).toBe(null);
    await dock().getByRole('button', { name: 'Play', exact: true }).click();
    await isPlaying();
    expect(await seconds()).toBeGreaterThanOrEqual(50);
  });

  it('the sleep timer goes on where the episode does', async () => {
    await listen();
    await dock().getByRole('button', { name: 'Queue, chapters and settings' }).click();
    await dock().getByLabel('Sleep timer').selectOption('5 minutes');
    await goBack();
    await isAt('signals');
    await isPlaying();
    await dock().getByRole('button', { name: 'Queue, chapters and settings' }).click();
    expect(await dock().getByLabel('Sleep timer').inputValue()).toBe('5');
  });

  it('an episode that was paused stays paused on the page before', async () => {
    await listen();
    await read(`${player}.pause()`);
    await goBack();
    await isAt('signals');
    await isShown('First light');
    expect([await isPaused(), await seconds()]).toEqual([true, expect.closeTo(50, -1)]);
  });

  it('an episode waits if its listener was elsewhere for more than ten seconds', async () => {
    await listen();
    await page.goto(`${service}/`);
    await read(`(() => {
      const kept = JSON.parse(sessionStorage.getItem('podstead-visit'));
      sessionStorage.setItem('podstead-visit', JSON.stringify({ ...kept, leftAtMs: kept.leftAtMs - 10_000 }));
    })()`);
    await goBack();
    await isAt('signals/first-light');
    await isShown('First light');
    expect(await isPaused()).toBe(true);
  });

  it('an episode waits after a reload, also on the pages before', async () => {
    await listen();
    await page.reload();
    await isShown('First light');
    expect(await isPaused()).toBe(true);
    await goBack();
    await isAt('signals');
    await isShown('First light');
    expect(await isPaused()).toBe(true);
  });

  it('another tab makes no sound, even with a copy of what this one keeps', async () => {
    await listen();
    const kept = JSON.parse(await read<string>(`sessionStorage.getItem('podstead-visit')`));
    const copy = JSON.stringify({ ...kept, leftAtMs: await read('Date.now()') });
    const other = await page.context().newPage();
    await other.addInitScript(`sessionStorage.setItem('podstead-visit', ${JSON.stringify(copy)})`);
    await other.goto(`${service}/listen/signals`);
    await isShown('First light', other);
    expect(await isPaused(other)).toBe(true);
  });
});

// PAGE-37
describe('two tabs', () => {
  it('an episode that begins in one tab pauses the one that plays in another', async () => {
    await listen();
    const other = await page.context().newPage();
    await other.goto(`${service}/listen/signals/dusk`);
    await press(other);
    await expect.poll(() => isPaused()).toBe(true);
    await dock().getByRole('button', { name: 'Play', exact: true }).click();
    await isPlaying();
    await expect.poll(() => isPaused(other)).toBe(true);
  });
});
