import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import {
  listAbandonedImports,
  resumeImport,
} from '../../server/src/domain/exchange/imports/index.ts';
import type { User } from '../../server/src/domain/foundation/accounts/index.ts';
import { findEmails } from '../../server/test/find-emails.ts';
import {
  openPodcastHost,
  type PodcastHost,
  type TestItem,
  toneBytes,
  writeTestFeed,
} from '../../server/test/hosts/podcast-host.ts';
import { makeUser } from '../../server/test/make.ts';
import { expectAccessibleScreens } from './expect-accessible-screens.ts';
import { type OpenDashboard, openDashboard, watchFailures } from './open-dashboard.ts';

let dashboard: OpenDashboard;
let host: PodcastHost;
let user: User;
beforeAll(async () => {
  dashboard = await openDashboard({ OUTBOUND_ALLOW: '127.0.0.0/8' });
});
afterAll(() => dashboard[Symbol.asyncDispose]());
beforeEach(async () => {
  host = await openPodcastHost();
  user = await makeUser(dashboard.app.ctx);
});
afterEach(() => host[Symbol.asyncDispose]());

const press = (page: Page, name: string) => page.getByRole('button', { name }).click();
const count = (page: Page, label: string) =>
  page.locator('dl > div', { hasText: label }).locator('dd').textContent();

/** What a worker does: carries out what was requested. */
async function carryOut(): Promise<void> {
  const { ctx } = dashboard.app;
  for (const id of await listAbandonedImports(ctx)) {
    await resumeImport(ctx, id).catch(() => undefined);
  }
}

function serveFeed(items: readonly TestItem[], channel = ''): string {
  host.serve('/feed.xml', writeTestFeed({ channel, items }));
  return `${host.url}/feed.xml`;
}

async function lookAt(page: Page, feed: string): Promise<void> {
  await page.goto(`${dashboard.service}/app/new`);
  await page.getByLabel('Feed URL').fill(feed);
  await press(page, 'Check the feed');
  await page.waitForURL(/\/app\/imports\/[\da-f-]{36}$/);
}

it('imports 300 episodes, watched live while the window is closed and opened', async () => {
  const audio = await toneBytes(1);
  const gate = Promise.withResolvers<void>();
  let asked = 0;
  host.respond('/audio.mp3', async (_request, response) => {
    asked += 1;
    if (asked > 120) await gate.promise;
    response.writeHead(200, { 'content-type': 'audio/mpeg' }).end(audio);
  });
  const items = Array.from({ length: 300 }, (_, index) => ({
    guid: `episode-${index}`,
    title: `Episode ${index}`,
    date: new Date(Date.UTC(2020, 0, 300 - index)).toUTCString(),
    audio: `${host.url}/audio.mp3?n=${index}`,
  }));
  const feed = serveFeed(items);
  const first = await dashboard.signIn(user.email);
  const failures = watchFailures(first);
  await lookAt(first, feed);
  await first.getByRole('progressbar').waitFor();
  await carryOut();
  await first.getByRole('button', { name: 'Import', exact: true }).waitFor();
  expect([await count(first, 'New episodes'), await count(first, 'Need attention')]).toEqual([
    '300',
    '0',
  ]);
  await first.getByText('300 audio files will be copied').waitFor();

  await first.getByRole('button', { name: 'Import', exact: true }).click();
  await first.getByRole('progressbar').waitFor();
  const work = carryOut();
  const copied = (page: Page) =>
    page.evaluate(() => document.querySelector('progress')?.value ?? 0);
  await first.locator('li[aria-current="step"]', { hasText: 'Audio' }).waitFor();
  await expect.poll(() => copied(first)).toBeGreaterThan(30);
  const url = first.url();
  const context = first.context();
  await first.close();

  const second = await context.newPage();
  await second.goto(url);
  await expect.poll(() => copied(second)).toBeGreaterThan(100);
  gate.resolve();
  await second.getByRole('heading', { name: 'What to do at the old host' }).waitFor();
  await work;
  expect(await count(second, 'New episodes')).toBe('300');
  await second.getByText(/^300 audio files were copied/).waitFor();
  const newFeed = second.getByLabel('New feed URL', { exact: true });
  expect(await newFeed.inputValue()).toBe(`${dashboard.service}/feeds/night-signals.xml`);
  await second.getByRole('link', { name: 'Go to episodes' }).click();
  await second.waitForURL(/\/app\/shows\/[\da-f-]{36}\/episodes$/);
  expect(failures).toEqual([]);
  await context.close();
}, 600_000);

it('asks for a proof where the feed is locked, and goes on with it', async () => {
  const lock = '<podcast:locked owner="ana@feeds.example">yes</podcast:locked>';
  const feed = serveFeed([{ guid: '1', title: 'One' }], lock);
  const page = await dashboard.signIn(user.email);
  await lookAt(page, feed);
  await carryOut();
  await page.getByRole('heading', { name: 'Is this show yours?' }).waitFor();
  await press(page, 'Send code');
  await page.getByText('a…@feeds.example').waitFor();
  const code = page.getByLabel('Code');
  await code.fill('0000 0000');
  await press(page, 'Confirm');
  await expect.poll(() => code.getAttribute('aria-invalid')).toBe('true');
  const [email] = await findEmails(dashboard.app, 'ana@feeds.example');
  await code.fill(String(email?.values['code']));
  await press(page, 'Confirm');
  await page.getByRole('progressbar').waitFor();
  await carryOut();
  await page.getByRole('button', { name: 'Import', exact: true }).waitFor();
  await page.context().close();
});

it('says what failed, tries it again, cancels and goes on', async () => {
  const page = await dashboard.signIn(user.email);
  await lookAt(page, `${host.url}/feed.xml`);
  await carryOut();
  await page.getByText('The feed could not be fetched').waitFor();
  serveFeed([
    { guid: '1', title: 'One', audio: `${host.url}/gone.mp3` },
    { guid: '2', title: 'Two' },
  ]);
  await press(page, 'Try again');
  await page.getByRole('progressbar').waitFor();
  await press(page, 'Cancel');
  await page.getByText('The import was cancelled.').waitFor();
  await press(page, 'Continue');
  await page.getByRole('progressbar').waitFor();
  await carryOut();
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await page.getByRole('progressbar').waitFor();
  await carryOut();
  await page.getByText('1 episode needs your attention').waitFor();
  await page.getByRole('heading', { name: 'Problems' }).waitFor();

  host.serve('/gone.mp3', await toneBytes(1), 'audio/mpeg');
  await press(page, 'Retry');
  await page.getByRole('progressbar').waitFor();
  await carryOut();
  await page.getByRole('heading', { name: 'What to do at the old host' }).waitFor();
  expect(await count(page, 'Need attention')).toBe('0');
  await page.goto(`${dashboard.service}/app/imports`);
  await expect.poll(() => page.getByText('Imported', { exact: true }).count()).toBe(2);
  await page.context().close();
});

it('reads well to everyone', async () => {
  const page = await dashboard.signIn(user.email);
  const feed = serveFeed([
    { guid: '1', title: 'One', audio: `${host.url}/gone.mp3` },
    { guid: '2', title: 'Two' },
  ]);
  const paths = ['/app/imports', '/app/imports/new'];
  await lookAt(page, feed);
  paths.push(new URL(page.url()).pathname);
  await carryOut();
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await page.getByRole('progressbar').waitFor();
  paths.push(new URL(page.url()).pathname);
  await carryOut();
  await lookAt(page, `${host.url}/nothing.xml`);
  paths.push(new URL(page.url()).pathname);
  await carryOut();
  await lookAt(page, feed);
  paths.push(new URL(page.url()).pathname);
  await page.context().close();
  await expectAccessibleScreens(dashboard, user.email, paths);
});
