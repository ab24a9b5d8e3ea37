import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { watchOverage } from '../../server/src/domain/audience/overage/index.ts';
import type { User } from '../../server/src/domain/foundation/accounts/index.ts';
import { system } from '../../server/src/domain/foundation/principal.ts';
import type { Episode } from '../../server/src/domain/publishing/episodes/index.ts';
import {
  addMember,
  type Podcast,
  suspendPodcast,
} from '../../server/src/domain/publishing/podcasts/index.ts';
import {
  addDays,
  firstDayOfMonth,
  lastDayOfMonth,
  utcDayOf,
} from '../../server/src/lib/utc-day.ts';
import { setDownloadsOfDay } from '../../server/test/downloads.ts';
import { makeEpisode, makePodcast, makeUser } from '../../server/test/make.ts';
import { expectAccessibleScreens } from './expect-accessible-screens.ts';
import { newBrowser, type OpenDashboard, openDashboard, watchFailures } from './open-dashboard.ts';

/** The plan of the owner includes 500,000 downloads a month. The clock begins on the 2nd of a month. */
let dashboard: OpenDashboard;
let owner: User;
let podcast: Podcast;
let episode: Episode;
/** The next month: cookies must not expire by the browser's own clock. */
const first = nextMonth(utcDayOf(new Date()));
const renews = longDay(nextMonth(first));

beforeAll(async () => {
  dashboard = await openDashboard({ OVERAGE_SUSPEND: 'on' });
});
afterAll(() => dashboard[Symbol.asyncDispose]());
beforeEach(async () => {
  const { ctx } = dashboard.app;
  goTo(2);
  owner = await makeUser(ctx, 'studio');
  podcast = await makePodcast(ctx, { owner, title: 'Night Signals' });
  episode = await makeEpisode(ctx, podcast, { title: 'First light' });
});

function nextMonth(day: string): string {
  return addDays(lastDayOfMonth(firstDayOfMonth(day)), 1);
}
function longDay(day: string): string {
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'long' }).format(new Date(day));
}
const dayOfMonth = (day: number) => addDays(first, day - 1);
const goTo = (day: number) => dashboard.app.clock.set(new Date(`${dayOfMonth(day)}T12:00:00Z`));
const watch = () => watchOverage(dashboard.app.contextFor(system), new AbortController().signal);
const count = (downloads: number) =>
  setDownloadsOfDay(dashboard.app, podcast.id, dayOfMonth(1), downloads);

/** A window whose clock is the server's. */
async function signIn(email = owner.email): Promise<Page> {
  const page = await dashboard.signIn(email, { ...newBrowser, timezoneId: 'UTC' });
  await page.clock.setFixedTime(dashboard.app.clock.now());
  return page;
}

async function expectAtHomeAndPlan(page: Page, words: readonly string[]): Promise<void> {
  await expectNotice(page, '', ...words);
  await expectNotice(page, '/settings/plan', ...words);
}

/** The clocks of the server and the window show this day. */
async function goWith(page: Page, day: number): Promise<void> {
  goTo(day);
  await page.clock.setFixedTime(dashboard.app.clock.now());
}

/** Waits for these words in one notice of a screen. */
async function expectNotice(page: Page, path: string, ...words: readonly string[]): Promise<void> {
  await page.goto(`${dashboard.service}/app${path}`);
  const notices = page.getByRole('main').getByRole('status').or(page.getByRole('alert'));
  const notice = notices.filter({ hasText: words[0] ?? '' });
  await notice.waitFor();
  const text = await notice.innerText();
  for (const part of words) expect(text).toContain(part);
}

it('notices follow an account from 80 % of its plan to the suspension of its shows', async () => {
  const page = await signIn();
  const plan = `${dashboard.service}/app/settings/plan`;
  await count(399_999);
  await watch();
  await page.goto(plan);
  await page.getByText('399,999').waitFor();
  expect(await page.getByText('of this month’s').count()).toBe(0);

  await count(400_000);
  await watch();
  await expectAtHomeAndPlan(page, [
    'Your shows have used 400,000 of this month’s 500,000 downloads.',
    '7 days after they reach the limit, they’ll be suspended',
    `the count resets on ${renews}.`,
  ]);

  await count(500_000);
  await watch();
  await goWith(page, 5);
  await expectAtHomeAndPlan(page, [
    'Your shows have had 500,000 downloads this month; your plan includes 500,000.',
    `They’ll be suspended on ${longDay(dayOfMonth(9))}`,
    `A larger plan prevents this; otherwise it ends on ${renews}.`,
    'For a larger plan, ask the operator of this service.',
  ]);
  expect(await page.getByText('Suspended', { exact: true }).count()).toBe(0);

  await goWith(page, 9);
  await watch();
  await expectAtHomeAndPlan(page, [
    'They’re suspended:',
    `This ends on ${renews}, or earlier with a larger plan.`,
  ]);
  await page.context().close();
});

it('a notice says late in a month that no suspension follows', async () => {
  goTo(25);
  await count(500_000);
  await watch();
  const page = await signIn();
  await expectNotice(
    page,
    '/settings/plan',
    `Feeds, pages and episodes stay available. The count resets on ${renews}.`,
  );
  await page.context().close();
});

/** Until the show is suspended. */
async function exceed(): Promise<void> {
  await count(500_000);
  await watch();
  goTo(9);
  await watch();
}

/** Every kind of screen of the show. */
const screens = () => {
  const show = `/shows/${podcast.id}`;
  return [
    `${show}/episodes`,
    `${show}/episodes/${episode.id}`,
    `${show}/statistics`,
    `${show}/statistics/episodes/${episode.id}`,
    `${show}/statistics/platforms`,
    `${show}/team`,
    `${show}/show/texts`,
    `${show}/show/end`,
  ];
};

describe('a suspended show', () => {
  it('a suspended show is marked in the list of shows and on each of its screens', async () => {
    await exceed();
    const page = await signIn();
    const failures = watchFailures(page);
    await page.goto(`${dashboard.service}/app`);
    const card = page.getByRole('listitem').filter({ hasText: 'Night Signals' });
    await card.getByText('Suspended', { exact: true }).waitFor();
    // The notice above the shows explains it, once.
    const ends = page.getByText(`This ends on ${renews}, or earlier with a larger plan.`);
    await ends.waitFor();
    expect(await card.filter({ has: ends }).count()).toBe(0);
    const words = ['This show is suspended because its owner’s shows', `This ends on ${renews}`];
    for (const path of screens()) await expectNotice(page, path, ...words);
    await page.getByText('The show can’t be paused while it’s suspended.').waitFor();
    expect(await page.getByRole('button', { name: /Pause|Resume/ }).count()).toBe(0);
    expect(failures).toEqual([]);
    await page.context().close();
  });

  it('a suspended show is marked for a co-host too, until the new month begins', async () => {
    const { ctx } = dashboard.app;
    const cohost = await makeUser(ctx);
    await addMember(ctx, { podcastId: podcast.id, userId: cohost.id, role: 'cohost' });
    await exceed();
    const page = await signIn(cohost.email);
    await page.goto(`${dashboard.service}/app`);
    await page.getByRole('listitem').getByText('This show is suspended').waitFor();
    await expectNotice(page, `/shows/${podcast.id}/episodes`, 'This show is suspended');
    dashboard.app.clock.set(new Date(`${nextMonth(first)}T00:00:00Z`));
    await watch();
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Episodes' }).waitFor();
    await page.getByText('No episodes credit you yet').waitFor();
    expect(await page.getByText('This show is suspended').count()).toBe(0);
    await page.context().close();
  });

  it('a suspended show names the operator where they have suspended it', async () => {
    await suspendPodcast(dashboard.app.ctx, podcast.id);
    const page = await signIn();
    await expectNotice(
      page,
      `/shows/${podcast.id}/statistics`,
      'The operator of this service has suspended this show, and only they can lift the suspension.',
    );
    await page.context().close();
  });

  it('a suspended show is accessible', async () => {
    await exceed();
    await expectAccessibleScreens(dashboard, owner.email, [
      '/app',
      '/app/settings/plan',
      `/app/shows/${podcast.id}/statistics`,
      `/app/shows/${podcast.id}/show/end`,
    ]);
  });
});
