import { afterAll, beforeAll, expect, it } from 'vitest';
import { createRoutes } from '../../src/http/routes.ts';
import { type Browser, openSignedIn } from '../create-browser.ts';
import { createTestApp, type TestApp } from '../create-test-app.ts';
import { makeEpisode, makePodcast, makeUser } from '../make.ts';
import { longestTaskMs } from '../watch-event-loop.ts';

/** Bodies that are as long as they may be, with as many values as possible. */
let app: TestApp;
let browser: Browser;
let podcastId: string;
let episodeId: string;

beforeAll(async () => {
  app = await createTestApp();
  const owner = await makeUser(app.ctx);
  const show = await makePodcast(app.ctx, { owner });
  podcastId = show.id;
  episodeId = (await makeEpisode(app.ctx, show)).id;
  browser = await openSignedIn(app, owner);
});
afterAll(() => app[Symbol.asyncDispose]());

const form = 'application/x-www-form-urlencoded';
const forms = createRoutes({}).filter(({ body, path }) => body === 'form' && !path.includes(':'));

it.each(forms.map(({ path }) => path))(
  'a form with one field thirty thousand times does not delay other requests: %s',
  async (url) => {
    const headers = { origin: 'http://test.local', 'content-type': form };
    const payload = 'a&'.repeat(32_000);
    const send = () => app.request({ method: 'POST', url, headers, payload });
    expect((await send()).statusCode).toBeLessThan(500);
    expect(await longestTaskMs(send)).toBeLessThan(50);
  },
);

const mebibyte = 1024 * 1024;
const fill = (value: string, bytes: number) =>
  `[${value}${`,${value}`.repeat((bytes - 1_000) / (value.length + 1))}]`;
type About = readonly [url: string, method: 'PUT' | 'PATCH', bytes: number];
const lists: Readonly<Record<string, () => About>> = {
  people: () => [`/app/api/podcasts/${podcastId}/people`, 'PUT', 3 * mebibyte],
  chapters: () => [`/app/api/episodes/${episodeId}/chapters`, 'PUT', mebibyte],
  changes: () => [`/app/api/episodes/${episodeId}/transcript`, 'PATCH', mebibyte],
};

it.each(Object.entries(lists))(
  'a list of %s in which everything is wrong is refused without blocking',
  async (name, about) => {
    const [url, method, bytes] = about();
    for (const value of ['{"a":1}', '1']) {
      const payload = `{"${name}":${fill(value, bytes)}}`;
      const headers = {
        ...{ cookie: browser.cookie, origin: 'http://test.local', 'if-match': '*' },
        'content-type': 'application/json',
      };
      const send = () => app.request({ method, url, headers, payload });
      const refused = await send();
      expect(refused.statusCode, refused.body).toBe(400);
      expect(refused.json().error.details.length).toBeGreaterThan(0);
      expect(await longestTaskMs(send, 150)).toBeLessThan(150);
    }
  },
);
