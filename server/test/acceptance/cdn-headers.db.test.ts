import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createPreviewLink } from '../../src/domain/public/previews/index.ts';
import { attachTone } from '../../src/domain/publishing/audio/index.ts';
import { askWithKey } from '../ask-with-key.ts';
import { createTestApp, type TestApp } from '../create-test-app.ts';
import { makeEpisode, makeKey, makePodcast, makeUser } from '../make.ts';

/** What docs/cdn.md says of each path. */
const rows = readFileSync(new URL('../../../docs/cdn.md', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| `/'))
  .flatMap((line) => {
    const [paths = '', caching = '', vary = ''] = line.slice(1).split('|').map(codeOf);
    return paths.split(', ').map((path) => [path, caching, vary] as const);
  });

function codeOf(cell: string): string {
  return cell.replaceAll('`', '').trim();
}

let app: TestApp;
let urls: Readonly<Record<string, string>>;
let key: string;
beforeAll(async () => {
  app = await createTestApp();
  const user = await makeUser(app.ctx);
  const show = await makePodcast(app.ctx);
  const { slug } = show;
  const { id } = await makeEpisode(app.ctx, show, { slug: 'one' });
  await attachTone(app.ctx, id, 10);
  key = (await makeKey(app.ctx, user)).secret;
  const listen = encodeURIComponent(`${app.ctx.installation.baseUrl}/listen/${slug}`);
  urls = {
    '/media/*': `/media/${id}/f/one.mp3?r=blog.example`,
    '/cards/*': `/cards/${id}.jpg?v=1`,
    '/feeds/*': `/feeds/${slug}.xml`,
    '/listen/*': `/listen/${slug}/one`,
    '/ep/*': `/ep/${id}`,
    '/latest/*': `/latest/${slug}`,
    '/v1/podcasts/*': `/v1/podcasts/${slug}/episodes?limit=1`,
    '/v1/episodes/*': `/v1/episodes/${id}`,
    '/v1/oembed': `/v1/oembed?url=${listen}`,
    '/player/*': '/player/v1.js',
    '/': '/',
    '/app/*': '/app/sign-in',
    '/connect': '/connect',
    '/v1/me/*': '/v1/me',
    '/preview/*': new URL((await createPreviewLink(app.ctx, id)).url).pathname,
  };
});
afterAll(() => app[Symbol.asyncDispose]());

/** Pictures need an upload, and reads of sites a site. Other tests look at their headers. */
const untried = ['/images/*', '/v1/sites/*'];

it('docs/cdn.md has a path for each kind of response', () => {
  const known = [...Object.keys(urls), ...untried];
  expect(rows.map(([path]) => path).sort()).toEqual(known.sort());
});

// REQ-23, REQ-25
it.each(rows.filter(([path]) => !untried.includes(path)))(
  '%s has the caching that docs/cdn.md says',
  async (path, caching, vary) => {
    const url = urls[path] ?? expect.unreachable();
    const isKeyed = path.startsWith('/v1/me');
    const { statusCode, headers } = isKeyed
      ? await askWithKey(app, key, url)
      : await app.request({ method: 'GET', url });
    expect(statusCode).toBeLessThan(400);
    expect(headers['cache-control']).toBe(caching);
    expect(headers['vary'] ?? '').toBe(vary);
    expect(headers['set-cookie']).toBeUndefined();
    if (caching !== 'no-store') expect(headers['etag']).toMatch(/^"/);
  },
);
