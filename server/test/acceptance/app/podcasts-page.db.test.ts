import { afterAll, beforeAll, expect, it } from 'vitest';
import { pausePodcast, suspendPodcast } from '../../../src/domain/podcasts/index.ts';
import { createBrowser } from '../../create-browser.ts';
import { createTestApp, type TestApp } from '../../create-test-app.ts';
import { makePodcast, makeUser } from '../../make.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

it('the page describes the state of a podcast that is not active', async () => {
  const owner = await makeUser(app.ctx);
  const suspended = await makePodcast(app.ctx, { owner, slug: 'loud' });
  const paused = await makePodcast(app.ctx, { owner, slug: 'quiet' });
  await suspendPodcast(app.ctx, suspended.id);
  await pausePodcast(app.ctx, paused.id);
  const browser = createBrowser(app);
  await browser.signIn(owner.email);
  const { body } = await browser.get('/app/podcasts');
  const badges = [...body.matchAll(/class="badge">([^<]*)</g)].map(([, text]) => text);
  expect(badges).toEqual(['Suspended: over its quota', 'Paused']);
});
