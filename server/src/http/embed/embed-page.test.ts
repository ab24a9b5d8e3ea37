import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anEpisode, aShow, hosts, picture, ReadPage } from '../../../test/example-show.ts';
import type { PageEpisode, PublicPodcast } from '../../domain/public/catalogue/index.ts';
import { createView } from '../pages/listen/view.ts';
import { type Layout, renderPlayerPage } from './embed-page.ts';
import { playerScript } from './player-script.ts';

function read(
  episode: Partial<PageEpisode> = {},
  show: Partial<PublicPodcast> = {},
  layout: Layout = 'full',
): ReadPage {
  const view = { ...createView(hosts, aShow(show)), episode: anEpisode(episode) };
  return new ReadPage(renderPlayerPage(view, layout));
}

const [episodeId, showId] = [anEpisode().id, aShow().id];

describe('renderPlayerPage', () => {
  it('renderPlayerPage has the component, with its episode and look already set', () => {
    const shown = { playerTheme: 'dark', playerColor: '#224466', brandColor: '#aa3300' } as const;
    expect(read({}, shown).all('podstead-player')[0]?.attribs).toEqual({
      podcast: showId,
      episode: episodeId,
      layout: 'full',
      theme: 'dark',
      fill: '',
      color: '#224466',
    });
    const small = read({}, {}, 'compact').all('podstead-player')[0]?.attribs;
    expect(small).toMatchObject({ layout: 'compact', theme: 'light' });
  });

  it('renderPlayerPage has a main landmark and a heading without the script', () => {
    expect(read().all('main')).toHaveLength(1);
    expect(read().text('h1')).toBe('First light');
    expect(read().all('noscript')).toEqual([]);
  });

  it('loads a version of the script, with its hash', () => {
    const [script] = read().all('script');
    expect(script?.attribs).toMatchObject({
      src: `https://play.example/player/${playerScript.fileName}`,
      integrity: playerScript.integrity,
      crossorigin: 'anonymous',
    });
  });
});

describe('the player page without the script', () => {
  // COUNT-2
  it('plays the episode, counted as a player, without preloading', () => {
    expect(read().all('audio')[0]?.attribs).toMatchObject({
      preload: 'none',
      src: `https://pods.example/media/${anEpisode().id}/p/first-light.mp3`,
    });
  });

  it('the player page without the script links to the listen page in a new tab', () => {
    expect(read().all('a')[0]?.attribs).toMatchObject({
      href: 'https://pods.example/listen/night-signals/first-light',
      target: '_blank',
      rel: 'noopener',
    });
  });

  it("allows only the player's script, any frame, and requests to our hosts", () => {
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

  it('the player page without the script has the theme and the color of the show', () => {
    const style = (show: Partial<PublicPodcast>) => read({}, show).text('style');
    expect(style({ playerTheme: 'dark' })).toMatch(/^:root,\.sheet\{color-scheme:dark/);
    expect(style({ playerTheme: 'auto' })).toContain('prefers-color-scheme');
    expect(style({ playerColor: '#224466', brandColor: '#aa3300' })).toContain('--accent:#224466');
    expect(style({ brandColor: '#aa3300' })).toContain('--accent:#aa3300');
  });

  it('the player page without the script can be compact', () => {
    expect(read({}, {}, 'compact').all('body', { class: 'compact' })).toHaveLength(1);
  });

  it('the player page without the script works without audio and without an image', () => {
    const page = read({ audio: null });
    expect(page.all('audio')).toEqual([]);
    expect(page.text('main')).toContain('no audio');
    expect(page.all('img')).toEqual([]);
  });

  it('the player page without the script names the service only if the show does', () => {
    expect(read().text('main')).toContain('Podstead');
    expect(read({}, { showPoweredBy: false }).page.text).not.toContain('Podstead');
  });

  it('escapes all text', () => {
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
