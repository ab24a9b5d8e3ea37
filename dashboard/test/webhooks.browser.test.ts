import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listWebhooks } from '../../server/src/domain/exchange/webhooks/index.ts';
import { createWebhookSender } from '../../server/src/domain/exchange/webhooks/sending/webhook-sender.ts';
import { updateEpisode } from '../../server/src/domain/publishing/episodes/index.ts';
import { addMember } from '../../server/src/domain/publishing/podcasts/index.ts';
import { makeCertificate, testHost } from '../../server/test/hosts/certificate.ts';
import { createSiteClient } from '../../server/test/hosts/hostile-sites.ts';
import { type HttpHost, openHttpHost } from '../../server/test/hosts/http-host.ts';
import { makeEpisode, makePodcast, makeUser } from '../../server/test/make.ts';
import { expectAccessibleScreens, expectAccessibleSteps } from './expect-accessible-screens.ts';
import { type OpenDashboard, openDashboard, watchFailures } from './open-dashboard.ts';

const tls = makeCertificate();
const opened = new AsyncDisposableStack();
let dashboard: OpenDashboard;
let host: HttpHost;
let respond: (request: IncomingMessage, response: ServerResponse) => void;
beforeAll(async () => {
  host = opened.use(await openHttpHost((request, response) => respond(request, response), tls));
  dashboard = opened.use(await openDashboard());
});
afterAll(() => opened.disposeAsync());
beforeEach(() => {
  respond = (_, response) => void response.writeHead(204).end();
});

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const inDialog = (page: Page, name: string) =>
  page.getByRole('dialog').getByRole('button', { name, exact: true }).click();

/** What a worker does. */
async function send(): Promise<void> {
  const { app } = dashboard;
  const ctx = { ...app.ctx, outbound: createSiteClient(tls) };
  const present = await app.loadWebhookPresenter();
  const { signal } = new AbortController();
  const sender = createWebhookSender(ctx, { signal, present, counts: app.webhookCounts });
  for (let run = 0; run < 2; run += 1) {
    await sender.runOnce();
    await sender.settled();
  }
}

async function makeShow() {
  const { ctx, clock } = dashboard.app;
  const owner = await makeUser(ctx);
  const show = await makePodcast(ctx, { owner, title: 'Night Signals' });
  // What happened before a webhook was created is told nobody.
  clock.advance(1);
  const path = `/app/shows/${show.id}/show/webhooks`;
  return { owner, show, path };
}

const hookUrl = () => `https://${testHost}:${host.port}/hook`;

describe.skipIf(tls === undefined)('a webhook', () => {
  it('a webhook is created, tested, rolled, turned off and deleted', async () => {
    const { owner, show, path } = await makeShow();
    const page = await dashboard.signIn(owner.email, { permissions: ['clipboard-write'] });
    const failures = watchFailures(page);
    await page.goto(dashboard.service + path);
    await page.getByRole('heading', { name: 'No webhooks yet' }).waitFor();
    await page.getByRole('link', { name: 'Create a webhook' }).click();
    await page.getByLabel('URL', { exact: true }).fill('http://example.com');
    await press(page, 'Create the webhook');
    await page.getByText('Enter an https URL').waitFor();
    await page.getByLabel('URL', { exact: true }).fill(hookUrl());
    await page.getByText('Show updated', { exact: true }).click();
    await press(page, 'Create the webhook');
    const secret = page.getByLabel('Secret of the webhook', { exact: true });
    expect(await secret.inputValue()).toMatch(/^whsec_[\w-]{43}$/);
    await press(page, 'Copy: Secret of the webhook');
    await page.getByRole('link', { name: 'Continue' }).click();

    await press(page, 'Send a test');
    const row = (name: string) => page.getByRole('row').filter({ hasText: name });
    await row('Waiting').waitFor();
    await send();
    await row('Delivered').getByText('Status 204').waitFor();
    respond = (_, response) => void response.writeHead(503).end('Back <b>soon</b>');
    await press(page, 'Send a test');
    await row('Waiting').waitFor();
    await send();
    await row('Failed').getByText('Status 503').waitFor();
    await row('Failed').getByText('Show the response').click();
    await row('Failed').getByText('Back <b>soon</b>').waitFor();

    await press(page, 'Turn off');
    await page.getByText('Off', { exact: true }).waitFor();
    await press(page, 'Turn on');
    await page.getByRole('button', { name: 'Turn off', exact: true }).waitFor();
    await press(page, 'Replace the secret');
    await inDialog(page, 'Replace the secret');
    await page.getByText('requests are signed with the old secret too').waitFor();
    await press(page, 'Copy: Secret of the webhook');
    await press(page, 'Done');
    await page.getByText('signs too until').waitFor();
    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByLabel('URL', { exact: true }).fill(`${hookUrl()}/new`);
    await press(page, 'Save');
    await page.getByText(`${hookUrl()}/new`).waitFor();
    const [webhook] = await listWebhooks(dashboard.app.ctx, show.id);
    expect(webhook).toMatchObject({
      url: `${hookUrl()}/new`,
      types: ['episode.published', 'show.updated'],
      offReason: null,
    });
    await press(page, 'Delete');
    await inDialog(page, 'Delete');
    await page.getByRole('heading', { name: 'No webhooks yet' }).waitFor();
    // The URL that was refused.
    expect(failures).toEqual([expect.stringContaining('status of 400')]);
    await page.context().close();
  });

  it('a delivery that failed is sent again', async () => {
    const { owner, show, path } = await makeShow();
    const { ctx, clock } = dashboard.app;
    const episode = await makeEpisode(ctx, show, { title: 'The lighthouse' });
    const page = await dashboard.signIn(owner.email);
    await page.goto(`${dashboard.service}${path}/new`);
    await page.getByLabel('URL', { exact: true }).fill(hookUrl());
    await page.getByText('Episode updated', { exact: true }).click();
    clock.advance(1);
    await press(page, 'Create the webhook');
    await page.getByText('shown only once').waitFor();
    respond = (_, response) => void response.writeHead(500).end();
    await send();
    await updateEpisode(ctx, episode.id, { title: 'The lighthouse, again' });
    await send();
    await page.getByRole('link', { name: 'Continue' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click();
    const row = page.getByRole('row').filter({ hasText: 'The lighthouse, again' });
    await row.getByText('Next try').waitFor();
    await page.getByText('Every delivery has failed since').waitFor();
    respond = (_, response) => void response.writeHead(200).end('thanks');
    await press(page, 'Send again: Episode updated');
    await row.getByText('Next try').waitFor({ state: 'detached' });
    await send();
    await row.getByText('Delivered').waitFor();
    await row.getByText('2 attempts').waitFor();
    await page.context().close();
  });

  it('an editor of the show sees no webhooks', async () => {
    const { show, path } = await makeShow();
    const editor = await makeUser(dashboard.app.ctx);
    const membership = { podcastId: show.id, userId: editor.id };
    await addMember(dashboard.app.ctx, { ...membership, role: 'editor' });
    const page = await dashboard.signIn(editor.email);
    await page.goto(dashboard.service + path);
    await page.getByText('Not found').waitFor();
    expect(await page.getByRole('link', { name: 'Webhooks' }).count()).toBe(0);
    await page.context().close();
  });

  it('the screens of webhooks are accessible', async () => {
    const { owner, show, path } = await makeShow();
    const { ctx } = dashboard.app;
    await expectAccessibleScreens(dashboard, owner.email, [path, `${path}/new`]);
    const page = await dashboard.signIn(owner.email, { permissions: ['clipboard-write'] });
    await page.goto(`${dashboard.service}${path}/new`);
    await page.getByLabel('URL', { exact: true }).fill(hookUrl());
    await press(page, 'Create the webhook');
    await press(page, 'Copy: Secret of the webhook');
    await page.getByRole('link', { name: 'Continue' }).click();
    await press(page, 'Send a test');
    respond = (_, response) => void response.writeHead(503).end('Back soon');
    await page.getByRole('row').filter({ hasText: 'Waiting' }).waitFor();
    await send();
    await page.context().close();
    const [webhook] = await listWebhooks(ctx, show.id);
    const one = `${path}/${webhook?.id}`;
    await expectAccessibleScreens(dashboard, owner.email, [path, one, `${one}/edit`]);
    const ask = async (page: Page, name: string) => {
      await press(page, name);
      await page.getByRole('dialog').waitFor();
    };
    await expectAccessibleSteps(dashboard, owner.email, one, [
      (page) => page.getByText('Show the response').click(),
      (page) => ask(page, 'Replace the secret'),
      (page) => ask(page, 'Delete'),
    ]);
  });
});
