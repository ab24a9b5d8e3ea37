import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { listOwnCredits } from '../../server/src/domain/publishing/people/index.ts';
import { addMember } from '../../server/src/domain/publishing/podcasts/index.ts';
import {
  findChapters,
  findTranscript,
} from '../../server/src/domain/publishing/transcripts/index.ts';
import { makeEpisode, makePodcast, makeUser } from '../../server/test/make.ts';
import { soundFrames } from '../../server/test/make-sound.ts';
import { makeSegments, record } from './make-recording.ts';
import { type OpenDashboard, openDashboard, waitUntilKept } from './open-dashboard.ts';

let dashboard: OpenDashboard;
beforeAll(async () => {
  dashboard = await openDashboard();
});
afterAll(() => dashboard[Symbol.asyncDispose]());

/** An episode with a recording, and its screen in a window of its owner. */
async function setUp(status: 'draft' | 'published' = 'draft') {
  const { app, service } = dashboard;
  const ann = await makeUser(app.ctx);
  const podcast = await makePodcast(app.ctx, { owner: ann, title: 'Night Signals' });
  const episode = await makeEpisode(app.ctx, podcast, { status });
  const { id } = episode;
  await record(app, episode, soundFrames(1, 60), makeSegments(60, 1000));
  const address = `${service}/app/shows/${podcast.id}/episodes/${id}`;
  const open = async (email: string) => {
    const page = await dashboard.signIn(email);
    await page.goto(address);
    return page;
  };
  return {
    podcast,
    address,
    open,
    page: await open(ann.email),
    chapters: async () => (await findChapters(app.ctx, id))?.map(({ title }) => title),
    words: async (index: number) => (await findTranscript(app.ctx, id))?.segments[index]?.text,
    people: async () => (await listOwnCredits(app.ctx, id)).map(({ name, role }) => [name, role]),
  };
}

const part = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const chapterTitle = (page: Page, index: number) =>
  part(page, 'Chapters').getByLabel('Chapter title').nth(index);
const wordsOf = (page: Page, index: number) =>
  part(page, 'Transcript').locator(`textarea[data-index="${index}"]`);
const status = (page: Page, words: string) =>
  page.getByRole('status').getByText(words, { exact: true }).waitFor();
const writes = '**/app/api/episodes/**';

/** Writes do not reach the server, as without a connection. */
const cutOff = (page: Page) =>
  page.route(writes, (route) =>
    route.request().method() === 'GET' ? route.fallback() : route.abort('internetdisconnected'),
  );

async function reconnect(page: Page): Promise<void> {
  await page.unroute(writes);
  await page.evaluate(() => window.dispatchEvent(new Event('online')));
}

/** The tab crashes once `typed` is kept, which takes a moment; another one opens the same screen. */
async function crash(page: Page, address: string, typed: string): Promise<Page> {
  await waitUntilKept(page, typed);
  const crashed = page.waitForEvent('crash');
  void page.goto('chrome://crash').catch(() => undefined);
  await crashed;
  const next = await page.context().newPage();
  await next.goto(address);
  return next;
}

it('the editor has its chapters again after the page crashed without a connection', async () => {
  const { page, address, chapters } = await setUp();
  await chapterTitle(page, 1).waitFor();
  await cutOff(page);
  await chapterTitle(page, 1).fill('The high water');
  await chapterTitle(page, 2).fill('Afterwards');
  await status(page, 'Paused, will continue');
  const next = await crash(page, address, 'Afterwards');
  await expect.poll(() => chapterTitle(next, 1).inputValue()).toBe('The high water');
  await status(next, 'Saved');
  expect(await chapters()).toEqual(['Welcome', 'The high water', 'Afterwards']);
  await page.context().close();
});

it('keeps a chapter that is not finished over a reload', async () => {
  const { page, chapters } = await setUp();
  await chapterTitle(page, 2).fill('');
  await part(page, 'Chapters').getByText('Some chapters can’t be saved as they are.').waitFor();
  await waitUntilKept(page, '"title":""');
  await page.reload();
  await chapterTitle(page, 2).waitFor();
  expect(await chapterTitle(page, 2).inputValue()).toBe('');
  expect(await chapters()).toEqual(['Welcome', 'The flood', 'What came after']);
  await chapterTitle(page, 2).fill('Afterwards');
  await status(page, 'Saved');
  expect(await chapters()).toContain('Afterwards');
  await page.context().close();
});

it('the editor has the words of the transcript again after a crash, and merges what others corrected', async () => {
  const { page, podcast, address, open, words } = await setUp();
  const bo = await makeUser(dashboard.app.ctx);
  await addMember(dashboard.app.ctx, { podcastId: podcast.id, userId: bo.id, role: 'admin' });
  const other = await open(bo.email);
  await wordsOf(page, 0).waitFor();
  await cutOff(page);
  await wordsOf(page, 0).fill('Ann, first.');
  await wordsOf(page, 1).fill('Ann, second.');
  await status(page, 'Paused, will continue');
  await wordsOf(other, 1).fill('Bo, second.');
  await wordsOf(other, 2).fill('Bo, third.');
  await status(other, 'Saved');

  const next = await crash(page, address, 'Ann, second.');
  await next.getByText(`${bo.name} changed Transcript: text of segment 2`).waitFor();
  await next.getByRole('button', { name: 'Compare' }).click();
  const dialog = next.getByRole('dialog', { name: 'You both changed this' });
  await dialog.getByRole('heading', { name: 'Transcript: text of segment 2' }).waitFor();
  await dialog.getByText('Bo, second.').waitFor();
  await expect.poll(() => words(0)).toBe('Ann, first.');
  expect(await words(1)).toBe('Bo, second.');
  await dialog.getByRole('button', { name: 'Keep mine' }).click();
  await status(next, 'Saved');
  expect(await Promise.all([words(0), words(1), words(2)])).toEqual([
    'Ann, first.',
    'Ann, second.',
    'Bo, third.',
  ]);
  await expect.poll(() => wordsOf(next, 2).inputValue()).toBe('Bo, third.');
  await other.context().close();
  await page.context().close();
});

it('saves people while they are entered, and has them again after a crash', async () => {
  const { page, address, people } = await setUp();
  const add = async (window: Page, name: string) => {
    await window.getByLabel('Person’s name').fill(name);
    await window.getByRole('button', { name: 'Add', exact: true }).click();
  };
  await add(page, 'Bo Example');
  await status(page, 'Saved');
  await expect.poll(people).toEqual([['Bo Example', 'guest']]);
  await cutOff(page);
  await add(page, 'Cy Example');
  await page.getByLabel('Role of Bo Example').selectOption({ label: 'Narrator' });
  await status(page, 'Paused, will continue');
  const next = await crash(page, address, 'narrator');
  await next.getByLabel('Role of Cy Example').waitFor();
  await status(next, 'Saved');
  expect(await people()).toEqual([
    ['Bo Example', 'narrator'],
    ['Cy Example', 'guest'],
  ]);
  await page.context().close();
});

it('saves all parts of a public episode when the person says so', async () => {
  const { page, chapters, words, people } = await setUp('published');
  await chapterTitle(page, 1).fill('The high water');
  await wordsOf(page, 0).fill('Corrected.');
  await page.getByLabel('Person’s name').fill('Bo Example');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await status(page, 'Unpublished changes');
  expect(await chapters()).toContain('The flood');
  await cutOff(page);
  await page.getByRole('button', { name: 'Publish changes' }).click();
  await status(page, 'Paused, will continue');
  await reconnect(page);
  await status(page, 'Saved');
  expect(await chapters()).toContain('The high water');
  expect(await words(0)).toBe('Corrected.');
  expect(await people()).toEqual([['Bo Example', 'guest']]);
  await page.context().close();
});
