import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PublicEpisode, Show } from '../../../domain/catalogue/index.ts';
import { aCredit, anEpisode, aShow, hosts, picture, ReadPage } from '../show-for-test.ts';
import { renderShowPage, type ShowPage } from './show-page.ts';
import { createView } from './view.ts';

const first: ShowPage = {
  episodes: [anEpisode()],
  episodeCount: 1,
  nextCursor: undefined,
  isFirst: true,
};

function read(show: Partial<Show> = {}, page: Partial<ShowPage> = {}): ReadPage {
  return new ReadPage(renderShowPage(createView(hosts, aShow(show)), { ...first, ...page }));
}

describe('what machines read on the page of a show', () => {
  it('names itself, its feed and its oEmbed answer', () => {
    const page = read();
    expect(page.attribute('link', { rel: 'canonical' }, 'href')).toBe(
      'https://pods.example/listen/night-signals',
    );
    expect(page.attribute('link', { type: 'application/rss+xml' }, 'href')).toBe(
      'https://pods.example/feeds/night-signals.xml',
    );
    expect(page.all('link', { type: 'application/json+oembed' })[0]?.attribs).toEqual({
      rel: 'alternate',
      type: 'application/json+oembed',
      href: 'https://pods.example/v1/oembed?url=https%3A%2F%2Fpods.example%2Flisten%2Fnight-signals&format=json',
      title: 'Night Signals',
    });
  });

  it('describes itself in OpenGraph, with the picture messengers take', () => {
    const page = read({ artwork: picture, language: 'de-AT', subtitle: 'Nachts' });
    expect(page.meta('og:type')).toBe('website');
    expect(page.meta('og:title')).toBe('Night Signals');
    expect(page.meta('og:description')).toBe('Nachts');
    expect(page.meta('og:locale')).toBe('de_AT');
    expect(page.meta('og:image')).toBe(`https://pods.example/images/${picture.id}/640.jpg`);
    expect(page.meta('og:image:width')).toBe('640');
    expect(page.meta('og:image:height')).toBe('320');
    expect(page.meta('twitter:card')).toBe('summary');
  });

  it('is a PodcastSeries', () => {
    const people = [aCredit({ name: 'Bo' }), aCredit({ name: 'Cy', role: 'guest' })];
    expect(read({ roster: people, explicit: true }).jsonLd()).toEqual({
      '@context': 'https://schema.org',
      '@type': 'PodcastSeries',
      '@id': 'https://pods.example/listen/night-signals',
      name: 'Night Signals',
      description: 'What is heard at night.',
      url: 'https://pods.example/listen/night-signals',
      webFeed: 'https://pods.example/feeds/night-signals.xml',
      inLanguage: 'en',
      isFamilyFriendly: false,
      genre: 'Science',
      author: [{ '@type': 'Person', name: 'Bo' }],
    });
  });

  it('has a later page of the list be found by nobody', () => {
    const page = read({}, { isFirst: false });
    expect(page.meta('robots')).toBe('noindex, follow');
    expect(page.all('link', { rel: 'canonical' })).toEqual([]);
  });

  it('keeps to itself what is not public', () => {
    expect(read().page.text).not.toContain('private@example.com');
  });
});

describe('the page of a show', () => {
  it('plays the newest episode, counted as of a listen page, loading nothing before', () => {
    const [audio, ...more] = read().all('audio');
    expect(audio?.attribs).toMatchObject({
      preload: 'none',
      src: `https://pods.example/media/${anEpisode().id}/l/first-light.mp3`,
    });
    expect(more).toEqual([]);
  });

  it('lists episodes with their pages, and where to go on', () => {
    const page = read({}, { episodes: [anEpisode(), anEpisode()], nextCursor: 'c-_1' });
    expect(page.all('a', { class: 'name' }).map((link) => link.attribs['href'])).toContain(
      'https://pods.example/listen/night-signals/first-light',
    );
    expect(page.attribute('a', { rel: 'next' }, 'href')).toBe(
      'https://pods.example/listen/night-signals?cursor=c-_1',
    );
    expect(page.text('main')).toContain('March 1, 2026');
    expect(page.text('main')).toContain('31 min');
    const [play] = page.all('a', { class: 'button play' });
    expect(play?.attribs['data-episode']).toBe(anEpisode().id);
  });

  it('has nothing to play where there is nothing', () => {
    const silent = read({}, { episodes: [anEpisode({ audio: null })] });
    expect(silent.all('audio')).toEqual([]);
    expect(silent.all('a', { class: 'button play' })).toEqual([]);
    expect(read({}, { episodes: [] }).text('main')).toContain('No episodes yet');
  });

  it('shows pictures with their sizes, small ones, and the initial where there is none', () => {
    const [image] = read({ artwork: picture }).all('img', { class: 'art' });
    expect(image?.attribs).toMatchObject({
      src: `https://pods.example/images/${picture.id}/320.jpg`,
      width: '320',
      height: '160',
      alt: 'Artwork of Night Signals',
    });
    expect(read({ title: '夜の信号' }).text('main')).toContain('夜');
    const row = read({}, { episodes: [anEpisode({ artwork: picture })] });
    expect(row.attribute('img', { class: 'thumb' }, 'loading')).toBe('lazy');
  });

  it('speaks and is written as its language is', () => {
    const page = read({ language: 'ar' });
    expect(page.all('html')[0]?.attribs).toMatchObject({ lang: 'ar', dir: 'rtl' });
    expect(page.text('h2')).toContain('الحلقات');
    const foreign = read({ language: 'ja' });
    expect(foreign.all('html')[0]?.attribs).toMatchObject({ lang: 'ja', dir: 'ltr' });
  });

  it('carries the brand colour where it is one', () => {
    expect(read({ brandColor: '#ffee00' }).meta('theme-color')).toBe('#ffee00');
    expect(read({ brandColor: '"><script>' }).meta('theme-color')).toBeUndefined();
  });

  it('names the service only where the show does', () => {
    expect(read().text('footer')).toBe('Powered by Podstead');
    expect(read({ showPoweredBy: false }).page.text).not.toContain('Podstead');
  });

  it('links to no address that is not one', () => {
    const page = read({
      websiteUrl: 'javascript:alert(1)',
      fundingUrl: 'data:text/html,x',
      roster: [aCredit({ linkUrl: ' javascript:alert(1)' })],
    });
    const schemes = page.all('a').map((link) => link.attribs['href']?.split(':')[0]);
    expect(new Set(schemes)).toEqual(new Set(['#episodes', 'podcast', 'feed', 'https']));
  });

  it('runs and shows what its policy allows, in no frame', () => {
    const page = read({ artwork: picture });
    const { allowed, present } = page.hashes();
    expect(present).toHaveLength(2);
    expect(allowed).toEqual(present);
    expect(page.page.headers['Referrer-Policy']).toBe('strict-origin-when-cross-origin');
    const policy = page.page.headers['Content-Security-Policy'];
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("media-src 'self' https://pods.example https:;");
    expect(page.page.text).not.toMatch(/ (?:style|on\w+)="/);
  });

  it('is light', () => {
    expect(read({ artwork: picture }).page.text.length).toBeLessThan(16_000);
  });
});

describe('texts of others', () => {
  const withTexts = (text: string) => {
    const episode: Partial<PublicEpisode> = { title: text, subtitle: text };
    const show = { title: text, author: text, subtitle: text, copyright: text, artwork: picture };
    const roster = [aCredit({ name: text, role: text, bio: text })];
    const funding = { fundingUrl: 'https://example.com/', fundingText: text };
    return read({ ...show, ...funding, roster }, { episodes: [anEpisode(episode)] });
  };
  const plain = withTexts('x').shape();

  it.each([
    '</script><script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    "' autofocus onfocus='alert(1)",
    '<!--',
    '</title></style></textarea>',
    '&lt;b&gt; $& {title} \u0000\u2028\u202E',
    `x${'y'.repeat(499)}`,
  ])('%j changes nothing but words', (text) => {
    const page = withTexts(text);
    expect(page.shape()).toEqual(plain);
    expect(page.jsonLd()['name']).toBe(text);
    expect(page.all('link', { type: 'application/rss+xml' })[0]?.attribs['title']).toBe(text);
  });

  it('whatever they are', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        expect(withTexts(`x${text}x`).shape()).toEqual(plain);
      }),
      { numRuns: 40 },
    );
  });
});
