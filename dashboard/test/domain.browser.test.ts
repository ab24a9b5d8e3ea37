import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkDomain, setDomain } from '../../server/src/domain/publishing/domains/index.ts';
import { addMember } from '../../server/src/domain/publishing/podcasts/index.ts';
import { type DnsServer, openDnsServer } from '../../server/test/hosts/dns-server.ts';
import { makePodcast, makeUser } from '../../server/test/make.ts';
import { expectAccessibleScreens } from './expect-accessible-screens.ts';
import { type OpenDashboard, openDashboard, watchFailures } from './open-dashboard.ts';

const target = { a: ['203.0.113.7'] };
let names: DnsServer;
let dashboard: OpenDashboard;

beforeAll(async () => {
  names = await openDnsServer({ 'pods.example': target });
  dashboard = await openDashboard({
    DOMAIN_TARGET: 'pods.example',
    DNS_SERVERS: names.address,
  });
});
afterAll(async () => {
  await dashboard[Symbol.asyncDispose]();
  await names[Symbol.asyncDispose]();
});

async function openDomain() {
  const { app, service } = dashboard;
  const owner = await makeUser(app.ctx);
  const show = await makePodcast(app.ctx, { owner, title: 'Night Signals' });
  const page = await dashboard.signIn(owner.email);
  const failures = watchFailures(page);
  await page.goto(`${service}/app/shows/${show.id}/show/domain`);
  await page.getByRole('heading', { name: 'Your own domain' }).waitFor();
  return { owner, show, page, failures };
}

it('a podcaster sets a domain, adds the records, and redirects the feed', async () => {
  const { show, page, failures } = await openDomain();
  const host = 'night.example';
  await page.getByLabel('Domain', { exact: true }).fill('https://night.example/');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('Enter only the name, such as podcast.example.com.').waitFor();
  await page.getByLabel('Domain', { exact: true }).fill(host);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('Waiting', { exact: true }).waitFor();
  const copied = (label: string) => page.getByLabel(label, { exact: true }).inputValue();
  expect(await copied('Name of the TXT record')).toBe('_podstead.night.example');
  expect(await copied('Name of the CNAME record')).toBe(host);
  expect(await copied('Value of the CNAME record')).toBe('pods.example');
  const token = await copied('Value of the TXT record');

  await page.getByText(`We don’t see it at _podstead.${host} yet.`).waitFor();
  names.zone[host] = { a: ['198.51.100.1'] };
  names.zone[`_podstead.${host}`] = { txt: [token] };
  await page.getByRole('button', { name: 'Check now' }).click();
  await page.getByText('It points to 198.51.100.1, but it has to point to pods.example.').waitFor();
  await page.getByText('Right', { exact: true }).waitFor();
  names.zone[host] = { a: [...target.a, '198.51.100.1'] };
  await page.getByRole('button', { name: 'Check now' }).click();
  await page.getByText('Another record points to 198.51.100.1. Delete it.').waitFor();

  names.zone[host] = target;
  await page.getByRole('button', { name: 'Check now' }).click();
  await page.getByText('Works', { exact: true }).waitFor();
  const redirects = page.getByRole('switch', { name: 'Redirect the old feed URL' });
  expect(await redirects.isChecked()).toBe(false);
  await page.getByText('Redirect the old feed URL').click();
  await expect.poll(() => redirects.isChecked()).toBe(true);
  const feed = await fetch(`${dashboard.service}/feeds/${show.slug}.xml`, { redirect: 'manual' });
  expect([feed.status, new URL(String(feed.headers.get('location'))).hostname]).toEqual([
    301,
    host,
  ]);

  await page.getByRole('button', { name: 'Remove the domain' }).click();
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await page.getByRole('heading', { name: 'Your own domain' }).waitFor();
  // The refused name.
  expect(failures).toEqual([expect.stringContaining('status of 400')]);
  await page.context().close();
});

// DOMAIN-13
it('an admin sees whether the feed redirects to the domain, and cannot change it', async () => {
  const { app, service } = dashboard;
  const [show, admin] = [await makePodcast(app.ctx), await makeUser(app.ctx)];
  await addMember(app.ctx, { podcastId: show.id, userId: admin.id, role: 'admin' });
  const host = 'admins.example';
  const { token } = await setDomain(app.ctx, show.id, host);
  names.zone[host] = target;
  names.zone[`_podstead.${host}`] = { txt: [token] };
  await checkDomain(app.ctx, show.id);
  const page = await dashboard.signIn(admin.email);
  await page.goto(`${service}/app/shows/${show.id}/show/domain`);
  const redirects = page.getByRole('switch', { name: 'Redirect the old feed URL' });
  await page.getByText('Only the show’s owner can change this.').waitFor();
  expect([await redirects.isDisabled(), await redirects.isChecked()]).toEqual([true, false]);
  await page.context().close();
});

it('the screen of a domain is accessible before and after it is set', async () => {
  const { owner, show, page } = await openDomain();
  const path = `/app/shows/${show.id}/show/domain`;
  await expectAccessibleScreens(dashboard, owner.email, [path]);
  await page.getByLabel('Domain', { exact: true }).fill('lost.example');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('Waiting', { exact: true }).waitFor();
  await page.context().close();
  await expectAccessibleScreens(dashboard, owner.email, [path]);
});
