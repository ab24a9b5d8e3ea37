import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { attachImage, setPodcastArtwork } from '../../server/src/domain/publishing/images/index.ts';
import { addMember } from '../../server/src/domain/publishing/podcasts/index.ts';
import { fillPeople } from '../../server/test/fill-people.ts';
import { pictureBytes } from '../../server/test/hosts/podcast-host.ts';
import { makeEpisode, makePodcast, makeUser, testPassword } from '../../server/test/make.ts';
import { expectAccessibleScreens } from './expect-accessible-screens.ts';
import {
  newBrowser,
  type OpenDashboard,
  openDashboard,
  waitUntilKept,
  watchFailures,
} from './open-dashboard.ts';

let dashboard: OpenDashboard;
beforeAll(async () => {
  dashboard = await openDashboard();
});
afterAll(() => dashboard[Symbol.asyncDispose]());

async function openShow(path: string) {
  const { app, service } = dashboard;
  const owner = await makeUser(app.ctx);
  const show = await makePodcast(app.ctx, { owner, title: 'Night Signals' });
  const page = await dashboard.signIn(owner.email);
  const failures = watchFailures(page);
  await page.goto(`${service}/app/shows/${show.id}/show/${path}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  const api = async () =>
    (await page.request.get(`${service}/app/api/podcasts/${show.id}`))
      .json()
      .then(({ data }) => data);
  return { owner, show, page, failures, api };
}

/** Another window, of an admin of the show, who overwrites any revision. */
async function openAdmin(showId: string) {
  const { app, service } = dashboard;
  const admin = await makeUser(app.ctx);
  await addMember(app.ctx, { podcastId: showId, userId: admin.id, role: 'admin' });
  const other = await dashboard.signIn(admin.email);
  const headers = { 'if-match': '*', origin: service };
  const address = `${service}/app/api/podcasts/${showId}`;
  return {
    other,
    async patch(data: object) {
      expect((await other.request.patch(address, { data, headers })).ok()).toBe(true);
    },
    async setPeople(people: object[]) {
      const response = await other.request.put(`${address}/people`, { data: { people }, headers });
      expect(response.ok()).toBe(true);
    },
  };
}

describe('the texts of a show', () => {
  it('the texts of a show are saved, and what is refused says why beside its field', async () => {
    const { page, failures, api } = await openShow('texts');
    await page.getByLabel('Subtitle').fill('From the dark');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    expect(await api()).toMatchObject({ subtitle: 'From the dark', title: 'Night Signals' });

    const kind = page.getByRole('region', { name: 'Category and language' });
    await kind.getByLabel('Category', { exact: true }).selectOption('Science > Astronomy');
    await kind.getByLabel('Second category').selectOption('News > Tech News');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect.poll(async () => (await api()).subcategory).toBe('Astronomy');
    const second = { category: 'News', subcategory: 'Tech News' };
    expect((await api()).other_categories).toEqual([second]);
    // Without the first one, the second is the first.
    await kind.getByLabel('Category', { exact: true }).selectOption('');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect.poll(api).toMatchObject({ ...second, other_categories: [] });

    const contact = page.getByRole('region', { name: 'Contact and links' });
    await contact.getByLabel('Owner email address').fill('nobody');
    await page.getByRole('button', { name: 'Save' }).click();
    await contact.getByText('This is not an email address.').waitFor();
    expect(failures.filter((failure) => !failure.includes('400'))).toEqual([]);
    await page.context().close();
  });

  it('the texts of a show are saved together by one bar, with the current name of a time zone', async () => {
    const { page, failures, api } = await openShow('texts');
    const save = page.getByRole('button', { name: 'Save', exact: true });
    expect(await save.count()).toBe(0);
    await page.getByLabel('Subtitle').fill('From the dark');
    await page.getByText('1 unsaved change').waitFor();
    await page.getByRole('combobox', { name: 'Time zone' }).fill('kiev');
    await page.getByRole('option', { name: 'Europe/Kyiv' }).click();
    await page.getByText('2 unsaved changes').waitFor();
    expect(await save.count()).toBe(1);
    await save.click();
    await page.getByText('Saved.').waitFor();
    expect(await api()).toMatchObject({ subtitle: 'From the dark', timezone: 'Europe/Kyiv' });
    expect(await save.count()).toBe(0);
    expect(failures).toEqual([]);
    await page.context().close();
  });

  it('the texts of a show ask where somebody else has changed the same field, and merge the others', async () => {
    const { page, show, api } = await openShow('texts');
    const { other, patch } = await openAdmin(show.id);
    const title = page.getByLabel('Title', { exact: true });
    const save = page.getByRole('button', { name: 'Save', exact: true });
    await title.fill('Mine');
    await patch({ author: 'Bo' });
    await save.click();
    await expect.poll(api).toMatchObject({ title: 'Mine', author: 'Bo' });
    await page.getByText('unsaved change').waitFor({ state: 'hidden' });
    expect(await page.getByLabel('Author').inputValue()).toBe('Bo');

    await title.fill('Mine again');
    await patch({ title: 'Theirs' });
    // Without pressing anything: an event updates the page.
    await page.getByRole('definition').getByText('Theirs', { exact: true }).waitFor();
    await page.getByRole('term').getByText('Title', { exact: true }).waitFor();
    await page.getByText('in another window or by someone else').waitFor();
    expect(await title.inputValue()).toBe('Mine again');
    await save.click();
    expect((await api()).title).toBe('Theirs');
    await page.getByRole('button', { name: 'Keep mine' }).click();
    await expect.poll(async () => (await api()).title).toBe('Mine again');
    await other.context().close();
    await page.context().close();
  });

  it('the texts of a show keep what is typed during a save, over a reload, and until it is discarded', async () => {
    const { page, show, api } = await openShow('texts');
    const title = page.getByLabel('Title', { exact: true });
    const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
    const written = Promise.withResolvers<void>();
    await page.route(`**/app/api/podcasts/${show.id}`, async (route) => {
      if (route.request().method() !== 'PATCH') return await route.continue();
      const response = await route.fetch();
      written.resolve();
      await isReleased;
      await route.fulfill({ response });
    });
    await title.fill('Mine');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await written.promise;
    expect((await api()).title).toBe('Mine');
    await title.fill('Mine again');
    release();
    await page.getByText('Saved.').waitFor();
    expect(await title.inputValue()).toBe('Mine again');
    await page.getByText('unsaved change').waitFor();

    await waitUntilKept(page, 'Mine again');
    await page.reload();
    await page.getByText('unsaved change').waitFor();
    expect(await title.inputValue()).toBe('Mine again');
    await page.getByRole('button', { name: 'Discard' }).click();
    expect(await title.inputValue()).toBe('Mine');
    expect((await api()).title).toBe('Mine');
    await page.context().close();
  });
});

it.each([
  ['Asia/Tokyo', 'Asia/Tokyo'],
  ['Mars/Olympus', 'UTC'],
])('a new show of a browser in %s has the time zone %s', async (zone, expected) => {
  const { app, service } = dashboard;
  const { email } = await makeUser(app.ctx);
  const page = await dashboard.signIn(email, newBrowser);
  await page.addInitScript((timeZone) => {
    const { resolvedOptions } = Intl.DateTimeFormat.prototype;
    Intl.DateTimeFormat.prototype.resolvedOptions = function () {
      return { ...resolvedOptions.call(this), timeZone };
    };
  }, zone);
  await page.goto(`${service}/app/new`);
  await page.getByLabel('Show title').fill('Ocean Letters');
  await page.getByRole('button', { name: 'Create show' }).dblclick();
  await page.waitForURL('**/episodes');
  const shows = await page.request.get(`${service}/app/api/podcasts`);
  expect((await shows.json()).data.length).toBe(1);
  const [, id] = /shows\/([^/]+)/.exec(page.url()) ?? [];
  const show = await page.request.get(`${service}/app/api/podcasts/${id}`);
  expect((await show.json()).data.timezone).toBe(expected);
  await page.context().close();
});

it('the cover is sent again after the connection broke, and removed', async () => {
  const { page, api } = await openShow('cover');
  let isCut = true;
  await page.route('**/app/api/uploads/*', (route) =>
    isCut && route.request().method() === 'PATCH' ? route.abort() : route.continue(),
  );
  const buffer = await pictureBytes('#336699', 1500);
  const file = { name: 'cover.png', mimeType: 'image/png', buffer };
  await page.getByLabel('Choose a picture').setInputFiles(file);
  await page.getByRole('button', { name: 'Use this cover' }).click();
  await page.getByText('Paused until we can reach the server.').waitFor();
  isCut = false;
  await page.getByText('The cover was changed.').waitFor();
  expect((await api()).artwork).toMatchObject({ width: 1500, height: 1500 });
  await page.getByRole('button', { name: 'Remove cover' }).click();
  await page.getByText('There’s no cover yet.').waitFor();
  await page.context().close();
});

it('a file that is not a picture is refused, with what to choose, below the hint', async () => {
  const { page } = await openShow('cover');
  const file = { name: 'cover.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7') };
  await page.getByLabel('Choose a picture').setInputFiles(file);
  const notice = page.getByRole('alert').filter({ hasText: 'Choose a JPEG or PNG.' });
  const [top, above] = await Promise.all([
    notice.evaluate((box) => box.getBoundingClientRect().top),
    page.getByText('A square JPEG or PNG').evaluate((hint) => hint.getBoundingClientRect().bottom),
  ]);
  expect(top - above).toBeGreaterThanOrEqual(8);
  await page.context().close();
});

it('colors are those of the cover, or chosen among them', async () => {
  const { page, show, api, failures } = await openShow('page');
  const { app } = dashboard;
  const pages = page.getByRole('group', { name: 'Page color' });
  await pages.getByLabel('From the cover, once there is one').waitFor({ state: 'attached' });
  const { default: sharp } = await import('sharp');
  const create = { width: 1400, height: 1400, channels: 3, background: '#c81e28' } as const;
  const blue = { ...create, width: 500, background: '#1e3cc8' };
  const bytes = await sharp({ create })
    .composite([{ input: await sharp({ create: blue }).png().toBuffer(), left: 0, top: 0 }])
    .png()
    .toBuffer();
  const { id } = await attachImage(app.ctx, { podcastId: show.id, bytes });
  await setPodcastArtwork(app.ctx, show.id, id);
  await pages.getByLabel('From the cover', { exact: true }).waitFor({ state: 'attached' });
  expect((await api()).own_color).toMatch(/^#c/);
  await pages.getByLabel(/^#1.3.c. from the cover$/).press('Space');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect.poll(async () => (await api()).brand_color).toMatch(/^#1.3.c.$/);
  expect((await api()).player_color).toBe(null);
  expect(failures).toEqual([]);
  await page.context().close();
});

it('a cover that was cropped goes on after a reload', async () => {
  const { page, api } = await openShow('cover');
  let isCut = true;
  await page.route('**/app/api/uploads/*', (route) =>
    isCut && route.request().method() === 'PATCH' ? route.abort() : route.continue(),
  );
  const { default: sharp } = await import('sharp');
  const create = { width: 1600, height: 1400, channels: 3, background: '#286' } as const;
  const path = join(tmpdir(), `${randomUUID()}.png`);
  await sharp({ create }).png().toFile(path);
  await page.getByLabel('Choose a picture').setInputFiles(path);
  await page.getByRole('button', { name: 'Crop to center' }).click();
  await page.getByText('Cropped to 1400').waitFor();
  await page.getByRole('button', { name: 'Use this cover' }).click();
  await page.getByText('Paused until we can reach the server.').waitFor();
  page.once('dialog', (dialog) => dialog.accept());
  await page.reload();
  isCut = false;
  await page.getByLabel('Choose the file again').setInputFiles(path);
  await page.getByText('The cover was changed.').waitFor();
  expect((await api()).artwork).toMatchObject({ width: 1400, height: 1400 });
  await rm(path);
  await page.context().close();
});

it('somebody has a photo, and is a member of the team', async () => {
  const { page, show, owner, failures } = await openShow('people');
  await page.getByLabel('Person’s name').fill('Ana');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByText('Save the list first').waitFor();
  const options = page.getByLabel('Team member').locator('option');
  await expect.poll(() => options.count()).toBe(2);
  await page.getByLabel('Team member').selectOption(owner.id);
  await page.getByRole('button', { name: 'Save' }).click();
  // What is typed stays while the photo changes the same list.
  await page.getByLabel('Choose a photo').waitFor({ state: 'attached' });
  await page.getByLabel('Website').fill('example.com/');
  const buffer = await pictureBytes('#336699', 400);
  const file = { name: 'ana.png', mimeType: 'image/png', buffer };
  await page.getByLabel('Choose a photo').setInputFiles(file);
  await page.getByText('The photo was changed.').waitFor();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Not saved yet').waitFor({ state: 'hidden' });
  const people = async () => {
    const address = `${dashboard.service}/app/api/podcasts/${show.id}/people`;
    return (await (await page.request.get(address)).json()).data.people;
  };
  const ana = { name: 'Ana', user_id: owner.id, link_url: 'https://example.com/' };
  expect(await people()).toMatchObject([{ ...ana, photo: { url: expect.any(String) } }]);
  await page.getByRole('button', { name: 'Remove photo: Ana' }).click();
  await page.getByText('The photo was removed.').waitFor();
  expect(await people()).toMatchObject([{ ...ana, photo: null }]);
  expect(failures).toEqual([]);
  await page.context().close();
});

it('people are added, moved and renamed', async () => {
  const { page, show, failures } = await openShow('people');
  const add = async (name: string) => {
    await page.getByLabel('Person’s name').fill(name);
    await page.getByRole('button', { name: 'Add', exact: true }).click();
  };
  await add('Ana');
  await add('Bo');
  await page.getByRole('button', { name: 'Move up: Bo' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.').waitFor();
  const { service } = dashboard;
  const read = async () => {
    const response = await page.request.get(`${service}/app/api/podcasts/${show.id}/people`);
    return (await response.json()).data.people;
  };
  const [bo] = await read();
  expect(await read()).toMatchObject([{ name: 'Bo' }, { name: 'Ana' }]);
  await page.getByLabel('Name', { exact: true }).first().fill('Bo Example');
  await page.getByLabel('Role').first().selectOption('guest');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect
    .poll(read)
    .toMatchObject([{ id: bo.id, name: 'Bo Example', role: 'guest' }, { name: 'Ana' }]);
  expect(failures).toEqual([]);
  await page.context().close();
});

it('people beyond fifty are shown on request, and new ones are where they are seen', async () => {
  const { page, show, failures } = await openShow('people');
  await fillPeople(dashboard.app, show.id, { known: 60 });
  await page.reload();
  await page.getByRole('heading', { name: 'Person 50', exact: true }).waitFor();
  const names = page.getByLabel('Name', { exact: true });
  expect(await names.count()).toBe(50);
  await page.getByLabel('Person’s name').fill('Ana');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('heading', { name: 'Ana', exact: true }).waitFor();
  await names.first().fill('Person One');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.').waitFor();
  await page.getByRole('button', { name: 'Show more' }).click();
  await page.getByRole('heading', { name: 'Person 60', exact: true }).waitFor();
  expect(await names.count()).toBe(61);
  expect(await names.nth(50).inputValue()).toBe('Ana');
  expect(failures).toEqual([]);
  await page.context().close();
});

it('people who are typed stay when somebody else changes the list', async () => {
  const { page, show } = await openShow('people');
  const { other, setPeople } = await openAdmin(show.id);
  const names = page.getByLabel('Name', { exact: true });
  await page.getByLabel('Person’s name').fill('Ana');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await setPeople([{ name: 'Bo' }, { name: 'Cy' }]);
  await page.getByRole('definition').getByText('Bo, Cy', { exact: true }).waitFor();
  await page.getByRole('term').getByText('People', { exact: true }).waitFor();
  expect(await names.count()).toBe(1);
  expect(await names.inputValue()).toBe('Ana');
  await page.getByRole('button', { name: 'Keep theirs' }).click();
  await page.getByRole('heading', { name: 'Cy' }).waitFor();
  expect(await names.count()).toBe(2);
  await other.context().close();
  await page.context().close();
});

it('a directory takes the address of the show there, and no other', async () => {
  const { page, show } = await openShow('directories');
  const card = page.getByRole('listitem').filter({ hasText: 'Apple Podcasts' }).first();
  await card.getByText('How it works').click();
  await card.getByLabel('Show’s URL in the directory').fill('https://example.com/x');
  await card.getByRole('button', { name: 'Save' }).click();
  await card.getByText('This must be the https URL of a page').waitFor();
  const address = 'https://podcasts.apple.com/de/podcast/night/id1';
  await card.getByLabel('Show’s URL in the directory').fill(address);
  await card.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.').waitFor();
  await card.getByText('Listed', { exact: true }).first().waitFor();
  const listen = await page.request.get(`${dashboard.service}/listen/${show.slug}`);
  expect(await listen.text()).toContain(address);
  await page.context().close();
});

it('health links to what is to be repaired', async () => {
  const { page, show } = await openShow('health');
  await page.getByText('The show has no artwork.').waitFor();
  await page.getByRole('link', { name: 'Upload a square JPEG or PNG' }).click();
  await page.waitForURL(`**/shows/${show.id}/show/cover`);
  await page.context().close();
});

it('a new name in addresses keeps the old one', async () => {
  const { page, show } = await openShow('address');
  await page.getByRole('textbox', { name: 'URL slug' }).fill(`new-${show.slug}`);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Earlier slugs, which redirect here').waitFor();
  await page.getByText(show.slug, { exact: true }).waitFor();
  await page.context().close();
});

it('a show moves and comes back, pauses, and ends', async () => {
  const { page, show, api } = await openShow('moving');
  await page.getByLabel('New feed URL').fill('https://feeds.example.com/night.xml');
  await page.getByRole('button', { name: 'Redirect subscribers' }).click();
  await page.getByRole('button', { name: 'End the move' }).click();
  await expect.poll(async () => (await api()).status).toBe('active');
  await page.getByRole('link', { name: 'Pause or delete' }).click();
  await page.getByRole('button', { name: 'Pause show…' }).click();
  await page.getByText('is taking a break”').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Pause', exact: true }).click();
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  await page.getByRole('link', { name: 'Episodes', exact: true }).click();
  await page.getByRole('heading', { name: 'Episodes', level: 1 }).waitFor();
  const notice = page.getByText('New episodes won’t appear anywhere until you resume the show.');
  await notice.waitFor();
  await page.goBack();
  await page.getByRole('button', { name: 'Resume' }).click();
  await expect.poll(async () => (await api()).status).toBe('active');
  await notice.waitFor({ state: 'hidden' });
  await page.getByLabel(`Type ${show.slug} to confirm`).fill(show.slug);
  await page.getByLabel('Your current password').fill('wrong');
  await page.getByRole('button', { name: 'Delete permanently' }).click();
  await page.getByText('This is not your current password.').waitFor();
  await page.getByLabel('Your current password').fill(testPassword);
  await page.getByRole('button', { name: 'Delete permanently' }).click();
  await page.waitForURL(/\/app\/?$/);
  expect((await page.request.get(`${dashboard.service}/feeds/${show.slug}.xml`)).status()).toBe(
    404,
  );
  await page.context().close();
});

it('a draft is not offered a move before it is published', async () => {
  const { app, service } = dashboard;
  const owner = await makeUser(app.ctx);
  const show = await makePodcast(app.ctx, { owner, status: 'draft' });
  const page = await dashboard.signIn(owner.email);
  await page.goto(`${service}/app/shows/${show.id}/show/moving`);
  await page.getByText('You can only move the show while it’s public or paused.').waitFor();
  expect(await page.getByLabel('New feed URL').count()).toBe(0);
  await page.getByRole('link', { name: 'Pause or delete' }).click();
  await page.getByRole('button', { name: 'Publish show' }).click();
  await page.getByText('The show is public.').first().waitFor();
  await page.getByRole('link', { name: 'Moving' }).click();
  await page.getByLabel('New feed URL').waitFor();
  await page.context().close();
});

it('offers only what a role may do', async () => {
  const { app, service } = dashboard;
  const show = await makePodcast(app.ctx);
  const editor = await makeUser(app.ctx);
  await addMember(app.ctx, { podcastId: show.id, userId: editor.id, role: 'editor' });
  const page = await dashboard.signIn(editor.email);
  await page.goto(`${service}/app/shows/${show.id}/show`);
  await page.getByRole('heading', { name: 'Health' }).waitFor();
  const tabs = page.getByRole('navigation', { name: 'Show' }).getByRole('link');
  expect(await tabs.allTextContents()).toEqual(['People', 'Health']);
  await page.goto(`${service}/app/shows/${show.id}/show/end`);
  await page.getByRole('heading', { name: 'Not found' }).waitFor();
  await page.context().close();
});

it('the screens of a show are accessible on phones and laptops', async () => {
  const { app } = dashboard;
  const owner = await makeUser(app.ctx);
  const show = await makePodcast(app.ctx, { owner, title: 'Night Signals' });
  await makeEpisode(app.ctx, show);
  const bytes = await pictureBytes('#336699');
  const { id } = await attachImage(app.ctx, { podcastId: show.id, bytes });
  await setPodcastArtwork(app.ctx, show.id, id);
  const screens = [
    ...['texts', 'cover', 'people', 'directories', 'health'],
    ...['address', 'moving', 'exports', 'end'],
  ];
  const paths = screens.map((screen) => `/app/shows/${show.id}/show/${screen}`);
  await expectAccessibleScreens(dashboard, owner.email, paths);
});

it('the directories screen says who was told of the feed, and what failed', async () => {
  const { page, show } = await openShow('directories');
  await page.getByRole('heading', { name: 'Announcements' }).waitFor();
  await page.getByText('Only active shows that directories may list').waitFor();
  const { pool } = dashboard.app.database;
  await pool.query(
    `insert into hub_subscriptions (podcast_id, callback_hash, callback, host, created_at, expires_at,
       failures)
     values ($1, sha256('a'), 'https://a.test/', 'a.test', now(), '2100-01-01', 1)`,
    [show.id],
  );
  await page.reload();
  await page.getByText('1 app has subscribed to the feed and gets each change.').waitFor();
  await page.getByText('1 of them didn’t get the last one.').waitFor();
  await page.context().close();
});
