import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { writeTestFeed } from '../../../../test/hosts/podcast-host.ts';
import { type ImportFixture, openImportFixture } from '../../../../test/import-fixture.ts';
import { patience } from '../../../../test/patience.ts';
import { useOneDatabase } from '../../../../test/use-one-database.ts';
import { findPublicPodcast } from '../../public/catalogue/index.ts';
import { streamFeed } from '../../public/feeds/index.ts';
import { updateEpisode } from '../../publishing/episodes/index.ts';
import {
  findPublishedTranscript,
  parseTranscript,
  removeTranscript,
  setFurtherTranscript,
  setTranscript,
} from '../../publishing/transcripts/index.ts';
import type { ImportReport } from './index.ts';

const databases = useOneDatabase();
let fixture: ImportFixture;
beforeEach(async () => {
  fixture = await openImportFixture(databases);
});
afterEach(() => fixture[Symbol.asyncDispose]());

const vtt = (words: string) => `WEBVTT\n\n00:00.000 --> 00:01.000\n${words}\n`;
const read = (words: string, language: string) => ({ ...parseTranscript(vtt(words)), language });

interface Link {
  readonly path: string;
  readonly language?: string;
  readonly type?: string;
}

async function bringIn(links: readonly Link[], input = {}): Promise<ImportReport> {
  const xml = links.map(({ path, language, type = 'text/vtt' }) => {
    const named = language === undefined ? '' : ` language="${language}"`;
    return `<podcast:transcript url="${fixture.host.url}${path}" type="${type}"${named}/>`;
  });
  const date = '01 Jan 2020 10:00:00 GMT';
  const audio = 'https://cdn.example/1.mp3';
  const item = { guid: '1', title: 'One', date, audio, xml: xml.join('') };
  fixture.host.serve('/feed.xml', writeTestFeed({ items: [item] }), 'application/rss+xml');
  return fixture.run({ copyAudio: false, ...input });
}

const english = { path: '/en.vtt', language: 'en' };
const german = { path: '/de.vtt', language: 'de' };
const brazilian = { path: '/pt.vtt', language: 'pt_br' };

/** An English transcript, and a German and a Brazilian one. */
async function bringInThree(): Promise<{ report: ImportReport; id: string }> {
  fixture.host.serve('/en.vtt', vtt('Hello.'));
  fixture.host.serve('/de.vtt', vtt('Guten Tag.'));
  fixture.host.serve('/pt.vtt', vtt('Bom dia.'));
  const report = await bringIn([german, english, brazilian]);
  const [episode] = await fixture.episodesOf(report.podcast.id);
  return { report, id: episode!.id };
}

/** {language: first words}, the first language's under `first`. */
async function wordsOf(id: string): Promise<Record<string, string | undefined>> {
  const { ctx } = fixture.test;
  const first = await findPublishedTranscript(ctx, id);
  const rows = await fixture.rows<{ language: string }>(
    'select language from further_transcripts where episode_id = $1 order by language',
    [id],
  );
  const words: Record<string, string | undefined> = {
    first: first && `${first.language}: ${first.segments[0]?.text}`,
  };
  for (const { language } of rows) {
    words[language] = (await findPublishedTranscript(ctx, id, language))?.segments[0]?.text;
  }
  return words;
}

async function feedOf(report: ImportReport): Promise<string> {
  const show = await findPublicPodcast(fixture.test.ctx, report.podcast.id ?? '');
  return Buffer.concat(
    await Readable.from(streamFeed(fixture.test.ctx, show!)).toArray(),
  ).toString();
}

const all = { first: 'en: Hello.', de: 'Guten Tag.', 'pt-BR': 'Bom dia.' };

it('transcripts in all languages are imported and listed in the feed', async () => {
  const { report, id } = await bringInThree();
  expect(report).toMatchObject({ created: 1, warnings: [], notKept: [] });
  expect(await wordsOf(id)).toEqual(all);
  const feed = await feedOf(report);
  const written = [
    ...feed.matchAll(/<podcast:transcript url="[^"]*\/transcripts\/([^"]+)"([^>]*)/g),
  ];
  const forms = (language: string, place: string) => [
    [`${id}${place}.vtt`, ` type="text/vtt" language="${language}"/`],
    [`${id}${place}.srt`, ` type="application/x-subrip" language="${language}" rel="captions"/`],
    [`${id}${place}.json`, ` type="application/json" language="${language}"/`],
  ];
  expect(written.map(([, name, rest]) => [name, rest])).toEqual([
    ...forms('en', ''),
    ...forms('de', '.de'),
    ...forms('pt-BR', '.pt-BR'),
  ]);
  const again = await bringIn([german, english, brazilian]);
  expect(again).toMatchObject({ created: 0, updated: 0, unchanged: 1, conflicts: [] });
});

it('each language is imported in the best format that can be downloaded', async () => {
  fixture.host.serve('/en.vtt', vtt('Hello.'));
  fixture.host.serve('/de.html', '<p>Guten Tag als HTML.</p>', 'text/html');
  fixture.host.serve('/de.srt', '1\n00:00:00,000 --> 00:00:01,000\nGuten Tag.\n');
  const form = (path: string, type: string) => ({ path, type, language: 'de' });
  const report = await bringIn([
    english,
    form('/de.html', 'text/html'),
    form('/de.srt', 'application/x-subrip'),
    form('/missing.vtt', 'text/vtt'),
  ]);
  const [episode] = await fixture.episodesOf(report.podcast.id);
  expect(await wordsOf(episode!.id)).toEqual({ first: 'en: Hello.', de: 'Guten Tag.' });
  expect(report.warnings).toEqual([]);
});

it('links that carry a token are removed from every language', async () => {
  fixture.host.serve('/en.vtt', vtt('Hello.'));
  fixture.host.serve('/de.vtt', vtt('Hier: https://a.example/x?token=hush ja.'));
  const report = await bringIn([english, german]);
  const [episode] = await fixture.episodesOf(report.podcast.id);
  const { de } = await wordsOf(episode!.id);
  expect(de).toMatch(/^Hier: .*ja\.$/);
  expect(de).not.toContain('hush');
});

it('another language is the main one while the show’s language cannot be downloaded', async () => {
  fixture.host.serve('/de.vtt', vtt('Guten Tag.'));
  fixture.host.serve('/pt.vtt', vtt('Bom dia.'));
  const report = await bringIn([english, german, brazilian]);
  const [episode] = await fixture.episodesOf(report.podcast.id);
  expect(await wordsOf(episode!.id)).toEqual({ first: 'de: Guten Tag.', 'pt-BR': 'Bom dia.' });
  expect(report.warnings).toHaveLength(1);
  await bringIn([english, german, brazilian]);
  expect(await wordsOf(episode!.id)).toEqual({ first: 'de: Guten Tag.', 'pt-BR': 'Bom dia.' });
  fixture.host.serve('/en.vtt', vtt('Hello.'));
  const again = await bringIn([english, german, brazilian]);
  expect(await wordsOf(episode!.id)).toEqual(all);
  expect(again).toMatchObject({ updated: 1, warnings: [], conflicts: [] });
});

it('a language that cannot be downloaded is a warning, and the others are imported', async () => {
  const { id } = await bringInThree();
  fixture.host.remove('/de.vtt');
  const again = await bringIn([german, english, brazilian]);
  expect(again.warnings).toMatchObject([{ guid: '1', message: expect.stringContaining('de') }]);
  expect(await wordsOf(id)).toEqual(all);
});

it('changes of the source are imported; local changes are kept and reported', async () => {
  const { id } = await bringInThree();
  await setFurtherTranscript(fixture.test.ctx, id, read('Unser Text.', 'de'));
  fixture.host.serve('/de.vtt', vtt('Neuer Text.'));
  fixture.host.serve('/pt.vtt', vtt('Boa noite.'));
  const dry = await bringIn([german, english, brazilian], { dryRun: true });
  const again = await bringIn([german, english, brazilian]);
  expect(again).toMatchObject({ updated: 1 });
  expect(dry.conflicts).toEqual(again.conflicts);
  expect(again.conflicts).toMatchObject([
    {
      field: 'transcript.de',
      reason: 'changed_here',
      here: 'de, set here',
      source: `de, ${fixture.host.url}/de.vtt`,
    },
  ]);
  expect(await wordsOf(id)).toEqual({ ...all, de: 'Unser Text.', 'pt-BR': 'Boa noite.' });
  await bringIn([german, english, brazilian], { overwrite: true });
  expect(await wordsOf(id)).toEqual({ ...all, de: 'Neuer Text.', 'pt-BR': 'Boa noite.' });
});

it('a transcript that was removed here stays removed in all languages', async () => {
  const { report, id } = await bringInThree();
  await removeTranscript(fixture.test.ctx, id);
  const french = { path: '/fr.vtt', language: 'fr' };
  fixture.host.serve('/fr.vtt', vtt('Bonjour.'));
  const again = await bringIn([german, english, brazilian, french]);
  expect(again.conflicts).toMatchObject([{ field: 'transcript' }]);
  expect(await fixture.rows('select 1 from further_transcript_segments')).toEqual([]);
  expect(await wordsOf(id)).toEqual({ first: undefined });
  expect(await feedOf(report)).not.toContain('<podcast:transcript');
});

it('hiding a transcript hides it in all languages', async () => {
  const { report, id } = await bringInThree();
  await updateEpisode(fixture.test.ctx, id, { publishTranscript: false });
  expect(await findPublishedTranscript(fixture.test.ctx, id, 'de')).toBeUndefined();
  expect(await feedOf(report)).not.toContain('<podcast:transcript');
  fixture.host.serve('/de.vtt', vtt('Neuer Text.'));
  expect(await bringIn([german, english, brazilian])).toMatchObject({ unchanged: 1 });
  await updateEpisode(fixture.test.ctx, id, { publishTranscript: true });
  expect(await wordsOf(id)).toEqual(all);
});

it('a new main transcript replaces the one in its language and no other', async () => {
  const { id } = await bringInThree();
  const { ctx } = fixture.test;
  await setTranscript(ctx, id, read('Hello again.', 'en'));
  expect(await wordsOf(id)).toEqual({ ...all, first: 'en: Hello again.' });
  await setTranscript(ctx, id, read('Von Hand.', 'de'));
  expect(await wordsOf(id)).toEqual({ first: 'de: Von Hand.', 'pt-BR': 'Bom dia.' });
  await expect(setFurtherTranscript(ctx, id, read('Zweimal.', 'de'))).rejects.toMatchObject({
    reason: 'language_twice',
  });
  const again = await bringIn([german, english, brazilian]);
  expect(again.conflicts).toMatchObject([
    { field: 'transcript', here: 'de, set here', source: `en, ${fixture.host.url}/en.vtt` },
  ]);
  expect(await wordsOf(id)).toEqual({ first: 'de: Von Hand.', 'pt-BR': 'Bom dia.' });
});

it('languages beyond the limit and invalid ones are reported', async () => {
  fixture.host.serve('/t.vtt', vtt('Hello.'));
  const links = Array.from({ length: 25 }, (_, at) => ({
    path: '/t.vtt',
    language: `x${String.fromCharCode(97 + at)}`,
  }));
  const report = await bringIn([...links, { path: '/t.vtt', language: 'not a language' }]);
  expect(report.notKept).toEqual([
    { element: 'podcast:transcript (further languages)', in: 'item', count: 6 },
  ]);
  expect(await fixture.rows('select language from further_transcripts')).toHaveLength(19);
});

// LIM-24
it('an import waits for a turn before it writes a long transcript', async () => {
  const cue = `00:00.000 --> 00:01.000\n${'a'.repeat(9_000)}\n\n`;
  fixture.host.serve('/en.vtt', vtt('Hello.'));
  fixture.host.serve('/de.vtt', `WEBVTT\n\n${cue.repeat(60)}`);
  const { longWrites } = fixture.test.ctx;
  const others = await longWrites.take({ owner: 'others' });
  const take = vi.spyOn(longWrites, 'take');
  const importing = bringIn([english, german]);
  await vi.waitFor(() => expect(take).toHaveBeenCalledTimes(1), patience);
  // Nobody else is refused for what a waiting import keeps.
  expect(take.mock.calls).toEqual([[expect.objectContaining({ goesFirst: true, heldBytes: 0 })]]);
  expect(await fixture.rows('select from transcripts')).toHaveLength(1);
  expect(await fixture.rows('select from further_transcripts')).toHaveLength(0);
  others[Symbol.dispose]();
  expect((await importing).warnings).toEqual([]);
  expect(await fixture.rows('select from further_transcripts')).toHaveLength(1);
  await bringIn([english, german]);
  expect(take).toHaveBeenCalledTimes(1);
});
