import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { attachTone } from '../../src/domain/publishing/audio/index.ts';
import type { Episode } from '../../src/domain/publishing/episodes/index.ts';
import { updateEpisode } from '../../src/domain/publishing/episodes/index.ts';
import type { Podcast } from '../../src/domain/publishing/podcasts/index.ts';
import { setChapters, setTranscript } from '../../src/domain/publishing/transcripts/index.ts';
import type { TestApp } from '../create-test-app.ts';
import { makeEpisode, makePodcast } from '../make.ts';
import { serveToBrowser } from '../serve-to-browser.ts';

// PAGE-19: one player stays at the bottom while a listener moves between listen pages.

const opened = new AsyncDisposableStack();
let browser: Browser;
let app: TestApp;
let service: string;
let first: Episode;
let archive: Podcast;

beforeAll(async () => {
  ({ browser, app, service } = opened.use(await serveToBrowser()));
  const signals = await makePodcast(app.ctx, { slug: 'signals', title: 'Night Signals' });
  for (const [slug, title] of [
    ['dusk', 'Dusk on the dial'],
    ['first-light', 'First light'],
    ['whistlers', 'Whistlers'],
  ] as const) {
    const episode = await makeListenable(signals, slug, title);
    if (slug === 'first-light') first = episode;
  }
  await describeFirst();
  const starlings = await makePodcast(app.ctx, {
    slug: 'starlings',
    title: 'Static and starlings',
    language: 'de',
    brandColor: '#aa3300',
  });
  await makeListenable(starlings, 'wires', 'Two wires');
  archive = await makePodcast(app.ctx, { slug: 'archive', title: 'The archive' });
}, 120_000);
afterAll(() => opened.disposeAsync());

let made = 0;
async function makeListenable(show: Podcast, slug: string, title: string): Promise<Episode> {
  made += 1;
  const publishedAt = new Date(app.clock.now().getTime() - 1_000_000 + made * 1_000);
  const showNotesHtml = `<p>${'Notes. '.repeat(900)}</p><p><a href="${service}/listen/starlings">Starlings</a></p>`;
  const episode = await makeEpisode(app.ctx, show, { slug, title, publishedAt, showNotesHtml });
  await attachTone(app.ctx, episode.id, 120);
  return episode;
}

async function describeFirst(): Promise<void> {
  await updateEpisode(app.ctx, first.id, { publishTranscript: true });
  await setChapters(app.ctx, first.id, [
    { startMs: 0, title: 'Opening' },
    { startMs: 60_000, title: 'Dawn' },
  ]);
  const said = (startMs: number, text: string) => ({
    startMs,
    endMs: startMs + 900,
    speaker: '',
    text,
  });
  const segments = [said(0, 'Good evening.'), said(60_000, 'The sun is up.')];
  await setTranscript(app.ctx, first.id, {
    language: 'en',
    segments,
    wordCount: 6,
    durationMs: 61_000,
  });
}

let page: Page;
let complaints: string[];
afterEach(async () => {
  await page.context().close();
  expect(complaints).toEqual([]);
});

async function open(path: string, options: BrowserContextOptions = {}): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 800, height: 700 }, ...options });
  page = await context.newPage();
  complaints = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error' && !/40[34]/.test(message.text()))
      complaints.push(message.text());
  });
  await page.goto(`${service}/listen/${path}`);
}

const dock = () => page.locator('aside.visit');
const player = () => dock().locator('podstead-player');
const inDock = (name: string) => dock().getByRole('button', { name, exact: true });
const heading = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
const read = <T>(script: string): Promise<T> => page.evaluate(script) as Promise<T>;
const playerScript = `document.querySelector('aside.visit').shadowRoot.querySelector('podstead-player')`;
const seconds = () => read<number>(`${playerScript}?.currentTime`);
const isPaused = () => read<boolean>(`${playerScript}.paused`);
const seek = (to: number) => read(`${playerScript}.seek(${to})`);
const plays = async () => {
  const from = (await seconds()) ?? 0;
  await expect.poll(seconds).toBeGreaterThan(from + 0.2);
};
const press = (name: string) => page.getByRole('button', { name, exact: true }).first().click();
/** A mark that a newly loaded document doesn't have. */
const mark = () => read('window.marked = true');
const isSameDocument = () => read<boolean>('window.marked === true');

async function listenTo(path: string): Promise<void> {
  await open(path);
  await page.locator('main podstead-player .card:not([aria-busy])').waitFor();
  await press('Play');
  await dock().waitFor();
  await plays();
  await mark();
}

/**
 * Records everything that an interruption of the audio would fire, and its position in each frame. With all of the
 * audio there, `waiting` says only that the decoder had no processor.
 */
const record = () =>
  read(`(() => {
    const audio = ${playerScript}.shadowRoot.querySelector('audio');
    window.heard = { events: [], times: [], audio };
    for (const name of ['pause', 'seeking', 'waiting', 'emptied', 'stalled', 'ended', 'abort'])
      audio.addEventListener(name, () => {
        const { buffered, currentTime, duration } = audio;
        const isThere = Array.from(buffered, (_, n) => n).some((n) =>
          buffered.start(n) <= currentTime && buffered.end(n) > Math.min(currentTime + 1, duration - 1));
        if (name !== 'waiting' || !isThere) window.heard.events.push(name);
      });
    const note = () => {
      window.heard.times.push(audio.currentTime);
      requestAnimationFrame(note);
    };
    note();
  })()`);
/** Whether all of the audio is here. */
const isLoaded = () =>
  read<boolean>(`(() => {
    const { buffered, duration } = ${playerScript}.shadowRoot.querySelector('audio');
    return buffered.length > 0 && buffered.end(buffered.length - 1) > duration - 1;
  })()`);
const recorded = () =>
  read<{ events: string[]; times: number[]; isPaused: boolean; isSame: boolean }>(`({
    events: window.heard.events,
    times: window.heard.times,
    isPaused: window.heard.audio.paused,
    isSame: ${playerScript}.shadowRoot.querySelector('audio') === window.heard.audio,
  })`);

describe('moving between listen pages', () => {
  it('the audio plays on across five pages and two shows, without an event or a step back', async () => {
    await open('signals/first-light');
    await page.locator('main podstead-player .card:not([aria-busy])').waitFor();
    // From before the player moves to the bottom.
    await read(`(() => {
      const audio = document.querySelector('main podstead-player').shadowRoot.querySelector('audio');
      window.events = [];
      for (const name of ['pause', 'seeking', 'emptied'])
        audio.addEventListener(name, () => window.events.push(name));
    })()`);
    await press('Play');
    await dock().waitFor();
    await plays();
    await mark();
    // What is interrupted then is not because of a slow machine.
    await expect.poll(isLoaded).toBe(true);
    await record();
    const begun = await seconds();
    const follow = async (name: string, title: string) => {
      await page.locator('main, header').getByRole('link', { name }).first().click();
      await heading(title);
      await expect.poll(() => read('document.activeElement.textContent')).toContain(title);
      await plays();
    };
    await follow('Night Signals', 'Night Signals');
    await follow('Whistlers', 'Whistlers');
    await follow('Starlings', 'Static and starlings');
    expect(await read('document.documentElement.lang')).toBe('de');
    await follow('Two wires', 'Two wires');
    await page.goBack();
    await heading('Static and starlings');
    await plays();
    const { events, times, isPaused: hasPaused, isSame } = await recorded();
    expect(events).toEqual([]);
    expect(await read('window.events')).toEqual([]);
    expect([hasPaused, isSame]).toEqual([false, true]);
    expect(times.every((time, i) => i === 0 || time >= times[i - 1]!)).toBe(true);
    expect(times.at(-1)! - begun).toBeGreaterThan(1);
    expect(await isSameDocument()).toBe(true);
    expect(await player().getAttribute('episode')).toBe(first.id);
  });

  it('the page that is reached has its own head, colors, language and address', async () => {
    await listenTo('signals/first-light');
    const head = () =>
      read<Record<string, string>>(`({
        url: location.href,
        title: document.title,
        canonical: document.querySelector('link[rel=canonical]').href,
        ogUrl: document.querySelector('meta[property="og:url"]').content,
        color: document.querySelector('meta[name=theme-color]').content,
        lang: document.documentElement.lang,
        accent: getComputedStyle(document.documentElement).getPropertyValue('--accent'),
        heads: String(document.querySelectorAll('link[rel=canonical], title, script[type*=ld]').length),
        display: getComputedStyle(document.querySelector('.top')).display,
      })`);
    await page.getByRole('link', { name: 'Starlings' }).click();
    await heading('Static and starlings');
    await page.getByText('Two wires').first().waitFor();
    const reached = await head();
    await page.goto(`${service}/listen/starlings`);
    expect(reached).toEqual(await head());
    expect(reached['lang']).toBe('de');
  });

  it('a fragment that cannot be decoded interrupts nothing', async () => {
    await listenTo('signals/first-light');
    await read(`document.querySelector('main a[href$="/starlings"]').href += '#50%'`);
    await page.getByRole('link', { name: 'Starlings' }).click();
    await heading('Static and starlings');
    await plays();
    expect(await isSameDocument()).toBe(true);
  });

  it('screen readers are told of the new page, and the position is that of browsers', async () => {
    await listenTo('signals/first-light');
    await read('scrollTo(0, 600)');
    await page.getByRole('link', { name: 'Starlings' }).click();
    await heading('Static and starlings');
    await dock()
      .getByRole('status')
      .getByText('Static and starlings')
      .waitFor({ state: 'attached' });
    expect(await read('scrollY')).toBe(0);
    await page.goBack();
    await heading('First light');
    // Clicking has scrolled the link into view.
    await expect.poll(() => read<number>('scrollY')).toBeGreaterThan(500);
    await page.goForward();
    await heading('Static and starlings');
    expect(await isSameDocument()).toBe(true);
  });

  it.each([
    [
      'an error page',
      (path: string) => page.route(path, (route) => route.fulfill({ status: 500, body: 'Broken' })),
    ],
    ['no network', (path: string) => page.route(path, (route) => route.abort(), { times: 1 })],
    [
      'a page of another release',
      (path: string) =>
        page.route(
          path,
          async (route) => {
            const response = await route.fetch();
            const text = (await response.text()).replaceAll('/player/v1.', '/player/v1.0');
            await route.fulfill({ response, body: text });
          },
          { times: 1 },
        ),
    ],
  ] as const)('%s: the browser follows the link itself', async (_, fail) => {
    await listenTo('signals/first-light');
    await fail('**/listen/starlings');
    const loaded = page.waitForEvent('load');
    await page.getByRole('link', { name: 'Starlings' }).click();
    await loaded;
    expect(page.url()).toBe(`${service}/listen/starlings`);
    expect(await isSameDocument()).toBe(false);
    complaints.length = 0;
  });

  // PAGE-39. Requests that are routed get nothing from the browser’s cache.
  it('the audio goes on without a connection, whatever page is asked for', async () => {
    await listenTo('signals/first-light');
    await expect.poll(isLoaded).toBe(true);
    await page.getByRole('link', { name: 'Starlings' }).click();
    await heading('Static and starlings');
    await page.route('**/listen/**', (route) => route.continue());
    await page.context().setOffline(true);
    const warning = dock().getByText('You are offline. Please try again later.');
    await page.locator('main').getByRole('link', { name: 'Two wires' }).first().click();
    await warning.waitFor();
    await page.goBack();
    await plays();
    await heading('Static and starlings');
    await page.context().setOffline(false);
    await heading('First light');
    await expect.poll(() => warning.count()).toBe(0);
    expect(await isSameDocument()).toBe(true);
    complaints.length = 0;
  });

  it('links elsewhere, downloads, and links in new tabs are the browser’s', async () => {
    await listenTo('signals/first-light');
    const [tab] = await Promise.all([
      page.context().waitForEvent('page'),
      page.getByRole('link', { name: 'Starlings' }).click({ modifiers: ['ControlOrMeta'] }),
    ]);
    await tab.close();
    await page.getByRole('link', { name: 'Podstead' }).last().click();
    await page.waitForURL(`${service}/`);
    expect(await isSameDocument()).toBe(false);
  });
});

describe('the queue', () => {
  const queue = () => dock().getByRole('region', { name: 'Queue' }).locator('.name');

  it('episodes are queued, ordered and removed by keyboard alone', async () => {
    await open('signals');
    const queueButton = (n: number) => page.locator('.later [data-queue]').nth(n);
    for (const n of [0, 1, 2]) {
      await queueButton(n).focus();
      await page.keyboard.press('Enter');
      await expect.poll(() => queueButton(n).textContent()).toBe('Remove from queue');
    }
    await inDock('Queue, chapters and settings').focus();
    await page.keyboard.press('Enter');
    expect(await queue().allTextContents()).toEqual([
      'Whistlers',
      'First light',
      'Dusk on the dial',
    ]);
    await inDock('Move down: Whistlers').focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    expect(await queue().allTextContents()).toEqual([
      'First light',
      'Dusk on the dial',
      'Whistlers',
    ]);
    await dock()
      .getByRole('status')
      .getByText('Whistlers: number 3 of 3')
      .waitFor({ state: 'attached' });
    const focused = () =>
      read<string>(`document.activeElement.shadowRoot.activeElement.getAttribute('aria-label')`);
    expect(await focused()).toBe('Move up: Whistlers');
    await inDock('Remove: Dusk on the dial').focus();
    await page.keyboard.press('Enter');
    expect(await focused()).toBe('Remove: Whistlers');
    expect(await queue().allTextContents()).toEqual(['First light', 'Whistlers']);
    await inDock('Clear queue').press('Enter');
    expect(await queue().allTextContents()).toEqual([]);
    await page.keyboard.press('Escape');
    expect(await focused()).toBe('Queue, chapters and settings');
    expect(await inDock('Clear queue').isVisible()).toBe(false);
  });

  it('the next episode follows, of the queue first, then of the show', async () => {
    await listenTo('signals/first-light');
    await page.getByRole('link', { name: 'Starlings' }).click();
    await page.locator('.later [data-queue]').first().click();
    const title = (name: string) => player().getByRole('link', { name }).waitFor();
    await seek(119.5);
    await title('Two wires');
    await plays();
    expect(await queue().count()).toBe(0);
    await title('Two wires');
    await page.goto(`${service}/listen/signals/first-light`);
    await dock().waitFor();
    await page.locator('main .stand-in button').click();
    await plays();
    await seek(119.5);
    await title('Whistlers');
    await plays();
  });

  it('the next episode follows that is listed after sixty others, and not one without audio', async () => {
    await makeListenable(archive, 'one', 'The first reel');
    const silent = { publishedAt: new Date(app.clock.now().getTime() - 900_000) };
    await makeEpisode(app.ctx, archive, { slug: 'two', title: 'No reel', ...silent });
    const from = app.clock.now().getTime() - 800_000;
    for (let n = 0; n < 60; n += 1) {
      const publishedAt = new Date(from + n * 1_000);
      const episode = await makeEpisode(app.ctx, archive, { slug: `n${n}`, publishedAt });
      if (n === 0) await updateEpisode(app.ctx, episode.id, { title: 'The second reel' });
      if (n === 0) await attachTone(app.ctx, episode.id, 120);
    }
    await listenTo('archive/one');
    await seek(119.5);
    await player().getByRole('link', { name: 'The second reel' }).waitFor();
    await plays();
  });

  it('the sheet names the episode, and leads to its page and its transcript', async () => {
    await listenTo('signals/first-light');
    await page.getByRole('link', { name: 'Whistlers' }).first().click();
    await page.waitForURL('**/whistlers');
    await inDock('Queue, chapters and settings').click();
    const sheet = dock().getByRole('group', { name: 'Queue, chapters and settings' });
    await sheet.getByRole('link', { name: 'Transcript' }).click();
    await page.waitForURL('**/first-light#transcript');
    expect(await sheet.isVisible()).toBe(false);
    await inDock('Queue, chapters and settings').click();
    await sheet.getByRole('link', { name: 'First light Night Signals' }).click();
    await page.waitForURL(`${service}/listen/signals/first-light`);
    expect(await isSameDocument()).toBe(true);
  });

  it('a phone shows the title, or the chapter, and the time', async () => {
    await listenTo('signals/dusk');
    await page.setViewportSize({ width: 390, height: 800 });
    const now = dock().locator('.now');
    await expect.poll(() => now.innerText()).toMatch(/^Dusk on the dial\s*0:\d\d \/ 2:00$/);
    await page.setViewportSize({ width: 1024, height: 800 });
    expect(await now.isVisible()).toBe(false);
  });

  it('nothing follows if the listener does not want it, also after a reload', async () => {
    await listenTo('signals/first-light');
    await inDock('Queue, chapters and settings').click();
    await dock().getByLabel('Continue with the next episode').uncheck();
    await page.reload();
    await dock().waitFor();
    await player().locator('.card:not([aria-busy])').waitFor();
    await inDock('Play').click();
    await plays();
    await seek(119.5);
    await expect.poll(isPaused).toBe(true);
    expect(await player().getAttribute('episode')).toBe(first.id);
    await inDock('Queue, chapters and settings').click();
    expect(await dock().getByLabel('Continue with the next episode').isChecked()).toBe(false);
  });

  it('a queue that anything has written to is read as far as it can be', async () => {
    await open('signals');
    for (const stored of ['{', '[]', '"x"', '{"entries":[null,{"id":1},7],"continues":"x"}']) {
      await page.evaluate((text) => localStorage.setItem('podstead-queue', text), stored);
      await page.reload();
      await page.locator('.later [data-queue]').first().click();
      await inDock('Queue, chapters and settings').click();
      expect(await queue().allTextContents(), stored).toEqual(['Whistlers']);
      await page.evaluate(() => sessionStorage.clear());
    }
  });

  it('a visit begins whatever has been written in the place of positions', async () => {
    await open('signals');
    for (const stored of ['{"at":null}', '{"at":7}', '[]', '{']) {
      await page.evaluate((text) => {
        localStorage.clear();
        sessionStorage.clear();
        localStorage.setItem('podstead', text);
      }, stored);
      await page.reload();
      await page.locator('.later [data-queue]').first().click();
      await dock().waitFor();
    }
  });
});

describe('a visit that goes on', () => {
  it('a reload resumes the episode at its position and speed', async () => {
    await listenTo('signals/first-light');
    await seek(42);
    await player().getByLabel('Speed').selectOption('1.5');
    await page.getByRole('link', { name: 'Starlings' }).click();
    await heading('Static and starlings');
    await plays();
    await page.reload();
    await dock().waitFor();
    await player().getByRole('link', { name: 'First light' }).waitFor();
    await expect.poll(seconds).toBeGreaterThanOrEqual(42);
    expect(await isPaused()).toBe(true);
    await player().locator('.play').click();
    await plays();
    expect(await player().locator('.speed').inputValue()).toBe('1.5');
  });

  it('lists show how much of an episode is left', async () => {
    await listenTo('signals/first-light');
    await seek(50);
    await plays();
    await page.getByRole('link', { name: 'Night Signals' }).first().click();
    const row = page.locator('.episode', { hasText: 'First light' });
    await row.getByText('1 minute left').waitFor();
    expect(Number(await row.locator('progress').getAttribute('max'))).toBe(120);
    expect(await page.locator('.left').count()).toBe(1);
    await row.locator('[aria-label="Pause First light"]').click();
    await expect.poll(isPaused).toBe(true);
    await row.locator('summary[aria-label="Play First light"]').click();
    await expect.poll(isPaused).toBe(false);
  });

  it('the player can be closed, and links are the browser’s again', async () => {
    await listenTo('signals/first-light');
    await inDock('Queue, chapters and settings').click();
    await inDock('Close player').click();
    await expect.poll(() => dock().count()).toBe(0);
    await page.getByRole('link', { name: 'Starlings' }).click();
    await heading('Static and starlings');
    expect(await isSameDocument()).toBe(false);
    expect(await dock().count()).toBe(0);
    await page.goBack();
    await heading('First light');
  });
});

describe('what is heard', () => {
  it('the chapter and the spoken line are shown, and chapters seek', async () => {
    await listenTo('signals/first-light');
    await dock().locator('.now').getByText('Opening').waitFor();
    await dock().getByText('Good evening.').waitFor();
    await inDock('Queue, chapters and settings').click();
    await dock().getByRole('button', { name: 'Dawn' }).click();
    await dock().getByText('The sun is up.').waitFor();
    expect(await page.locator('.place[aria-current]').textContent()).toContain('Dawn');
    // Chapters of the page seek in the same player.
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Opening' }).click();
    await dock().getByText('Good evening.').waitFor();
    expect(await seconds()).toBeLessThan(30);
  });

  it('the sleep timer pauses after its time', async () => {
    await open('signals/first-light');
    await page.clock.install();
    await page.reload();
    await press('Play');
    await dock().waitFor();
    await expect.poll(isPaused).toBe(false);
    await inDock('Queue, chapters and settings').click();
    const timer = dock().getByLabel('Sleep timer');
    expect(await timer.locator('option').allTextContents()).toEqual([
      'Off',
      ...[5, 10, 15, 30, 45, 60].map((n) => `${n} minutes`),
      'End of the episode',
    ]);
    await timer.selectOption('5 minutes');
    await page.clock.fastForward('04:50');
    expect(await isPaused()).toBe(false);
    await page.clock.fastForward('00:20');
    await expect.poll(isPaused).toBe(true);
    expect(await timer.inputValue()).toBe('');
  });

  it('the sleep timer ends with the episode', async () => {
    await listenTo('signals/first-light');
    await inDock('Queue, chapters and settings').click();
    await dock().getByLabel('Sleep timer').selectOption('End of the episode');
    await seek(119.5);
    await expect.poll(isPaused).toBe(true);
    await expect.poll(() => dock().getByLabel('Sleep timer').inputValue()).toBe('');
    expect(await player().getAttribute('episode')).toBe(first.id);
  });

  it('casting is offered if the browser has found a device', async () => {
    const found = `Object.defineProperty(HTMLMediaElement.prototype, 'remote', { get() {
      return {
        watchAvailability: async (show) => setTimeout(() => show(window.hasDevice)),
        prompt: async () => { window.hasPrompted = true; },
      };
    } })`;
    for (const hasDevice of [true, false]) {
      await open('signals/first-light');
      await page.addInitScript(`window.hasDevice = ${hasDevice}; ${found}`);
      await page.reload();
      await press('Play');
      await inDock('Queue, chapters and settings').click();
      await expect.poll(() => inDock('Play on another device').isVisible()).toBe(hasDevice);
      if (!hasDevice) continue;
      await inDock('Play on another device').click();
      expect(await read('window.hasPrompted')).toBe(true);
      await page.context().close();
    }
  });

  it('the keys of a headset go to the next episode of the queue', async () => {
    await open('signals');
    await page.addInitScript(`(() => {
      window.keys = {};
      const set = MediaSession.prototype.setActionHandler;
      MediaSession.prototype.setActionHandler = function (action, handler) {
        window.keys[action] = handler;
        return set.call(this, action, handler);
      };
    })()`);
    await page.reload();
    await page.getByLabel('Play Dusk on the dial').first().click();
    await dock().waitFor();
    await plays();
    expect(await read('window.keys.nexttrack')).toBe(null);
    await page.locator('.later [data-queue]').first().click();
    await expect.poll(() => read('Boolean(window.keys.nexttrack)')).toBe(true);
    await read('window.keys.nexttrack()');
    await player().getByRole('link', { name: 'Whistlers' }).waitFor();
    await plays();
  });
});

describe('a window of 320 × 256', () => {
  const small = { viewport: { width: 320, height: 256 }, reducedMotion: 'reduce' } as const;

  it('the player covers at most a third of it, and its sheet scrolls', async () => {
    await open('signals/first-light', small);
    await press('Play');
    await dock().waitFor();
    const { height, y } = (await dock().boundingBox())!;
    expect(height).toBeLessThanOrEqual(256 / 3);
    expect(y + height).toBe(256);
    expect(await read('document.documentElement.scrollWidth')).toBe(320);
    await read('scrollTo(0, 1e6)');
    const covered = await page.locator('footer').boundingBox();
    expect(covered!.y + covered!.height).toBeLessThanOrEqual(y + 1);
    await inDock('Queue, chapters and settings').click();
    const sheet = await dock().locator('.sheet').boundingBox();
    expect(sheet!.y).toBeGreaterThanOrEqual(0);
    await inDock('Close player').click();
  });
});

describe('a browser that runs no scripts', () => {
  it('the browser’s own player plays, and nothing is offered that needs a script', async () => {
    await open('signals', { javaScriptEnabled: false });
    expect(await page.locator('[data-queue]').first().isVisible()).toBe(false);
    await page.getByRole('link', { name: 'First light' }).click();
    await page.waitForURL('**/first-light');
    expect(await page.locator('.player audio').isVisible()).toBe(true);
    expect(await page.locator('.tools [data-queue]').isVisible()).toBe(false);
  });

  it('a row plays in place if the script of the visit is missing', async () => {
    await open('signals');
    await page.route('**/player/visit.*', (route) => route.abort());
    await page.getByLabel('Play First light').first().click();
    await page.locator('.episode podstead-player').getByRole('button', { name: 'Pause' }).waitFor();
    complaints.length = 0;
  });

  // PAGE-24
  it('a player in a row has the theme of its page', async () => {
    const show = await makePodcast(app.ctx, { slug: 'cellar', pageTheme: 'dark' });
    await makeListenable(show, 'below', 'Below');
    await open('cellar');
    await page.route('**/player/visit.*', (route) => route.abort());
    await page.locator('.episode').getByLabel('Play Below').first().click();
    const player = page.locator('.episode podstead-player');
    await player.waitFor();
    expect(await player.getAttribute('theme')).toBe('dark');
    complaints.length = 0;
  });
});
