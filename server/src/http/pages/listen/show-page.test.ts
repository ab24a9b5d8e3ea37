import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { DomUtils } from 'htmlparser2';
import { describe, expect, it } from 'vitest';
import {
  aCredit,
  anEpisode,
  aShow,
  hosts,
  picture,
  ReadPage,
} from '../../../../test/example-show.ts';
import type {
  ListedEpisode,
  PageEpisode,
  PublicPodcast,
} from '../../../domain/public/catalogue/index.ts';
import { followSchemes, listFollowLinks } from '../../../lib/follow-apps.ts';
import type { EpisodeList } from './episode-list.ts';
import { renderShowPage, type ShowPage } from './show-page.ts';
import { createView } from './view.ts';

const listOf = (episodes: readonly ListedEpisode[], nextCursor?: string): EpisodeList => ({
  choice: { season: undefined, year: undefined, isOldestFirst: false },
  episodes,
  nextCursor,
  isFirst: true,
});

const first: ShowPage = {
  list: listOf([anEpisode()]),
  outline: { episodeCount: 1, seasons: [], years: [], trailer: null, trailerElsewhere: null },
  offered: anEpisode(),
  isFirst: true,
};

function read(show: Partial<PublicPodcast> = {}, page: Partial<ShowPage> = {}): ReadPage {
  return new ReadPage(renderShowPage(createView(hosts, aShow(show)), { ...first, ...page }));
}

describe('the metadata of a show page', () => {
  // PAGE-6
  it('the metadata of a show page names its URL, feed and oEmbed response', () => {
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

  // PAGE-6, PAGE-17
  it('the metadata of a show page has OpenGraph data, with its card', () => {
    const page = read({ artwork: picture, language: 'de-AT', subtitle: 'Nachts' });
    expect(page.meta('og:type')).toBe('website');
    expect(page.meta('og:title')).toBe('Night Signals');
    expect(page.meta('og:description')).toBe('Nachts');
    expect(page.meta('og:locale')).toBe('de_AT');
    expect(page.meta('og:image')).toMatch(
      new RegExp(`^https://pods\\.example/cards/${aShow().id}\\.jpg\\?v=[\\w-]{10}$`),
    );
    expect(page.meta('og:image:width')).toBe('1200');
    expect(page.meta('og:image:height')).toBe('630');
    expect(page.meta('og:image:alt')).toBe('Night Signals');
    expect(page.meta('twitter:card')).toBe('summary_large_image');
  });

  // PAGE-6
  it('the metadata of a show page is a PodcastSeries', () => {
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
      publisher: { '@type': 'Organization', name: 'Ana Berg' },
      contributor: [
        { '@type': 'Role', roleName: 'guest', contributor: { '@type': 'Person', name: 'Cy' } },
      ],
      author: [{ '@type': 'Person', name: 'Bo' }],
    });
  });

  it('the metadata of a show page keeps later pages of the list out of search engines', () => {
    const page = read({}, { isFirst: false });
    expect(page.meta('robots')).toBe('noindex, follow');
    expect(page.all('link', { rel: 'canonical' })).toEqual([]);
  });

  it('contains nothing private', () => {
    expect(read().page.text).not.toContain('private@example.com');
  });
});

it('titles that would fill a screen have few lines in a list, and all of them on their page', () => {
  const long = anEpisode({ title: 'word '.repeat(40) });
  const page = read({}, { list: listOf([long, anEpisode()]) });
  expect(page.all('h3').map(({ attribs }) => attribs['class'])).toEqual([
    'heading endless',
    'heading',
  ]);
});

// PAGE-33
describe('the trailer of a show', () => {
  const trailer = anEpisode({
    ...{ id: '0197a3c4-5d21-7b8e-9f10-6a2b3c4d5e71', slug: 'soon', title: 'Soon <on air>' },
    episodeType: 'trailer',
  });
  const withTrailer = (page: Partial<ShowPage> = {}, show: Partial<PublicPodcast> = {}) =>
    read(show, { outline: { ...first.outline, trailer }, ...page });

  it('the trailer of a show is a button beside Follow, with the browser’s own player', () => {
    const page = withTrailer();
    const [button] = page.all('summary', { class: 'button' });
    expect(button?.attribs['data-episode']).toBe(trailer.id);
    expect(DomUtils.textContent(button ?? [])).toBe('Play the trailerPause the trailer');
    const [place] = page.all('div', { class: 'actions' });
    expect(DomUtils.textContent(place ?? [])).toMatch(/^\s*Follow.*Play the trailer/s);
    const audio = page.all('audio').find(({ attribs }) => attribs['src']?.includes(trailer.id));
    expect(audio?.attribs).toMatchObject({ preload: 'none', 'aria-label': 'Play Soon <on air>' });
    expect(withTrailer({}, { language: 'ja' }).text('summary')).toContain('予告編を再生');
  });

  it('a trailer elsewhere is a button, too, whose audio the page may load', () => {
    const trailerElsewhere = { title: 'Soon & loud', url: 'https://far.example/soon.mp3?a=1&b=2' };
    const outline = { ...first.outline, trailerElsewhere };
    const page = read({}, { outline });
    const [button] = page.all('summary', { class: 'button' });
    expect(DomUtils.textContent(button ?? [])).toBe('Play the trailerPause the trailer');
    expect(button?.attribs).not.toHaveProperty('data-episode');
    const audio = page.all('audio').find(({ attribs }) => attribs['src'] === trailerElsewhere.url);
    expect(audio?.attribs).toMatchObject({ preload: 'none', 'aria-label': 'Play Soon & loud' });
    const policy = String(page.page.headers['Content-Security-Policy']);
    expect(policy).toMatch(/media-src [^;]*https:/);
    expect(read({}, { outline, isFirst: false }).all('summary', { class: 'button' })).toEqual([]);
  });

  it('the trailer of a show is not offered twice, nor on later pages of the list', () => {
    const hasButton = (page: Partial<ShowPage>) =>
      withTrailer(page).all('summary', { class: 'button' }).length > 0;
    expect(hasButton({ offered: undefined })).toBe(true);
    expect(hasButton({ offered: trailer })).toBe(false);
    expect(hasButton({ isFirst: false })).toBe(false);
    expect(hasButton({ outline: first.outline })).toBe(false);
  });
});

describe('the page of a show', () => {
  it('names the category in the language of the show', () => {
    const factsOf = (show: Partial<PublicPodcast>) =>
      /<p class="facts">(.*?)<\/p>/.exec(read({ language: 'de-AT', ...show }).page.text)?.[1] ?? '';
    expect(factsOf({ category: 'Arts' })).toMatch(/^<span>Kunst<\/span> $/);
    expect(factsOf({ category: 'Made up' })).toContain('<span>Made up</span>');
    expect(factsOf({ category: null })).not.toContain('Kunst');
  });

  // PAGE-29
  it('the page of a show says how often it is released, or that it is complete', () => {
    const factsOf = (show: Partial<PublicPodcast>) => {
      const [top = ''] = read({ category: null, ...show }).page.text.split('</header>', 1);
      return /<p class="facts">(.*?) <\/p>/.exec(top)?.[1];
    };
    const releaseSchedule = ' Every second <Monday> ';
    expect(factsOf({ releaseSchedule })).toBe(
      '<span><bdi>Every second &lt;Monday&gt;</bdi></span>',
    );
    expect(factsOf({ releaseSchedule, complete: true })).toBe('<span>Series complete</span>');
    expect(factsOf({ releaseSchedule: ' ' })).toBeUndefined();
    const endless = factsOf({ releaseSchedule: 'daily '.repeat(10_000) });
    expect(endless).toMatch(/^<span><bdi>daily [a-z ]{60,130}…<\/bdi><\/span>$/);
  });

  it('plays the newest episode, counted as a listen page, without preloading', () => {
    const audio = read().all('audio');
    // One in the player and one in the list.
    expect(audio).toHaveLength(2);
    for (const { attribs } of audio) {
      expect(attribs).toMatchObject({
        preload: 'none',
        src: `https://pods.example/media/${anEpisode().id}/l/first-light.mp3`,
      });
    }
  });

  it('the top of a serial show says that it has the first episode', () => {
    const serial = read({ showType: 'serial' }).text('main');
    expect(serial).toContain('First episode');
    expect(serial).not.toContain('Latest episode');
    expect(read().text('main')).toContain('Latest episode');
  });

  it('lists episodes with links, and a link to the next page', () => {
    const page = read({}, { list: listOf([anEpisode(), anEpisode()], 'c-_1') });
    expect(page.all('a', { class: 'name' }).map((link) => link.attribs['href'])).toContain(
      'https://pods.example/listen/night-signals/first-light',
    );
    expect(page.attribute('a', { rel: 'next' }, 'href')).toBe(
      'https://pods.example/listen/night-signals?cursor=c-_1#episodes',
    );
    expect(page.text('main')).toContain('March 1, 2026');
    expect(page.text('main')).toContain('31 min');
    const [play] = page.all('summary', { class: 'play' });
    expect(play?.attribs).toMatchObject({
      'data-episode': anEpisode().id,
      'aria-label': 'Play First light',
    });
  });

  it('the page of a show has no player without episodes', () => {
    const silent = read({}, { list: listOf([anEpisode({ audio: null })]), offered: undefined });
    expect(silent.all('audio')).toEqual([]);
    expect(silent.all('summary', { class: 'play' })).toEqual([]);
    const empty = read({}, { list: listOf([]), offered: undefined });
    expect(empty.text('main')).toContain('No episodes yet');
  });

  it('offers the newest episode with audio', () => {
    const newer = anEpisode({ id: '0197a3c4-0000-7b8e-9f10-6a2b3c4d5e6f', audio: null });
    const page = read({}, { list: listOf([newer, anEpisode()]) });
    expect(page.attribute('podstead-player', {}, 'episode')).toBe(anEpisode().id);
  });

  it('the page of a show does not repeat the subtitle in the description', () => {
    const description = 'What is heard at night. And why.';
    const twice = read({ subtitle: 'What is heard at night.', description });
    expect(twice.all('p', { class: 'lede' })).toEqual([]);
    expect(read({ subtitle: 'Nights', description }).text('main')).toContain('Nights');
  });

  it('an episode in a list has no excerpt that says what its title says', () => {
    const page = (description: string) => {
      const episode = { ...anEpisode(), title: '第14話　深夜の会話', subtitle: null, description };
      return read({ language: 'ja' }, { list: listOf([episode]) });
    };
    expect(page('第14話　深夜の会話').all('p', { class: 'excerpt' })).toEqual([]);
    expect(page('深夜の会話。').all('p', { class: 'excerpt' })).toHaveLength(1);
  });

  it('the page of a show links to podcast apps', () => {
    const page = read();
    const apps = page.all('a', { class: 'app' }).map(({ attribs }) => attribs['href']);
    const feed = 'https://pods.example/feeds/night-signals.xml';
    const { guid } = aShow();
    expect(apps.slice(0, -2)).toEqual(listFollowLinks({ feed, guid }).map(({ url }) => url));
    expect(apps).toContain('feed://pods.example/feeds/night-signals.xml');
  });

  // PAGE-13
  it('the page in Apple Podcasts fills the buttons of at least twelve apps', () => {
    const own = (url: string) => read({ listings: [{ directory: 'apple_podcasts', url }] });
    const address = 'https://podcasts.apple.com/de/podcast/night-signals/id1234567?l=en';
    const links = own(address)
      .all('a', { class: 'app' })
      .map(({ attribs }) => attribs['href'] ?? '');
    expect(links[0]).toBe(address);
    expect(links.filter((link) => link.includes('1234567')).length).toBeGreaterThanOrEqual(12);
    for (const odd of ['https://podcasts.apple.com/id12x', 'https://podcasts.apple.com/idx'])
      expect(own(odd).page.text).not.toContain('overcast.fm');
  });

  it('uses the color of the show, of its artwork, or one derived from its id', () => {
    const accent = (show: Partial<PublicPodcast>) =>
      /--accent:(#\w+)/.exec(read(show).text('style'))?.[1];
    expect(accent({ brandColor: '#aa3300', artwork: picture })).toBe('#aa3300');
    expect(accent({ artwork: picture })).toBe('#336699');
    expect(accent({})).not.toBe(accent({ id: '0197a3c4-1a2b-7c3d-8e4f-5a6b7c8d9111' }));
  });

  it('shows small images with their sizes, or the initial', () => {
    const [image] = read({ artwork: picture }).all('img', { class: 'art' });
    expect(image?.attribs).toMatchObject({
      src: `https://pods.example/images/${picture.id}/320.jpg`,
      width: '320',
      height: '160',
      alt: 'Artwork of Night Signals',
    });
    const initial = (title: string) =>
      DomUtils.textContent(read({ title }).all('span', { class: 'art initial' }));
    expect(initial('夜の信号')).toBe('夜');
    expect(initial(' \u200e\u00adnight')).toBe('N');
    expect(initial('\u200b')).toBe('');
    const row = read({}, { list: listOf([anEpisode({ artwork: picture })]) });
    expect(row.attribute('img', { class: 'thumb' }, 'loading')).toBe('lazy');
  });

  it('the page of a show has the language and direction of the show', () => {
    const page = read({ language: 'ar' });
    expect(page.all('html')[0]?.attribs).toMatchObject({ lang: 'ar', dir: 'rtl' });
    expect(page.text('h2')).toContain('الحلقات');
    const foreign = read({ language: 'fi' });
    expect(foreign.all('html')[0]?.attribs).toMatchObject({ lang: 'fi', dir: 'ltr' });
    expect(foreign.all('span', { lang: 'en' }).length).toBeGreaterThan(0);
    expect(read({ language: 'ja' }).all('span', { lang: 'en' })).toEqual([]);
  });

  it('the browser’s bars have the color of the band at the top of a show’s page', () => {
    const barsOf = (show: Partial<PublicPodcast>) => {
      const page = read(show);
      const bars = page.all('meta', { name: 'theme-color' }).map(({ attribs }) => attribs);
      const grounds = page.text('style').matchAll(/\.(?:band|pictured)\{--ground:(#[\da-f]{6})/g);
      expect(bars.map(({ content }) => content)).toEqual(
        [...grounds].map(([, ground]) => ground).slice(show.headerImage ? -1 : 0),
      );
      return bars.map(({ media }) => media);
    };
    const both = ['(prefers-color-scheme:light)', '(prefers-color-scheme:dark)'];
    expect(barsOf({ brandColor: '#ffee00' })).toEqual(both);
    expect(barsOf({ artwork: picture })).toEqual(both);
    expect(barsOf({ pageTheme: 'dark' })).toEqual([undefined]);
    expect(barsOf({ headerImage: picture })).toEqual([undefined]);
    expect(read({ brandColor: '"><script>' }).page.text).not.toContain('"><script>');
  });

  it('the page of a show names the service only if the show does', () => {
    expect(read().text('footer')).toBe('Powered by Podstead');
    expect(read({ showPoweredBy: false }).page.text).not.toContain('Podstead');
  });

  it('the page of a show links to valid URLs only', () => {
    const page = read({
      websiteUrl: 'javascript:alert(1)',
      fundingUrl: 'data:text/html,x',
      roster: [aCredit({ linkUrl: ' javascript:alert(1)' })],
    });
    const schemes = page.all('a').map((link) => link.attribs['href']?.split(':')[0]);
    expect(new Set(schemes)).toEqual(new Set(['#episodes', ...followSchemes, 'feed']));
  });

  it('complies with its policy, and refuses frames', () => {
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

  it('the page of a show is small', () => {
    expect(gzipSync(read({ artwork: picture }).page.text).length).toBeLessThan(12_000);
  });
});

describe('user text', () => {
  const withTexts = (text: string) => {
    const episode: Partial<PageEpisode> = { title: text, subtitle: text };
    const show = { title: text, author: text, subtitle: text, copyright: text, artwork: picture };
    const roster = [aCredit({ name: text, role: text, bioStart: text })];
    const funding = { fundingUrl: 'https://example.com/', fundingText: text };
    return read(
      { ...show, ...funding, roster },
      {
        list: listOf([anEpisode(episode)]),
        offered: anEpisode(episode),
      },
    );
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
  ])('%j only changes text', (text) => {
    const page = withTexts(text);
    expect(page.shape()).toEqual(plain);
    expect(page.jsonLd()['name']).toBe(text);
    expect(page.all('link', { type: 'application/rss+xml' })[0]?.attribs['title']).toBe(text);
  });

  it('user text of any kind does not change the structure of a show page', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        expect(withTexts(`x${text}x`).shape()).toEqual(plain);
      }),
      { numRuns: 40 },
    );
  });
});
