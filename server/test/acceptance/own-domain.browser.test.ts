import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { attachTone } from '../../src/domain/publishing/audio/index.ts';
import { checkDomain, setDomain } from '../../src/domain/publishing/domains/index.ts';
import { attachImage, setPodcastArtwork } from '../../src/domain/publishing/images/index.ts';
import { type DnsServer, openDnsServer } from '../hosts/dns-server.ts';
import { pictureBytes } from '../hosts/podcast-host.ts';
import { makeEpisode, makePodcast } from '../make.ts';
import { type ServedApp, serveToBrowser } from '../serve-to-browser.ts';

// A show at its own domain in a real browser: what its pages load from the service's own host.

const domain = 'pod.example';
let names: DnsServer;
let served: ServedApp;
let own: string;

beforeAll(async () => {
  names = await openDnsServer({ [domain]: { a: ['127.0.0.1'] } });
  served = await serveToBrowser({ DNS_SERVERS: names.address, DOMAIN_TARGET: '127.0.0.1' }, [
    `--host-resolver-rules=MAP ${domain} 127.0.0.1`,
  ]);
  const { ctx } = served.app;
  const show = await makePodcast(ctx, { slug: 'night-signals', title: 'Night Signals' });
  const bytes = await pictureBytes('#246');
  const { id } = await attachImage(ctx, { podcastId: show.id, bytes });
  await setPodcastArtwork(ctx, show.id, id);
  const episode = await makeEpisode(ctx, show, { slug: 'first-light', title: 'First light' });
  await attachTone(ctx, episode.id, 40);
  const { token } = await setDomain(ctx, show.id, domain);
  names.zone[`_podstead.${domain}`] = { txt: [token] };
  expect((await checkDomain(ctx, show.id)).state).toBe('verified');
  own = `http://${domain}:${new URL(served.service).port}`;
}, 120_000);
afterAll(async () => {
  await served[Symbol.asyncDispose]();
  await names[Symbol.asyncDispose]();
});

/** A page, and all that goes wrong on it. */
async function open(url: string): Promise<{ page: Page; complaints: string[] }> {
  const page = await (await served.browser.newContext()).newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (line) => {
    if (line.type() === 'error') complaints.push(line.text());
  });
  page.on('requestfailed', (request) => {
    // The browser ends requests for audio itself.
    if (!request.url().includes('/media/')) complaints.push(request.url());
  });
  await page.goto(url);
  return { page, complaints };
}

// DOMAIN-7, DOMAIN-9
it('an old link leads to the page at the own domain, which has its cover and plays', async () => {
  const { page, complaints } = await open(`${served.service}/listen/night-signals`);
  const media: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/media/')) media.push(new URL(request.url()).pathname);
  });
  expect(page.url()).toBe(`${own}/`);
  const cover = page.locator('img').first();
  expect(await cover.evaluate((image) => Number(image.naturalWidth))).toBeGreaterThan(0);
  await page.getByRole('link', { name: 'First light' }).first().click();
  await page.waitForURL(`${own}/first-light`);
  await page
    .locator('podstead-player')
    .first()
    .getByRole('button', { name: 'Play' })
    .first()
    .click();
  const player = page.locator('podstead-player');
  const seconds = () =>
    player.evaluate((element) => (element as unknown as { currentTime: number }).currentTime);
  await expect.poll(seconds, { timeout: 30_000 }).toBeGreaterThan(0);
  // Counted as a play on a listen page, as those at the service's own URLs are.
  expect(media[0]).toMatch(/^\/media\/[\w-]+\/l\//);
  // PAGE-19: it plays on at the next page of this domain.
  await page.locator('aside.visit').waitFor();
  await page.evaluate('window.marked = true');
  await page.getByRole('link', { name: 'Night Signals' }).first().click();
  await page.waitForURL(`${own}/`);
  const heard = await seconds();
  await expect.poll(seconds).toBeGreaterThan(heard);
  expect(await page.evaluate('window.marked')).toBe(true);
  expect(await page.context().cookies()).toEqual([]);
  expect(complaints).toEqual([]);
  await page.context().close();
});
