import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findKeyPrincipal } from '../../server/src/domain/access/keys/index.ts';
import { codeVerifier, connectPath } from '../../server/test/connect-request.ts';
import { makeCertificate, testHost } from '../../server/test/hosts/certificate.ts';
import { openHttpHost } from '../../server/test/hosts/http-host.ts';
import { makeEpisode, makePodcast, makeUser, testPassword } from '../../server/test/make.ts';
import { makeSite } from '../../server/test/make-site.ts';
import { expectAccessibleScreens } from './expect-accessible-screens.ts';
import { type OpenDashboard, openDashboard, watchFailures } from './open-dashboard.ts';

const tls = makeCertificate();
const home = `https://${testHost}/`;
const opened = new AsyncDisposableStack();
let dashboard: OpenDashboard;
beforeAll(async () => {
  const site = opened.use(
    await openHttpHost((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'text/html' }).end('<h1>The settings</h1>');
    }, tls),
  );
  const rule = `--host-resolver-rules=MAP ${testHost}:443 127.0.0.1:${site.port}`;
  dashboard = opened.use(await openDashboard({}, [rule]));
});
afterAll(() => opened.disposeAsync());

const sites = '/app/settings/sites';
const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).click();
const works = async (secret: string) =>
  (await findKeyPrincipal(dashboard.app.ctx, secret)) !== undefined;

describe.skipIf(tls === undefined)('a site', () => {
  it('a site is approved at /connect, gets another show, and is disconnected', async () => {
    const { app, service } = dashboard;
    const user = await makeUser(app.ctx);
    await makePodcast(app.ctx, { owner: user, title: 'Night Signals' });
    await makePodcast(app.ctx, { owner: user, title: 'Day Signals' });
    const page = await dashboard.signIn(user.email, { ignoreHTTPSErrors: true });
    await page.goto(service + sites);
    await page.getByRole('heading', { name: 'Connect your first site' }).waitFor();
    expect(await page.getByLabel('URL of this service', { exact: true }).inputValue()).toBe(
      service,
    );

    const path = connectPath({
      site_url: home,
      rest_root: `${home}wp-json/`,
      admin_url: `${home}wp-admin/`,
      redirect_uri: `${home}wp-admin/admin.php?page=podstead`,
    });
    await page.goto(service + path);
    await page.getByLabel('Night Signals').check();
    await press(page, 'Allow');
    await page.waitForURL(`${home}wp-admin/**`);
    const code = new URL(page.url()).searchParams.get('code');
    const exchange = await fetch(`${service}/v1/sites/exchange`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ code, code_verifier: codeVerifier }),
    });
    const { data } = (await exchange.json()) as { data: { api_key: string } };
    expect(await works(data.api_key)).toBe(true);

    await page.goto(service + sites);
    const failures = watchFailures(page);
    await page.getByRole('heading', { level: 2 }).getByRole('link').click();
    await page.getByText('Not finished', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Change shows' }).click();
    await page.getByText('Day Signals', { exact: true }).click();
    await press(page, 'Save the shows');
    await page.getByText('The site’s shows were changed.').waitFor();
    await page.getByRole('list').getByText('Day Signals').waitFor();

    await press(page, 'Disconnect');
    await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click();
    await page.getByRole('heading', { name: 'No longer connected' }).waitFor();
    expect(await works(data.api_key)).toBe(false);
    expect(failures).toEqual([]);
    await page.context().close();
  });
});

it('makes a key for a site, which is shown once', async () => {
  const { app, service } = dashboard;
  const user = await makeUser(app.ctx);
  await makePodcast(app.ctx, { owner: user, title: 'Night Signals' });
  await makePodcast(app.ctx, { owner: user, title: 'Elsewhere', hostingType: 'external' });
  const page = await dashboard.signIn(user.email);
  await page.goto(`${service}${sites}/new-key`);
  await page.getByText('Night Signals', { exact: true }).click();
  await page.getByText('1 show you can’t connect').click();
  await page.getByText('Its audio is not hosted here.').waitFor();
  await page.getByLabel('Your current password').fill(testPassword);
  await press(page, 'Create the site key');
  expect(await works(await page.getByLabel('Site key', { exact: true }).inputValue())).toBe(true);
  expect(await page.getByLabel('Command', { exact: true }).inputValue()).toContain(
    `--service=${service}`,
  );
  await page.context().close();
});

it('reads well to everyone', async () => {
  const { app } = dashboard;
  const user = await makeUser(app.ctx);
  const show = await makePodcast(app.ctx, { owner: user, title: 'Night Signals' });
  const episode = await makeEpisode(app.ctx, show, { title: 'First light' });
  const { siteId } = await makeSite(app.ctx, user, [show]);
  const query = (text: string, values: unknown[]) => app.database.pool.query(text, values);
  await query(
    `insert into site_posts (site_id, episode_id, podcast_id, post_url, state, wp_post_id, reported_at)
    values ($1, $2, $3, 'https://blog.example.com/1', 'published', 1, now())`,
    [siteId, episode.id, show.id],
  );
  await query(
    `insert into site_pings (site_id, failures, last_error) values ($1, 2, '502')
    on conflict (site_id) do update set failures = 2, last_error = '502'`,
    [siteId],
  );
  await expectAccessibleScreens(dashboard, user.email, [
    sites,
    `${sites}/${siteId}`,
    `${sites}/${siteId}/shows`,
    `${sites}/new-key`,
  ]);
});
