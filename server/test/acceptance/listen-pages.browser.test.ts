import type { Browser, BrowserContextOptions, Locator, Page, Route } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { attachTone } from '../../src/domain/publishing/audio/index.ts';
import { setListings } from '../../src/domain/publishing/distribution/index.ts';
import type { Episode } from '../../src/domain/publishing/episodes/index.ts';
import { type Podcast, updatePodcast } from '../../src/domain/publishing/podcasts/index.ts';
import {
  parseTranscript,
  setChapters,
  setTranscript,
} from '../../src/domain/publishing/transcripts/index.ts';
import type { TestApp } from '../create-test-app.ts';
import { makeEpisode, makePodcast } from '../make.ts';
import { serveToBrowser } from '../serve-to-browser.ts';

// Listen pages in a real browser: playback, clicks, small screens.

const opened = new AsyncDisposableStack();
let browser: Browser;
let app: TestApp;
let service: string;

beforeAll(async () => {
  const served = opened.use(await serveToBrowser());
  ({ browser, app, service } = served);
  await makeShow('night-signals', 'Night Signals', 'en');
}, 120_000);
afterAll(() => opened.disposeAsync());

async function makeShow(slug: string, title: string, language: string): Promise<Podcast> {
  const made = await makePodcast(app.ctx, { slug, title, language });
  const older = await makeEpisode(app.ctx, made, { slug: 'dusk', title: 'Dusk on the dial' });
  await attachTone(app.ctx, older.id, 20);
  await makeFirstLight(made);
  return updatePodcast(app.ctx, made.id, {
    fundingUrl: 'https://example.com/support',
    websiteUrl: 'https://example.com/',
  });
}

async function makeFirstLight(podcast: Podcast): Promise<Episode> {
  const notes = '<p>Opens at 0:00, dawn at (0:12).</p>';
  const episode = await makeEpisode(app.ctx, podcast, {
    slug: 'first-light',
    title: 'First light',
    showNotesHtml: notes,
  });
  await attachTone(app.ctx, episode.id, 40);
  await setChapters(app.ctx, episode.id, [
    { startMs: 0, title: 'Opening' },
    { startMs: 20_000, title: 'Dawn' },
    { startMs: 30_000, title: 'Two wires', linkUrl: 'https://static-and-starlings.example/' },
  ]);
  return episode;
}

let page: Page;
let complaints: string[];
afterEach(async () => {
  await page.context().close();
  expect(complaints).toEqual([]);
});

async function open(
  path: string,
  options: BrowserContextOptions = {},
  response?: Handle,
  waitUntil: 'load' | 'commit' = 'load',
) {
  const context = await browser.newContext({ viewport: { width: 700, height: 900 }, ...options });
  page = await context.newPage();
  complaints = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  if (response) await context.route('**/player/v1.*.js', response);
  await page.goto(`${service}/listen/${path}`, { waitUntil });
}
type Handle = (route: Route) => Promise<void>;

const player = () => page.locator('podstead-player').first();
const known = (where = player()) => where.locator('.card:not([aria-busy])').waitFor();
const secondsOf = (sounding: Locator) =>
  sounding.evaluate((element) => (element as unknown as { currentTime: number }).currentTime);
const hasPlayedTo = (sounding: Locator, seconds: number) =>
  expect.poll(() => secondsOf(sounding)).toBeGreaterThanOrEqual(seconds);
const press = (name: string) => page.getByRole('button', { name, exact: true }).first().click();

/** The positions of the page's elements, except opened parts; opening must not move them. */
const places = () =>
  page.locator('html').evaluate((html) =>
    [...html.querySelectorAll('main *, footer')]
      .filter((element) => !element.closest('.sheet'))
      .map((element) => {
        const { x, y, width, height } = element.getBoundingClientRect();
        const { scrollY } = element.ownerDocument.defaultView;
        return [element.className, x, y + scrollY, width, height].join(' ');
      }),
  );
const overflowPx = () =>
  page.locator('html').evaluate((html) => html.scrollWidth - html.clientWidth);

describe('a page that is read from right to left', () => {
  it('a page that is read from right to left begins names in other scripts at its right edge, and paragraphs where theirs begins', async () => {
    const show = await makeShow('idhaat', 'Idhaat al-layl', 'ar');
    await updatePodcast(app.ctx, show.id, { author: 'Network', description: 'Latin text.' });
    await open('idhaat');
    const alignments = await page.locator('[dir=auto]').evaluateAll((elements) =>
      elements.map((element) => {
        const style = element.ownerDocument.defaultView.getComputedStyle(element);
        return [element.classList.contains('prose'), style.textAlign, style.direction].join();
      }),
    );
    const names = alignments.filter((text) => text.startsWith('false'));
    expect(names).toContain('false,right,ltr');
    expect(names.filter((text) => text.startsWith('false,left'))).toEqual([]);
  });

  it('a page that is read from right to left has the times of chapters at its right edge', async () => {
    await makeShow('ar', 'إشارات الليل', 'ar');
    await open('ar/first-light');
    const [time, name] = [page.locator('.place time').nth(1), page.locator('.place').nth(1)];
    const right = async (one: Locator) => {
      const { x, width } = (await one.boundingBox())!;
      return Math.round(x + width);
    };
    expect(await right(time)).toBe(await right(name));
    expect(
      await time.evaluate((element) => element.computedStyleMap().get('text-align').toString()),
    ).toBe('right');
  });
});

// PAGE-13
describe('buttons of podcast apps', () => {
  it.each([
    ['Mozilla/5.0 (Linux; Android 16; Pixel 9) Chrome/140.0 Mobile', 'AntennaPod', 'Castro'],
    ['Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X)', 'Apple Podcasts', 'AntennaPod'],
    ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) Firefox/145.0', 'Player FM', 'Overcast'],
  ])('apps for the device come first: %s', async (userAgent, first, more) => {
    await open('night-signals', { userAgent });
    const lists = page.locator('[data-apps]');
    const inList = (n: number) => lists.nth(n).locator('.app').allTextContents();
    expect(await inList(0)).toHaveLength(8);
    expect(await inList(0)).toContain(first);
    expect(await inList(1)).toContain(more);
  });

  it('the show’s own pages in directories come first on a computer, and apps of the device on a phone', async () => {
    const show = await makePodcast(app.ctx, { slug: 'listed' });
    const url = 'https://podcasts.apple.com/podcast/id1234567';
    const listed = { directory: 'apple_podcasts', status: 'listed', url } as const;
    await setListings(app.ctx, show.id, [listed]);
    const firstApps = async (userAgent: string) => {
      await open('listed', { userAgent });
      return page.locator('[data-apps]').first().locator('.app').allTextContents();
    };
    const windows = await firstApps('Mozilla/5.0 (Windows NT 10.0; Win64; x64) Firefox/145.0');
    expect(windows[0]).toBe('Apple Podcasts');
    const android = await firstApps('Mozilla/5.0 (Linux; Android 16; Pixel 9) Chrome/140.0 Mobile');
    expect(android).toContain('AntennaPod');
    expect(android).not.toContain('Apple Podcasts');
  });
});

it('the pictures of chapters that cannot be loaded disappear, and the others stay', async () => {
  const show = await makePodcast(app.ctx, { slug: 'pictured' });
  const episode = await makeEpisode(app.ctx, show, { slug: 'slides' });
  await attachTone(app.ctx, episode.id, 20);
  const picture = (name: string) => `https://pictures.example/${name}.svg`;
  await setChapters(app.ctx, episode.id, [
    { startMs: 0, title: 'Here', imageUrl: picture('here') },
    { startMs: 9_000, title: 'Gone', imageUrl: picture('gone') },
  ]);
  await open('night-signals');
  const body = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>';
  await page.route('https://pictures.example/**', (route) =>
    route.request().url().includes('here')
      ? route.fulfill({ contentType: 'image/svg+xml', body })
      : route.abort(),
  );
  await page.goto(`${service}/listen/pictured/slides`);
  await page.locator('.chapter', { hasText: 'Gone' }).scrollIntoViewIfNeeded();
  await page.locator('.chapter:has-text("Gone"):not(:has(img))').waitFor();
  expect(await page.locator('.chapter', { hasText: 'Here' }).locator('img').count()).toBe(1);
});

it('Follow can be read in forced colors', async () => {
  await open('night-signals', { forcedColors: 'active' });
  // Browsers draw the ground of the page right behind letters.
  const [ground, text] = await page.locator('.hero .panel > .button').evaluate((button) => {
    const { getComputedStyle: styleOf } = button.ownerDocument.defaultView;
    return [styleOf(button.ownerDocument.documentElement).backgroundColor, styleOf(button).color];
  });
  expect(text).not.toBe(ground);
});

it('secondary text is as dark as any other for readers who want more contrast', async () => {
  const colors = async (contrast: 'more' | 'no-preference') => {
    await open('night-signals', { contrast });
    return page.locator('.count').evaluate((count) => {
      const { getComputedStyle: styleOf } = count.ownerDocument.defaultView;
      return [styleOf(count).color, styleOf(count.ownerDocument.body).color] as const;
    });
  };
  const [muted, ink] = await colors('no-preference');
  expect(muted).not.toBe(ink);
  expect(await colors('more')).toEqual([ink, ink]);
});

describe('a low window', () => {
  const isStuck = async () => {
    await page
      .locator('html')
      .evaluate((html) => html.ownerDocument.defaultView.scrollTo(0, 1_000));
    return player().evaluate((element) => element.getBoundingClientRect().bottom > 0);
  };

  it('the player scrolls away, because it would cover the text; elsewhere it stays', async () => {
    await open('night-signals/first-light', { viewport: { width: 320, height: 256 } });
    expect(await isStuck()).toBe(false);
    await page.setViewportSize({ width: 320, height: 568 });
    expect(await isStuck()).toBe(true);
  });
});

describe('the browser’s controls', () => {
  const responses: [string, Handle][] = [
    ['is blocked', (route) => route.abort()],
    ['is gone', (route) => route.fulfill({ status: 404, body: '' })],
    ['is broken', (route) => route.fulfill({ body: 'throw new Error("broken")' })],
  ];

  it.each(responses)(
    'the page has the browser’s controls if the player’s script %s',
    async (_, response) => {
      await open('night-signals/first-light', {}, response);
      const audio = page.locator('.player audio');
      await page.getByRole('link', { name: '0:12' }).click();
      await hasPlayedTo(audio, 12.1);
      expect(await audio.isVisible()).toBe(true);
      complaints.length = 0;
    },
  );

  it.each(responses)(
    'each row of a list has the browser’s controls if the player’s script %s',
    async (_, response) => {
      await open('night-signals', {}, response);
      expect(await page.locator('.latest audio').isVisible()).toBe(true);
      await page.getByLabel('Play Dusk on the dial').first().click();
      await hasPlayedTo(page.locator('.listen audio').nth(1), 0.2);
      expect(await page.locator('.listen audio').nth(0).isVisible()).toBe(false);
      complaints.length = 0;
    },
  );

  it('the page has the browser’s controls if the player’s script never loads', async () => {
    const script = Promise.withResolvers<Route>();
    const hold: Handle = async (route) => script.resolve(route);
    await open('night-signals/first-light', {}, hold, 'commit');
    const held = await script.promise;
    await page.getByRole('heading', { name: 'First light' }).first().waitFor();
    await held.abort();
    await page.locator('.player audio').waitFor();
    complaints.length = 0;
  });

  it('the page has the browser’s controls if none of its scripts can be loaded', async () => {
    await open('night-signals/first-light');
    await page.route('**/player/*.js', (route) => route.abort());
    await page.reload();
    expect(await page.locator('.player audio').isVisible()).toBe(true);
    complaints.length = 0;
  });

  it('the page has the browser’s controls at once if the player’s script may not run', async () => {
    await open('night-signals', { javaScriptEnabled: false });
    expect(await page.locator('.latest audio').isVisible()).toBe(true);
    await page.locator('summary.play').nth(1).click();
    const audio = page.locator('.listen audio').nth(1);
    await audio.focus();
    await page.keyboard.press('Space');
    await hasPlayedTo(audio, 0.2);
  });
});

describe('the playback position', () => {
  const path = 'night-signals/first-light';

  it.each([
    ['a chapter', 'Dawn', 20],
    ['a time in the notes', '0:12', 12],
  ])(
    'the playback position is that of %s, which is not kept in the address',
    async (_, name, seconds) => {
      await open(path);
      await known();
      await page.getByRole('link', { name }).click();
      await hasPlayedTo(player(), seconds + 0.1);
      expect(page.url()).toBe(`${service}/listen/${path}`);
    },
  );

  it('the playback position is stored after any action', async () => {
    await open(path);
    await known();
    await page.getByRole('link', { name: 'Dawn' }).click();
    await hasPlayedTo(player(), 20.1);
    await player().evaluate((element) => {
      const { seek, pause } = element as unknown as { seek(s: number): void; pause(): void };
      seek.call(element, 5);
      pause.call(element);
    });
    await page.reload();
    await known();
    await expect.poll(() => secondsOf(player())).toBe(5);
  });

  it('the playback position is that in the address until playback starts', async () => {
    await open(`${path}#t=12`);
    await known();
    await expect.poll(() => secondsOf(player())).toBe(12);
    await press('Play');
    await hasPlayedTo(player(), 12.2);
    expect(page.url()).toBe(`${service}/listen/${path}`);
    await player().evaluate((element) => {
      const { seek, pause } = element as unknown as { seek(s: number): void; pause(): void };
      seek.call(element, 18);
      pause.call(element);
    });
    await page.reload();
    await known();
    await expect.poll(() => secondsOf(player())).toBe(18);
  });
});

// PAGE-19
it('a row of the list plays in the one player of the visit, and its button pauses it', async () => {
  await open('night-signals');
  await known();
  await press('Play');
  await hasPlayedTo(player(), 0.1);
  await page.getByLabel('Play Dusk on the dial').first().focus();
  await page.keyboard.press('Enter');
  await player().getByText('Dusk on the dial').waitFor();
  await hasPlayedTo(player(), 0.2);
  expect(await page.locator('podstead-player').count()).toBe(1);
  await page.locator('summary[aria-label="Pause Dusk on the dial"]').waitFor();
  const isPaused = () =>
    player().evaluate((element) => (element as unknown as { paused: boolean }).paused);
  await page.keyboard.press('Enter');
  await expect.poll(isPaused).toBe(true);
});

it('the page offers the newest episode with audio', async () => {
  const other = await makeShow('quiet', 'Quiet', 'en');
  const soon = new Date(app.clock.now().getTime() - 1000);
  await makeEpisode(app.ctx, other, { title: 'Only words', publishedAt: soon });
  await open('quiet');
  await known();
  await press('Play');
  await hasPlayedTo(player(), 0.1);
});

describe('small screens', () => {
  const phone = { viewport: { width: 320, height: 700 } };

  it.each(['night-signals', 'night-signals/first-light'])(
    '%s: opened parts move nothing, and nothing scrolls sideways',
    async (path) => {
      await open(path, phone);
      await known();
      const before = await places();
      const panels = page.locator('.panel > summary');
      for (let i = 0; i < (await panels.count()); i += 1) {
        await panels.nth(i).click();
        await page.locator('.panel[open] .sheet').waitFor();
        expect(await places()).toEqual(before);
        expect(await overflowPx()).toBe(0);
        await page.keyboard.press('Escape');
        expect(await page.locator('.panel[open]').count()).toBe(0);
      }
      await press('More');
      await player().getByRole('tab').first().waitFor();
      expect(await places()).toEqual(before);
      expect(await overflowPx()).toBe(0);
    },
  );

  it.each(['ltr', 'rtl'])('%s: nothing scrolls sideways during playback', async (dir) => {
    await open('night-signals', phone);
    await known();
    await page.locator('html').evaluate((html, value) => html.setAttribute('dir', value), dir);
    for (const part of ['0', '0.5', '0.95', '1']) {
      // Where the player says how far it is.
      await player()
        .locator('.timeline')
        .evaluate((line, value) => {
          line.style.setProperty('--played', value);
        }, part);
      expect(await overflowPx(), part).toBe(0);
      const [track, head] = await Promise.all(
        ['.track', '.playhead'].map((name) => player().locator(name).boundingBox()),
      );
      expect(head!.width - track!.width).toBe(16);
    }
  });

  it.each([320, 360, 412])('%i px: the player has its skips and its speed', async (width) => {
    await open('night-signals', { viewport: { width, height: 700 } });
    await known();
    for (const name of ['Back 15 seconds', 'Forward 30 seconds']) {
      expect(await page.getByRole('button', { name }).isVisible(), name).toBe(true);
    }
    expect(await player().getByLabel('Speed').isVisible()).toBe(true);
    const line = await player().locator('.timeline').boundingBox();
    expect(line!.width).toBeGreaterThan(width - 80);
    expect(await overflowPx()).toBe(0);
  });

  it('the documentation of the player does not scroll sideways', async () => {
    await open('../docs/player', { viewport: { width: 360, height: 700 } });
    expect(await overflowPx()).toBe(0);
  });
});

describe('dates of a listen page', () => {
  it.each([
    ['Africa/Abidjan', 'January 31, 2026'],
    ['Pacific/Kiritimati', 'January 31, 2026 at 11:30 PM UTC'],
    ['America/Los_Angeles', 'January 31, 2026'],
  ])('a reader in %s sees the day in UTC as %s', async (timezoneId, shown) => {
    const slug = timezoneId.replace(/\W|_/g, '-').toLowerCase();
    const show = await makePodcast(app.ctx, { slug, title: 'Dates', timezone: 'UTC' });
    const publishedAt = new Date('2026-01-31T23:30:00Z');
    await makeEpisode(app.ctx, show, { title: 'Late', publishedAt });
    await open(slug, { timezoneId });
    const dates = page.locator('time');
    await expect.poll(() => dates.first().textContent()).toBe(shown);
    expect(new Set(await dates.allTextContents())).toEqual(new Set([shown]));
  });
});

it('a listen page does not use Intl, which takes a phone long to load, until somebody plays', async () => {
  await open('night-signals');
  await page.addInitScript(`window.formatters = [];
    for (const name of ['NumberFormat', 'DateTimeFormat', 'PluralRules']) {
      const construct = (target, args) => { formatters.push(name); return new target(...args); };
      Intl[name] = new Proxy(Intl[name], { construct, apply: (target, _, args) => construct(target, args) });
    }`);
  const formatters = () => page.evaluate<string[]>('formatters');
  await page.reload();
  await known();
  await expect.poll(() => player().getByText('−0:40').count()).toBe(1);
  expect(await formatters()).toEqual([]);
  await press('Play');
  await hasPlayedTo(player(), 0.2);
  expect(await formatters()).not.toEqual([]);
});

it('the Play icon is right in forced colors', async () => {
  await open('night-signals', { forcedColors: 'active' });
  const shape = await page
    .locator('summary.play')
    .first()
    .evaluate((button) => {
      const { getComputedStyle: styleOf } = button.ownerDocument.defaultView;
      const { borderTopWidth, clipPath, backgroundColor } = styleOf(button, '::before');
      const { body } = button.ownerDocument;
      return {
        borderTopWidth,
        clipPath,
        isSystemColor: backgroundColor === styleOf(body).color,
      };
    });
  expect(shape).toMatchObject({ borderTopWidth: '0px', isSystemColor: true });
  expect(shape.clipPath).toContain('polygon');
});

describe('a chapter with a link', () => {
  it.each([320, 360])(
    'a chapter with a link keeps its title on one line at %i px',
    async (width) => {
      await open('night-signals/first-light', { viewport: { width, height: 900 } });
      const title = await page.locator('.place', { hasText: 'Two wires' }).boundingBox();
      const other = await page.locator('.place', { hasText: 'Dawn' }).boundingBox();
      expect(title?.height).toBe(other?.height);
    },
  );
});

// PAGE-16
it('the picture to share shows the sentence whose time was chosen in the transcript', async () => {
  const show = await makePodcast(app.ctx, { slug: 'quotes', title: 'Quotes' });
  const { id } = await makeEpisode(app.ctx, show, { slug: 'one', publishTranscript: true });
  await attachTone(app.ctx, id, 40);
  const words =
    'WEBVTT\n\n00:00.000 --> 00:04.000\n<v Ana>Hello.\n\n00:12.000 --> 00:19.000\n<v Bo>Bees!\n';
  await setTranscript(app.ctx, id, { ...parseTranscript(words), language: 'en' });
  await open('quotes/one');
  const picture = page.locator('#picture');
  expect(await picture.inputValue()).toContain(`/cards/${id}.jpg?v=`);
  await page.locator('.said [data-t="12"]').click();
  expect(await picture.inputValue()).toContain(`/cards/${id}.jpg?t=12`);
  expect(await page.locator('label[for=picture]').textContent()).toBe(
    'Picture of the sentence at 0:12',
  );
  const response = await page.request.get(await picture.inputValue());
  expect([response.status(), response.headers()['content-type']]).toEqual([200, 'image/jpeg']);
});

it('the link to share can begin with what is heard, also once the player is at the bottom', async () => {
  const show = await makePodcast(app.ctx, { slug: 'moments', title: 'Moments' });
  const { id } = await makeEpisode(app.ctx, show, { slug: 'one' });
  await attachTone(app.ctx, id, 400);
  await open('moments/one');
  const address = page.locator('#page-address');
  const moment = page.locator('.moment');
  const plain = `${service}/listen/moments/one`;
  await page.getByText('Share', { exact: true }).first().click();
  expect([await address.inputValue(), await moment.isVisible()]).toEqual([plain, false]);
  await page.keyboard.press('Escape');

  await page.locator('main podstead-player .play').click();
  const dock = page.locator('aside.visit');
  await dock.locator('podstead-player').evaluate('(player) => { player.currentTime = 83; }');
  await page.getByText('Share', { exact: true }).first().click();
  await moment.getByText(/^Start at 1:2\d$/).waitFor();
  await moment.getByRole('checkbox').check();
  const chosen = (await moment.textContent())?.match(/1:2(\d)/)?.[1];
  expect(await address.inputValue()).toBe(`${plain}#t=8${Number(chosen)}`);
  await moment.getByRole('checkbox').uncheck();
  expect(await address.inputValue()).toBe(plain);
});
