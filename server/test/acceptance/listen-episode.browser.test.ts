import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { attachTone } from '../../src/domain/publishing/audio/index.ts';
import { setChapters, setTranscript } from '../../src/domain/publishing/transcripts/index.ts';
import type { TestApp } from '../create-test-app.ts';
import { type FediverseHost, makeReply, openFediverseHost } from '../hosts/fediverse-host.ts';
import { makeEpisode, makePodcast } from '../make.ts';
import { serveToBrowser } from '../serve-to-browser.ts';

// The page of an episode in a real browser: the transcript, comments, print.

const opened = new AsyncDisposableStack();
let browser: Browser;
let app: TestApp;
let service: string;
let fediverse: FediverseHost;
let episodeId: string;

beforeAll(async () => {
  const served = opened.use(await serveToBrowser({ OUTBOUND_ALLOW: '127.0.0.0/8' }));
  ({ browser, app, service } = served);
  fediverse = opened.use(await openFediverseHost());
  fediverse.setReplies([
    makeReply({ id: '2', content: '<p>The lamp was a good one.</p>' }),
    makeReply({ id: '3', in_reply_to_id: '2', spoiler_text: 'The end', content: '<p>Yes.</p>' }),
  ]);
  await makeShow();
  // The first response of another server starts a process that reads it.
  const discussed = await app.request({ method: 'GET', url: `/comments/${episodeId}` });
  expect(discussed.body).toContain('class="comments"');
}, 120_000);
afterAll(() => opened.disposeAsync());

const minutes = 3;
const sentence = (i: number) =>
  `Sentence ${i} says what the antenna heard in the dunes before anybody was awake.`;

async function makeShow(): Promise<void> {
  const show = await makePodcast(app.ctx, { slug: 'en', title: 'Night Signals' });
  const at = (ms: number) => new Date(app.clock.now().getTime() - 3_600_000 + ms);
  await makeEpisode(app.ctx, show, { slug: 'dusk', title: 'Dusk', publishedAt: at(0) });
  const postAt = (uri: string) => {
    const attributes = [
      ['protocol', 'activitypub'],
      ['uri', uri],
    ] as const;
    return [{ name: 'podcast:socialInteract', attributes, text: '', children: [] }];
  };
  await makeEpisode(app.ctx, show, {
    slug: 'noon',
    title: 'Noon',
    publishedAt: at(2000),
    extraElements: postAt('http://127.0.0.1:9/@somebody/1'),
  });
  const episode = await makeEpisode(app.ctx, show, {
    slug: 'light',
    title: 'First light',
    publishedAt: at(1000),
    publishTranscript: true,
    showNotesHtml: `<p>See <a href="https://example.com/map">the map</a>.</p>${'<p>More to read.</p>'.repeat(40)}`,
    extraElements: postAt(fediverse.postUrl),
  });
  episodeId = episode.id;
  await attachTone(app.ctx, episode.id, 60 * minutes);
  await setChapters(app.ctx, episode.id, [
    { startMs: 0, title: 'Opening' },
    { startMs: 60_000, title: 'Dawn', linkUrl: 'https://example.com/dawn' },
  ]);
  const segments = Array.from({ length: minutes * 12 }, (_, i) => ({
    ...{ startMs: i * 5000, endMs: i * 5000 + 4900, text: sentence(i) },
    speaker: i % 12 < 6 ? 'Ana' : 'Bo',
  }));
  const facts = { language: 'en', hasTimes: true, wordCount: 1, durationMs: 60_000 * minutes };
  await setTranscript(app.ctx, episode.id, { ...facts, segments });
}

let page: Page;
let complaints: string[];
afterEach(async () => {
  await page.context().close();
  expect(complaints).toEqual([]);
});

async function open(path: string, options: BrowserContextOptions = {}): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 1000, height: 900 }, ...options });
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: service });
  page = await context.newPage();
  complaints = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  await page.goto(`${service}${path}`);
}

const known = () => page.locator('podstead-player .card:not([aria-busy])').waitFor();
/** Scrolls until their place is half a screen below what is seen. */
const approachComments = () =>
  page.evaluate(
    "scrollBy(0, document.querySelector('[data-comments]').getBoundingClientRect().top - 1.5 * innerHeight)",
  );
const copied = () => page.evaluate('navigator.clipboard.readText()');
/** The player at the bottom may show the text, too. */
const isInView = (text: string) =>
  page
    .locator('#main')
    .getByText(text, { exact: true })
    .evaluate((element) => {
      const { top, bottom } = element.getBoundingClientRect();
      return top >= 0 && bottom <= element.ownerDocument.defaultView.innerHeight;
    });
const current = () => page.locator('.said [aria-current]').allTextContents();

describe('the transcript of a page', () => {
  it('the transcript of a page is found by the browser, and copied without times', async () => {
    await open('/listen/en/light');
    // `find` is what a browser's search does, except for the bar.
    expect(await page.evaluate(`window.find(${JSON.stringify(sentence(30))})`)).toBe(true);
    const first = page.locator('.said').first();
    const text = await first.evaluate((element) => {
      const { getSelection } = element.ownerDocument.defaultView;
      getSelection().selectAllChildren(element);
      return getSelection().toString();
    });
    expect(text).toContain(sentence(0));
    expect(text).not.toContain('0:00');
  });

  it.each([true, false])(
    'the transcript of a page is where a URL with a position leads, scripts: %s',
    async (javaScriptEnabled) => {
      await open('/listen/en/light#t=150', { javaScriptEnabled });
      await expect.poll(() => isInView(sentence(30))).toBe(true);
    },
  );

  it('the transcript of a page has the sentence that a position is within', async () => {
    await open('/listen/en/light#t=152');
    await expect.poll(() => isInView(sentence(30))).toBe(true);
    await expect.poll(current).toEqual([sentence(30)]);
    await page.evaluate("location.hash = '#t=31'");
    await expect.poll(current).toEqual([sentence(6)]);
  });

  it('the transcript of a page offers a link to what is selected, and to a paragraph by keyboard', async () => {
    await open('/listen/en/light');
    await page.getByText(sentence(9), { exact: true }).selectText();
    // The pointer crosses another paragraph on its way.
    await page.locator('.said').first().hover();
    await page.getByRole('button', { name: 'Copy link from 0:45' }).click();
    await expect.poll(copied).toBe(`${service}/listen/en/light#t=45`);
    await expect.poll(current).toEqual([sentence(9)]);
    await page.locator('.said > .time').nth(4).focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect.poll(copied).toMatch(/#t=\d+$/);
    const start = await page.locator('.said > .time').nth(4).getAttribute('href');
    await expect.poll(copied).toBe(`${service}/listen/en/light${start}`);
  });

  it('the transcript of a page follows the playback only if the reader wants it', async () => {
    await open('/listen/en/light', { reducedMotion: 'reduce' });
    await known();
    await page.locator('.said > .time').nth(4).click();
    const played = () =>
      page
        .locator('podstead-player')
        .evaluate((one) => (one as unknown as { currentTime: number }).currentTime);
    await expect.poll(played).toBeGreaterThan(60);
    expect(await current()).toEqual([]);
    const button = page.getByRole('button', { name: 'Follow along' });
    await button.click();
    await expect.poll(current).toHaveLength(1);
    const [now = ''] = await current();
    expect(await isInView(now)).toBe(true);
    await page.mouse.wheel(0, 200);
    await expect.poll(() => button.getAttribute('aria-pressed')).toBe('false');
    expect(await current()).toEqual([]);
  });
});

// PAGE-22
describe('comments', () => {
  it('comments appear before the reader has scrolled to them, and move nothing that is seen', async () => {
    await open('/listen/en/light');
    expect(await page.locator('.comment').count()).toBe(0);
    await page.evaluate(
      'new PerformanceObserver((list) => { globalThis.shifts = (globalThis.shifts ?? 0) + list.getEntries().length }).observe({ type: "layout-shift", buffered: true })',
    );
    await approachComments();
    await page.locator('.comment').nth(1).waitFor();
    expect(await page.locator('.comment').first().textContent()).toContain(
      'The lamp was a good one.',
    );
    expect(await page.evaluate('globalThis.shifts ?? 0')).toBe(0);
    await page.getByText('The end').click();
    expect(await page.getByText('Yes.', { exact: true }).isVisible()).toBe(true);
  });

  it('comments that cannot be read are missing, and who asks for them is told in their place', async () => {
    await open('/listen/en/noon');
    const link = page.getByRole('link', { name: 'Comments on the fediverse' });
    await link.waitFor();
    await link.click();
    await page.getByText('The comments can’t be loaded right now.').waitFor();
    expect(page.url()).toBe(`${service}/listen/en/noon`);
    await page.getByRole('link', { name: 'Answer at 127.0.0.1:9' }).waitFor();
  });

  it('comments are on a page of their own without scripts', async () => {
    await open('/listen/en/light', { javaScriptEnabled: false });
    await page.getByRole('link', { name: 'Comments on the fediverse' }).click();
    await page.getByRole('heading', { name: 'Comments on the fediverse 2' }).waitFor();
    await page.getByRole('link', { name: 'First light' }).click();
    await page.getByRole('heading', { name: 'First light' }).waitFor();
  });
});

describe('the page of an episode', () => {
  it('the keyboard reaches the other episodes', async () => {
    await open('/listen/en/light');
    await page.getByRole('link', { name: 'Noon', exact: true }).focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/listen/en/dusk');
  });

  it('paper has the whole transcript and the addresses of links, and nothing to press', async () => {
    await open('/listen/en/light', { colorScheme: 'dark' });
    await known();
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    for (const selector of ['.player', '.actions', '.follow', '.others', '.comments-link']) {
      const shown = await page
        .locator(selector)
        .evaluateAll((all) =>
          all.filter((one) => one.checkVisibility()).map((one) => one.className),
        );
      expect(shown, selector).toEqual([]);
    }
    const after = await page
      .getByRole('link', { name: 'the map' })
      .evaluate((link) => link.ownerDocument.defaultView.getComputedStyle(link, '::after').content);
    expect(after).toContain('https://example.com/map');
    const heights = await page
      .locator('.said')
      .evaluateAll((all) => all.map((one) => one.clientHeight));
    expect(Math.min(...heights)).toBeGreaterThan(0);
    const ink = await page.evaluate('getComputedStyle(document.body).color');
    expect(ink).toBe('rgb(0, 0, 0)');
  });
});
