import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { insertEpisodes } from '../../../bench/installation/fill-show.sql.ts';
import { attachTone } from '../../src/domain/publishing/audio/index.ts';
import type { Podcast } from '../../src/domain/publishing/podcasts/index.ts';
import type { TestApp } from '../create-test-app.ts';
import { makeEpisode, makePodcast } from '../make.ts';
import { serveToBrowser } from '../serve-to-browser.ts';

// PAGE-30: a serial show offers listeners what comes next for them.

const opened = new AsyncDisposableStack();
let browser: Browser;
let app: TestApp;
let service: string;
let saga: Podcast;
/** Ids by slug. */
const ids: Record<string, string> = {};
/** Words of the offer, for an episode with a number and for any. */
const offers = {
  en: ['First episode', 'Continue with episode 2', 'Continue listening'],
  de: ['Erste Folge', 'Weiter mit Folge 2', 'Weiterhören'],
  es: ['Primer episodio', 'Continuar con el episodio 2', 'Seguir escuchando'],
  fr: ['Premier épisode', 'Continuer avec l’épisode 2', 'Poursuivre l’écoute'],
  ar: ['الحلقة الأولى', 'المتابعة مع الحلقة \u20682\u2069', 'متابعة الاستماع'],
  ja: ['最初のエピソード', '第2回から続ける', '続きを聴く'],
} as const;
const longTitle = 'A long way home, on which nobody said a word before they heard the sea again';

beforeAll(async () => {
  ({ browser, app, service } = opened.use(await serveToBrowser()));
  app.clock.advance(Date.now() - app.clock.now().getTime());
  saga = await makeShow('saga', 'en', [
    ['one', { title: longTitle, episodeNumber: 1 }],
    ['two', { episodeNumber: 2 }],
    ['three', { episodeNumber: 3 }],
    ['silent', { episodeNumber: 4 }],
    ['soon', { episodeType: 'trailer' }],
    ['extra', { episodeType: 'bonus' }],
    ['four', { episodeNumber: 5, title: longTitle }],
  ]);
  for (const language of Object.keys(offers)) {
    const numbered = [
      ['one', { episodeNumber: 1 }],
      ['two', { episodeNumber: 2, title: longTitle }],
      ['extra', { episodeType: 'bonus', title: longTitle }],
    ] as const;
    await makeShow(`in-${language}`, language, numbered);
  }
  await makeShow('unnumbered', 'en', [
    ['one', {}],
    ['two', {}],
  ]);
}, 120_000);
afterAll(() => opened.disposeAsync());

type Told = readonly (readonly [slug: string, input: object])[];
async function makeShow(slug: string, language: string, told: Told): Promise<Podcast> {
  const show = await makePodcast(app.ctx, { slug, title: slug, language, showType: 'serial' });
  for (const [at, [name, input]] of told.entries()) {
    const publishedAt = new Date(app.clock.now().getTime() - 3_600_000 + at * 1000);
    const given = { slug: name, title: `Part ${name}`, publishedAt, ...input };
    const { id } = await makeEpisode(app.ctx, show, given);
    ids[`${slug}/${name}`] = id;
    if (name !== 'silent') await attachTone(app.ctx, id, 60);
  }
  return show;
}

let page: Page;
let complaints: string[];
afterEach(async () => {
  await page.context().close();
  expect(complaints).toEqual([]);
});

async function open(path: string, options: BrowserContextOptions = {}): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 800, height: 700 }, ...options });
  await openTab(await context.newPage(), path);
}
async function openTab(tab: Page, path: string): Promise<void> {
  page = tab;
  complaints = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  await page.goto(`${service}/listen/${path}`);
}

const label = () => page.locator('.latest > .meta').textContent();
const offered = () =>
  page.locator('.latest').evaluate((place) => {
    const player = place.querySelector('podstead-player');
    const [link] = place.querySelectorAll('a');
    const id = player?.getAttribute('episode') ?? place.querySelector('button')?.dataset.episode;
    return { id, href: link?.pathname, title: link?.textContent };
  });
const read = <T>(script: string): Promise<T> => page.evaluate(script) as Promise<T>;
const playerScript = `(document.querySelector('aside.visit').shadowRoot.querySelector('podstead-player'))`;
const seconds = () => read<number>(`${playerScript}.currentTime`);

/** What was heard of a show, as the player keeps it. */
async function keep(podcast: Pick<Podcast, 'id'>, last: string, finished: readonly string[]) {
  const heard = { [podcast.id]: { last, finished } };
  await page.evaluate(
    (text) => localStorage.setItem('podstead-heard', text),
    JSON.stringify(heard),
  );
}

describe('the top of a serial show', () => {
  it('the top of a serial show offers the episode that was begun, at its position', async () => {
    await open('saga');
    expect(await label()).toBe('First episode');
    await page.getByLabel('Play Part two').first().click();
    await page.locator('aside.visit').waitFor();
    await expect.poll(seconds).toBeGreaterThan(0.2);
    await read(`${playerScript}.seek(30)`);
    await expect.poll(seconds).toBeGreaterThan(30.2);
    await read(`${playerScript}.pause()`);
    // A new tab has no player at the bottom.
    await openTab(await page.context().newPage(), 'saga');
    await expect.poll(label).toBe('Continue with episode 2');
    const [id, href, title] = [ids['saga/two'], '/listen/saga/two', 'Part two'];
    expect(await offered()).toEqual({ id, href, title });
    await page.locator('.latest podstead-player .play').click();
    await page.locator('aside.visit').waitFor();
    await expect.poll(seconds).toBeGreaterThanOrEqual(30);
    expect(await read(`${playerScript}.getAttribute('episode')`)).toBe(id);
  });

  it('the top of a serial show offers the next one after an episode was finished, in this visit and later', async () => {
    await open('saga/two');
    await page.getByRole('button', { name: 'Play', exact: true }).first().click();
    await page.locator('aside.visit').waitFor();
    await expect.poll(seconds).toBeGreaterThan(0.2);
    await read(`${playerScript}.seek(50)`);
    await expect.poll(seconds).toBeGreaterThan(50.2);
    await read(`${playerScript}.pause()`);
    await page.locator('.home').click();
    await expect.poll(label).toBe('Continue with episode 3');
    expect((await offered()).id).toBe(ids['saga/three']);
    await page.reload();
    await expect.poll(label).toBe('Continue with episode 3');
    await page.locator('.latest button').click();
    await expect
      .poll(() => read(`${playerScript}.getAttribute('episode')`))
      .toBe(ids['saga/three']);
    await expect.poll(seconds).toBeGreaterThan(0.1);
    expect(await page.locator('.latest button').textContent()).toBe('Pause');
  });

  it.each([
    ['two', ['one', 'two'], 'Continue with episode 3', 'three'],
    ['two', ['three', 'two'], 'Continue listening', 'extra'],
    ['extra', ['one', 'extra'], 'Continue with episode 5', 'four'],
    ['three', ['one'], 'Continue with episode 3', 'three'],
    ['soon', ['soon'], 'Continue listening', 'extra'],
  ] as const)(
    'the top of a serial show offers what is left after %s, with %j finished',
    async (last, finished, words, slug) => {
      await open('saga');
      const idOf = (name: string) => ids[`saga/${name}`] ?? '';
      await keep(saga, idOf(last), finished.map(idOf));
      await page.reload();
      await expect.poll(label).toBe(words);
      expect((await offered()).id).toBe(idOf(slug));
    },
  );

  it('the top of a serial show offers the first episode if nothing is left, or what is kept makes no sense', async () => {
    await open('saga');
    const all = Object.values(ids);
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    for (const [last, finished] of [
      [ids['saga/four'] ?? '', all],
      ['00000000-0000-7000-8000-000000000000', ['00000000-0000-7000-8000-000000000000']],
    ] as const) {
      await keep(saga, last, finished);
      requests.length = 0;
      await page.reload();
      await expect.poll(() => requests.some((url) => url.includes('/episodes?'))).toBe(true);
      await page.waitForLoadState('networkidle');
      expect(await label()).toBe('First episode');
      expect((await offered()).id).toBe(ids['saga/one']);
    }
    for (const text of ['{', '[]', `{"${saga.id}":7}`, `{"${saga.id}":{"last":1}}`]) {
      await page.evaluate((kept) => localStorage.setItem('podstead-heard', kept), text);
      await page.reload();
      await page.waitForLoadState('networkidle');
      expect(await label(), text).toBe('First episode');
    }
  });

  it('the top of a serial show offers an episode that is on a later page', async () => {
    const long = await makePodcast(app.ctx, {
      slug: 'hourly',
      title: 'Hourly',
      showType: 'serial',
    });
    const notes = ['<p>What was heard.</p>'];
    await insertEpisodes(app.ctx.db, { podcastId: long.id, from: 1, to: 120, count: 120, notes });
    await open('hourly?order=newest');
    const links = page.locator('.name', { hasText: /^Episode number 99$/ });
    const row = page.locator('.episode', { has: links });
    const last = await row.locator('[data-queue]').getAttribute('data-queue');
    await keep(long, last ?? '', [last ?? '']);
    await page.goto(`${service}/listen/hourly`);
    await expect.poll(label).toMatch(/^Continue/);
    expect((await offered()).title).toBe('Episode number 100');
  });

  it('the top of a serial show without numbers names none', async () => {
    await open('unnumbered');
    const podcast = await read<string>(
      `JSON.parse(document.querySelector('#visit > script').textContent).podcast`,
    );
    await keep({ id: podcast }, ids['unnumbered/one'] ?? '', [ids['unnumbered/one'] ?? '']);
    await page.reload();
    await expect.poll(label).toBe('Continue listening');
    expect((await offered()).id).toBe(ids['unnumbered/two']);
  });
});

const observeShifts = `
  globalThis.shifts = [];
  new PerformanceObserver((list) => {
    for (const { value, sources } of list.getEntries())
      shifts.push(value + ' ' + sources.map(({ node }) => node?.className ?? node?.data));
  }).observe({ type: 'layout-shift' });
  undefined`;
const sizes = [
  { width: 320, height: 700 },
  { width: 1440, height: 900 },
];
const cases = Object.entries(offers).flatMap(([language, words]) => [
  { language, words, viewport: sizes[0], isVisiting: true },
  { language, words, viewport: sizes[1], isVisiting: false },
]);
it.each(cases)(
  'nothing moves when the offer changes: $language, $viewport.width px, player at the bottom: $isVisiting',
  async ({ language, words, viewport, isVisiting }) => {
    await open(`in-${language}`, { viewport: viewport ?? null });
    const podcast = await read<string>(
      `JSON.parse(document.querySelector('#visit > script').textContent).podcast`,
    );
    const idOf = (slug: string) => ids[`in-${language}/${slug}`] ?? '';
    if (isVisiting) {
      await page.locator('.latest podstead-player .play').click();
      await page.locator('aside.visit').waitFor();
      await expect.poll(seconds).toBeGreaterThan(0.1);
      await read(`${playerScript}.pause()`);
    }
    // The offer comes after everything else is there.
    let release = () => {};
    await page.route(/\/v1\/podcasts\/[^/]+\/episodes\?/, async (route) => {
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      await route.continue();
    });
    for (const [last, said] of [
      ['one', words[1]],
      ['two', words[2]],
    ] as const) {
      const before = release;
      await keep({ id: podcast }, idOf(last), [idOf(last)]);
      await page.evaluate(() => localStorage.removeItem('podstead'));
      await page.reload();
      await page.locator('podstead-player .card:not([aria-busy])').waitFor();
      await expect.poll(() => release !== before).toBe(true);
      await page.evaluate(observeShifts);
      expect(await label()).toBe(words[0]);
      release();
      await expect.poll(label).toBe(said);
      await page.locator('podstead-player .card:not([aria-busy])').waitFor();
      await page.waitForTimeout(300);
      expect(await read('shifts')).toEqual([]);
      expect(await read('document.documentElement.scrollWidth')).toBe(viewport?.width);
    }
  },
);
