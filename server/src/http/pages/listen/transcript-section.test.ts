import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { Random } from '../../../../../bench/fuzz/random.ts';
import { makeNotes } from '../../../../../bench/installation/make-notes.ts';
import { makeSpeech } from '../../../../../bench/search/make-speech.ts';
import {
  aCredit,
  anEpisode,
  aShow,
  hosts,
  picture,
  ReadPage,
} from '../../../../test/example-show.ts';
import { renderEpisodePage } from './episode-page.ts';
import type { PageTranscript } from './transcript-section.ts';
import { createView } from './view.ts';

// PAGE-27

const url = 'https://pods.example/listen/night-signals/first-light';
const segments = makeSpeech(new Random(1), 900).map((text, i) => ({
  ...{ startMs: i * 4000, endMs: i * 4000 + 4000, text },
  speaker: i % 30 < 20 ? 'Ana' : 'Bo',
}));
const chapters = Array.from({ length: 20 }, (_, i) => ({
  ...{ startMs: i * 180_000, title: `What was heard in part ${i + 1}` },
  imageUrl: `https://pictures.example/${i}.jpg`,
}));
const episode = anEpisode({
  audio: { ...anEpisode().audio!, durationMs: 3_600_000 },
  showNotesHtml: `${makeNotes(1, 2_000)}<p>At 0:05 and 20:00.</p>`,
  people: [aCredit({ photo: picture }), aCredit({ name: 'Bo', bioStart: 'A voice.' })],
  artwork: picture,
  transcriptLanguage: 'en',
});

async function read(transcript: Partial<PageTranscript> = {}): Promise<ReadPage> {
  const view = { ...createView(hosts, aShow()), episode };
  const next = { slug: 'noon', title: 'Noon' };
  const titles = ['Noon over the dunes', 'Dusk', 'What nobody had expected', 'A quiet frequency'];
  const others = titles.map((title, i) =>
    anEpisode({ slug: `other-${i}`, title, artwork: picture }),
  );
  const around = { previous: null, next, others, postUrl: undefined };
  const hour = { part: 'beginning', language: 'en', hasTimes: true, segments } as const;
  const page = { chapters, transcript: { ...hour, ...transcript }, ...around };
  return new ReadPage(await renderEpisodePage(view, page));
}

const said = (page: ReadPage) => page.all('p', { class: 'said' });
const idsOf = (page: ReadPage) => page.all('span').flatMap(({ attribs }) => attribs['id'] ?? []);
const rest = (page: ReadPage) => page.all('a').filter(({ attribs }) => 'data-from' in attribs);
const placesOf = (page: ReadPage) =>
  page.all('a').flatMap(({ attribs }) => ('data-t' in attribs ? attribs['href'] : []));

describe('an hour of transcript', () => {
  it('an hour of transcript makes a page of less than 15 kB, with notes and chapters', async () => {
    const { page } = await read();
    expect(gzipSync(page.text).length).toBeLessThan(15_000);
    expect(gzipSync((await read({ part: 'all' })).page.text).length).toBeGreaterThan(30_000);
  });

  it('an hour of transcript begins on the page, which links to the page with all of it', async () => {
    const [page, whole] = [await read(), await read({ part: 'all' })];
    expect(rest(page).map(({ attribs }) => attribs['href'])).toEqual([
      `${url}?transcript=all#rest`,
    ]);
    expect(rest(whole)).toEqual([]);
    const { length } = said(page);
    expect(length).toBeGreaterThan(2);
    expect(said(whole).length).toBeGreaterThan(70);
    expect(said(whole).findIndex(({ attribs }) => attribs['id'] === 'rest')).toBe(length);
    expect(idsOf(whole).slice(0, idsOf(page).length)).toEqual(idsOf(page));
    const [next] = idsOf(whole).slice(idsOf(page).length);
    expect(`t=${rest(page)[0]?.attribs['data-from']}`).toBe(next);
  });

  it('an hour of transcript changes nothing that search engines read', async () => {
    const [page, whole] = [await read(), await read({ part: 'all' })];
    for (const one of [page, whole]) {
      expect(one.attribute('link', { rel: 'canonical' }, 'href')).toBe(url);
      expect(one.meta('og:url')).toBe(url);
      expect(one.meta('robots')).toBeUndefined();
    }
    expect(whole.jsonLd()).toEqual(page.jsonLd());
    const files = { transcript: `https://pods.example/transcripts/${episode.id}.vtt` };
    expect(page.jsonLd()['associatedMedia']).toMatchObject(files);
  });

  it('an hour of transcript has its late seconds on the page with all of it, for notes and chapters', async () => {
    const links = placesOf(await read());
    expect(links).toContain('#t=5');
    expect(links).toContain('#t=0');
    expect(links).toContain('?transcript=all#t=1200');
    expect(links).toContain('?transcript=all#t=3420');
    const other = [await read({ part: 'all' }), await read({ hasTimes: false })];
    for (const page of other) {
      expect(placesOf(page).filter((href) => !/^#t=\d+$/.test(href ?? ''))).toEqual([]);
    }
  });
});

it('a short transcript is whole in both forms of the page', async () => {
  const few = segments.slice(0, 60);
  const [page, whole] = [await read({ segments: few }), await read({ part: 'all', segments: few })];
  expect(rest(page)).toEqual([]);
  expect(page.page.text).toBe(whole.page.text);
  expect(page.text('section')).toContain(few.at(-1)?.text);
});
