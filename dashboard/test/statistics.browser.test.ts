import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { User } from '../../server/src/domain/foundation/accounts/index.ts';
import type { Episode } from '../../server/src/domain/publishing/episodes/index.ts';
import { addMember, type Podcast } from '../../server/src/domain/publishing/podcasts/index.ts';
import { addDays, utcDayOf } from '../../server/src/lib/utc-day.ts';
import { ingest, makeAudioRequest, makeDownloads } from '../../server/test/downloads.ts';
import { makeEpisode, makePodcast, makeUser } from '../../server/test/make.ts';
import { expectAccessibleScreens } from './expect-accessible-screens.ts';
import { newBrowser, type OpenDashboard, openDashboard, watchFailures } from './open-dashboard.ts';

/** A weekly show of seven episodes; the newest is four days old. */
let dashboard: OpenDashboard;
let owner: User;
let podcast: Podcast;
/** Newest first. */
const episodes: Episode[] = [];
const firstDays = [9, 4, 6, 5, 7, 3, 8];

beforeAll(async () => {
  dashboard = await openDashboard();
  const { ctx } = dashboard.app;
  owner = await makeUser(ctx, 'enterprise');
  podcast = await makePodcast(ctx, { owner, title: 'Night Signals' });
  const today = utcDayOf(ctx.clock.now());
  for (const [index, downloads] of firstDays.entries()) {
    const published = addDays(today, -4 - 7 * index);
    const episode = await makeEpisode(ctx, podcast, {
      title: `Episode ${firstDays.length - index}`,
      publishedAt: new Date(`${published}T00:10:00Z`),
    });
    await makeDownloads(ctx, episode, downloads, { at: new Date(`${published}T00:20:00Z`) });
    await makeDownloads(ctx, episode, 2, { at: new Date(`${addDays(published, 2)}T00:20:00Z`) });
    episodes.push(episode);
  }
});
afterAll(() => dashboard[Symbol.asyncDispose]());

const pathOf = (rest = '') => `/app/shows/${podcast.id}/statistics${rest}`;
const pathOfEpisode = (index: number) => pathOf(`/episodes/${episodes[index]?.id}`);
const read = (page: Page, path: string) =>
  page.evaluate(async (url) => (await fetch(url)).json(), path);
const hasFocus = (part: Locator) => part.evaluate((element) => element === document.activeElement);
const figures = (page: Page, name: string) =>
  page.getByRole('region', { name }).getByRole('row').allInnerTexts();

describe('the statistics of a show', () => {
  it('the statistics of a show are what the API says, as figures, chart, table and file', async () => {
    const page = await dashboard.signIn(owner.email);
    const failures = watchFailures(page);
    await page.goto(dashboard.service + pathOf('?preset=7d'));
    await page.getByRole('slider', { name: 'Downloads' }).waitFor();
    const api = `/app/api/podcasts/${podcast.id}/analytics`;
    const { data } = await read(page, `${api}/downloads?preset=7d&compare=previous`);
    expect(data.totals.downloads).toBe(11);
    await page.getByText('11 downloads:').waitFor();
    await page.getByText('Download days are in UTC').waitFor();
    const { downloads, previous_downloads: before } = data.comparison.previous.compared;
    const change = Math.round((100 * (downloads - before)) / before);
    await page.getByText(`${change > 0 ? '+' : ''}${change}% compared with ${before}`).waitFor();

    await page.getByRole('button', { name: 'Show as a table' }).click();
    const rows = (await figures(page, 'Downloads')).slice(1).map((row) => row.split('\t').slice(1));
    const expected = data.periods.map(
      (period: { downloads: number; unique_listeners: number }, index: number) =>
        [
          period.downloads,
          period.unique_listeners,
          data.comparison.previous.periods[index].downloads,
        ].map(String),
    );
    expect(rows.map((row) => row.map((cell) => cell.replace(' (today isn’t over)', '')))).toEqual(
      expected,
    );
    await page.getByRole('button', { name: 'Save what this shows' }).click();
    const download = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: 'Table (CSV)' }).click();
    const file = await download;
    const range = `${data.periods[0].period_start}--${data.periods.at(-1).period_end}`;
    expect(file.suggestedFilename()).toBe(`${podcast.slug}-downloads-${range}.csv`);
    const text = await readFile(await file.path(), 'utf8');
    const lines = text.trim().split('\r\n').slice(1);
    const days = data.periods.map((period: { period_start: string }) => period.period_start);
    expect(lines.map((line) => line.split(','))).toEqual(
      expected.map((cells: string[], index: number) => [days[index], ...cells]),
    );
    expect(failures).toEqual([]);
    await page.context().close();
  });

  it('the statistics of a show draw no previous period that is incomplete', async () => {
    const page = await dashboard.signIn(owner.email);
    await page.goto(dashboard.service + pathOf('?preset=30d'));
    await page.getByText('Not compared because the first download was on').waitFor();
    const chart = page.getByRole('slider', { name: 'Downloads' });
    expect(await chart.getAttribute('aria-valuetext')).not.toContain('Previous period');
    await page.getByRole('button', { name: 'Show as a table' }).click();
    const [head] = await figures(page, 'Downloads');
    expect(head?.split('\t')).toEqual(['Period', 'Downloads', 'Listeners']);
    await page.context().close();
  });

  it('the statistics of a show keep their range in the address', async () => {
    const page = await dashboard.signIn(owner.email);
    await page.goto(dashboard.service + pathOf());
    await page.getByRole('button', { name: '90 days' }).click();
    await page.waitForURL(/preset=90d/);
    await page.getByText('56 downloads:').waitFor();
    await page.reload();
    await page.getByText('56 downloads:').waitFor();
    const today = utcDayOf(dashboard.app.ctx.clock.now());
    await expect.poll(() => page.getByLabel('From').inputValue()).toBe(addDays(today, -89));
    expect(await page.getByLabel('To', { exact: true }).inputValue()).toBe(today);
    const from = addDays(today, -11);
    await page.getByLabel('From').fill(from);
    await page.waitForURL(new RegExp(`from=${from}`));
    await page.getByText('17 downloads:').waitFor();
    await page.goBack();
    await page.getByText('56 downloads:').waitFor();
    await page.context().close();
  });

  it('the statistics of a show keep a last day that is before the first, until the first is before it', async () => {
    const page = await dashboard.signIn(owner.email);
    await page.goto(dashboard.service + pathOf('?preset=7d'));
    await page.getByText('downloads:').first().waitFor();
    const today = utcDayOf(dashboard.app.ctx.clock.now());
    const [from, to] = [addDays(today, -30), addDays(today, -20)];
    const last = page.getByLabel('To', { exact: true });
    await last.fill(to);
    await page.getByText('The last day is before the first day.').waitFor();
    expect([await last.inputValue(), new URL(page.url()).search]).toEqual([to, '?preset=7d']);
    // On the way to a year of four digits.
    await page.getByLabel('From').fill('0020-01-01');
    await page.getByText('Choose days from 1970 to today.').waitFor();
    await page.getByLabel('From').fill(from);
    await page.waitForURL(new RegExp(`from=${from}&to=${to}`));
    expect(await last.inputValue()).toBe(to);
    await last.fill(addDays(from, -1));
    await page.getByText('The last day is before the first day.').waitFor();
    await page.getByRole('button', { name: '30 days' }).click();
    await expect.poll(() => last.inputValue()).toBe(today);
    await page.context().close();
  });

  it('the statistics of a show go from point to point by keyboard, and can be saved as a picture', async () => {
    const page = await dashboard.signIn(owner.email);
    await page.goto(dashboard.service + pathOf('?preset=7d'));
    const chart = page.getByRole('slider', { name: 'Downloads' });
    await chart.focus();
    await chart.press('Home');
    expect(await chart.getAttribute('aria-valuenow')).toBe('1');
    await chart.press('ArrowRight');
    await chart.press('ArrowRight');
    expect(await chart.getAttribute('aria-valuetext')).toContain('Downloads 9');
    await page.getByRole('button', { name: 'Save what this shows' }).click();
    const download = page.waitForEvent('download');
    const drawn = await page.evaluateHandle(() => {
      const texts: string[] = [];
      const draw = CanvasRenderingContext2D.prototype.fillText;
      CanvasRenderingContext2D.prototype.fillText = function (text, ...place) {
        texts.push(text);
        draw.call(this, text, ...place);
      };
      return texts;
    });
    await page.getByRole('menuitem', { name: 'Picture (PNG)' }).click();
    const picture = await readFile(await (await download).path());
    expect(picture.subarray(1, 4).toString()).toBe('PNG');
    expect(picture.length).toBeGreaterThan(5_000);
    const titles = (await drawn.jsonValue()).slice(0, 2);
    expect(titles).toEqual(['Night Signals', expect.stringMatching(/^Downloads · .+ \d{4}$/)]);
    await page.context().close();
  });

  it('the statistics of a show sort the episodes', async () => {
    const page = await dashboard.signIn(owner.email);
    await page.goto(dashboard.service + pathOf('?preset=all'));
    const part = page.getByRole('region', { name: 'Episodes' });
    await part.getByRole('button', { name: 'All time' }).click();
    const sorted = firstDays.map((downloads) => downloads + 2).sort((a, b) => b - a);
    await expect
      .poll(async () => {
        const [, ...rows] = await part.getByRole('row').allInnerTexts();
        return rows.map((row) => Number(row.split('\t').at(-1)));
      })
      .toEqual(sorted);
    await page.context().close();
  });

  it('the statistics of a show fit a phone: the figures of the episodes, and the name of each breakdown', async () => {
    const page = await dashboard.signIn(owner.email);
    await page.setViewportSize({ width: 360, height: 800 });
    await page.goto(dashboard.service + pathOf('?preset=all'));
    const part = page.getByRole('region', { name: 'Episodes' });
    await part.getByRole('link', { name: 'Episode 7' }).waitFor();
    const last = await part.getByRole('row').nth(1).getByRole('cell').last().boundingBox();
    expect((last?.x ?? 0) + (last?.width ?? 999)).toBeLessThanOrEqual(360);
    await page.getByRole('heading', { name: 'Referring sites' }).waitFor();
    await page.getByRole('button', { name: 'Show as a table' }).first().click();
    const table = page.getByRole('region', { name: 'Downloads' }).getByRole('table');
    // Its words stay whole, and the last column is in the window.
    const lines = await table.getByRole('columnheader', { name: 'Downloads' }).evaluate((cell) => {
      const words = document.createRange();
      words.selectNodeContents(cell);
      return words.getClientRects().length;
    });
    expect(lines).toBe(1);
    const end = await table.getByRole('columnheader').last().boundingBox();
    expect((end?.x ?? 0) + (end?.width ?? 999)).toBeLessThanOrEqual(360);
    await page.context().close();
  });

  it('the statistics of a show mark a first week that is not over', async () => {
    const page = await dashboard.signIn(owner.email);
    await page.goto(dashboard.service + pathOf('?preset=all'));
    const rows = page.getByRole('region', { name: 'Episodes' }).getByRole('row');
    await rows.nth(1).waitFor();
    const cells = (await rows.allInnerTexts()).slice(1).map((row) => row.split('\t').at(-2));
    const finished = firstDays.slice(1).map((downloads) => String(downloads + 2));
    expect(cells).toEqual(['11 so far', ...finished]);
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save the episodes as CSV' }).click();
    const lines = (await readFile(await (await download).path(), 'utf8')).trim().split('\r\n');
    expect(lines.map((line) => line.split(',').at(-1))).toEqual([
      ...['First 7 days complete', 'No'],
      ...finished.map(() => 'Yes'),
    ]);
    await page.getByRole('link', { name: 'Episode 7' }).click();
    const card = (text: string) =>
      page.getByRole('definition').filter({ hasText: text }).allInnerTexts();
    await expect.poll(() => card('so far')).toEqual([expect.stringMatching(/^11\s+so far$/)]);
    await page.goto(dashboard.service + pathOfEpisode(1));
    await page.getByText('First 7 days').waitFor();
    await page.getByText(/^(Below|Within|Above) your typical range$/).waitFor();
    expect(await card('so far')).toEqual([]);
    await page.context().close();
  });

  it('the statistics of a show say that the server is away, and come when it is back', async () => {
    const page = await dashboard.signIn(owner.email);
    const api = '**/app/api/podcasts/*/analytics/**';
    await page.route(api, (route) => route.abort());
    await page.goto(dashboard.service + pathOf('?preset=7d'));
    // After three more attempts.
    const again = page.getByRole('button', { name: 'Try again' }).first();
    await again.waitFor();
    await page.getByText('Can’t reach the server.').first().waitFor();
    await page.unroute(api);
    await again.click();
    await page.getByText('11 downloads:').waitFor();
    await page.context().close();
  });

  it('the statistics of a show say that there is nothing yet', async () => {
    const { id } = await makePodcast(dashboard.app.ctx, { owner });
    const page = await dashboard.signIn(owner.email);
    await page.goto(`${dashboard.service}/app/shows/${id}/statistics`);
    await page.getByRole('heading', { name: 'No downloads yet' }).waitFor();
    await page.context().close();
  });

  it('the statistics of a show are hidden from editors', async () => {
    const { ctx } = dashboard.app;
    const editor = await makeUser(ctx);
    await addMember(ctx, { podcastId: podcast.id, userId: editor.id, role: 'editor' });
    const page = await dashboard.signIn(editor.email);
    await page.goto(dashboard.service + pathOf());
    await page.getByText('Your role doesn’t include statistics').waitFor();
    expect(await page.getByRole('link', { name: 'Statistics' }).count()).toBe(0);
    await page.context().close();
  });
});

describe('the statistics of an episode', () => {
  it('the statistics of an episode compare it with the typical range of its show', async () => {
    const page = await dashboard.signIn(owner.email);
    await page.goto(dashboard.service + pathOf());
    await page.getByRole('link', { name: 'Episode 7' }).click();
    await page.getByRole('heading', { level: 1, name: 'Episode 7' }).waitFor();
    const { data } = await read(page, `/app/api/episodes/${episodes[0]?.id}/analytics/typical`);
    expect(data.typical.standing).toEqual({
      ...{ day: 4, downloads: 11, higher_than: 6, position: 'above' },
    });
    const tabs = page.getByRole('navigation', { name: 'Statistics' });
    expect(await tabs.locator('[aria-current=page]').allInnerTexts()).toEqual(['Downloads']);
    await page.getByText('Above your typical range').waitFor();
    await page.getByText('Downloads by the end of day 4: 11.').waitFor();
    const part = page.getByRole('region', { name: 'Compared with your typical episode' });
    const said = await part.getByRole('slider').getAttribute('aria-valuetext');
    const { low, high } = data.typical.days.at(-1).half;
    expect(said).toContain(`Half of your episodes ${Math.round(low)}–${Math.round(high)}`);
    await part.getByRole('button', { name: 'Show as a table' }).click();
    const days = data.typical.days.map(
      (day: { median: number; half: { low: number; high: number } }) =>
        [day.median, day.half.low, day.half.high].map((value) => String(Math.round(value))),
    );
    const rows = await figures(
      page,
      'Downloads since publication, compared with your typical episode',
    );
    expect(rows.slice(1).map((row) => row.split('\t').slice(2))).toEqual(days);
    await page.context().close();
  });

  it('the statistics of an episode have the digits of the reader’s region in all sentences', async () => {
    const page = await dashboard.signIn(owner.email, { locale: 'ar-EG' });
    await page.goto(dashboard.service + pathOfEpisode(0));
    await page.getByText('اليوم ٤').first().waitFor();
    await page.getByText('أول سبعة أيام').waitFor();
    await page.locator('summary').first().click();
    const text = await page.getByRole('main').innerText();
    const others = text.replaceAll(/Episode \d|\d{4}-\d\d-\d\d/g, '');
    expect(others.match(/.*[0-9].*/g)).toBeNull();
    await page.context().close();
  });

  it('the statistics of an episode say that there are not enough episodes yet', async () => {
    const page = await dashboard.signIn(owner.email);
    await page.goto(dashboard.service + pathOfEpisode(4));
    await page.getByText('There aren’t enough episodes yet to say what’s typical.').waitFor();
    await page.getByText('2 earlier episodes can be compared; 5 are needed.').waitFor();
    await page.context().close();
  });

  it('the statistics of an episode do not compare an episode with downloads from before its publication', async () => {
    const { ctx } = dashboard.app;
    const show = await makePodcast(ctx, { owner });
    const publishedAt = new Date(`${addDays(utcDayOf(ctx.clock.now()), -4)}T00:10:00Z`);
    const episode = await makeEpisode(ctx, show, { title: 'Early', publishedAt });
    await makeDownloads(ctx, episode, 2, { at: new Date(publishedAt.getTime() - 86_400_000) });
    const page = await dashboard.signIn(owner.email);
    await page.goto(`${dashboard.service}/app/shows/${show.id}/statistics/episodes/${episode.id}`);
    const cause = 'has downloads from before its publication date';
    await page.getByText(`This episode ${cause}, so its days can’t be compared.`).waitFor();
    await page.getByText(`Early: it ${cause}.`).waitFor();
    await page.context().close();
  });

  it('the statistics of an episode are saved in files that name the show, the episode and the days', async () => {
    const page = await dashboard.signIn(owner.email, newBrowser);
    // The browser names the files: midnight may pass after the server's clock was set.
    await page.clock.setFixedTime(dashboard.app.clock.now());
    await page.goto(dashboard.service + pathOfEpisode(0));
    await page.getByText('Above your typical range').waitFor();
    const today = utcDayOf(dashboard.app.ctx.clock.now());
    const name = async (press: () => Promise<void>) => {
      const download = page.waitForEvent('download');
      await press();
      return (await download).suggestedFilename();
    };
    const saved = [
      await name(async () => {
        const part = page.getByRole('region', { name: 'Compared with your typical episode' });
        await part.getByRole('button', { name: 'Save what this shows' }).click();
        await page.getByRole('menuitem', { name: 'Table (CSV)' }).click();
      }),
      await name(() => page.getByRole('button', { name: 'Save as CSV: Apps' }).click()),
    ];
    expect(saved).toEqual([
      `${podcast.slug}-episode-7-downloads-since-publication-compared-with-your-typical-episode-${today}.csv`,
      `${podcast.slug}-episode-7-apps-${addDays(today, -29)}--${today}.csv`,
    ]);
    await page.context().close();
  });

  it('the statistics of an episode appear beside other episodes, which the URL names', async () => {
    const page = await dashboard.signIn(owner.email);
    await page.goto(`${dashboard.service}${pathOfEpisode(0)}?with=${episodes[5]?.id}`);
    const part = page.getByRole('region', { name: 'Compare episodes' });
    await part.getByRole('button', { name: 'Show as a table' }).click();
    const [head, first] = await figures(page, 'Downloads since publication');
    expect(head?.split('\t')).toEqual(['Age', 'Episode 7', 'Episode 2']);
    expect(first?.split('\t')).toEqual(['Day 1', '9', '3']);
    await page.context().close();
  });

  it('the statistics of an episode appear beside an episode that was chosen by keyboard, only after Add', async () => {
    const page = await dashboard.signIn(owner.email);
    const ids = [5, 4, 3].map((index) => episodes[index]?.id);
    await page.goto(`${dashboard.service}${pathOfEpisode(0)}?with=${ids.join(',')}`);
    const part = page.getByRole('region', { name: 'Compare episodes' });
    const choice = part.getByLabel('Compare with');
    const shown = () => choice.evaluate((list: HTMLSelectElement) => list.selectedOptions[0]?.text);
    const listed = () => part.getByRole('list', { name: 'Compared episodes' }).allInnerTexts();
    await choice.focus();
    expect(await shown()).toBe('Choose an episode…');
    // The first episode of the list can be chosen, and a choice alone adds nothing.
    await choice.press('ArrowDown');
    expect(await shown()).toBe('Episode 6');
    expect(new URL(page.url()).searchParams.get('with')).toBe(ids.join(','));
    const add = part.getByRole('button', { name: 'Add', exact: true });
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect.poll(listed).toEqual([expect.stringMatching(/Episode 6$/)]);
    const said = part.getByRole('status');
    expect(await said.allInnerTexts()).toContain('Episode 6 was added.');
    expect([await shown(), await hasFocus(add)]).toEqual(['Choose an episode…', true]);

    // With nothing chosen, Add leads to the choice.
    await page.keyboard.press('Enter');
    expect(await hasFocus(choice)).toBe(true);
    await choice.selectOption('Episode 1');
    await add.press('Enter');
    // There is no more to add: the focus is on the list, also after an episode left it.
    await part.getByText('Remove an episode to compare with another one.').waitFor();
    const list = part.getByRole('list', { name: 'Compared episodes' });
    await expect.poll(() => hasFocus(list)).toBe(true);
    await part.getByRole('button', { name: 'Stop comparing Episode 6' }).press('Enter');
    await expect.poll(listed).toEqual([expect.not.stringContaining('Episode 6')]);
    await expect.poll(() => hasFocus(list)).toBe(true);
    expect(await said.allInnerTexts()).toContain('Episode 6 was removed.');
    await page.context().close();
  });

  it('the statistics of an episode align the choice of episodes while none is chosen', async () => {
    const page = await dashboard.signIn(owner.email);
    await page.goto(dashboard.service + pathOfEpisode(6));
    const part = page.getByRole('region', { name: 'Compare episodes' });
    const label = part.getByText('Compare with');
    await label.waitFor();
    const heading = part.getByRole('heading', { name: 'Compare episodes' });
    const lefts = [label, heading].map(async (each) => (await each.boundingBox())?.x);
    const [ofLabel, ofHeading] = await Promise.all(lefts);
    expect(ofLabel).toBe(ofHeading);
    await page.context().close();
  });

  it('the statistics of an episode keep the word Add whole on a phone, beside a long title', async () => {
    const { ctx } = dashboard.app;
    const show = await makePodcast(ctx, { owner });
    const { id } = show;
    const first = await makeEpisode(ctx, show, { title: 'One' });
    await makeEpisode(ctx, show, { title: 'A title of many words '.repeat(8).trim() });
    const page = await dashboard.signIn(owner.email);
    await page.setViewportSize({ width: 360, height: 800 });
    const url = `${dashboard.service}/app/shows/${id}/statistics/episodes/${first.id}?with=${first.id}`;
    await page.goto(url);
    const part = page.getByRole('region', { name: 'Compare episodes' });
    const add = part.getByRole('button', { name: 'Add', exact: true });
    const whole = await add.evaluate((button) => {
      const words = document.createRange();
      words.selectNodeContents(button);
      return words.getClientRects().length;
    });
    expect(whole).toBe(1);
    const box = await add.boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? 999)).toBeLessThanOrEqual(360);
    await page.context().close();
  });

  it('the statistics of an episode explain a figure by what became of the requests', async () => {
    const { ctx } = dashboard.app;
    const episode = episodes[0];
    if (episode === undefined) throw new Error('no episode');
    const show = { podcastId: podcast.id, episodeIds: [episode.id, episode.id] } as const;
    const at = new Date(`${addDays(utcDayOf(ctx.clock.now()), -1)}T12:00:00Z`);
    const bot = makeAudioRequest(ctx, show, { at, userAgent: 'Googlebot/2.1' });
    await ingest(ctx, bot, bot);
    const page = await dashboard.signIn(owner.email);
    await page.goto(dashboard.service + pathOfEpisode(0));
    await page.getByRole('button', { name: 'Show how requests were counted' }).click();
    const rows = page.getByRole('region', { name: 'Why this number?' }).getByRole('row');
    await rows.first().waitFor();
    const texts = (await rows.allInnerTexts()).map((row) => row.split('\t'));
    expect(texts.map((row) => [row[0], row[1]])).toEqual([
      ['', 'Total'],
      ['Requests for the audio', '4'],
      ['Came from a bot', '-2'],
      ['Downloads', '2'],
    ]);
    // On a phone, the figures of all days are in the window.
    await page.setViewportSize({ width: 360, height: 800 });
    for (const row of await rows.all()) {
      const last = row.getByRole('cell').or(row.getByRole('columnheader')).last();
      const box = await last.boundingBox();
      expect((box?.x ?? 0) + (box?.width ?? 999)).toBeLessThanOrEqual(360);
    }
    expect(await rows.last().getByRole('cell').count()).toBe(4);
    await page.context().close();
  });
});

it('the statistics screens are accessible', async () => {
  await expectAccessibleScreens(dashboard, owner.email, [pathOf(), pathOfEpisode(0)]);
});
