import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type {
  Browser,
  BrowserContextOptions,
  FrameLocator,
  Locator,
  Page,
  Request,
  Route,
} from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { isSecondBrowser } from '../../../player/test/find-chromium.ts';
import { attachTone } from '../../src/domain/publishing/audio/index.ts';
import type { Episode } from '../../src/domain/publishing/episodes/index.ts';
import {
  type Podcast,
  pausePodcast,
  resumePodcast,
  suspendPodcast,
} from '../../src/domain/publishing/podcasts/index.ts';
import { setChapters } from '../../src/domain/publishing/transcripts/index.ts';
import type { TestApp } from '../create-test-app.ts';
import { makeEpisode, makePodcast } from '../make.ts';
import { serveToBrowser } from '../serve-to-browser.ts';

// Pages with the player in a real browser: ours, and those of another site on another origin.

const opened = new AsyncDisposableStack();
let browser: Browser;
let app: TestApp;
let service: string;
let foreign: Server;
let foreignHost: string;
let foreignPage = { html: '', headers: {} as Record<string, string> };
let show: Podcast;
let episode: Episode;

beforeAll(async () => {
  const served = opened.use(await serveToBrowser());
  ({ browser, app, service } = served);
  foreign = createServer((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html', ...foreignPage.headers });
    response.end(`<!doctype html><title>Somebody else's</title>${foreignPage.html}`);
  });
  await new Promise<void>((resolve) => foreign.listen(0, '127.0.0.1', resolve));
  opened.defer(() => void foreign.close());
  foreignHost = `localhost:${(foreign.address() as AddressInfo).port}`;
  show = await makePodcast(app.ctx, { slug: 'night-signals', title: 'Night Signals' });
  const older = await makeEpisode(app.ctx, show, { slug: 'dusk', title: 'Dusk on the dial' });
  await attachTone(app.ctx, older.id, 20);
  episode = await makeEpisode(app.ctx, show, { slug: 'first-light', title: 'First light' });
  await attachTone(app.ctx, episode.id, 30);
  await setChapters(app.ctx, episode.id, [
    { startMs: 0, title: 'Opening' },
    { startMs: 20_000, title: 'Dawn' },
  ]);
}, 120_000);
afterAll(() => opened.disposeAsync());

let page: Page;
let complaints: string[];
let requests: Request[];
afterEach(async () => {
  await page.context().close();
  expect(complaints).toEqual([]);
});

async function open(url: string, options: BrowserContextOptions = {}): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 700, height: 900 }, ...options });
  page = await context.newPage();
  complaints = [];
  requests = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('request', (request) => requests.push(request));
  await page.goto(url);
}

async function openForeign(html: string, headers: Record<string, string> = {}, options = {}) {
  foreignPage = { html, headers };
  await open(`http://${foreignHost}/blog/post?secret=1`, options);
}

const frameOf = (path: string, attributes = '', height = 180) =>
  `<iframe src="${service}${path}" width="600" height="${height}" title="Player" ${attributes}></iframe>`;
const inFrame = () => page.frameLocator('iframe');

interface Sounding {
  readonly currentTime: number;
  readonly paused: boolean;
}
// Reads through the element, because our policy forbids evaluating text in the page.
const read = (sounding: Locator) =>
  sounding.evaluate((element) => {
    const { currentTime, paused } = element as unknown as Sounding;
    return { currentTime, paused };
  });
const hasPlayedTo = (sounding: Locator, seconds: number) =>
  expect.poll(async () => (await read(sounding)).currentTime).toBeGreaterThan(seconds);

/** Presses play in the player, and waits until audio plays. */
async function play(where: FrameLocator | Page): Promise<void> {
  await where.getByRole('button', { name: 'Play', exact: true }).first().click();
  await where.getByRole('button', { name: 'Pause', exact: true }).first().waitFor();
  await hasPlayedTo(where.locator('podstead-player').first(), 0.3);
}

const mediaAsked = () =>
  requests
    .filter((request) => request.url().includes('/media/'))
    .map((request) => ({
      path: request.url().replace(service, ''),
      referrer: request.headers()['referer'] || undefined,
    }));

const host = () => encodeURIComponent(foreignHost);

// PAGE-28
describe('the page with the code of a player', () => {
  const url = (query = '') => `${service}/ep/${episode.id}/code${query}`;
  const code = () => page.getByLabel('Embed code').inputValue();

  it('the page with the code of a player follows the form, and its code plays on another site', async () => {
    await open(url());
    await page.getByLabel('Start at').fill('0:05');
    await expect.poll(code).toContain(`/ep/${episode.id}#t=0:05"`);
    await page.getByLabel('Always the newest episode').check();
    await page.getByLabel('Size').selectOption('compact');
    await page.getByLabel('Color').fill('#aa3300');
    await expect.poll(code).toContain('/latest/night-signals?layout=compact#color=aa3300"');
    await page.locator('podstead-player[layout=compact][color="#aa3300"]').waitFor();
    expect(await page.getByRole('button', { name: 'Update' }).isVisible()).toBe(false);
    const element = await page.getByLabel('Player as a web component').inputValue();
    // The address has the choice, so that it can be shared.
    await page.reload();
    expect(await page.getByLabel('Color').inputValue()).toBe('#aa3300');
    await page.context().close();
    await openForeign(element);
    await play(page);
  });

  it('the page with the code of a player works without JavaScript', async () => {
    await open(url(), { javaScriptEnabled: false });
    await page.getByLabel('Start at').fill('a minute');
    await page.getByLabel('Background').selectOption('dark');
    await page.getByRole('button', { name: 'Update' }).click();
    await page.getByText('Enter a time such as 1:30.').waitFor();
    expect(await code()).toContain(`/ep/${episode.id}#theme=dark"`);
    expect(await page.getByRole('button', { name: 'Copy' }).count()).toBe(0);
  });

  it('the share panel of a player leads to its code, from the chosen second', async () => {
    await open(`${service}/ep/${episode.id}`);
    const player = page.locator('main podstead-player');
    await player.evaluate((element) => (element as unknown as { seek(s: number): void }).seek(7));
    await player.getByRole('button', { name: 'Share' }).click();
    await player.getByLabel('Start at 0:07').check();
    const link = player.getByRole('link', { name: 'Customize' });
    expect(await link.getAttribute('href')).toBe(url('?t=7'));
  });
});

describe('a player in the frame of another site', () => {
  it('plays in a WordPress frame, and reports only the site’s host', async () => {
    await openForeign(frameOf(`/ep/${episode.id}`, 'sandbox="allow-scripts"'));
    await inFrame().getByText('First light').first().waitFor();
    expect(mediaAsked()).toEqual([]);
    await play(inFrame());
    const path = `/media/${episode.id}/p/first-light.mp3?r=${host()}`;
    expect(mediaAsked()[0]).toEqual({ path, referrer: undefined });
  });

  it('a player in a frame has the browser’s own controls without JavaScript', async () => {
    await openForeign(frameOf(`/ep/${episode.id}`, 'sandbox'));
    await inFrame().getByRole('link', { name: 'First light' }).waitFor();
    const audio = inFrame().locator('audio');
    const [frame, controls] = [
      await page.locator('iframe').boundingBox(),
      await audio.boundingBox(),
    ];
    const bottom = ({ y, height }: { y: number; height: number }) => y + height;
    expect(bottom(controls!)).toBeLessThan(bottom(frame!));
    await audio.focus();
    await page.keyboard.press('Space');
    await hasPlayedTo(audio, 0.3);
    expect(mediaAsked()[0]?.path).toBe(`/media/${episode.id}/p/first-light.mp3`);
    for (const said of complaints.splice(0)) expect(said).toContain('Blocked script execution');
  });

  it.each([
    ['is blocked', (route: Route) => route.abort()],
    ['is gone', (route: Route) => route.fulfill({ status: 404, body: '' })],
    ['is broken', (route: Route) => route.fulfill({ body: 'throw 1' })],
  ])(
    'a player in the frame of another site has the browser’s own controls if the script %s',
    async (_, answer) => {
      for (const path of [`/ep/${episode.id}`, `/latest/${show.slug}`]) {
        foreignPage = { html: frameOf(path, 'sandbox="allow-scripts"'), headers: {} };
        await open('about:blank');
        await page.context().route('**/player/v1.*.js', answer);
        await page.goto(`http://${foreignHost}/`);
        const audio = inFrame().locator('audio');
        await audio.waitFor();
        await audio.focus();
        await page.keyboard.press('Space');
        await hasPlayedTo(audio, 0.3);
        complaints.length = 0;
        if (path.startsWith('/ep')) await page.context().close();
      }
    },
  );
});

// The engine alone decides these, and both browsers have the same.
if (!isSecondBrowser) {
  describe('a player in any frame of another site', () => {
    it('reports the host also if it is not sandboxed', async () => {
      await openForeign(frameOf(`/latest/${show.slug}`));
      await play(inFrame());
      const path = `/media/${episode.id}/p/first-light.mp3?r=${host()}`;
      expect(mediaAsked()[0]).toEqual({ path, referrer: `${service}/latest/${show.slug}` });
    });

    it('reports nothing if the page sends no referrer', async () => {
      const silent = { 'Referrer-Policy': 'no-referrer' };
      await openForeign(frameOf(`/ep/${episode.id}`, 'sandbox="allow-scripts"'), silent);
      await play(inFrame());
      const path = `/media/${episode.id}/p/first-light.mp3`;
      expect(mediaAsked()[0]).toEqual({ path, referrer: undefined });
    });

    it('a player in the frame of another site fits the frame: small in a low frame, with any options in the address', async () => {
      await openForeign(frameOf(`/ep/${episode.id}`, '', 100));
      await inFrame().locator('podstead-player[layout="compact"]').waitFor();
      await page.locator('iframe').evaluate((frame) => frame.setAttribute('height', '180'));
      await inFrame().locator('podstead-player[layout="full"]').waitFor();
    });

    it('a player in the frame of another site starts at the position in its address', async () => {
      await openForeign(frameOf(`/ep/${episode.id}#t=12`));
      await play(inFrame());
      await hasPlayedTo(inFrame().locator('podstead-player'), 12);
    });

    it('a message in the place of a player has its corners, and the page around the frame behind them', async () => {
      const unknown = '00000000-0000-7000-8000-000000000000';
      const empty = await makePodcast(app.ctx, { slug: 'empty' });
      const paused = await makePodcast(app.ctx, { slug: 'paused' });
      await pausePodcast(app.ctx, paused.id);
      for (const [path, card] of [
        [`/ep/${unknown}`, 'main'],
        [`/latest/${paused.slug}`, 'main'],
        [`/latest/${empty.slug}`, '.frame'],
      ] as const) {
        await openForeign(frameOf(path));
        const looks = await inFrame()
          .locator(card)
          .evaluate((element) => {
            const { getComputedStyle: styleOf } = element.ownerDocument.defaultView;
            const { borderRadius, backgroundColor } = styleOf(element);
            const around = styleOf(element.ownerDocument.documentElement).backgroundColor;
            return { borderRadius, isFilled: backgroundColor !== around, around };
          });
        const around = 'rgba(0, 0, 0, 0)';
        expect(looks, path).toEqual({ borderRadius: '14px', isFilled: true, around });
        if (path !== `/latest/${empty.slug}`) await page.context().close();
        complaints.length = 0;
      }
    });

    it('shows a message for an unknown and a suspended episode', async () => {
      const unknown = '00000000-0000-7000-8000-000000000000';
      await openForeign(frameOf(`/ep/${unknown}`, 'sandbox="allow-scripts"'));
      await inFrame().getByText('Nothing to play here').waitFor();
      expect(complaints.splice(0)).toEqual([expect.stringContaining('404')]);
      await suspendPodcast(app.ctx, show.id);
      await page.goto(page.url());
      foreignPage.html = frameOf(`/ep/${episode.id}`);
      await page.reload();
      await inFrame().getByText('Night Signals is not available right now').waitFor();
      await resumePodcast(app.ctx, show.id);
      expect(complaints.splice(0).at(-1)).toContain('403');
    });
  });
}

describe('the component in the page of another site', () => {
  it('the component in the page of another site runs under a content security policy with its version and hash', async () => {
    const answer = await app.request({ method: 'GET', url: '/player/v1.json' });
    const { immutable_url, integrity } = answer.json();
    await openForeign(
      `<podstead-player episode="${episode.id}"></podstead-player>
<script src="${immutable_url}" integrity="${integrity}" crossorigin="anonymous"></script>`,
      {
        'Content-Security-Policy': `default-src 'none'; script-src '${integrity}'; connect-src ${service}; img-src ${service}; media-src ${service}`,
      },
    );
    await play(page);
    const path = `/media/${episode.id}/p/first-light.mp3`;
    expect(mediaAsked()[0]).toEqual({ path, referrer: `http://${foreignHost}/` });
  });
});
