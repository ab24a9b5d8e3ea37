import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTestBrowser, type TestBrowser } from '../../../player/test/browser.ts';
import { ConnectedSite } from './connected-site.ts';
import { openSharedWordPress } from './share-wordpress.ts';
import { signIn } from './sign-in-to-wordpress.ts';
import { type Service, startService } from './start-service.ts';
import type { WordPress } from './start-wordpress.ts';

let wordpress: WordPress;
let service: Service;
let site: ConnectedSite;
let opened: TestBrowser;

beforeAll(async () => {
  wordpress = openSharedWordPress();
  service = await startService(wordpress);
  site = new ConnectedSite(wordpress, service);
  opened = await openTestBrowser();
});
afterAll(async () => {
  await opened?.[Symbol.asyncDispose]();
  const complaints = await wordpress.takeComplaints();
  await service?.stop();
  expect(complaints).toEqual([]);
});
beforeEach(() => site.reset());

const password = 'correct horse battery';
let users = 0;

/** A user with two shows of two episodes each. */
async function makeUser() {
  users += 1;
  const email = `bo${users}@example.com`;
  const shows = ['signals', 'rivers'];
  const made = await service.seed({
    users: [{ ref: 'bo', email, password }],
    podcasts: shows.map((name) => ({
      ref: name,
      owner: 'bo',
      slug: `${name}-${users}`,
      title: `The ${name}`,
      episodes: [1, 2].map((number) => ({
        ref: `${name}-${number}`,
        slug: `${name}-${number}`,
        title: `${name} ${number}`,
        status: 'published',
        published_at: `-${number}d`,
      })),
    })),
  });
  const episode = (ref: string): string =>
    made.podcasts[ref.slice(0, -2)].episodes[ref].id as string;
  return { email, slugs: shows.map((name) => made.podcasts[name].slug as string), episode };
}

/** WordPress's administration, signed in. */
async function openSettings(): Promise<Page> {
  const page = await (await signIn(opened.browser, wordpress)).newPage();
  await page.goto(`${wordpress.url}wp-admin/options-general.php?page=podstead`);
  return page;
}

/** From the settings page to the page that asks for approval. */
async function askForApproval(page: Page, email: string): Promise<void> {
  await page.fill('#podstead-service', `${service.url}/`);
  await page.click('#podstead-connect');
  await page.waitForURL(`${service.url}/**`);
  if (page.url().includes('/sign-in')) {
    await page.fill('[name=email]', email);
    await page.fill('[name=password]', password);
    await page.press('[name=password]', 'Enter');
  }
  await page.waitForURL(`${service.url}/connect?**`);
}

/** The user's only site, as the service knows it. */
const findSite = async (email: string) =>
  (await service.command('site', 'list', '--user', email)).sites[0];

const titles = async () => (await site.listPosts()).map(({ title, status }) => [title, status]);
// Longer than the pause after a failed request.
const soon = { timeout: 120_000, interval: 300 };

describe('a connection from a browser', () => {
  it('a site is connected, told of changes, loses a show, and is disconnected', async () => {
    const user = await makeUser();
    const page = await openSettings();
    await askForApproval(page, user.email);
    for (const box of await page.locator('[name=podcasts]').all()) await box.check();
    await page.click('button:has-text("Allow")');
    await page.waitForURL(`${wordpress.url}wp-admin/**`);
    expect(await page.textContent('.notice-success')).toContain('This site is connected');
    expect(page.url()).not.toContain('code=');
    expect(await page.textContent('.form-table')).toMatch(
      /The signals.*The rivers|The rivers.*The signals/,
    );
    // Nobody requests a sync here: WP-Cron runs it, at once and after each ping.
    await expect.poll(async () => (await titles()).length, soon).toBe(4);
    const first = user.episode('signals-1');
    await service.command('episode', 'set', first, 'title=Changed');
    await expect.poll(async () => (await site.getPost(first)).title, soon).toBe('Changed');

    const { id } = await findSite(user.email);
    await page.goto(`${service.url}/app/settings/sites/${id}/shows`);
    await page.getByText('The signals', { exact: true }).click();
    await page.getByRole('button', { name: 'Save the shows' }).click();
    await page.getByText('The site’s shows were changed.').waitFor();
    await service.command('episode', 'set', first, 'title=Unseen');
    await expect.poll(() => site.read(first, 'reason'), soon).toBe('show_removed');
    expect(await titles()).toContainEqual(['Changed', 'publish']);
    await page.goto(
      `${wordpress.url}wp-admin/post.php?post=${(await site.getPost(first)).id}&action=edit`,
    );
    expect(await page.textContent('#podstead')).toContain('no longer follows the show');

    await page.goto(`${wordpress.url}wp-admin/options-general.php?page=podstead`);
    await page.click('#podstead-disconnect');
    await page.waitForSelector('.notice-success');
    expect((await findSite(user.email)).status).toBe('revoked');
    expect(await titles()).toHaveLength(4);
    expect(await wordpress.php(`echo get_option( 'podstead_connection' )['api_key'];`)).toBe('');
  });

  it('a refused approval connects nothing', async () => {
    const user = await makeUser();
    const page = await openSettings();
    await askForApproval(page, user.email);
    await page.click('button:has-text("Deny")');
    await page.waitForURL(`${wordpress.url}wp-admin/**`);
    expect(await page.textContent('.notice-error')).toContain('not approved');
    expect(await page.isVisible('#podstead-service')).toBe(true);
  });

  it('an approval that another session started is refused', async () => {
    await makeUser();
    const page = await openSettings();
    await page.fill('#podstead-service', service.url);
    await page.click('#podstead-connect');
    await page.waitForURL(`${service.url}/**`);
    const state = await wordpress.php(`echo get_option( 'podstead_pending' )['state'];`);
    const other = await openSettings();
    service.takeRequests();
    await other.goto(
      `${wordpress.url}wp-admin/options-general.php?page=podstead&code=${'c'.repeat(43)}&state=${state}`,
    );
    expect(await other.textContent('.notice-error')).toContain('was not started here');
    expect(service.takeRequests()).not.toContainEqual(expect.stringContaining('exchange'));
  });

  it('actions need a nonce', async () => {
    const page = await openSettings();
    for (const action of ['connect', 'sync', 'disconnect']) {
      const form = { action: `podstead_${action}`, service: 'https://evil.test' };
      const response = await page.request.post(`${wordpress.url}wp-admin/admin-post.php`, { form });
      expect([action, response.status()]).toEqual([action, 403]);
    }
  });
});

describe('a connection by command', () => {
  const command = async (name: string, options: Readonly<Record<string, string>> = {}) => {
    const run = wordpress.startPhp(`wp_set_current_user( 1 );
      ( new Podstead_Command() )->${name}( array(), json_decode( '${JSON.stringify(options)}', true ) );`);
    const { code, printed } = await run.ended;
    return { code, printed };
  };
  const connect = async (user: { email: string; slugs: readonly string[] }) => {
    const podcasts = user.slugs.flatMap((slug) => ['--podcast', slug]);
    const { secret } = await service.command('site', 'key', 'create', user.email, ...podcasts);
    return { secret, ...(await command('connect', { key: secret, service: service.url })) };
  };

  it('a site is connected, synced, shown and disconnected', async () => {
    const user = await makeUser();
    const connected = await connect(user);
    expect(connected).toMatchObject({ code: 0, printed: expect.stringContaining('Success') });
    expect(await command('sync', { all: '1' })).toMatchObject({ code: 0 });
    await site.sync();
    expect(await site.listPosts()).toHaveLength(4);
    const status = await command('status');
    expect(status.printed).toContain('connected: yes');
    expect(status.printed).toContain('posts: 4');
    expect(status.printed).not.toContain(connected.secret);
    expect(await command('disconnect')).toMatchObject({ code: 0 });
    expect(await command('sync')).toMatchObject({ code: 3 });
    expect((await findSite(user.email)).status).toBe('revoked');
  });

  it('a key that the service refuses connects nothing', async () => {
    const refused = await command('connect', { key: 'svc_live_nothing', service: service.url });
    expect(refused).toMatchObject({ code: 3, printed: expect.stringContaining('Error: ') });
    expect((await command('status')).printed).toContain('connected: no');
  });

  it('a site that connects again keeps its id, its position and its posts', async () => {
    const user = await makeUser();
    await connect(user);
    await site.sync();
    const before = await site.listPosts();
    const read = () =>
      wordpress.read<{ site: string; cursor: number }>(`echo json_encode( array(
        'site' => Podstead_Connection::find()['site_id'], 'cursor' => Podstead_Connection::state()['cursor'] ) );`);
    const { site: id, cursor } = await read();
    await command('disconnect');
    await service.command('episode', 'set', user.episode('rivers-1'), 'title=Changed');
    await connect(user);
    expect(await site.sync()).toEqual({ error: null });
    expect(await read()).toEqual({ site: id, cursor: cursor + 1 });
    const after = await site.listPosts();
    expect(after.map((post) => post.id).sort()).toEqual(before.map((post) => post.id).sort());
    expect(await titles()).toContainEqual(['Changed', 'publish']);
  });

  it('a key that is revoked ends the connection with a notice, and posts stay', async () => {
    const user = await makeUser();
    await connect(user);
    await site.sync();
    const { id } = await findSite(user.email);
    await service.command('site', 'disconnect', id);
    await site.sync();
    expect(await site.state()).toMatchObject({ ended: true });
    const page = await openSettings();
    expect(await page.textContent('.notice-warning')).toContain('has ended');
    expect(await page.isVisible('#podstead-service')).toBe(true);
    expect(await site.listPosts()).toHaveLength(4);
  });

  it('posts are reported, also when they change here', async () => {
    const user = await makeUser();
    service.takeRequests();
    await connect(user);
    await site.sync();
    const reports = () => service.takeRequests().filter((line) => line.includes('/posts '));
    const sent = reports();
    expect(sent.length).toBeGreaterThan(0);
    expect(sent.every((line) => line.endsWith(' 200'))).toBe(true);
    expect(await site.countDueReports()).toBe(0);
    const first = user.episode('rivers-1');
    const post = await site.getPost(first);
    await site.edit(post.id, { post_status: 'draft' });
    await site.sync();
    expect(reports()).toEqual([expect.stringContaining('/posts 200')]);
    await site.edit(post.id, { post_title: 'Edited' });
    await site.sync();
    expect(reports()).toEqual([]);
    await wordpress.php(`wp_trash_post( ${post.id} );`);
    await site.sync();
    expect(reports()).toEqual([expect.stringContaining('/posts 200')]);
  });
});
