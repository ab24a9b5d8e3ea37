import { setImmediate } from 'node:timers/promises';
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
import { makeSoundbite } from '../../../../test/make.ts';
import type { PageEpisode, PublicPodcast } from '../../../domain/public/catalogue/index.ts';
import { listenScript, playerScript, visitScript } from '../../embed/player-script.ts';
import { type PublicEpisodePage, renderEpisodePage } from './episode-page.ts';
import { createView } from './view.ts';

const url = 'https://pods.example/listen/night-signals/first-light';
const audioUrl = `https://pods.example/media/${anEpisode().id}/l/first-light.mp3`;

async function read(
  episode: Partial<PageEpisode> = {},
  page: Partial<PublicEpisodePage> = {},
  show: Partial<PublicPodcast> = {},
): Promise<ReadPage> {
  const view = { ...createView(hosts, aShow(show)), episode: anEpisode(episode) };
  const alone = { previous: null, next: null, others: [], postUrl: undefined };
  const parts = { chapters: [], transcript: undefined, ...alone, ...page };
  return new ReadPage(await renderEpisodePage(view, parts));
}

describe('the metadata of an episode page', () => {
  // PAGE-6, PAGE-17
  it('the metadata of an episode page has OpenGraph data, with its card and the audio', async () => {
    const page = await read({ artwork: picture });
    expect(page.meta('og:type')).toBe('article');
    expect(page.meta('og:url')).toBe(url);
    expect(page.meta('og:audio')).toBe(audioUrl);
    expect(page.meta('og:audio:type')).toBe('audio/mpeg');
    expect(page.meta('article:published_time')).toBe('2026-03-01T23:30:00.000Z');
    expect(page.meta('og:image')).toContain(`https://pods.example/cards/${anEpisode().id}.jpg?v=`);
    expect(page.meta('og:image:alt')).toBe('First light – Night Signals');
    expect(page.meta('twitter:card')).toBe('summary_large_image');
    expect(page.attribute('link', { type: 'application/json+oembed' }, 'href')).toContain(
      encodeURIComponent(url),
    );
  });

  it('the metadata of an episode page names no audio without audio', async () => {
    expect((await read({ audio: null })).meta('og:audio')).toBeUndefined();
  });

  // PAGE-6
  it('the metadata of an episode page is a PodcastEpisode', async () => {
    expect((await read({ season: 2, artwork: picture })).jsonLd()).toEqual({
      '@context': 'https://schema.org',
      '@type': 'PodcastEpisode',
      '@id': url,
      name: 'First light',
      description: 'What the antenna heard before dawn.',
      url,
      datePublished: '2026-03-01T23:30:00.000Z',
      dateModified: '2026-03-01T23:30:00.000Z',
      episodeNumber: 7,
      inLanguage: 'en',
      isFamilyFriendly: true,
      duration: 'PT1834S',
      image: `https://pods.example/images/${picture.id}.png`,
      associatedMedia: {
        '@type': 'AudioObject',
        contentUrl: audioUrl,
        encodingFormat: 'audio/mpeg',
        embedUrl: `https://play.example/ep/${anEpisode().id}`,
        contentSize: '29344512',
        duration: 'PT1834S',
      },
      partOfSeries: {
        '@type': 'PodcastSeries',
        '@id': 'https://pods.example/listen/night-signals',
        name: 'Night Signals',
        url: 'https://pods.example/listen/night-signals',
      },
      partOfSeason: { '@type': 'PodcastSeason', seasonNumber: 2, name: 'Season 2' },
      publisher: { '@type': 'Organization', name: 'Ana Berg' },
      author: [{ '@type': 'Person', name: 'Ana Berg' }],
    });
  });
});

describe('the page of an episode', () => {
  it('the page of an episode has the compact player, with its episode set', async () => {
    const page = await read({}, {}, { brandColor: '#aa3300' });
    expect(page.all('podstead-player')[0]?.attribs).toEqual({
      podcast: aShow().id,
      episode: anEpisode().id,
      layout: 'compact',
      theme: 'auto',
      color: '#aa3300',
    });
    const policy = page.page.headers['Content-Security-Policy'];
    const scripts = [playerScript, listenScript, visitScript].map(
      ({ fileName }) => `https://play.example/player/${fileName}`,
    );
    expect(policy).toContain(` ${scripts.join(' ')};`);
    expect(policy).toContain("connect-src 'self' https://play.example https://pods.example;");
  });

  it('plays without scripts, counted as a listen page, without preloading', async () => {
    const page = await read();
    expect(page.all('audio')[0]?.attribs).toMatchObject({ preload: 'none', src: audioUrl });
    expect(page.text('main')).toContain('29 MB');
  });

  it.each([null, { ...anEpisode().audio!, fileName: null }])(
    'the page of an episode says that there is no audio: %j',
    async (audio) => {
      const page = await read({ audio }, { chapters: [{ startMs: 0, title: 'Opening' }] });
      expect(page.all('audio')).toEqual([]);
      expect(page.text('main')).toContain('no audio');
      expect(page.text('main')).toContain('0:00 Opening');
      expect(page.all('a').filter((link) => 'data-t' in link.attribs)).toEqual([]);
    },
  );

  it('shows the sanitized notes, or the description as paragraphs', async () => {
    const notes = await read({ showNotesHtml: '<p>By <em>hand</em></p>' });
    expect(notes.page.text).toContain('<p>By <em>hand</em></p>');
    const plain = await read({ description: 'One & two\n\nhttps://example.com/' });
    expect(plain.page.text).toContain('<p>One &amp; two</p>');
    expect(plain.all('a', { href: 'https://example.com/' })).toHaveLength(1);
  });

  it('lists the visible chapters with links to their positions', async () => {
    const page = await read(
      {},
      {
        chapters: [
          { startMs: 0, title: 'Opening' },
          { startMs: 30_500, hidden: true },
          {
            startMs: 3_725_900,
            title: 'End',
            linkUrl: 'https://www.example.com/end',
            imageUrl: 'https://www.example.com/end.png',
          },
          { startMs: 3_800_000, linkUrl: 'javascript:alert(1)', imageUrl: 'javascript:alert(2)' },
        ],
      },
    );
    const places = page.all('a', { class: 'place' }).map((link) => link.attribs);
    expect(places.map(({ href, 'data-t': at }) => [href, at])).toEqual([
      ['#t=0', '0'],
      ['#t=3725', '3725'],
      ['#t=3800', '3800'],
    ]);
    expect(page.text('main')).toContain('1:02:05 End');
    expect(page.all('img', { class: 'still' }).map((image) => image.attribs)).toMatchObject([
      { src: 'https://www.example.com/end.png', loading: 'lazy', referrerpolicy: 'no-referrer' },
    ]);
    expect(page.page.text).not.toContain('javascript:');
  });

  // STATE-11
  it('shows a number only if it was set explicitly', async () => {
    const given = await read({ givenNumber: 7 });
    expect(given.text('main')).toContain('Episode 7');
    expect((await read({ givenNumber: 2970 })).text('main')).toContain('Episode 2,970');
    const invented = await read({ episodeNumber: 7, givenNumber: null });
    expect(invented.text('main')).not.toContain('Episode 7');
    expect(invented.jsonLd()).not.toHaveProperty('episodeNumber');
  });

  it('the page of an episode has the initial of its show in the place of a missing cover', async () => {
    const page = await read({ title: 'First light' });
    expect(page.all('span', { class: 'art initial' })).toHaveLength(1);
    expect(page.page.text).toMatch(/class="art initial"[^>]*>N</);
  });

  // PAGE-29
  it('the page of an episode shows the name that its makers gave it in place of its number', async () => {
    const factsOf = async (episode: Partial<PageEpisode>) =>
      /<p class="facts">(.*?)<\/p>/.exec((await read(episode)).page.text)?.[1] ?? '';
    const special = await factsOf({ givenNumber: 7, episodeDisplay: 'Special <2>' });
    expect(special).toContain('<span><bdi>Special &lt;2&gt;</bdi></span>');
    expect(special).not.toContain('Episode');
    expect(await factsOf({ givenNumber: 204, episodeDisplay: '204.5' })).toContain('Episode 204.5');
    expect(await factsOf({ givenNumber: null, episodeDisplay: 'VII' })).toContain('VII');
    const trailer = await factsOf({ episodeType: 'trailer', episodeDisplay: 'Special 2' });
    expect(trailer).not.toContain('Special');
  });

  it('the page of an episode has the transcript in its own language, with a link to every sentence', async () => {
    const segments = [
      { startMs: 0, endMs: 900, speaker: 'Ana', text: 'مرحبا' },
      { startMs: 61_000, endMs: 62_000, speaker: 'Bo', text: 'أهلا' },
    ];
    const page = await read(
      { transcriptLanguage: 'ar' },
      { transcript: { part: 'beginning', language: 'ar', hasTimes: true, segments } },
    );
    expect(page.all('div', { lang: 'ar', dir: 'rtl' })).toHaveLength(1);
    expect(page.text('section')).toContain('1:01 Bo أهلا');
    expect(page.attribute('span', { id: 't=61' }, 'id')).toBe('t=61');
    const files = page.all('a').map((link) => link.attribs['href']);
    expect(files).toContain(`https://pods.example/transcripts/${anEpisode().id}.vtt`);
  });

  it('credits people with their images', async () => {
    const page = await read({
      people: [aCredit({ photo: picture, role: 'guest', bioStart: 'A voice.' })],
    });
    expect(page.attribute('img', { class: 'face' }, 'loading')).toBe('lazy');
    expect(page.text('li')).toContain('Ana Berg Guest A voice.');
  });

  it('the page of an episode links to the show, and offers its URL and embed code', async () => {
    const page = await read();
    expect(page.attribute('a', { class: 'column home' }, 'href')).toBe(
      'https://pods.example/listen/night-signals',
    );
    expect(page.attribute('input', { id: 'page-address' }, 'value')).toBe(url);
    expect(page.attribute('input', { id: 'picture' }, 'value')).toBe(page.meta('og:image'));
    expect(page.attribute('input', { id: 'player-code' }, 'value')).toContain(
      `<iframe src="https://play.example/ep/${anEpisode().id}" title="First light"`,
    );
    expect(page.attribute('input', { id: 'player-element' }, 'value')).toBe(
      `<podstead-player episode="${anEpisode().id}" style="display:block;min-height:180px"></podstead-player><script async src="https://play.example/player/v1.js"></script>`,
    );
  });

  // PAGE-31
  it('the page of an episode links to the episodes before and after it', async () => {
    const [dusk, noon] = [
      { slug: 'dusk', title: 'Dusk' },
      { slug: 'noon', title: 'Noon' },
    ];
    const others = [anEpisode({ slug: 'night', title: 'Night' })];
    const page = await read({}, { previous: dusk, next: noon, others });
    const base = 'https://pods.example/listen/night-signals';
    expect(page.attribute('a', { rel: 'prev' }, 'href')).toBe(`${base}/dusk`);
    expect(page.attribute('a', { rel: 'next' }, 'href')).toBe(`${base}/noon`);
    expect(page.text('nav')).toBe('Previous episode Dusk Next episode Noon');
    expect((await read()).all('nav')).toEqual([]);
    const first = await read({}, { next: noon, others });
    expect(first.text('nav')).toBe('Next episode Noon');
  });

  // PAGE-31
  it('the page of an episode lists other episodes with their length, a button to play and the queue', async () => {
    const id = '0197a3c4-5d21-7b8e-9f10-6a2b3c4d5e70';
    const other = anEpisode({ id, slug: 'noon', title: 'Noon <1>', description: 'Not repeated.' });
    const silent = anEpisode({ slug: 'dusk', title: 'Dusk', audio: null });
    const page = await read({}, { next: other, others: [other, silent] });
    expect(page.text('h2')).toContain('More episodes');
    const rows = page.all('li', { class: 'episode' });
    expect(rows.map((row) => DomUtils.textContent(row).replace(/\s+/g, ' ').trim())).toEqual([
      'March 1, 2026 31 min Episode 7 Noon <1> Add to queue',
      'March 1, 2026 Episode 7 Dusk',
    ]);
    expect(page.attribute('summary', { class: 'play' }, 'data-episode')).toBe(id);
    expect(page.attribute('p', { class: 'later' }, 'data-of')).toBe(id);
    expect(page.page.text).not.toContain('Not repeated.');
    // It is in the list already.
    expect(page.all('a', { rel: 'next' })).toEqual([]);
  });

  // PAGE-31
  it('the page of an episode says that those of a serial show follow it', async () => {
    const noon = anEpisode({ slug: 'noon', title: 'Noon' });
    const heading = async (page: Partial<PublicEpisodePage>, showType: 'serial' | 'episodic') => {
      const shown = await read({}, { others: [noon], ...page }, { showType });
      return DomUtils.textContent(shown.all('h2', { id: 'more' }));
    };
    expect(await heading({ next: noon }, 'serial')).toBe('Next episodes');
    expect(await heading({ previous: noon }, 'serial')).toBe('More episodes');
    expect(await heading({ next: noon }, 'episodic')).toBe('More episodes');
  });

  // PAGE-32
  it('the page of an episode has its first soundbites as highlights, which lead to their seconds', async () => {
    const elements = [
      ...[600, 700, 800, 900, 1000, 1100].map((at) => makeSoundbite(at, `At ${at}`)),
      makeSoundbite(75.25, 'The <lamp>', 90),
      makeSoundbite(10, ''),
    ];
    const page = await read({ elements });
    expect(page.all('h2').map(({ attribs }) => attribs['id'])).toEqual(['highlights', 'notes']);
    const links = page.all('a', { class: 'highlight' });
    expect(links.slice(0, 2).map(({ attribs }) => [attribs['href'], attribs['data-t']])).toEqual([
      ['#t=10', '10'],
      ['#t=75', '75'],
    ]);
    expect(links.slice(0, 3).map((link) => DomUtils.textContent(link))).toEqual([
      ...['0:10 Highlight 1', '1:15 The <lamp>', '10:00 At 600'],
    ]);
    expect(links).toHaveLength(6);
    expect(
      page.all('li', { class: 'chapter' }).map((item) => DomUtils.textContent(item).trim())[1],
    ).toBe('1:15 The <lamp> 2 min');
    expect((await read({ elements, audio: null })).text('main')).not.toContain('Highlights');
  });

  // PAGE-22
  it('the page of an episode only links to its comments, which may be at its own domain', async () => {
    const postUrl = 'https://social.example/@night/1';
    const page = await read({}, { postUrl }, { domain: 'night.example' });
    expect(page.all('a').filter((link) => 'data-comments' in link.attribs)).toHaveLength(1);
    expect(page.page.headers['Content-Security-Policy']).toContain(
      "connect-src 'self' https://play.example https://pods.example https://night.example;",
    );
    expect(page.page.text).not.toContain('social.example');
  });

  it('lets other requests go on while it renders long texts', async () => {
    const chapters = Array.from({ length: 5_000 }, (_, i) => ({
      startMs: i * 1000,
      title: '&'.repeat(100),
      linkUrl: `https://example.com/${i}`,
    }));
    let isDone = false;
    let others = 0;
    const page = read({}, { chapters }).finally(() => {
      isDone = true;
    });
    for (; !isDone; others += 1) await setImmediate();
    expect((await page).all('li', { class: 'chapter' })).toHaveLength(5_000);
    // One is between the notes and the chapters.
    expect(others).toBeGreaterThan(2);
  });

  it('the page of an episode can contain a transcript of many hours', async () => {
    const segments = Array.from({ length: 40_000 }, (_, i) => ({
      startMs: i * 2000,
      endMs: i * 2000 + 1900,
      speaker: '',
      text: 'Seven words that somebody said out loud.',
    }));
    const page = await read(
      { transcriptLanguage: 'en' },
      { transcript: { part: 'all', language: 'en', hasTimes: true, segments } },
    );
    expect(page.page.text.length).toBeLessThan(1_100_000);
    const ids = page.all('*').flatMap(({ attribs }) => attribs['id'] ?? []);
    expect(new Set(ids).size).toBe(ids.length);
    expect(page.text('section')).toContain('The rest is in the transcript file.');
  });
});

describe('user text', () => {
  const withTexts = (text: string) =>
    read(
      {
        title: text,
        subtitle: text,
        artwork: picture,
        people: [aCredit({ name: text, role: text, bioStart: text, photo: picture })],
      },
      {
        chapters: [{ startMs: 0, title: text }],
        transcript: {
          part: 'beginning',
          language: 'en',
          hasTimes: true,
          segments: [{ startMs: 0, endMs: 1, speaker: text, text }],
        },
      },
      { title: text },
    );
  const plain = withTexts('x').then((page) => page.shape());

  it.each([
    '</script><script>alert(1)</script>',
    '"><svg onload=alert(1)>',
    '<!--<script>',
    ']]>',
    `x${'y'.repeat(499)}`,
  ])('%j only changes text', async (text) => {
    const page = await withTexts(text);
    expect(page.shape()).toEqual(await plain);
    expect(page.jsonLd()['name']).toBe(text);
    expect(page.text('h1')).toBe(text);
  });

  it('user text of any kind does not change the structure of an episode page', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 60 }), async (text) => {
        expect((await withTexts(`x${text}x`)).shape()).toEqual(await plain);
      }),
      { numRuns: 40 },
    );
  });
});
