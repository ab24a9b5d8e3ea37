import { describe, expect, it } from 'vitest';
import { checkListings, directories } from './directory.ts';

const listed = (directory: string, url: string | null) =>
  ({ directory, url, status: 'listed' }) as const;

describe('a listing', () => {
  it.each([
    ['apple_podcasts', 'https://podcasts.apple.com/de/podcast/night/id123'],
    ['spotify', 'https://open.spotify.com/show/abc'],
    ['amazon_music', 'https://music.amazon.de/podcasts/x'],
    ['overcast', 'https://OVERCAST.fm/itunes123'],
    ['castbox', null],
  ])('a listing of %s may link to %s', (directory, url) => {
    expect(checkListings([listed(directory, url)])).toEqual([]);
  });

  it.each([
    ['apple_podcasts', 'http://podcasts.apple.com/de/podcast/night/id123'],
    ['apple_podcasts', 'https://podcasts.apple.com/'],
    ['apple_podcasts', 'https://podcasts.apple.com.evil.example/x'],
    ['apple_podcasts', 'https://podcasts.apple.com@evil.example/x'],
    ['apple_podcasts', 'https://evil.example/podcasts.apple.com'],
    ['apple_podcasts', 'https://podcasts.apple.com:8443/x'],
    ['spotify', 'https://podcasts.apple.com/x'],
    ['spotify', 'javascript:alert(1)'],
    ['spotify', `https://open.spotify.com/${'x'.repeat(2048)}`],
  ])('a listing of %s may not link to %s', (directory, url) => {
    expect(checkListings([listed(directory, url)])).toMatchObject([
      { field: 'directories[0].url' },
    ]);
  });

  it('a listing is of a known directory, once', () => {
    const twice = [listed('spotify', null), listed('spotify', null), listed('napster', null)];
    expect(checkListings(twice)).toMatchObject([
      { field: 'directories[1].directory' },
      { field: 'directories[2].directory' },
    ]);
  });
});

it('every directory says how a show gets there', () => {
  for (const { hosts, steps, submitUrl } of directories) {
    expect(hosts.length * steps.length).toBeGreaterThan(0);
    if (submitUrl !== null) expect(submitUrl).toMatch(/^https:\/\//);
  }
});
