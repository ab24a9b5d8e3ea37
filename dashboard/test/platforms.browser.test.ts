import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { importPlatformFile } from '../../server/src/domain/audience/analytics/index.ts';
import type { User } from '../../server/src/domain/foundation/accounts/index.ts';
import { makeEpisode, makePodcast, makeUser } from '../../server/test/make.ts';
import { expectAccessibleScreens } from './expect-accessible-screens.ts';
import { type OpenDashboard, openDashboard } from './open-dashboard.ts';

let dashboard: OpenDashboard;
let owner: User;
/** Of a show with an episode. */
let path: string;

beforeAll(async () => {
  dashboard = await openDashboard();
  const { ctx } = dashboard.app;
  owner = await makeUser(ctx, 'enterprise');
  const podcast = await makePodcast(ctx, { owner });
  await makeEpisode(ctx, podcast, { title: 'Episode 7' });
  path = `/app/shows/${podcast.id}/statistics/platforms`;
});
afterAll(() => dashboard[Symbol.asyncDispose]());

it('imports the figures of a platform', async () => {
  const page = await dashboard.signIn(owner.email);
  await page.goto(dashboard.service + path);
  const part = page.getByRole('region', { name: 'Apple Podcasts Connect' });
  await part.getByText('Nothing imported yet.').waitFor();
  const buffer = Buffer.from('Episode Title,Plays,Followers\nEpisode 7,41,3\nUnheard,2,3\n');
  await part
    .getByLabel('CSV file')
    .setInputFiles({ name: 'apple.csv', mimeType: 'text/csv', buffer });
  const notice = part.getByText('No episodes here have these titles: Unheard');
  await notice.waitFor();
  expect(await notice.innerText()).not.toContain('replaced');
  await expect
    .poll(() => part.getByRole('row').allInnerTexts())
    .toContainEqual(expect.stringMatching(/^Episode 7\t41/));
  await page.context().close();
});

it('says what an import replaces before it does', async () => {
  const page = await dashboard.signIn(owner.email);
  await page.goto(dashboard.service + path);
  const part = page.getByRole('region', { name: 'Spotify for Creators' });
  const choose = (name: string, text: string) =>
    part
      .getByLabel('CSV file')
      .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });
  await part.getByText('Nothing imported yet.').waitFor();
  await choose('episodes.csv', 'name,plays,streams\nEpisode 7,41,30\n');
  await part.getByText('1 episode was found.').waitFor();
  await part.getByRole('link', { name: 'Episode 7' }).waitFor();

  // A file that is refused replaces nothing, so nothing is asked.
  await choose('other.csv', 'Video title,Views\nA,1\n');
  await part.getByText('This is not a CSV export of Spotify for Creators.').waitFor();
  expect(await page.getByRole('dialog').count()).toBe(0);

  await choose('followers.csv', 'Date,Followers\n2026-03-01,9\n');
  const dialog = page.getByRole('dialog', { name: 'Replace the figures from Spotify' });
  await dialog.getByText('followers.csv replaces everything imported on').waitFor();
  expect(await dialog.getByRole('listitem').allInnerTexts()).toEqual([
    'for the show: Plays, Plays of 60 seconds or more',
    'the figures for each episode',
  ]);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(await part.getByRole('link', { name: 'Episode 7' }).count()).toBe(1);

  await choose('followers.csv', 'Date,Followers\n2026-03-01,9\n');
  await dialog.getByRole('button', { name: 'Replace' }).click();
  await part.getByText('Figures for the show were found: Followers.').waitFor();
  const [button, notice] = [part.getByRole('button'), part.getByRole('status')];
  const [above, below] = [await button.boundingBox(), await notice.boundingBox()];
  expect((below?.y ?? 0) - (above?.y ?? 0) - (above?.height ?? 0)).toBeGreaterThan(8);
  await part.getByRole('link', { name: 'Episode 7' }).waitFor({ state: 'detached' });
  await page.context().close();
});

it('names the import that a file replaces, also if somebody else made it since', async () => {
  const { ctx } = dashboard.app;
  const { id: podcastId } = await makePodcast(ctx, { owner });
  const page = await dashboard.signIn(owner.email);
  await page.goto(`${dashboard.service}/app/shows/${podcastId}/statistics/platforms`);
  const part = page.getByRole('region', { name: 'Apple Podcasts Connect' });
  await part.getByText('Nothing imported yet.').waitFor();
  const file = Readable.from([Buffer.from('Date,Followers\n2026-03-01,9\n')]);
  await importPlatformFile(ctx, { podcastId, source: 'apple', file });
  const buffer = Buffer.from('Episode Title,Plays\nEpisode 7,41\n');
  await part
    .getByLabel('CSV file')
    .setInputFiles({ name: 'apple.csv', mimeType: 'text/csv', buffer });
  const dialog = page.getByRole('dialog', { name: 'Replace the figures from Apple' });
  await dialog.getByText('apple.csv replaces everything imported on').waitFor();
  await dialog.getByText('with figures up to 1 March 2026').waitFor();
  expect(await dialog.getByRole('listitem').allInnerTexts()).toEqual(['for the show: Followers']);

  const later = Readable.from([Buffer.from('Date,Followers\n2026-03-02,9\n')]);
  await importPlatformFile(ctx, { podcastId, source: 'apple', file: later });
  await dialog.getByRole('button', { name: 'Replace' }).click();
  await part
    .getByText(/This replaced the figures imported on .*, which went up to 2 March 2026\.$/)
    .waitFor();
  await page.context().close();
});

it('says why a file is refused, in the language of the reader or else in English', async () => {
  const { id } = await makePodcast(dashboard.app.ctx, { owner });
  const page = await dashboard.signIn(owner.email, { locale: 'de-DE' });
  await page.goto(`${dashboard.service}/app/shows/${id}/statistics/platforms`);
  const part = page.getByRole('region', { name: 'Apple Podcasts Connect' });
  const choose = (text: string) =>
    part
      .getByLabel('CSV-Datei')
      .setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
  const refusal = part.getByRole('alert');
  await part.getByRole('button', { name: 'CSV-Datei importieren' }).waitFor();
  await choose('Date,Net Followers\n20260301,4\n20260302,-3\n');
  await refusal.getByText('Zeile 3, Spalte „Net Followers“: „-3“ ist eine Veränderung').waitFor();
  await choose('Video title,Views\nA,1\n');
  await refusal.getByText('Gefunden: "Video title", "Views".').waitFor();

  const error = { code: 'invalid_request', message: 'Newer than this app.' };
  await page.route('**/platforms/apple', (route) =>
    route.request().method() === 'PUT'
      ? route.fulfill({ status: 400, json: { error } })
      : route.fallback(),
  );
  await choose('Date,Followers\n20260301,4\n');
  await refusal.getByText('Newer than this app.').waitFor();
  await page.context().close();
});

it('shows all figures of each episode on a phone, with long names', async () => {
  const { ctx } = dashboard.app;
  const { id: podcastId } = await makePodcast(ctx, { owner });
  const text = 'name,plays,streams,listeners,followers\nFolge 7,141972,98360,51860,3\n';
  const file = Readable.from([Buffer.from(text)]);
  await importPlatformFile(ctx, { podcastId, source: 'spotify', file });
  const viewport = { width: 360, height: 800 };
  const page = await dashboard.signIn(owner.email, { locale: 'de-DE', viewport });
  await page.goto(`${dashboard.service}/app/shows/${podcastId}/statistics/platforms`);
  const row = page.getByRole('row').filter({ hasText: 'Folge 7' });
  await row.waitFor();
  expect(await row.getByRole('cell').allInnerTexts()).toEqual(['141.972', '98.360', '51.860', '3']);
  for (const part of await page.getByRole('table').locator('xpath=..').all()) {
    expect(await part.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);
  }
  expect(await page.getByRole('columnheader').allInnerTexts()).toContain('Wiedergaben');
  await page.context().close();
});

it('says before a file is chosen that the plan does not include such figures', async () => {
  const { ctx } = dashboard.app;
  const small = await makeUser(ctx, 'creator');
  const { id } = await makePodcast(ctx, { owner: small });
  const page = await dashboard.signIn(small.email);
  await page.goto(`${dashboard.service}/app/shows/${id}/statistics/platforms`);
  const part = page.getByRole('region', { name: 'Apple Podcasts Connect' });
  await part.getByText('This show’s plan doesn’t include other platforms’ figures').waitFor();
  expect(await page.getByRole('button', { name: 'Import a CSV file' }).count()).toBe(0);
  await page.context().close();
});

it('the screen of other platforms is accessible', async () => {
  await expectAccessibleScreens(dashboard, owner.email, [path]);
});
