import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { appPages } from '../../server/src/domain/foundation/addresses.ts';
import { makeEpisode, makePodcast, makeUser } from '../../server/test/make.ts';
import { type OpenDashboard, openDashboard } from './open-dashboard.ts';

let dashboard: OpenDashboard;
beforeAll(async () => {
  dashboard = await openDashboard();
});
afterAll(() => dashboard[Symbol.asyncDispose]());

async function setUp() {
  const { app, service } = dashboard;
  const owner = await makeUser(app.ctx);
  const podcast = await makePodcast(app.ctx, { owner });
  const episode = await makeEpisode(app.ctx, podcast, { title: 'First light', status: 'draft' });
  const stored = () =>
    app.ctx.db
      .selectFrom('episodes')
      .select('title')
      .where('id', '=', episode.id)
      .executeTakeFirstOrThrow();
  const show = `${service}/app/shows/${podcast.id}`;
  const { id: publicId } = await makeEpisode(app.ctx, podcast, { title: 'Last light' });
  return {
    owner,
    show,
    address: `${show}/episodes/${episode.id}`,
    published: `${show}/episodes/${publicId}`,
    account: `${service}/app/settings`,
    episodeId: episode.id,
    stored,
  };
}
type Places = Awaited<ReturnType<typeof setUp>>;

const title = (page: Page) => page.getByLabel('Title', { exact: true });
const status = (page: Page, text: string) =>
  page.getByText(text, { exact: true }).first().waitFor();
const isKept = 'navigator.serviceWorker.ready.then(({ active }) => active.scriptURL)';

/** A window without a connection, in whose browser the app is kept. */
async function openOffline() {
  const { owner, show } = await setUp();
  const page = await dashboard.signIn(owner.email, { serviceWorkers: 'allow' });
  await page.goto(`${dashboard.service}/app`);
  await page.evaluate(isKept);
  await page.goto(`${show}/team`);
  await page.context().setOffline(true);
  return { page, show };
}

it('opens without a connection, with what was not saved, and saves it when the connection is back', async () => {
  const { owner, address, stored } = await setUp();
  const page = await dashboard.signIn(owner.email, { serviceWorkers: 'allow' });
  await page.goto(address);
  await title(page).waitFor();
  expect(await page.evaluate(isKept)).toContain('/app/worker.js');
  await page.context().setOffline(true);
  await title(page).fill('Typed in a tunnel');
  await status(page, 'Paused, will continue');
  await page.reload();
  await title(page).waitFor();
  expect(await title(page).inputValue()).toBe('Typed in a tunnel');
  await title(page).fill('Typed in a tunnel, twice');
  await status(page, 'Paused, will continue');
  expect((await stored()).title).toBe('First light');
  await page.context().setOffline(false);
  await status(page, 'Saved');
  expect((await stored()).title).toBe('Typed in a tunnel, twice');
  await page.context().close();
});

const laterSaved = 'You’re offline. What you type is kept in this browser and saved later.';
const keptUntilSaved =
  'You’re offline. What you type is kept in this browser until you can save it.';
const notSaved = 'You’re offline. You can’t save anything until the connection is back.';

it.each([
  ['a draft', ({ address }: Places) => address, laterSaved],
  ['a public episode', ({ published }: Places) => published, keptUntilSaved],
  ['a form with a button to save', ({ show }: Places) => `${show}/show/texts`, keptUntilSaved],
  ['a form that stores nothing', ({ account }: Places) => account, notSaved],
])('says on %s what becomes of its text', async (_name, pathOf, sentence) => {
  const places = await setUp();
  const page = await dashboard.signIn(places.owner.email);
  await page.goto(pathOf(places));
  const field = page.getByRole('main').getByRole('textbox').first();
  await field.fill('Typed in a tunnel');
  await page.context().setOffline(true);
  await page.getByText(sentence).waitFor();
  await page.context().close();
});

it('keeps no response of the API and no page of a person, and nothing after signing out', async () => {
  const { owner } = await setUp();
  const page = await dashboard.signIn(owner.email, { serviceWorkers: 'allow' });
  await page.goto(`${dashboard.service}/app`);
  await page.evaluate(isKept);
  const addresses = `caches.keys()
    .then((names) => Promise.all(names.map(async (name) => (await caches.open(name)).keys())))
    .then((kept) => kept.flat().map(({ url }) => new URL(url).pathname))`;
  const kept = await page.evaluate<string[]>(addresses);
  expect(kept.length).toBeGreaterThan(50);
  expect(kept.filter((path) => !/^\/(?:app\/assets\/[^/]+|app|favicon\.svg)$/.test(path))).toEqual(
    [],
  );
  const shell = await page.evaluate<string>(`caches.match('/app').then((page) => page.text())`);
  expect(shell).not.toContain(owner.email);
  await page.getByRole('button', { name: 'Account' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.waitForURL('**/app/sign-in');
  expect(await page.evaluate(addresses)).toEqual([]);
  expect(
    await page.evaluate('navigator.serviceWorker.getRegistrations().then(({ length }) => length)'),
  ).toBe(0);
  await page.context().close();
});

it('the app is kept again after signing out beside a second window', async () => {
  const { owner } = await setUp();
  const page = await dashboard.signIn(owner.email, { serviceWorkers: 'allow' });
  await page.goto(`${dashboard.service}/app`);
  await page.evaluate(isKept);
  const second = await page.context().newPage();
  await second.goto(page.url());
  await page.getByRole('button', { name: 'Account' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.waitForURL('**/app/sign-in');
  await dashboard.signInOn(page, owner.email);
  const hasPage = `caches.match('/app').then((page) => page !== undefined)`;
  await expect.poll(() => page.evaluate(hasPage)).toBe(true);
  // Its files are there a moment before it handles requests.
  await page.evaluate(isKept);
  await page.context().setOffline(true);
  await page.reload();
  await page.getByRole('button', { name: 'Account' }).waitFor();
  await page.context().close();
});

it('gives no page in the place of a download', async () => {
  const { page } = await openOffline();
  await expect(page.goto(`${dashboard.service}/app/api/account/export`)).rejects.toThrow('ERR_');
  await page.context().close();
});

it('says at once that it is offline, and loads when the connection is back', async () => {
  const { page } = await openOffline();
  await page.goto(`${dashboard.service}/app`);
  const waits = page.getByText('You’re offline. This will load as soon as the connection is back.');
  await waits.waitFor({ timeout: 10_000 });
  await page.context().setOffline(false);
  await page.getByRole('link', { name: 'A show' }).first().waitFor();
  expect(await waits.count()).toBe(0);
  await page.context().close();
});

it('says after one attempt that the server is away, and loads when it is back', async () => {
  const { owner, show } = await setUp();
  const page = await dashboard.signIn(owner.email);
  await page.goto(`${show}/team`);
  await page.getByRole('heading', { name: 'Team', level: 1 }).waitFor();
  let attempts = 0;
  await page.route('**/app/api/home*', (route) => {
    attempts += 1;
    return route.abort('connectionrefused');
  });
  await page.getByRole('link', { name: 'My shows' }).first().click();
  await page.getByText('Can’t reach the server. Check your connection.').waitFor();
  // Four attempts take seven seconds.
  expect(attempts).toBeLessThan(4);
  await page.unroute('**/app/api/home*');
  await page.getByRole('link', { name: 'A show' }).first().waitFor();
  await page.context().close();
});

it('pages that only the server has say that they need a connection', async () => {
  const { page, show } = await openOffline();
  const { signIn, signUp, forgotPassword, resetPassword, emailSent, confirmEmail } = appPages;
  const { confirmSignUp, invitation, ownershipOffer } = appPages;
  // A page that waits for a connection may load itself again, which ends a navigation.
  const open = (url: string, heading: string) =>
    expect
      .poll(async () => {
        await page.goto(url).catch(() => undefined);
        const shown = page.getByRole('heading', { name: heading });
        await shown.waitFor({ timeout: 20_000 }).catch(() => undefined);
        return [page.url(), await shown.count()];
      })
      .toEqual([url, 1]);
  for (const path of [
    ...[signIn, signUp, forgotPassword, resetPassword, emailSent, confirmEmail],
    ...[confirmSignUp, invitation, ownershipOffer],
  ]) {
    await open(`${dashboard.service}${path}`, 'Can’t reach the server');
  }
  await open(`${show}/nowhere`, 'Not found');
  await open(`${dashboard.service}${forgotPassword}`, 'Can’t reach the server');
  await page.context().setOffline(false);
  await page.getByRole('button', { name: 'Send the email' }).waitFor();
  await page.context().close();
});

it('loads the new release where a file of the open one is gone', async () => {
  const { owner, show } = await setUp();
  const page = await dashboard.signIn(owner.email);
  await page.goto(`${show}/team`);
  await page.getByRole('heading', { name: 'Team', level: 1 }).waitFor();
  let isGone = true;
  await page.route('**/app/assets/statistics-*.js', (route) =>
    isGone ? route.fulfill({ status: 404 }) : route.continue(),
  );
  await page.route('**/app', async (route) => {
    isGone = false;
    const response = await route.fetch();
    const body = (await response.text()).replace(/index-[^.]+\.js/, 'index-newer.js');
    await route.fulfill({ response, body });
  });
  await page.evaluate('window.isOld = true');
  await page.getByRole('link', { name: 'Statistics' }).click();
  await page.getByRole('heading', { name: 'Statistics', level: 1 }).waitFor();
  expect(await page.evaluate('window.isOld')).toBeUndefined();
  await page.context().close();
});

it('opens and saves an episode whose draft in the browser is broken', async () => {
  const { owner, address, episodeId, stored } = await setUp();
  const page = await dashboard.signIn(owner.email);
  await page.goto(address);
  await title(page).waitFor();
  await page.evaluate(breakDraft(owner.id, episodeId));
  await page.reload();
  await title(page).fill('Second light');
  await status(page, 'Saved');
  await expect.poll(async () => (await stored()).title).toBe('Second light');
  await page.context().close();
});

const breakDraft = (userId: string, episodeId: string) => `new Promise((done, fail) => {
  const opening = indexedDB.open('podstead-drafts');
  opening.onerror = fail;
  opening.onsuccess = () => {
    const transaction = opening.result.transaction('drafts', 'readwrite');
    const draft = { version: 1, mine: null };
    const row = { userId: '${userId}', episodeId: '${episodeId}', draft };
    transaction.objectStore('drafts').put(row);
    transaction.onabort = fail;
    transaction.oncomplete = () => {
      opening.result.close();
      done();
    };
  };
})`;
