import { afterEach, beforeEach, expect, it } from 'vitest';
import { writeTestFeed } from '../../../../test/hosts/podcast-host.ts';
import { type ImportFixture, openImportFixture } from '../../../../test/import-fixture.ts';
import { toneWithChapters } from '../../../../test/tagged-tone.ts';
import { useOneDatabase } from '../../../../test/use-one-database.ts';
import { findChapters, findTranscript, setChapters } from '../../publishing/transcripts/index.ts';
import type { ImportReport } from './index.ts';

const databases = useOneDatabase();
let fixture: ImportFixture;
beforeEach(async () => {
  fixture = await openImportFixture(databases);
  const audio = await toneWithChapters('One', 'Two');
  fixture.host.serve('/1.mp3', audio, 'audio/mpeg');
});
afterEach(() => fixture[Symbol.asyncDispose]());

async function bringIn(xml = ''): Promise<{ report: ImportReport; id: string }> {
  const date = '01 Jan 2020 10:00:00 GMT';
  const item = { guid: '1', title: 'Bees', date, audio: `${fixture.host.url}/1.mp3`, xml };
  fixture.host.serve('/feed.xml', writeTestFeed({ items: [item] }), 'application/rss+xml');
  const report = await fixture.run({ copyAudio: true });
  const [episode] = await fixture.episodesOf(report.podcast.id);
  return { report, id: episode!.id };
}

const titlesOf = async (id: string) =>
  (await findChapters(fixture.test.ctx, id))?.map(({ title }) => title);
const inline = (...chapters: readonly string[]) =>
  `<psc:chapters version="1.2">${chapters.join('')}</psc:chapters>`;

it('chapters in the tags of copied audio are taken if the feed has none', async () => {
  const { report, id } = await bringIn();
  expect(report).toMatchObject({ created: 1, problems: [], warnings: [] });
  expect(await titlesOf(id)).toEqual(['One', 'Two']);
  const again = await bringIn();
  expect(again.report).toMatchObject({ unchanged: 1, conflicts: [] });
  const later = await bringIn(inline('<psc:chapter start="0" title="Later"/>'));
  expect(later.report).toMatchObject({ updated: 1, conflicts: [] });
  expect(await titlesOf(id)).toEqual(['Later']);
});

it('chapters that somebody made stay, and those of the feed go before the tags', async () => {
  const { id } = await bringIn(inline('<psc:chapter start="00:00:01.500" title="Feed"/>'));
  expect(await titlesOf(id)).toEqual(['Feed']);
  await setChapters(fixture.test.ctx, id, [{ startMs: 0, title: 'Own' }]);
  await bringIn();
  expect(await titlesOf(id)).toEqual(['Own']);
});

it('the report names chapters and captions that could not be used', async () => {
  const vtt = 'WEBVTT\n\n0.5 --> 2.5\nkept\n\n0:xx --> 4.0\nlost\n';
  fixture.host.serve('/t.vtt', vtt, 'text/vtt');
  const { report, id } = await bringIn(
    inline('<psc:chapter start="0" title="A"/>', '<psc:chapter start="7"/>') +
      `<podcast:transcript url="${fixture.host.url}/t.vtt" type="text/vtt"/>`,
  );
  expect(await titlesOf(id)).toEqual(['A']);
  expect((await findTranscript(fixture.test.ctx, id))?.segments).toHaveLength(1);
  expect(report.warnings).toMatchObject([
    {
      reason: 'parts_left_out',
      title: 'Bees',
      message: 'Its chapters are not complete: 1 part of the file could not be used: "0:00:07".',
    },
    {
      reason: 'parts_left_out',
      title: 'Bees',
      message:
        'Its transcript is not complete: 1 part of the file could not be used: "0:xx --> 4.0 lost".',
    },
  ]);
});

it('a file of chapters may be a list or Podlove Simple Chapters', async () => {
  const { url } = fixture.host;
  fixture.host.serve('/c.txt', '00:00:00.000 Start\n00:00:02.000 Ende <https://example.com/>\n');
  const { id } = await bringIn(`<podcast:chapters url="${url}/c.txt" type="text/plain"/>`);
  expect(await findChapters(fixture.test.ctx, id)).toEqual([
    { startMs: 0, title: 'Start' },
    { startMs: 2000, title: 'Ende', linkUrl: 'https://example.com/' },
  ]);
});
