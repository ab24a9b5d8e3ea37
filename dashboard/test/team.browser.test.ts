import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findKeyPrincipal, listKeys } from '../../server/src/domain/access/keys/index.ts';
import { addMember, listMembers } from '../../server/src/domain/publishing/podcasts/index.ts';
import { findEmailToken } from '../../server/test/find-emails.ts';
import { makeKey, makePodcast, makeUser, testPassword } from '../../server/test/make.ts';
import { expectAccessibleScreens } from './expect-accessible-screens.ts';
import { type OpenDashboard, openDashboard, watchFailures } from './open-dashboard.ts';

let dashboard: OpenDashboard;
beforeAll(async () => {
  dashboard = await openDashboard();
});
afterAll(() => dashboard[Symbol.asyncDispose]());

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).click();
const inDialog = (page: Page, name: string) =>
  page.getByRole('dialog').getByRole('button', { name }).click();

async function makeShow(title = 'Night Signals') {
  const { ctx } = dashboard.app;
  const owner = await makeUser(ctx);
  const show = await makePodcast(ctx, { owner, title });
  const roles = async () =>
    (await listMembers(ctx, show.id)).map(({ email, role }) => [email, role] as const);
  return { owner, show, roles, team: `${dashboard.service}/app/shows/${show.id}/team` };
}

it('invites somebody, who joins by the email', async () => {
  const { app, service } = dashboard;
  const { owner, team, roles } = await makeShow();
  const bo = await makeUser(app.ctx);
  const page = await dashboard.signIn(owner.email);
  const failures = watchFailures(page);
  await page.goto(team);
  await press(page, 'Invite someone');
  await page.getByLabel('Email address').fill(bo.email);
  await page.getByText('Custom role', { exact: true }).click();
  await page.getByLabel('Role name').fill('Numbers');
  await page.getByText('See downloads', { exact: true }).click();
  await inDialog(page, 'Invite');
  await page.getByRole('heading', { name: bo.email }).getByText('Numbers').waitFor();

  const first = await findEmailToken(app, bo.email);
  await press(page, `Send again: ${bo.email}`);
  await page.getByText(`${bo.email} has a new invitation.`).waitFor();
  await page.getByRole('heading', { name: bo.email }).getByText('Numbers').waitFor();
  const guest = await dashboard.signIn(bo.email);
  await guest.goto(`${service}/app/invitation?token=${first}`);
  expect(await guest.getByRole('button', { name: 'Accept' }).count()).toBe(0);
  await guest.goto(`${service}/app/invitation?token=${await findEmailToken(app, bo.email)}`);
  // Emails are files here, so there is a link to copy as well.
  await page.getByText('This installation doesn’t send emails').waitFor();
  const copied = page.getByRole('textbox', { name: `Invitation link for ${bo.email}` });
  await guest.goto(await copied.inputValue());
  await press(guest, 'Accept');
  await guest.getByText('You have joined the team.').waitFor();
  await guest.waitForURL(`${service}/app`);
  await guest.goto(team);
  // Who does not manage the team sees their role alone.
  await guest.getByRole('heading', { name: 'Numbers' }).waitFor();
  await guest.getByText('See downloads', { exact: true }).waitFor();
  expect(await guest.getByRole('button', { name: 'Invite someone' }).count()).toBe(0);
  expect(await guest.getByRole('link', { name: 'My role' }).count()).toBe(1);

  await page.reload();
  await press(page, `Change role: ${bo.name}`);
  await page.getByText('Editor', { exact: true }).click();
  await inDialog(page, 'Save role');
  await page.getByRole('heading', { name: bo.name }).getByText('Editor').waitFor();
  expect(await roles()).toContainEqual([bo.email, 'editor']);
  await press(page, `Remove: ${bo.name}`);
  await inDialog(page, 'Remove');
  await page.getByText(`${bo.name} is no longer on the team.`).waitFor();
  expect(await roles()).toEqual([[owner.email, 'owner']]);
  expect(failures).toEqual([]);
  await guest.context().close();
  await page.context().close();
});

it('lets an admin give only what they have, and change no other admin', async () => {
  const { app } = dashboard;
  const { show, team, roles } = await makeShow();
  const [ana, bo, cy] = [await makeUser(app.ctx), await makeUser(app.ctx), await makeUser(app.ctx)];
  const add = (userId: string, role: 'admin' | 'editor') =>
    addMember(app.ctx, { podcastId: show.id, userId, role });
  await Promise.all([add(ana.id, 'admin'), add(bo.id, 'admin'), add(cy.id, 'editor')]);
  const page = await dashboard.signIn(ana.email);
  await page.goto(team);
  await page.getByRole('button', { name: `Change role: ${cy.name}` }).waitFor();
  expect(await page.getByRole('button', { name: /^(Change role|Remove): / }).count()).toBe(2);
  expect(await page.getByRole('heading', { name: 'Transfer ownership' }).count()).toBe(0);
  await press(page, 'Invite someone');
  const offered = page.getByRole('dialog').getByRole('radio');
  await offered.first().waitFor();
  expect(
    await offered.evaluateAll((radios) =>
      radios.map((radio) => (radio as unknown as { value: string }).value),
    ),
  ).toEqual(['editor', 'analyst', 'cohost', 'custom']);
  await page.keyboard.press('Escape');
  await press(page, 'Leave the team');
  await inDialog(page, 'Leave the team');
  await page.waitForURL(/\/app\/?$/);
  expect((await roles()).map(([email]) => email)).not.toContain(ana.email);
  await page.context().close();
});

it('offers the show to somebody, and decides which keys read it', async () => {
  const { app } = dashboard;
  const { owner, show, team } = await makeShow();
  const { secret } = await makeKey(app.ctx, owner, { podcasts: [show.id] });
  const page = await dashboard.signIn(owner.email);
  await page.goto(team);
  await press(page, 'Transfer ownership');
  await page.getByLabel('New owner’s email address').fill('cy@example.com');
  await page.getByLabel('Your current password').fill('wrong');
  await press(page, 'Send the offer');
  const password = page.getByLabel('Your current password');
  await expect.poll(() => password.getAttribute('aria-invalid')).toBe('true');
  await password.fill(testPassword);
  await press(page, 'Send the offer');
  await page.getByText('Offered to cy@example.com').waitFor();
  await press(page, 'Withdraw the offer');
  await page.getByRole('button', { name: 'Transfer ownership' }).waitFor();

  const teamKeys = page.getByRole('switch');
  const before = await teamKeys.isChecked();
  await page.getByText('Team members can access this show').click();
  await expect.poll(() => teamKeys.isChecked()).toBe(!before);
  await press(page, 'Revoke all keys’ access');
  await inDialog(page, 'Revoke access');
  await page.getByText('1 key had no other access and was revoked.').waitFor();
  expect(await findKeyPrincipal(app.ctx, secret)).toBeUndefined();
  expect((await listKeys(app.ctx, owner.id))[0]?.cutOffFrom).toEqual([show.id]);
  await page.context().close();
});

it('reads well to everyone', async () => {
  const { app } = dashboard;
  const { owner, show } = await makeShow();
  const analyst = await makeUser(app.ctx);
  await addMember(app.ctx, { podcastId: show.id, userId: analyst.id, role: 'analyst' });
  const path = `/app/shows/${show.id}/team`;
  await expectAccessibleScreens(dashboard, owner.email, [path]);
  await expectAccessibleScreens(dashboard, analyst.email, [path]);
});
