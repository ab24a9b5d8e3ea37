import { describe, expect, it } from 'vitest';
import type { PublicEpisode, PublicPodcast } from '../../../public/catalogue/index.ts';
import { hashContent, type SiteEpisode, toKeptContent, toSiteEpisode } from './site-episode.ts';

const hosts = { baseUrl: 'https://pod.example', embedUrl: 'https://pod.example' };
const episode = { title: 'One', slug: 'one' } as SiteEpisode;
const listOf = (count: number, name = 'Ada') =>
  Array.from({ length: count }, (_, n) => ({ name: `${name} ${n}`, role: 'host', photo: null }));
const contentOf = (people: SiteEpisode['people'], more: Partial<SiteEpisode> = {}) => {
  const content = { ...episode, ...more, people };
  return toKeptContent(hashContent(hosts, content), content);
};

describe('the content of an episode', () => {
  it('the content of an episode has a short list of people within it', () => {
    const content = contentOf(listOf(2));
    expect(content.people).toBeUndefined();
    expect(JSON.parse(content.json).people).toHaveLength(2);
  });

  it('the content of an episode shares a long list of people, which is written once', () => {
    const people = listOf(500);
    const [one, two] = [contentOf(people), contentOf(people, { title: 'Two' })];
    expect(one.people).toBe(two.people);
    expect(JSON.parse(one.people?.json ?? '')).toEqual(people);
    expect(JSON.parse(one.json)).toEqual({ title: 'One', slug: 'one' });
    expect(one.hash).not.toBe(two.hash);
  });

  it('the content of an episode has the same hash if all is equal, and another with other people', () => {
    const { hash } = contentOf(listOf(500));
    expect(contentOf(listOf(500)).hash).toBe(hash);
    expect(contentOf(listOf(500, 'Bo')).hash).not.toBe(hash);
    expect(contentOf(listOf(501)).hash).not.toBe(hash);
  });

  it('the content of an episode has long texts apart, which other people leave as they are', () => {
    const notes = { showNotesHtml: `<p>${'Notes '.repeat(1_000)}</p>` };
    const [one, two] = [contentOf(listOf(1), notes), contentOf(listOf(2), notes)];
    expect(one.texts).toEqual(two.texts);
    expect(JSON.parse(one.texts?.json ?? '')).toEqual(notes);
    expect([one.json.length, two.json.length].every((length) => length < 300)).toBe(true);
    expect(one.hash).not.toBe(two.hash);
    expect(contentOf(listOf(1), { showNotesHtml: '<p>Short</p>' }).texts).toBeUndefined();
  });

  // Other hashes would make every site update every post.
  it.each([
    [0, '2GriF4YWChndhBgY9_4McpejxFe3EkU7IoFif5qKNAw'],
    [30, 'kVzwN_IVOlSM_0jP2h_q1XmBCryNcHMckW0SefIyCJY'],
    [60, 'ZzWuhAvg2-MfaLAn7KsAT_Pz80efCeCtFgyHi6SSclI'],
  ])('the hash of a content with %i people stays that of earlier versions', (count, hash) => {
    const content: SiteEpisode = {
      ...{ podcastSlug: 'show', slug: 'one', title: 'One', subtitle: null },
      ...{ description: 'About. '.repeat(200), showNotesHtml: '<p>Notes</p>'.repeat(200) },
      ...{ season: null, episodeNumber: 1, episodeType: 'full', explicit: false },
      ...{ publishedAt: '2026-03-01T05:00:00.000Z', audio: null, artwork: null },
      ...{ people: listOf(count), transcriptLanguage: null },
    };
    expect(hashContent(hosts, content)).toBe(hash);
  });
});

describe('the artwork that a site shows', () => {
  const picture = (id: string) => ({ id, contentType: 'image/png' });
  const ofShow = { domain: null, artwork: picture('show') } as PublicPodcast;
  const artworkOf = (artwork: PublicEpisode['artwork']) =>
    toSiteEpisode(
      ofShow,
      { publishedAt: new Date(0), audio: null, people: [], artwork } as unknown as PublicEpisode,
      { transcripts: false },
    ).artwork;

  it("the artwork that a site shows is the episode's own, else that of its show", () => {
    expect(artworkOf(picture('own') as PublicEpisode['artwork'])).toEqual(picture('own'));
    expect(artworkOf(null)).toEqual(picture('show'));
  });
});
