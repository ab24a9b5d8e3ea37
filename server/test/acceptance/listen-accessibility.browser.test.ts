import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { insertEpisodes } from '../../../bench/installation/fill-show.sql.ts';
import { indexEpisodes } from '../../src/domain/public/search/index.ts';
import { attachTone } from '../../src/domain/publishing/audio/index.ts';
import {
  attachImage,
  setHeaderImage,
  setPodcastArtwork,
} from '../../src/domain/publishing/images/index.ts';
import { addPerson } from '../../src/domain/publishing/people/index.ts';
import {
  movePodcast,
  type Podcast,
  pausePodcast,
  suspendPodcast,
  updatePodcast,
} from '../../src/domain/publishing/podcasts/index.ts';
import { setChapters, setTranscript } from '../../src/domain/publishing/transcripts/index.ts';
import { newId } from '../../src/lib/uuid.ts';
import { createTestApp, type TestApp } from '../create-test-app.ts';
import {
  expectAccessible,
  expectAccessibleIn,
  expectAccessibleTwice,
  expectFitting,
} from '../expect-accessible.ts';
import { freePort } from '../free-port.ts';
import { type FediverseHost, makeReply, openFediverseHost } from '../hosts/fediverse-host.ts';
import { pictureBytes } from '../hosts/podcast-host.ts';
import { makeEpisode, makePodcast, makePodroll, makeSoundbite } from '../make.ts';
import { patience } from '../patience.ts';
import { serveToBrowser } from '../serve-to-browser.ts';

// Every kind of page for listeners, in every language: what axe finds, and whether it fits its window.

const languages = ['en', 'de', 'es', 'fr', 'ar', 'ja'] as const;
/** The accent of each language's shows: light, dark, saturated, gray. */
const colors = ['#ffd400', '#101080', '#aa3300', '#808080', '#00ff88', null] as const;
const targets = { 'target-size': { enabled: true } };

const opened = new AsyncDisposableStack();
let browser: Browser;
let app: TestApp;
let service: string;
let fediverse: FediverseHost;
/** Without a directory, and at first without users. */
let quiet: { readonly app: TestApp; readonly service: string };
/** The episode of each language with everything. */
const episodeIds: Record<string, string> = {};

beforeAll(async () => {
  const served = opened.use(
    await serveToBrowser({ PUBLIC_DIRECTORY: 'on', OUTBOUND_ALLOW: '127.0.0.0/8' }),
  );
  ({ browser, app, service } = served);
  fediverse = opened.use(await openFediverseHost());
  fediverse.setReplies([
    makeReply({ id: '2', content: '<p>The lamp was a good one.</p>' }),
    makeReply({ id: '3', in_reply_to_id: '2', spoiler_text: 'The end', content: '<p>Yes.</p>' }),
  ]);
  app.clock.advance(Date.now() - app.clock.now().getTime());
  for (const [index, language] of languages.entries()) await makeShows(language, index);
  await indexEpisodes(app.ctx);
  // The first response of another server starts a process that reads it.
  await app.request({ method: 'GET', url: `/comments/${episodeIds['en']}` });
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  quiet = { app: opened.use(await createTestApp({ BASE_URL: origin })), service: origin };
  await quiet.app.http.server.listen({ port, host: '127.0.0.1' });
}, 240_000);
afterAll(() => opened.disposeAsync());

const latin = 'Night Signals, and what the antennas of the coast heard before anybody was awake';
const titles: Readonly<Record<string, string>> = {
  ar: 'إشارات الليل، وما سمعته هوائيات الساحل قبل أن يستيقظ أحد',
  ja: '夜の信号、そして誰も起きていないうちに海辺のアンテナが聴いたもの',
};

async function makeShows(language: string, index: number): Promise<void> {
  const brandColor = colors[index] ?? null;
  const title = titles[language] ?? latin;
  const make = (kind: string, input: object = {}) =>
    makePodcast(app.ctx, { slug: language + kind, title, language, brandColor, ...input });
  const serial = await make('-serial', { showType: 'serial' });
  const podroll = makePodroll([serial.guid, newId()]);
  const all = await makeFullShow(await make('', { extraElements: [podroll] }), index);
  episodeIds[language] = await makeFullEpisode(all);
  for (const slug of ['one', 'two']) {
    const { id } = await makeEpisode(app.ctx, serial, { slug, title });
    await attachTone(app.ctx, id, 20);
  }
  const trailer = { slug: 'soon', title, episodeType: 'trailer' } as const;
  await attachTone(app.ctx, (await makeEpisode(app.ctx, serial, trailer)).id, 20);
  await make('-empty');
  await pausePodcast(app.ctx, (await make('-paused')).id);
  await suspendPodcast(app.ctx, (await make('-suspended')).id);
  await movePodcast(app.ctx, (await make('-moved')).id, { newFeedUrl: 'https://new.example/rss' });
}

/** A long show that shows whatever a show can show. */
async function makeFullShow(show: Podcast, index: number): Promise<Podcast> {
  const { ctx } = app;
  for (const [set, isWanted] of [
    [setPodcastArtwork, true],
    [setHeaderImage, index % 2 === 1],
  ] as const) {
    if (!isWanted) continue;
    const bytes = await pictureBytes(index % 3 === 0 ? '#eeeeaa' : '#336699');
    await set(ctx, show.id, (await attachImage(ctx, { podcastId: show.id, bytes })).id);
  }
  const bio = 'Listens to the sky.';
  await addPerson(ctx, { podcastId: show.id, name: 'Ana', bio, linkUrl: 'https://ana.example/' });
  await insertEpisodes(ctx.db, {
    ...{ podcastId: show.id, from: 1, to: 40, count: 40 },
    notes: ['<p>What was heard at <b>night</b>.</p>'],
  });
  return updatePodcast(ctx, show.id, {
    ...{ author: 'Ana', subtitle: 'Radio at night', category: 'Arts', explicit: true },
    description: 'What is heard at night.\n\nAnd what is not.',
    websiteUrl: 'https://ana.example/',
    fundingUrl: 'https://give.example/',
    copyright: '© Ana',
    pageText: '<h2>Our own words</h2><p>With <a href="https://x.example">a link</a>.</p>',
    pageSections: ['about', 'text', 'episodes', 'people', 'links', 'podroll', 'support'],
  });
}

async function makeFullEpisode(show: Podcast): Promise<string> {
  const { language, title } = show;
  const attributes = [
    ['protocol', 'activitypub'],
    ['uri', fediverse.postUrl],
  ] as const;
  const publishedAt = new Date(app.clock.now().getTime() - 90_000_000);
  const { id } = await makeEpisode(app.ctx, show, {
    ...{ slug: 'light', title, subtitle: 'Before dawn', season: 2, episodeType: 'bonus' },
    ...{ explicit: true, publishedAt, publishTranscript: true },
    showNotesHtml: `<h3>At 0:12</h3><p>See <a href="https://x.example">the map</a>.</p>
      <ul><li>One</li></ul><blockquote>Two</blockquote><pre><code>${'three '.repeat(40)}</code></pre>
      <table><tr>${'<td>Antennentechnikausstellung</td>'.repeat(4)}</tr></table>`,
    extraElements: [
      { name: 'podcast:socialInteract', attributes, text: '', children: [] },
      makeSoundbite(12, title),
      makeSoundbite(30, ''),
    ],
  });
  await attachTone(app.ctx, id, 60);
  await setChapters(app.ctx, id, [
    { startMs: 0, title: 'Opening' },
    { startMs: 20_000, title: 'Dawn', linkUrl: 'https://static-and-starlings.example/' },
  ]);
  const segments = Array.from({ length: 120 }, (_, i) => ({
    ...{ startMs: i * 500, endMs: i * 500 + 400, speaker: i % 12 < 6 ? 'Ana' : 'Bo' },
    text: `${title}: ${i}, says the antenna.`,
  }));
  const facts = { language, hasTimes: true, wordCount: 1, durationMs: 60_000 };
  await setTranscript(app.ctx, id, { ...facts, segments });
  return id;
}

/** One window for each language, which shows one page after the other. */
const windows = new Map<string, Page>();
async function show(url: string, language: string): Promise<Page> {
  const page = windows.get(language) ?? (await open('about:blank', language));
  windows.set(language, page);
  await page.goto(url);
  return page;
}

async function open(url: string, locale = 'en', options: object = {}): Promise<Page> {
  const context = await browser.newContext({ locale, bypassCSP: true, ...options });
  const page = await context.newPage();
  await page.goto(url);
  return page;
}

/** Until the player has replaced what the page has without it. */
async function untilKnown(page: Page): Promise<void> {
  for (const player of await page.locator('podstead-player').all())
    await player.locator('.card:not([aria-busy])').waitFor();
}

const narrow = { width: 320, height: 700 };
const wide = { width: 1440, height: 900 };
type Kind = readonly [name: string, path: (language: string) => string];
const kinds: readonly Kind[] = [
  ['the page of a show', (l) => `/listen/${l}`],
  ['search results', (l) => `/listen/${l}?q=episode`],
  ['search results in a transcript', (l) => `/listen/${l}?q=antenna`],
  ['no search results', (l) => `/listen/${l}?q=nothing`],
  ['a season', (l) => `/listen/${l}?season=2`],
  ['the oldest episodes', (l) => `/listen/${l}?order=oldest`],
  ['the page of a serial show', (l) => `/listen/${l}-serial`],
  ['the page of a show without episodes', (l) => `/listen/${l}-empty`],
  ['the page of a paused show', (l) => `/listen/${l}-paused`],
  ['the page of a suspended show', (l) => `/listen/${l}-suspended`],
  ['the page of a show that has moved', (l) => `/listen/${l}-moved`],
  ['the page of an episode', (l) => `/listen/${l}/light`],
  ['the page with a whole transcript', (l) => `/listen/${l}/light?transcript=all`],
  ['the comments of an episode', (l) => `/comments/${episodeIds[l]}`],
  ['the code of a player', (l) => `/ep/${episodeIds[l]}/code?plays=list&t=x`],
  ['the page of a player', (l) => `/ep/${episodeIds[l]}`],
  ['a compact player', (l) => `/ep/${episodeIds[l]}?layout=compact`],
  ['a player without an episode', (l) => `/latest/${l}-empty`],
  ['a player that is not there', () => '/ep/00000000-0000-7000-8000-000000000000'],
  ['the page of a missing episode', (l) => `/listen/${l}/missing`],
  ['the page of a missing show', () => '/listen/none'],
  ['the directory', () => '/'],
  ['a category of the directory', () => '/?category=Arts'],
];

const colorful = ['the page of a show', 'the page of an episode', 'the page of a player'];

describe('axe finds nothing in any language', () => {
  it.each(kinds)('axe finds nothing in any language on %s', async (name, path) => {
    const turn = kinds.findIndex(([each]) => each === name);
    for (const [index, language] of languages.entries()) {
      const page = await show(service + path(language), language);
      await untilKnown(page);
      expect(await page.locator('html').getAttribute('lang'), path(language)).toBe(language);
      await examine(page, turn + index, colorful.includes(name));
      await takePicture(page, `${name} ${language}`);
    }
  });

  it('axe finds nothing in any language on the home page without a directory, and before there are users', async () => {
    const check = async (turn: number) => {
      for (const [index, language] of languages.entries()) {
        await examine(await show(quiet.service, language), turn + index);
      }
    };
    await check(0);
    await makePodcast(quiet.app.ctx);
    await check(2);
  });
});

/**
 * In turn narrow or wide, light or dark, so that each kind of page is examined in all four. The rules about
 * colors, which take most of the time, examine a page of each kind in light and one in dark, and all where
 * a show's color is largest.
 */
async function examine(page: Page, turn: number, isColorful = false): Promise<void> {
  const sizes = turn % 2 === 0 ? [narrow, wide] : [wide, narrow];
  const scheme = Math.floor(turn / 3) % 2 === 0 ? 'light' : 'dark';
  const [size, other] = sizes as [typeof narrow, typeof narrow];
  const withColors = isColorful || turn % 3 === 0;
  await expectAccessibleIn(page, { size, scheme, withColors }, targets);
  await page.setViewportSize(other);
  await expectFitting(page);
}

/** Saves what was examined into the folder `SCREENSHOTS`, if that is set. */
async function takePicture(page: Page, name: string): Promise<void> {
  const folder = process.env['SCREENSHOTS'];
  if (folder === undefined) return;
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const size of [narrow, wide]) {
      await page.setViewportSize(size);
      const file = `${name} ${colorScheme} ${size.width}`.replace(/\W+/g, '-');
      await page.screenshot({ path: `${folder}/${file}.png`, fullPage: true });
    }
  }
}

/** What a page shows only after something has happened. */
const states: readonly (readonly [
  name: string,
  path: string,
  prepare: (page: Page) => Promise<unknown>,
  options: object,
])[] = [
  ['a show in the system’s colors', '/listen/en', untilKnown, { forcedColors: 'active' }],
  ['an episode in the system’s colors', '/listen/en/light', untilKnown, { forcedColors: 'active' }],
  ['a show without the script of the player', '/listen/en', untilPlain, {}],
  ['an episode without the script of the player', '/listen/en/light', untilPlain, {}],
  ['an episode with its comments and its whole transcript', '/listen/en/light', readAll, {}],
  ['an episode with all its texts from right to left', '/listen/ar/light', readAll, {}],
  ['a show with the player at the bottom', '/listen/en-serial', openSheet, {}],
  [
    'an episode with the player at the bottom, from right to left',
    '/listen/ar/light',
    openSheet,
    {},
  ],
];

async function untilPlain(page: Page): Promise<void> {
  await page.route('**/player/v1.*.js', (route) => route.abort());
  await page.reload();
  await page.locator('main audio').first().waitFor();
}

async function readAll(page: Page): Promise<void> {
  await page.locator('.rest > a').evaluate((link) => link.click());
  await page.locator('[data-comments]').evaluate((link) => link.click());
  await page.locator('.comment').first().waitFor();
  // What is still loading may move it away from the pointer.
  await vi.waitFor(async () => {
    await page.mouse.move(0, 0);
    await page.locator('.said').last().hover();
    expect(await page.locator('.quote').isVisible()).toBe(true);
  }, patience);
}

async function openSheet(page: Page): Promise<void> {
  await page.locator('main podstead-player .play').click();
  const dock = page.locator('aside.visit');
  await dock.waitFor();
  await page.locator('[data-queue]').last().click();
  await dock.locator('.opener').click();
  await dock.locator('.sheet button.wide').first().waitFor();
}

describe('axe finds nothing in any state', () => {
  it.each(states)('axe finds nothing in any state: %s', async (_, path, prepare, options) => {
    const permissions = ['clipboard-read', 'clipboard-write'];
    const page = await open(service + path, 'en', { viewport: narrow, permissions, ...options });
    await prepare(page);
    await expectAccessibleTwice(page, [narrow, wide], targets);
    await page.context().close();
  });

  it.each(['/listen/en', '/listen/en/light', '/listen/ar/light', '/listen/en-paused'])(
    'axe finds nothing in any opened panel of %s',
    async (path) => {
      const page = await open(service + path, 'en', { viewport: narrow });
      await untilKnown(page);
      const panels = page.locator('.panel > summary');
      expect(await panels.count()).toBeGreaterThan(0);
      for (const panel of await panels.all()) {
        await panel.click();
        await page.locator('.panel[open] .sheet').waitFor();
        await expectAccessible(page, targets);
        await page.keyboard.press('Escape');
      }
      await page.context().close();
    },
  );
});
