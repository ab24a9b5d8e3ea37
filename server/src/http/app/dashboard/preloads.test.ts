import { expect, it } from 'vitest';
import { PreloadLinks } from './preloads.ts';

const links = new PreloadLinks({
  screens: [
    { address: '/app', scripts: [], requests: ['/app/api/home'] },
    {
      address: '/app/shows/:podcastId/episodes',
      scripts: ['/app/assets/episodes-1.js'],
      requests: ['/app/api/podcasts/:podcastId/episodes?limit=100&sort=title'],
    },
  ],
  catalogs: { de: '/app/assets/de-1.js' },
});

const hrefsFor = (url: string, acceptLanguage?: string) =>
  [...String(links.for(url, acceptLanguage)).matchAll(/href="([^"]*)"/g)].map(([, href]) => href);

it('names the scripts and the requests of the screen at an address', () => {
  expect(hrefsFor('/app')).toEqual(['/app/api/home']);
  expect(hrefsFor('/app/shows/018b-c/episodes')).toEqual([
    '/app/assets/episodes-1.js',
    '/app/api/podcasts/018b-c/episodes?limit=100&amp;sort=title',
  ]);
  expect(hrefsFor('/app/settings')).toEqual([]);
});

it('names no request for a filtered list', () => {
  expect(hrefsFor('/app/shows/1/episodes?q=x')).toEqual(['/app/assets/episodes-1.js']);
});

it('copies only ids from an address', () => {
  for (const foreign of ['"><script>', '%22%3E', 'a.b', '..', 'x'.repeat(65)]) {
    expect(hrefsFor(`/app/shows/${foreign}/episodes`)).toEqual([]);
  }
});

it('names the script of the language that the browser prefers', () => {
  expect(hrefsFor('/app', 'de-AT,en;q=0.5')).toEqual(['/app/assets/de-1.js', '/app/api/home']);
  expect(hrefsFor('/app', 'en-GB,de;q=0.5')).toEqual(['/app/api/home']);
});
