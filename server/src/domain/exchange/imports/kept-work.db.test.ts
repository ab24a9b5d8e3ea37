import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  pictureBytes,
  type TestItem,
  toneBytes,
  writeTestFeed,
} from '../../../../test/hosts/podcast-host.ts';
import {
  type EpisodeRow,
  type ImportFixture,
  openImportFixture,
} from '../../../../test/import-fixture.ts';
import { useOneDatabase } from '../../../../test/use-one-database.ts';
import { imageUrl } from '../../foundation/addresses.ts';
import { attachTone } from '../../publishing/audio/index.ts';
import { deleteEpisode, scheduleEpisode, updateEpisode } from '../../publishing/episodes/index.ts';
import {
  attachImage,
  setEpisodeArtwork,
  setPodcastArtwork,
} from '../../publishing/images/index.ts';
import { updatePodcast } from '../../publishing/podcasts/index.ts';
import {
  findChapters,
  findPublishedTranscript,
  setChapters,
  setTranscript,
} from '../../publishing/transcripts/index.ts';

const databases = useOneDatabase();
let fixture: ImportFixture;
beforeEach(async () => {
  fixture = await openImportFixture(databases);
  fixture.host.serve('/tone.mp3', await toneBytes(1), 'audio/mpeg');
});
afterEach(() => fixture[Symbol.asyncDispose]());

const one: TestItem = {
  guid: '1',
  title: 'One',
  date: '01 Jan 2020 10:00:00 GMT',
  xml: '<description>First words</description>',
};
const two: TestItem = { guid: '2', title: 'Two', date: '02 Jan 2020 10:00:00 GMT' };

function serve(items: readonly TestItem[], channel = '<description>A show</description>') {
  const withAudio = items.map((item) => {
    return { audio: `${fixture.host.url}/tone.mp3?${item.guid}`, ...item };
  });
  fixture.host.serve('/feed.xml', writeTestFeed({ channel, items: withAudio }));
}

/** After a first import. */
async function importOnce(items: readonly TestItem[] = [two, one]): Promise<{
  podcastId: string;
  episodes: EpisodeRow[];
}> {
  serve(items);
  const { podcast } = await fixture.run();
  return { podcastId: podcast.id!, episodes: await fixture.episodesOf(podcast.id) };
}

const conflictsOf = async (input: Parameters<ImportFixture['run']>[0] = {}) => {
  const dry = await fixture.run({ ...input, dryRun: true });
  const real = await fixture.run(input);
  expect(dry.conflicts).toEqual(real.conflicts);
  return real.conflicts.map(({ guid, field, reason }) => [guid, field, reason]);
};

describe('a link or photo of a person that was removed locally', () => {
  const person = (name: string) =>
    `<podcast:person href="https://a.example/${name}" img="${fixture.host.url}/p.png">${name}</podcast:person>`;
  const people = () =>
    fixture.rows('select name, link_url, photo_id is null as bare from people order by name');

  it('a link or photo of a person that was removed locally stays removed without --overwrite', async () => {
    fixture.host.serve('/p.png', await pictureBytes('#224466', 300), 'image/png');
    const xml = person('Bo');
    serve([two, { ...one, xml }], person('Ana'));
    await fixture.run();
    const all = ['Ana', 'Bo'].map((name) => ({
      name,
      link_url: `https://a.example/${name}`,
      bare: false,
    }));
    expect(await people()).toEqual(all);
    await fixture.rows('update people set link_url = null, photo_id = null');
    // Other changes of the credits are imported.
    serve(
      [
        { ...two, xml },
        { ...one, xml: xml + person('Cleo') },
      ],
      person('Ana'),
    );
    await fixture.run();
    const bare = all.map(({ name }) => ({ name, link_url: null, bare: true }));
    const cleo = { name: 'Cleo', link_url: 'https://a.example/Cleo', bare: false };
    expect(await people()).toEqual([...bare, cleo]);
    await fixture.run({ overwrite: true });
    expect((await people())[0]).toEqual(all[0]);
  });
});

describe('a field that was changed locally', () => {
  // IMPORT-5
  it('a field that was changed locally is kept and reported; fields that only the source changed are updated', async () => {
    const { podcastId, episodes } = await importOnce();
    await updateEpisode(fixture.test.ctx, episodes[0]!.id, {
      title: 'One, better',
      description: 'Ours',
    });
    const again = { ...one, title: 'One again', xml: '<description>Second words</description>' };
    serve([two, again]);
    expect(await conflictsOf()).toEqual([
      ['1', 'title', 'changed_here'],
      ['1', 'description', 'changed_here'],
    ]);
    serve([{ ...two, title: 'Two again' }, again]);
    const report = await fixture.run();
    expect(report).toMatchObject({ updated: 1, unchanged: 1 });
    expect(report.conflicts).toMatchObject([
      { field: 'title', here: 'One, better', source: 'One again' },
      { field: 'description', here: 'Ours', source: 'Second words' },
    ]);
    expect(await fixture.episodesOf(podcastId)).toMatchObject([
      { title: 'One, better', description: 'Ours' },
      { title: 'Two again' },
    ]);
  });

  // IMPORT-5
  it('a field that was changed locally is updated with --overwrite and by later imports', async () => {
    const { podcastId, episodes } = await importOnce();
    await updateEpisode(fixture.test.ctx, episodes[0]!.id, { title: 'Ours' });
    await updatePodcast(fixture.test.ctx, podcastId, { description: 'Ours' });
    const report = await fixture.run({ overwrite: true });
    expect(report).toMatchObject({ updated: 1, conflicts: [], podcast: { outcome: 'updated' } });
    serve([two, { ...one, title: 'One again' }]);
    expect(await fixture.run()).toMatchObject({ updated: 1, conflicts: [] });
    expect(await fixture.episodesOf(podcastId)).toMatchObject([{ title: 'One again' }, {}]);
  });

  it('a field that was changed locally is kept if it belongs to the show', async () => {
    const { podcastId } = await importOnce();
    await updatePodcast(fixture.test.ctx, podcastId, { description: 'Ours' });
    serve([two, one], '<description>Another</description><copyright>C</copyright>');
    expect(await conflictsOf()).toEqual([[null, 'description', 'changed_here']]);
    const [row] = await fixture.rows('select description, copyright from podcasts');
    expect(row).toEqual({ description: 'Ours', copyright: 'C' });
  });

  it('a field that was changed locally is kept if it is the publication date', async () => {
    const { podcastId, episodes } = await importOnce();
    const at = new Date('2031-01-01T00:00:00Z');
    await fixture.rows(`update episodes set status = 'draft' where id = $1`, [episodes[1]!.id]);
    await scheduleEpisode(fixture.test.ctx, episodes[1]!.id, at);
    serve([
      { ...two, date: '03 Jan 2020 10:00:00 GMT' },
      { ...one, date: '02 Jan 2020 09:00:00 GMT' },
    ]);
    expect(await conflictsOf()).toEqual([['2', 'published_at', 'changed_here']]);
    expect(await fixture.episodesOf(podcastId)).toMatchObject([
      { published_at: new Date('2020-01-02T09:00:00Z') },
      { scheduled_for: at },
    ]);
  });
});

describe('a file or a name that was changed locally', () => {
  it('a file or a name that was changed locally is kept: audio, images, chapters and transcript', async () => {
    const { ctx } = fixture.test;
    const { host } = fixture;
    host.serve('/1.mp3', await toneBytes(1));
    host.serve('/1.png', await pictureBytes('#112233'));
    host.serve('/show.png', await pictureBytes('#332211'));
    host.serve('/1.vtt', 'WEBVTT\n\n00:00.000 --> 00:01.000\nHello.\n', 'text/vtt');
    const xml = `<itunes:image href="${host.url}/1.png"/>
      <podcast:transcript url="${host.url}/1.vtt" type="text/vtt"/>
      <psc:chapters><psc:chapter start="00:00:00" title="Start"/></psc:chapters>`;
    const channel = `<itunes:image href="${host.url}/show.png"/>`;
    serve([{ ...one, xml, audio: `${host.url}/1.mp3` }], channel);
    const { podcast } = await fixture.run();
    const podcastId = podcast.id!;
    const [episode] = await fixture.episodesOf(podcastId);
    const id = episode!.id;
    const image = await attachImage(ctx, { podcastId, bytes: await pictureBytes('#ff0000') });
    await setEpisodeArtwork(ctx, id, image.id);
    await setPodcastArtwork(ctx, podcastId, image.id);
    await setChapters(ctx, id, [{ startMs: 0, title: 'Ours' }]);
    const segments = [{ startMs: 0, endMs: 500, speaker: '', text: 'Ours.' }];
    await setTranscript(ctx, id, { language: 'en', segments, wordCount: 1, durationMs: 500 });
    await attachTone(ctx, id, 2);
    const before = await fixture.episodesOf(podcastId);
    const dry = await fixture.run({ dryRun: true });
    const wordsOf = ({ conflicts }: typeof dry) =>
      conflicts
        .map(({ guid, field, here, source }) => [field, guid, here, source])
        .toSorted((a, b) => `${a}`.localeCompare(`${b}`));
    const real = await fixture.run();
    expect(wordsOf(dry)).toEqual(wordsOf(real));
    const picture = imageUrl(ctx.installation, { id: image.id, contentType: 'image/png' });
    expect(wordsOf(real)).toEqual([
      ['artwork', null, picture, `${host.url}/show.png`],
      ['artwork', '1', picture, `${host.url}/1.png`],
      ['audio', '1', 'a copy of audio of ours', `a copy of ${host.url}/1.mp3`],
      ['chapters', '1', '1 chapter, set here', '1 chapter, in the feed'],
      ['transcript', '1', 'en, set here', `en, ${host.url}/1.vtt`],
    ]);
    expect(await fixture.episodesOf(podcastId)).toEqual(before);
    expect(await findChapters(ctx, id)).toEqual([{ startMs: 0, title: 'Ours' }]);
    expect(await findPublishedTranscript(ctx, id)).toMatchObject({ segments });
    expect(await fixture.run({ overwrite: true })).toMatchObject({ updated: 1, conflicts: [] });
    expect(await fixture.run({ dryRun: true })).toMatchObject({ conflicts: [] });
    expect(await findChapters(ctx, id)).toEqual([{ startMs: 0, title: 'Start' }]);
    expect(await fixture.run()).toMatchObject({ updated: 0, unchanged: 1, conflicts: [] });
  });

  it('a file or a name that was changed locally is kept: a renamed person is not created again under the old name', async () => {
    serve([one], '<podcast:person>Ana</podcast:person>');
    await fixture.run();
    await fixture.rows(`update people set name = 'Ana B.'`);
    expect(await conflictsOf()).toEqual([[null, 'people', 'changed_here']]);
    expect(await fixture.rows('select name from people')).toEqual([{ name: 'Ana B.' }]);
    await fixture.run({ overwrite: true });
    expect(await fixture.rows('select name from people order by 1')).toHaveLength(2);
  });
});

describe('an episode that was deleted locally', () => {
  // IMPORT-5
  it('an episode that was deleted locally stays deleted and is reported; --overwrite restores it', async () => {
    const { podcastId, episodes } = await importOnce();
    await deleteEpisode(fixture.test.ctx, episodes[0]!.id);
    expect(await conflictsOf()).toEqual([['1', null, 'deleted_here']]);
    expect(await fixture.episodesOf(podcastId)).toMatchObject([{ title: 'Two' }]);
    expect(await fixture.run()).toMatchObject({ created: 0, unchanged: 2 });
    expect(await fixture.run({ overwrite: true })).toMatchObject({ created: 1, conflicts: [] });
    expect(await fixture.run()).toMatchObject({ created: 0, unchanged: 2, conflicts: [] });
  });

  it('an episode that was deleted locally does not hide one that exists with its GUID', async () => {
    const { episodes } = await importOnce();
    await fixture.test.database.pool.query(
      `insert into deleted_episodes (podcast_id, episode_id, guid, source_key, deleted_at)
      select podcast_id, gen_random_uuid(), guid, source_key, now() from episodes where id = $1`,
      [episodes[0]!.id],
    );
    expect(await fixture.run()).toMatchObject({ created: 0, unchanged: 2, conflicts: [] });
  });

  it('an episode that was deleted locally stays deleted under another GUID with the same audio', async () => {
    const audio = 'https://cdn.example/1.mp3';
    serve([two, { ...one, audio }]);
    const { podcast } = await fixture.run({ copyAudio: false });
    const [first] = await fixture.episodesOf(podcast.id);
    await deleteEpisode(fixture.test.ctx, first!.id);
    serve([
      { ...two, guid: 'b' },
      { ...one, guid: 'a', audio },
    ]);
    const report = await fixture.run({ copyAudio: false });
    expect(report).toMatchObject({ created: 0, conflicts: [{ reason: 'deleted_here' }] });
  });
});
