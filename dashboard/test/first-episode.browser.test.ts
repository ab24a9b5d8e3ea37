import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeTone } from '../../server/src/domain/publishing/audio/index.ts';
import { findEmailToken } from '../../server/test/find-emails.ts';
import { testPassword } from '../../server/test/make.ts';
import { type OpenDashboard, openDashboard, watchFailures } from './open-dashboard.ts';

let dashboard: OpenDashboard;
beforeAll(async () => {
  dashboard = await openDashboard();
});
afterAll(() => dashboard[Symbol.asyncDispose]());

const dayMs = 86_400_000;

it('leads from an email address to an episode that is in the feed at its second', async () => {
  const { app, service, browser } = dashboard;
  const context = await browser.newContext({ locale: 'en-GB', timezoneId: 'UTC' });
  const page = await context.newPage();
  await page.goto(`${service}/app/sign-up`);
  await page.getByLabel('Email address').fill('ana@example.com');
  await page.getByRole('button', { name: 'Send the email' }).click();
  await page.waitForURL('**/app/email-sent');
  const token = await findEmailToken(app, 'ana@example.com');
  await page.goto(`${service}/app/sign-up/confirm?token=${token}`);
  await page.getByLabel('Your name').fill('Ana');
  await page.getByLabel('Password').fill(testPassword);
  await page.getByRole('button', { name: 'Create account' }).click();

  await page.getByText('Your account was created.').waitFor();
  await page.getByRole('heading', { name: 'Welcome' }).waitFor();
  const failures = watchFailures(page);
  await page.getByRole('main').getByRole('link', { name: 'Add a show' }).click();
  await page.getByLabel('Show title').fill('Night Signals');
  await page.getByRole('button', { name: 'Create show' }).click();
  await page.getByRole('button', { name: 'New episode' }).first().click();
  await page.getByLabel('Episode title').fill('First light');
  await page.getByRole('button', { name: 'Create draft' }).click();
  await page.getByText('There’s no cover yet: neither the episode nor the show').waitFor();
  await page.getByLabel('Subtitle').fill('What the antenna heard');
  await page.getByText('Saved', { exact: true }).waitFor();
  const tone = await buffer(makeTone(5));
  const file = { name: 'first-light.mp3', mimeType: 'audio/mpeg', buffer: tone };
  await page.getByLabel('Choose an audio file').setInputFiles(file);
  await page.locator('audio').waitFor();

  const at = new Date(Math.floor((Date.now() + dayMs) / 60_000) * 60_000);
  const [, year = '', month = '', day = '', hour = '', minute = ''] =
    /(\d+)-(\d+)-(\d+)T(\d+):(\d+)/.exec(at.toISOString()) ?? [];
  await page.getByRole('button', { name: 'Schedule…' }).click();
  const dialog = page.getByRole('dialog');
  for (const [name, value] of Object.entries({ day, month, year, hour, minute })) {
    await dialog.getByRole('spinbutton', { name: new RegExp(`^${name}`) }).click();
    await page.keyboard.type(value);
  }
  await dialog.getByRole('button', { name: 'Schedule', exact: true }).click();
  await page.getByRole('button', { name: 'Change the time…' }).waitFor();

  const slug = 'night-signals';
  const feed = async () => (await fetch(`${service}/feeds/${slug}.xml`)).text();
  app.clock.set(new Date(at.getTime() - 1000));
  expect(await feed()).not.toContain('First light');
  app.clock.set(at);
  expect(await feed()).toContain('<title>First light</title>');
  await page.goto(`${service}/app`);
  await page.getByText('First light').waitFor();
  expect(failures).toEqual([]);
  await context.close();
});
