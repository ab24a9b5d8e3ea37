import type { PodcastEpisode, PodcastSeries } from 'schema-dts';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { aCredit, anEpisode, aShow, hosts, picture } from '../../../../test/example-show.ts';
import type { PageEpisode, PublicPodcast } from '../../../domain/public/catalogue/index.ts';
import type { Chapter } from '../../../domain/publishing/transcripts/index.ts';
import { describeSeries, episodeJsonLd } from './json-ld.ts';
import { createView } from './view.ts';

const episodeUrl = 'https://pods.example/listen/night-signals/first-light';
const people = [
  aCredit({ name: 'Bo', linkUrl: 'https://bo.example/', photo: picture }),
  aCredit({ name: 'Cy', role: 'guest' }),
];
const chapters: Chapter[] = [
  { startMs: 0, title: 'Opening' },
  { startMs: 61_500, title: 'Dawn', endMs: 90_000 },
  { startMs: 95_000, title: 'A picture', hidden: true },
  { startMs: 100_000, title: 'End' },
];
const richShow: Partial<PublicPodcast> = {
  artwork: picture,
  roster: people,
  websiteUrl: 'https://signals.example/',
  listings: [{ directory: 'apple', url: 'https://podcasts.apple.com/podcast/id1' }],
  copyright: '© 2026 Ana Berg',
};
const richEpisode: Partial<PageEpisode> = {
  people,
  season: 2,
  artwork: picture,
  transcriptLanguage: 'en',
};

/** As a page has it. */
const written = (described: object) => JSON.parse(JSON.stringify(described));
const series = (show: Partial<PublicPodcast> = {}) =>
  written(describeSeries(createView(hosts, aShow(show))));
const episode = (fields: Partial<PageEpisode> = {}, listed: readonly Chapter[] = []) =>
  written(episodeJsonLd({ ...createView(hosts, aShow()), episode: anEpisode(fields) }, listed));

interface Described {
  readonly PodcastSeries?: PodcastSeries;
  readonly PodcastEpisode?: PodcastEpisode;
}

/** What schema.org's vocabulary, as types, says against these descriptions. */
function findMistakes(described: Described): string[] {
  const lines = Object.entries(described).map(
    ([type, json]) => `export const a${type}: WithContext<${type}> = ${JSON.stringify(json)};`,
  );
  const text = `import type { PodcastEpisode, PodcastSeries, WithContext } from 'schema-dts';\n${lines.join('\n')}`;
  const file = new URL('./described.ts', import.meta.url).pathname;
  const options = {
    ...{ strict: true, noEmit: true, skipLibCheck: true, types: [] },
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (name) => name === file || fileExists(name);
  host.getSourceFile = (name, ...rest) =>
    name === file ? ts.createSourceFile(name, text, rest[0]) : getSourceFile(name, ...rest);
  const program = ts.createProgram([file], options, host);
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '));
}

describe('the vocabulary of schema.org', () => {
  it('the vocabulary of schema.org has every type and property of the pages', {
    timeout: 60_000,
  }, () => {
    expect(
      findMistakes({
        PodcastSeries: series(richShow),
        PodcastEpisode: episode(richEpisode, chapters),
      }),
    ).toEqual([]);
    expect(findMistakes({ PodcastSeries: series(), PodcastEpisode: episode() })).toEqual([]);
  });

  it('the vocabulary of schema.org tells wrong names and wrong places', { timeout: 60_000 }, () => {
    const wrong = [
      { ...series(), webfeed: 'x' },
      { ...series(), episodeNumber: 1 },
      { ...series(), publisher: { '@type': 'Organisation', name: 'x' } },
      { ...series(), author: [{ '@type': 'Person', name: 'x', startOffset: 1 }] },
    ];
    for (const described of wrong)
      expect(findMistakes({ PodcastSeries: described })).not.toEqual([]);
  });
});

describe('the description of a series', () => {
  it('the description of a series has its pages elsewhere, and people by their roles', () => {
    expect(series(richShow)).toMatchObject({
      sameAs: ['https://signals.example/', 'https://podcasts.apple.com/podcast/id1'],
      publisher: { '@type': 'Organization', name: 'Ana Berg' },
      author: [
        {
          '@type': 'Person',
          name: 'Bo',
          url: 'https://bo.example/',
          image: `https://pods.example/images/${picture.id}.png`,
        },
      ],
      contributor: [
        { '@type': 'Role', roleName: 'guest', contributor: { '@type': 'Person', name: 'Cy' } },
      ],
    });
    expect(series()).not.toHaveProperty('sameAs');
  });
});

describe('the description of an episode', () => {
  it('the description of an episode has a clip for each visible chapter', () => {
    expect(episode({}, chapters).hasPart).toEqual([
      { '@type': 'Clip', name: 'Opening', startOffset: 0, endOffset: 62, url: `${episodeUrl}#t=0` },
      { '@type': 'Clip', name: 'Dawn', startOffset: 61, endOffset: 90, url: `${episodeUrl}#t=61` },
      {
        '@type': 'Clip',
        name: 'End',
        startOffset: 100,
        endOffset: 1834,
        url: `${episodeUrl}#t=100`,
      },
    ]);
    const long = Array.from({ length: 5_000 }, (_, n) => ({ startMs: n * 1000, title: 'x' }));
    expect(episode({}, long).hasPart).toHaveLength(100);
    expect(episode({ audio: null }, chapters)).not.toHaveProperty('hasPart');
  });

  it('the description of an episode has the file of its transcript', () => {
    const vtt = `https://pods.example/transcripts/${anEpisode().id}.vtt`;
    expect(episode({ transcriptLanguage: 'de' }).associatedMedia).toMatchObject({
      transcript: vtt,
      caption: {
        '@type': 'MediaObject',
        contentUrl: vtt,
        encodingFormat: 'text/vtt',
        inLanguage: 'de',
      },
    });
    expect(episode().associatedMedia).not.toHaveProperty('transcript');
  });

  it('the description of an episode is the first paragraph of its notes', () => {
    const description = '- https://example.com/\n\nMara reads the letters.\n\nMore.';
    expect(episode({ description }).description).toBe('Mara reads the letters.');
    expect(episode({ description: '' }).description).toBe('First light');
  });
});
