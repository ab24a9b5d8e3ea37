import { afterAll, beforeAll, expect, it } from 'vitest';
import { findEmailToken } from '../../server/test/find-emails.ts';
import { makeUser, testPassword } from '../../server/test/make.ts';
import { expectAccessibleScreens } from './expect-accessible-screens.ts';
import { type OpenDashboard, openDashboard, watchFailures } from './open-dashboard.ts';

let dashboard: OpenDashboard;
beforeAll(async () => {
  dashboard = await openDashboard({
    TERMS_VERSION: '2026-01',
    TERMS_URL: 'https://terms.example/',
  });
});
afterAll(() => dashboard[Symbol.asyncDispose]());

it('changes the name and the address of an account', async () => {
  const { app, service } = dashboard;
  const user = await makeUser(app.ctx);
  const page = await dashboard.signIn(user.email);
  const failures = watchFailures(page);
  await page.goto(`${dashboard.service}/app`);
  await page.getByRole('button', { name: /^Account/ }).click();
  await page.getByRole('menuitem', { name: 'Account settings' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Ana & Co');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Your name was changed.').waitFor();
  await page.getByRole('button', { name: 'Account: Ana & Co' }).waitFor();

  await page.getByRole('button', { name: 'Change email address' }).click();
  await page.getByLabel('New email address').fill('ana@example.com');
  await page.getByLabel('Your current password').fill(testPassword);
  await page.getByRole('button', { name: 'Send a confirmation email' }).click();
  await page.getByText('Open the link in it to confirm the change').waitFor();
  const token = await findEmailToken(app, 'ana@example.com');
  await page.goto(`${service}/app/email/confirm?token=${token}`);
  await page.getByRole('button', { name: 'Confirm this address' }).click();
  await page.getByText('Your email address was changed.').waitFor();
  await page.goto(`${service}/app/settings/email`);
  await page.waitForURL(`${service}/app/settings`);
  await page.getByText('ana@example.com').waitFor();
  expect(failures).toEqual([]);
  await page.context().close();
});

it('a language that is chosen in one browser is that of every other browser', async () => {
  const { app, service } = dashboard;
  const user = await makeUser(app.ctx);
  const page = await dashboard.signIn(user.email);
  const failures = watchFailures(page);
  await page.goto(`${service}/app/settings`);
  const saved = page.waitForResponse((response) => response.request().method() === 'PATCH');
  await page.getByRole('combobox', { name: 'Language' }).selectOption('de');
  await page.getByRole('heading', { name: 'Ihr Name' }).waitFor();
  expect((await saved).status()).toBe(204);
  await page.reload();
  await page.getByRole('heading', { name: 'Ihr Name' }).waitFor();
  const other = await dashboard.signIn(user.email, { locale: 'fr-FR' });
  await other.goto(`${service}/app/settings`);
  await other.getByRole('heading', { name: 'Ihr Name' }).waitFor();
  expect(await other.locator('html').getAttribute('lang')).toBe('de');
  await other.goto(`${service}/app/email-sent`);
  await other.getByRole('link', { name: 'Zurück zur Anmeldung' }).waitFor();
  expect(failures).toEqual([]);
  await page.context().close();
  await other.context().close();
});

it('remembers which emails are not wanted', async () => {
  const { app, service } = dashboard;
  const page = await dashboard.signIn((await makeUser(app.ctx)).email);
  const failures = watchFailures(page);
  await page.goto(`${service}/app/settings`);
  await page.getByRole('link', { name: 'Emails' }).click();
  const removal = page.getByRole('checkbox', { name: 'I’m removed from a show’s team' });
  await page.getByText('I’m removed from a show’s team').click();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Your email settings were saved.').waitFor();
  await page.reload();
  await removal.waitFor({ state: 'attached' });
  expect(await removal.isChecked()).toBe(false);
  expect(await page.getByRole('checkbox', { checked: true }).count()).toBe(3);
  expect(failures).toEqual([]);
  await page.context().close();
});

it('a new password is accepted only with the present one, and signs out everywhere else', async () => {
  const { app, service } = dashboard;
  const user = await makeUser(app.ctx);
  const elsewhere = await dashboard.signIn(user.email);
  const page = await dashboard.signIn(user.email);
  await page.goto(`${service}/app/settings/sessions`);
  await expect.poll(() => page.getByRole('button', { name: /^Sign out: / }).count()).toBe(1);
  await page.getByRole('link', { name: 'Password' }).click();
  const current = page.getByLabel('Your current password');
  await current.fill('wrong');
  await page.getByLabel('New password').fill('another long password');
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect.poll(() => current.getAttribute('aria-invalid')).toBe('true');
  await expect.poll(() => current.evaluate((input) => input === document.activeElement)).toBe(true);
  expect(await page.getByLabel('New password').inputValue()).toBe('another long password');
  await current.fill(testPassword);
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.getByText('Your password was changed.').waitFor();
  await elsewhere.goto(`${service}/app/settings`);
  expect(new URL(elsewhere.url()).pathname).toBe('/app/sign-in');
  await elsewhere.context().close();
  await page.context().close();
});

it('asks to sign in over the page when the session has ended, and keeps what was typed', async () => {
  const { app, service } = dashboard;
  const user = await makeUser(app.ctx);
  const page = await dashboard.signIn(user.email);
  await page.goto(`${service}/app/settings`);
  const name = page.getByLabel('Name', { exact: true });
  await name.fill('Typed before');
  await app.database.pool.query('delete from sessions where user_id = $1', [user.id]);
  await page.getByRole('button', { name: 'Save' }).click();
  const dialog = page.getByRole('dialog', { name: 'Sign in again' });
  await dialog.getByLabel('Password').fill(testPassword);
  await dialog.getByRole('button', { name: 'Sign in' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(await name.inputValue()).toBe('Typed before');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Your name was changed.').waitFor();
  await page.context().close();
});

it('asks for consent to new terms', async () => {
  const { app, service } = dashboard;
  const user = await makeUser(app.ctx);
  await app.database.pool.query('update users set accepted_terms = null where id = $1', [user.id]);
  const page = await dashboard.signIn(user.email);
  await page.goto(`${service}/app/settings`);
  await page.getByRole('link', { name: 'Review the terms' }).click();
  const link = page.getByRole('link', { name: 'the terms of service' });
  expect(await link.getAttribute('href')).toBe('https://terms.example/');
  await page.getByRole('button', { name: 'I accept the terms' }).click();
  await page.getByText('You’ve accepted').waitFor();
  await page.context().close();
});

it('writes that a new account uses no bytes', async () => {
  const { app, service } = dashboard;
  const page = await dashboard.signIn((await makeUser(app.ctx)).email);
  await page.goto(`${service}/app/settings/plan`);
  await page.getByText('Pictures', { exact: true }).waitFor();
  expect(await page.getByText('0 bytes', { exact: true }).count()).toBe(2);
  await page.context().close();
});

it('reads well to everyone', async () => {
  const user = await makeUser(dashboard.app.ctx);
  const settings = '/app/settings';
  await expectAccessibleScreens(dashboard, user.email, [
    settings,
    `${settings}/password`,
    `${settings}/sessions`,
    `${settings}/terms`,
    `${settings}/plan`,
    `${settings}/emails`,
  ]);
});
