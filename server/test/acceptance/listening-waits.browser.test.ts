import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { attachTone } from '../../src/domain/publishing/audio/index.ts';
import type { TestApp } from '../create-test-app.ts';
import { makeEpisode, makePodcast } from '../make.ts';
import { serveToBrowser } from '../serve-to-browser.ts';

// A position in a page's URL waits for a press, and what is next for a connection.

const opened = new AsyncDisposableStack();
let browser: Browser;
let app: TestApp;
let service: string;

beforeAll(async () => {
  ({ browser, app, service } = opened.use(await serveToBrowser()));
  const show = await makePodcast(app.ctx, { slug: 'signals', title: 'Night Signals' });
  for (const [slug, title] of [
    ['dusk', 'Dusk on the dial'],
    ['first-light', 'First light'],
    ['whistlers', 'Whistlers'],
  ] as const) {
    const { id } = await makeEpisode(app.ctx, show, { slug, title });
    await attachTone(app.ctx, id, 120);
  }
}, 120_000);
afterAll(() => opened.disposeAsync());

let page: Page;
afterEach(() => page.context().close());

const read = <T>(script: string): Promise<T> => page.evaluate(script) as Promise<T>;
const player = `document.querySelector('aside.visit')?.shadowRoot.querySelector('podstead-player')`;
const seconds = () => read<number | undefined>(`${player}?.currentTime`);
const isPaused = () => read<boolean | undefined>(`${player}?.paused`);
const dock = () => page.locator('aside.visit');
const isShown = (title: string) => dock().getByRole('link', { name: title }).first().waitFor();
const standIn = () => page.locator('main .stand-in button');
const seek = (to: number) => read(`${player}.seek(${to})`);
const isPlayingAfter = (from: number) => expect.poll(seconds).toBeGreaterThan(from);
const inQueue = () =>
  read<string[]>(
    `JSON.parse(localStorage.getItem('podstead-queue') ?? '{}').entries?.map((one) => one.title) ?? []`,
  );
const isLoaded = () =>
  read<boolean>(`(() => {
    const { buffered, duration } = ${player}.shadowRoot.querySelector('audio');
    return buffered.length > 0 && buffered.end(buffered.length - 1) > duration - 1;
  })()`);

/** The first episode plays at the bottom, all of it is loaded, and these are queued. */
async function listen(...queued: readonly string[]): Promise<void> {
  page = await (await browser.newContext()).newPage();
  await page.goto(`${service}/listen/signals`);
  for (const title of queued) {
    await page.getByRole('listitem').filter({ hasText: title }).locator('[data-queue]').click();
    await expect.poll(inQueue).toContain(title);
  }
  await page.getByLabel('Play First light').first().click();
  await isShown('First light');
  await isPlayingAfter(0.2);
  await expect.poll(isLoaded).toBe(true);
}

// PAGE-19
describe('a position in the URL of a page whose episode plays at the bottom', () => {
  it('the page’s button plays from there once, and then pauses', async () => {
    await listen();
    await read(`document.querySelector('main a[href$="/first-light"]').href += '#t=60'`);
    await page.locator('main a[href$="#t=60"]').first().click();
    await page.getByRole('heading', { level: 1, name: 'First light' }).waitFor();
    await expect.poll(() => standIn().textContent()).toBe('Play');
    expect(await seconds()).toBeLessThan(60);
    await standIn().click();
    await isPlayingAfter(60);
    await expect.poll(() => standIn().textContent()).toBe('Pause');
    expect(new URL(page.url()).hash).toBe('');
    await standIn().click();
    await expect.poll(isPaused).toBe(true);
    await standIn().click();
    await expect.poll(isPaused).toBe(false);
    expect(await seconds()).toBeGreaterThan(60);
  });
});

// PAGE-40
describe('the player without a connection', () => {
  const setOffline = (isOffline: boolean) => page.context().setOffline(isOffline);
  const notice = () =>
    dock().getByText('You are offline. The next episode starts when you are back online.');

  it('the queue waits at the end of an episode, says so, and goes on with the connection', async () => {
    await listen('Whistlers', 'Dusk on the dial');
    await setOffline(true);
    await seek(119.5);
    await notice().waitFor();
    expect(await inQueue()).toEqual(['Whistlers', 'Dusk on the dial']);
    await isShown('First light');
    await setOffline(false);
    await isShown('Whistlers');
    await isPlayingAfter(0.2);
    expect(await notice().count()).toBe(0);
    await expect.poll(inQueue).toEqual(['Dusk on the dial']);
  });

  it('the show’s next episode follows when the connection is back, if nothing is queued', async () => {
    await listen();
    await setOffline(true);
    await seek(119.5);
    await expect.poll(isPaused).toBe(true);
    expect(await notice().count()).toBe(0);
    await setOffline(false);
    await isShown('Whistlers');
    await expect.poll(isPaused).toBe(false);
  });

  it('what waits does not begin once the listener plays something else', async () => {
    await listen('Whistlers');
    await setOffline(true);
    await seek(119.5);
    await notice().waitFor();
    await dock().getByRole('button', { name: 'Play', exact: true }).click();
    await expect.poll(isPaused).toBe(false);
    await setOffline(false);
    await isPlayingAfter(0.2);
    await isShown('First light');
    expect(await inQueue()).toEqual(['Whistlers']);
  });

  it('what waits does not begin once another tab plays', async () => {
    await listen('Whistlers');
    await setOffline(true);
    await seek(119.5);
    await notice().waitFor();
    const sound = JSON.stringify({ key: 'podstead-sound' });
    await read(`dispatchEvent(new StorageEvent('storage', ${sound}))`);
    await setOffline(false);
    await expect.poll(() => notice().count()).toBe(0);
    expect(await isPaused()).toBe(true);
    expect(await inQueue()).toEqual(['Whistlers']);
  });

  it('an episode that is chosen offline plays when the connection is back', async () => {
    await listen('Whistlers');
    // What is routed isn't in the browser's cache.
    await page.route('**/v1/**', (route) => route.continue());
    await setOffline(true);
    await dock().getByRole('button', { name: 'Queue, chapters and settings' }).click();
    await dock().getByRole('button', { name: 'Whistlers' }).first().click();
    await dock().getByText('You are offline. Playback continues').waitFor();
    expect(await inQueue()).toEqual(['Whistlers']);
    await setOffline(false);
    await isShown('Whistlers');
    await expect.poll(isPaused).toBe(false);
    await expect.poll(inQueue).toEqual([]);
  });
});
