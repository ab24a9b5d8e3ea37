import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { attachTone } from '../../server/src/domain/publishing/audio/index.ts';
import { readEpisodeDraft } from '../../server/src/domain/publishing/episodes/index.ts';
import { addPerson, setCredits } from '../../server/src/domain/publishing/people/index.ts';
import { addMember } from '../../server/src/domain/publishing/podcasts/index.ts';
import { makeDownloads } from '../../server/test/downloads.ts';
import { makeEpisode, makePodcast, makeUser } from '../../server/test/make.ts';
import { type OpenDashboard, openDashboard } from './open-dashboard.ts';

let dashboard: OpenDashboard;
beforeAll(async () => {
  dashboard = await openDashboard();
});
afterAll(() => dashboard[Symbol.asyncDispose]());

/** On 26 November in Berlin, on 25 November in UTC and in New York. */
const publishedAt = new Date('2025-11-25T23:37:00Z');

async function setUp(status: 'draft' | 'published') {
  const { ctx } = dashboard.app;
  const ann = await makeUser(ctx);
  const podcast = await makePodcast(ctx, {
    owner: ann,
    title: 'Night Signals',
    timezone: 'Europe/Berlin',
  });
  const made = await makeEpisode(ctx, podcast, {
    ...{ status, title: 'First light' },
    ...(status === 'published' && { publishedAt }),
  });
  const { id } = made;
  await attachTone(ctx, id, 2);
  if (status === 'published') await makeDownloads(ctx, made, 2);
  const principal = { kind: 'user', userId: ann.id } as const;
  const stored = () => readEpisodeDraft({ ...ctx, principal }, id);
  const show = `${dashboard.service}/app/shows/${podcast.id}`;
  return { ann, podcast, episodeId: id, stored, show, episode: `${show}/episodes/${id}` };
}

const textsOf = (page: Page, selector: string) =>
  page
    .locator(selector)
    .filter({ visible: true })
    .allInnerTexts()
    .then((texts) => texts.map((text) => text.trim()));

it('shows the dates of an episode in the zone of the show everywhere, and names it elsewhere', async () => {
  const { ann, podcast, show, episode } = await setUp('published');
  const page = await dashboard.signIn(ann.email, { timezoneId: 'America/New_York' });
  await page.goto(`${dashboard.service}/app`);
  await page.getByText('26 Nov 2025 (CET)').waitFor();
  await page.goto(`${show}/episodes`);
  await page.getByText('26 Nov 2025, 00:37 (CET)').waitFor();
  expect(await page.locator('td time').first().getAttribute('title')).toBe('25 Nov 2025, 18:37');
  await page.goto(episode);
  await page.getByText('26 Nov 2025, 00:37 (Europe/Berlin, UTC+1)').waitFor();
  await page.goto(`${show}/statistics`);
  await page.getByRole('cell', { name: '26 Nov 2025 (CET)' }).waitFor();
  await page.goto(`${dashboard.service}/listen/${podcast.slug}`);
  expect(await textsOf(page, '.episodes time, .episode time')).toEqual([
    'November 26, 2025 at 12:37 AM GMT+1',
  ]);
  await page.context().close();
});

it('shows a co-host the dates of an episode in the zone of the show, too', async () => {
  const { ctx } = dashboard.app;
  const { podcast, episode, episodeId } = await setUp('published');
  const cohost = await makeUser(ctx);
  await addMember(ctx, { podcastId: podcast.id, userId: cohost.id, role: 'cohost' });
  const person = await addPerson(ctx, { podcastId: podcast.id, name: 'Co', userId: cohost.id });
  await setCredits(ctx, episodeId, [{ personId: person.id }]);
  const page = await dashboard.signIn(cohost.email, { timezoneId: 'America/New_York' });
  await page.goto(episode);
  await page.getByText('26 Nov 2025, 00:37 (Europe/Berlin, UTC+1)').waitFor();
  await page.context().close();
});

it('says until when a preview link works in the zone of the show', async () => {
  const { ann, episode } = await setUp('draft');
  const page = await dashboard.signIn(ann.email, { timezoneId: 'Pacific/Auckland' });
  await page.goto(episode);
  await page.getByRole('button', { name: 'Create preview link' }).click();
  const ends = page.getByText(/^Anyone with the link can see the draft until/);
  await ends.waitFor();
  const at = (await ends.locator('time').getAttribute('datetime')) ?? '';
  const format = { dateStyle: 'medium', timeZone: 'Europe/Berlin' } as const;
  const day = new Intl.DateTimeFormat('en-GB', format).format(new Date(at));
  expect(await ends.locator('time').innerText()).toContain(day);
  await page.context().close();
});

it('a date does not name the zone to those who live in it', async () => {
  const { ann, podcast, show } = await setUp('published');
  const page = await dashboard.signIn(ann.email, { timezoneId: 'Europe/Berlin' });
  await page.goto(`${show}/episodes`);
  await page.getByText('26 Nov 2025, 00:37', { exact: true }).waitFor();
  await page.goto(`${dashboard.service}/listen/${podcast.slug}`);
  expect(await textsOf(page, '.episodes time, .episode time')).toEqual(['November 26, 2025']);
  await page.context().close();
});

async function typeTime(page: Page, parts: Readonly<Record<string, string>>) {
  await page.getByRole('button', { name: /^(Schedule…|Change the time…)$/ }).click();
  for (const [name, value] of Object.entries(parts)) {
    const part = page.getByRole('dialog').getByRole('spinbutton', { name: new RegExp(`^${name}`) });
    await part.click();
    await page.keyboard.type(value);
  }
}

it('says what happens at a time that the clocks skip', async () => {
  const { ann, stored, episode } = await setUp('draft');
  const page = await dashboard.signIn(ann.email, { timezoneId: 'Europe/Berlin' });
  await page.goto(episode);
  await typeTime(page, { day: '28', month: '3', year: '2027', hour: '02', minute: '30' });
  const dialog = page.getByRole('dialog');
  await dialog
    .getByText(
      'This time doesn’t exist because the clocks go from UTC+1 to UTC+2 on that day. The episode will appear at 28 Mar 2027, 03:30.',
    )
    .waitFor();
  await dialog.getByText('28 Mar 2027, 03:30 (UTC+2)').waitFor();
  await dialog.getByRole('button', { name: 'Schedule', exact: true }).click();
  await page.getByText('28 Mar 2027, 03:30 (Europe/Berlin, UTC+2)').waitFor();
  expect((await stored()).scheduledFor).toEqual(new Date('2027-03-28T01:30:00Z'));
  await page.context().close();
});

it('asks which one is meant of a time that comes twice', async () => {
  const { ann, stored, episode } = await setUp('draft');
  const page = await dashboard.signIn(ann.email, { timezoneId: 'Europe/Berlin' });
  await page.goto(episode);
  await typeTime(page, { day: '31', month: '10', year: '2027', hour: '02', minute: '30' });
  const dialog = page.getByRole('dialog');
  await dialog.getByText('31 Oct 2027, 02:30 (UTC+2)').waitFor();
  await dialog.getByText('The second (UTC+1)').click();
  await dialog.getByText('31 Oct 2027, 02:30 (UTC+1)').waitFor();
  await dialog.getByRole('button', { name: 'Schedule', exact: true }).click();
  await page.getByText('31 Oct 2027, 02:30 (Europe/Berlin, UTC+1)').waitFor();
  expect((await stored()).scheduledFor).toEqual(new Date('2027-10-31T01:30:00Z'));
  // Opened again, the dialog knows that it was the second one.
  await page.getByRole('button', { name: 'Change the time…' }).click();
  await dialog.getByText('31 Oct 2027, 02:30 (UTC+1)').waitFor();
  await page.context().close();
});

it('shows all of a date on a phone, and the time at which an episode is scheduled', async () => {
  const { ctx } = dashboard.app;
  const { ann, podcast, show } = await setUp('published');
  const scheduledFor = new Date('2027-10-31T01:30:00Z');
  await makeEpisode(ctx, podcast, { title: 'Second light', status: 'scheduled', scheduledFor });
  const page = await dashboard.signIn(ann.email, {
    timezoneId: 'America/New_York',
    viewport: { width: 360, height: 740 },
  });
  await page.goto(`${show}/episodes`);
  await page.getByRole('link', { name: 'Second light' }).waitFor();
  expect(await textsOf(page, 'td time')).toEqual(['31 Oct 2027, 02:30 (CET)', '26 Nov 2025 (CET)']);
  // Nothing is cut off at the edge of its cell.
  const cells = page.locator('td:has(time), td:has(time) > *').filter({ visible: true });
  const hidden = await cells.evaluateAll((all) => all.map((it) => it.scrollWidth - it.clientWidth));
  expect(Math.max(...hidden)).toBe(0);
  await page.context().close();
});
