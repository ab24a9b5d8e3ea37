import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PublicEpisode, Show } from '../../domain/catalogue/index.ts';
import { createView } from '../pages/listen/view.ts';
import { anEpisode, aShow, hosts, picture, ReadPage } from '../pages/show-for-test.ts';
import { type Layout, renderPlayerPage } from './player-page.ts';
import { playerScript } from './player-script.ts';

function read(
  episode: Partial<PublicEpisode> = {},
  show: Partial<Show> = {},
  page: { layout?: Layout; isLatest?: boolean } = {},
): ReadPage {
  const view = { ...createView(hosts, aShow(show)), episode: anEpisode(episode) };
  return new ReadPage(renderPlayerPage(view, { layout: 'full', isLatest: false, ...page }));
}

const [episodeId, showId] = [anEpisode().id, aShow().id];

describe('renderPlayerPage', () => {
  it('is the component, told what to play and how it looks before it asks', () => {
    const shown = { playerTheme: 'dark', playerColor: '#224466', brandColor: '#aa3300' } as const;
    expect(read({}, shown).all('podstead-player')[0]?.attribs).toEqual({
      podcast: showId,
      episode: episodeId,
      layout: 'full',
      theme: 'dark',
      fill: '',
      color: '#224466',
    });
    const latest = read({}, {}, { isLatest: true, layout: 'compact' });
    expect(latest.all('podstead-player')[0]?.attribs).toEqual({
      podcast: showId,
      layout: 'compact',
      theme: 'light',
      fill: '',
    });
  });

  it('names the script by its version, with the hash of its bytes', () => {
    const [script] = read().all('script');
    expect(script?.attribs).toMatchObject({
      src: `https://play.example/player/${playerScript.fileName}`,
      integrity: playerScript.integrity,
      crossorigin: 'anonymous',
    });
  });
});

describe('the player page without scripts', () => {
  it('plays the episode, counted as of a player, loading nothing before', () => {
    expect(read().all('audio')[0]?.attribs).toMatchObject({
      preload: 'none',
      src: `https://pods.example/media/${anEpisode().id}/p/first-light.mp3`,
    });
  });

  it('leads to the listen page in a new tab', () => {
    expect(read().all('a')[0]?.attribs).toMatchObject({
      href: 'https://pods.example/listen/night-signals/first-light',
      target: '_blank',
      rel: 'noopener',
    });
  });

  it('runs nothing but the player, may stand in any frame, and fetches from our hosts', () => {
    const page = read({ artwork: picture });
    const policy = page.page.headers['Content-Security-Policy'];
    expect(policy).toMatch(
      /script-src 'sha256-[^']+' https:\/\/play\.example\/player\/v1\.\w+\.js;/,
    );
    expect(policy).toContain('connect-src https://play.example https://pods.example;');
    expect(policy).toContain("img-src 'self' https://pods.example https:;");
    expect(policy).not.toContain('frame-ancestors');
    const { allowed, present } = page.hashes();
    expect(allowed).toEqual(present);
    expect(page.meta('robots')).toBe('noindex');
  });

  it('has the theme and the colour of the show', () => {
    const style = (show: Partial<Show>) => read({}, show).text('style');
    expect(style({ playerTheme: 'dark' })).toMatch(/^:root\{color-scheme:dark/);
    expect(style({ playerTheme: 'auto' })).toContain('prefers-color-scheme');
    expect(style({ playerColor: '#224466', brandColor: '#aa3300' })).toContain('--accent:#224466');
    expect(style({ brandColor: '#aa3300' })).toContain('--accent:#aa3300');
  });

  it('says where it is compact', () => {
    expect(read({}, {}, { layout: 'compact' }).all('body', { class: 'compact' })).toHaveLength(1);
  });

  it('is polite without audio and without a picture', () => {
    const page = read({ audio: null });
    expect(page.all('audio')).toEqual([]);
    expect(page.text('main')).toContain('no audio');
    expect(page.all('img')).toEqual([]);
  });

  it('names the service only where the show does', () => {
    expect(read().text('main')).toContain('Podstead');
    expect(read({}, { showPoweredBy: false }).page.text).not.toContain('Podstead');
  });

  it('lets no text become anything else', () => {
    const plain = read({ title: 'x' }, { title: 'x' }).shape();
    expect(read({ title: '"><script>' }, { title: '</title><b>' }).shape()).toEqual(plain);
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        expect(read({ title: `x${text}x` }, { title: `x${text}x` }).shape()).toEqual(plain);
      }),
      { numRuns: 40 },
    );
  });
});
