import { afterAll, beforeAll, expect, it } from 'vitest';
import type { User } from '../../src/domain/foundation/accounts/index.ts';
import { attachTone } from '../../src/domain/publishing/audio/index.ts';
import type { Episode } from '../../src/domain/publishing/episodes/index.ts';
import type { Podcast } from '../../src/domain/publishing/podcasts/index.ts';
import { askWithKey } from '../ask-with-key.ts';
import { type Browser, createBrowser } from '../create-browser.ts';
import { createTestApp, type TestApp } from '../create-test-app.ts';
import { makeEpisode, makePodcast, makeUser } from '../make.ts';
import { makeSite } from '../make-site.ts';

let app: TestApp;
let owner: User;
let show: Podcast;
let episode: Episode;
let browser: Browser;
beforeAll(async () => {
  app = await createTestApp();
  owner = await makeUser(app.ctx, 'creator');
  show = await makePodcast(app.ctx, { owner, slug: 'machines' });
  episode = await makeEpisode(app.ctx, show, { slug: 'one' });
  await attachTone(app.ctx, episode.id, 1);
  browser = createBrowser(app);
  await browser.signIn(owner.email);
});
afterAll(() => app[Symbol.asyncDispose]());

const set = async (url: string, value: boolean | null) => {
  const response = await browser.send('PATCH', url, { ai_content: value }, { 'if-match': '*' });
  expect(response.statusCode).toBe(200);
  expect(response.json().data.ai_content).toBe(value);
};
const readFeed = async () => {
  const { body } = await app.request({ method: 'GET', url: '/feeds/machines.xml' });
  const txt = (part: string) => part.match(/<podcast:txt purpose="ai-content">(\w+)</)?.[1];
  const [channel = '', item = ''] = body.split('<item>');
  return [txt(channel), txt(item)];
};

it('the use of AI is stated for a show and an episode in the feed, in the API and to sites', async () => {
  const site = await makeSite(app.ctx, owner, [show]);
  const readSite = async () => {
    const response = await askWithKey(app, site.secret, `/v1/me/sites/${site.siteId}/changes`);
    const [change] = response.json().data;
    return { hash: change.content_hash, said: change.episode.ai_content };
  };
  const readApi = async () => {
    const url = '/v1/podcasts/machines/episodes/one';
    return (await app.request({ method: 'GET', url })).json().data.ai_content;
  };
  const before = await readSite();
  expect(before.said).toBeNull();
  expect(await readFeed()).toEqual([undefined, undefined]);
  expect(await readApi()).toBeNull();

  for (const [ofShow, ofEpisode] of [
    [true, false],
    [null, true],
  ] as const) {
    await set(`/app/api/podcasts/${show.id}`, ofShow);
    await set(`/app/api/episodes/${episode.id}`, ofEpisode);
    await expect.poll(readFeed).toEqual([ofShow === null ? undefined : 'true', `${ofEpisode}`]);
    await expect.poll(readApi).toBe(ofEpisode);
    expect((await readSite()).said).toBe(ofEpisode);
  }

  await set(`/app/api/episodes/${episode.id}`, null);
  expect(await readSite()).toEqual(before);
});

it('the use of AI is true, false or null, and nothing else', async () => {
  const url = `/app/api/episodes/${episode.id}`;
  const response = await browser.send('PATCH', url, { ai_content: 'yes' }, { 'if-match': '*' });
  expect(response.statusCode).toBe(400);
  expect(response.json().error.details).toMatchObject([{ field: 'ai_content' }]);
});
