import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  aCredit,
  anEpisode,
  aShow,
  hosts,
  picture,
  ReadPage,
} from '../../../../test/example-show.ts';
import type { PublicPodcast } from '../../../domain/public/catalogue/index.ts';
import { renderShowPage, renderShowPreview, type ShowPage } from './show-page.ts';
import { createView } from './view.ts';

const first: ShowPage = {
  list: {
    choice: { season: undefined, year: undefined, isOldestFirst: false },
    episodes: [anEpisode()],
    nextCursor: undefined,
    isFirst: true,
  },
  outline: { episodeCount: 1, seasons: [], years: [], trailer: null, trailerElsewhere: null },
  offered: anEpisode(),
  isFirst: true,
  podroll: [{ guid: '9b024349-ccf0-5f69-a609-6b82873eab3c', title: 'Podnews <Daily>' }],
};

const full: Partial<PublicPodcast> = {
  roster: [aCredit()],
  websiteUrl: 'https://ana.example/',
  listings: [{ directory: 'apple_podcasts', url: 'https://podcasts.apple.com/podcast/id1' }],
  fundingUrl: 'https://give.example/',
  fundingText: 'Give',
  otherFunding: [
    { url: 'https://more.example/', text: null },
    { url: 'javascript:alert(1)', text: 'No' },
  ],
  pageText: '<p>Our <strong>own</strong> words</p>',
};
const all = ['text', 'support', 'podroll', 'links', 'people', 'episodes', 'about'] as const;

function read(show: Partial<PublicPodcast> = {}, page: Partial<ShowPage> = {}): ReadPage {
  return new ReadPage(renderShowPage(createView(hosts, aShow(show)), { ...first, ...page }));
}
const headings = (page: ReadPage) => page.all('h2').map(({ attribs }) => attribs['id']);
const styleOf = (page: ReadPage) => page.text('style');

// PAGE-23
describe('the sections of a show page', () => {
  it('the sections of a show page are about, episodes and people if nobody has arranged them', () => {
    expect(headings(read(full))).toEqual(['about', 'episodes', 'people']);
  });

  it('the sections of a show page have the order that its owner has chosen', () => {
    const page = read({ ...full, pageSections: all });
    const order = ['support', 'podroll', 'links', 'people', 'episodes', 'about'];
    expect(headings(page)).toEqual(order);
    const text = page.text('main');
    expect(text.indexOf('Our own words')).toBeLessThan(text.indexOf('Also worth hearing'));
  });

  it('the sections of a show page are hidden if they are not listed', () => {
    expect(headings(read({ ...full, pageSections: ['episodes'] }))).toEqual(['episodes']);
  });

  it('the sections of a show page are left out if they have nothing to show', () => {
    const page = read({ pageSections: all }, { podroll: [] });
    expect(headings(page)).toEqual(['episodes', 'about']);
    expect(page.all('section')).toHaveLength(2);
  });

  it('later pages of the list have only the episodes', () => {
    const page = read({ ...full, pageSections: all }, { isFirst: false });
    expect(headings(page)).toEqual(['episodes']);
    expect(page.text('main')).not.toContain('Our own words');
  });

  it('links and support are in the band or in a section, once', () => {
    const linksTo = (show: Partial<PublicPodcast>, url: string) =>
      read({ ...full, ...show }).all('a', { href: url }).length;
    for (const pageSections of [['episodes'], all] as const) {
      expect(linksTo({ pageSections }, 'https://ana.example/')).toBe(1);
      expect(linksTo({ pageSections }, 'https://give.example/')).toBe(1);
    }
    expect(linksTo({ pageSections: all }, 'https://more.example/')).toBe(1);
    expect(read({ ...full, pageSections: all }).page.text).not.toContain('javascript:');
  });

  it('recommended shows are links with their titles as text', () => {
    const page = read({ pageSections: ['episodes', 'podroll'] });
    const [link] = page.all('a', {
      href: 'https://podcastindex.org/podcast/9b024349-ccf0-5f69-a609-6b82873eab3c',
    });
    expect(link?.attribs['rel']).toBe('nofollow noopener');
    expect(page.text('main')).toContain('Podnews <Daily>');
  });

  // PAGE-34
  it('recommended shows that are here come first, with their covers and their pages', () => {
    const elsewhere = { guid: '9b024349-ccf0-5f69-a609-6b82873eab3c', title: 'Elsewhere' };
    const here = { slug: 'harbour', domain: null, artwork: picture } as const;
    const podroll = [
      elsewhere,
      { guid: 'a', title: 'Harbour <Notes>', here },
      { guid: 'b', title: 'Own', here: { ...here, domain: 'own.example', artwork: null } },
    ];
    const page = read({ pageSections: ['podroll', 'episodes'] }, { podroll: podroll as never });
    expect(page.all('a', { class: 'show' }).map(({ attribs }) => attribs['href'])).toEqual([
      ...['https://pods.example/listen/harbour', 'https://own.example/'],
    ]);
    expect(page.attribute('img', { class: 'cover' }, 'src')).toBe(
      `https://pods.example/images/${picture.id}/160.jpg`,
    );
    expect(page.text('b')).toContain('Harbour <Notes>');
    const main = page.text('main');
    expect(main.indexOf('Own')).toBeLessThan(main.indexOf('Elsewhere'));
    expect(page.all('img').every(({ attribs }) => attribs['src']?.startsWith(hosts.baseUrl))).toBe(
      true,
    );
  });

  it('texts of any kind do not change the structure of the sections', () => {
    const withTexts = (text: string) =>
      read(
        {
          ...full,
          pageSections: all,
          fundingText: text,
          otherFunding: [{ url: 'https://more.example/', text }],
        },
        { podroll: [{ guid: '9b024349-ccf0-5f69-a609-6b82873eab3c', title: text }] },
      ).shape();
    const plain = withTexts('x');
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        expect(withTexts(`x${text}</ul><script>x`)).toEqual(plain);
      }),
      { numRuns: 8 },
    );
  });
});

// PAGE-24
describe('the looks of a show page', () => {
  it('the theme of a show page applies to the page, its players and those that stay', () => {
    const dark = read({ pageTheme: 'dark' });
    expect(styleOf(dark)).toMatch(/^:root,\.sheet\{color-scheme:dark;/);
    expect(styleOf(dark)).not.toContain('prefers-color-scheme');
    expect(dark.attribute('podstead-player', {}, 'theme')).toBe('dark');
    expect(dark.page.text).toContain('"theme":"dark"');
    expect(styleOf(read())).toMatch(/^:root,\.sheet\{color-scheme:light dark;/);
  });

  it('the header picture of a show page is a small one on phones, under a veil', () => {
    const page = read({ headerImage: picture });
    expect(page.all('source')[0]?.attribs).toEqual({
      media: '(max-width: 42rem)',
      srcset: `https://pods.example/images/${picture.id}/640.jpg`,
    });
    expect(page.attribute('img', { class: 'backdrop' }, 'alt')).toBe('');
    expect(page.attribute('header', {}, 'class')).toBe('band hero pictured');
    expect(styleOf(page)).toContain('--veil:rgb(');
    const { allowed, present } = page.hashes();
    expect(allowed).toEqual(present);
  });

  it.each([
    [2000, '/1600.jpg'],
    [1600, '.png'],
  ])('computers load a header picture of %i pixels as %s', (width, file) => {
    const page = read({ headerImage: { ...picture, width } });
    const src = page.attribute('img', { class: 'backdrop' }, 'src');
    expect(src).toBe(`https://pods.example/images/${picture.id}${file}`);
  });

  it('a show page without a header picture has nothing of it', () => {
    expect(read().page.text).not.toMatch(/pictured|backdrop|veil|"theme"/);
  });
});

// PAGE-25
describe('the preview of a show page', () => {
  const preview = (show: Partial<PublicPodcast>) =>
    new ReadPage(renderShowPreview(createView({ ...hosts, forMembers: true }, aShow(show)), first));

  it('the preview of a show page has no scripts, and only frames of the same origin', () => {
    const page = preview({ ...full, pageSections: all });
    expect(page.all('script')).toEqual([]);
    expect(page.all('div')[0]?.attribs).toEqual({ inert: '' });
    expect(page.attribute('body', {}, 'class')).toBe('plain');
    const policy = page.page.headers['Content-Security-Policy'];
    expect(policy).toContain("script-src 'none'");
    expect(policy).toContain("frame-ancestors 'self'");
    expect(page.meta('robots')).toBe('noindex');
  });

  it('the preview of a show page has pictures that only members see', () => {
    const page = preview({ artwork: picture, headerImage: picture });
    for (const { attribs } of page.all('img'))
      expect(attribs['src']).toMatch(/^https:\/\/pods\.example\/app\/api\/images\//);
  });
});
