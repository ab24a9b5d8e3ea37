import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestContext, type TestContext } from '../../../../test/create-test-context.ts';
import { makeEpisode, makePodcast, makeUser } from '../../../../test/make.ts';
import { useOneDatabase } from '../../../../test/use-one-database.ts';
import { attachTone, removeAudio } from '../../publishing/audio/index.ts';
import {
  deleteEpisode,
  type Episode,
  getEpisode,
  updateEpisode,
} from '../../publishing/episodes/index.ts';
import { addPerson, setCredits, setPeople } from '../../publishing/people/index.ts';
import {
  getPodcast,
  type Podcast,
  pausePodcast,
  resumePodcast,
  updatePodcast,
} from '../../publishing/podcasts/index.ts';
import { removeChapters, setChapters, setTranscript } from '../../publishing/transcripts/index.ts';
import { transact } from '../context.ts';
import { revise } from './index.ts';

const databases = useOneDatabase();
let test: TestContext;
let podcast: Podcast;
let episode: Episode;
beforeEach(async () => {
  test = await createTestContext({}, { databases });
  podcast = await makePodcast(test.ctx, { owner: await makeUser(test.ctx) });
  episode = await makeEpisode(test.ctx, podcast, { status: 'draft' });
});
afterEach(() => test[Symbol.asyncDispose]());

const history = async (id: string) =>
  (
    await test.database.pool.query(
      `select revision, fields from revisions where coalesce(episode_id, podcast_id) = $1
       order by revision`,
      [id],
    )
  ).rows.map(({ revision, fields }) => [revision, ...fields]);

const chapters = [{ startMs: 0, title: 'Start' }];
const transcript = {
  language: 'en',
  segments: [{ startMs: 0, endMs: 1000, speaker: '', text: 'Hello' }],
  wordCount: 1,
  durationMs: 1000,
};

describe('revisions', () => {
  it('revisions count every change of every part of an episode', async () => {
    const { ctx } = test;
    const { id } = episode;
    await updateEpisode(ctx, id, { title: 'New', slug: 'new', episodeType: 'full' });
    await setChapters(ctx, id, chapters);
    await removeChapters(ctx, id);
    await setTranscript(ctx, id, transcript);
    await attachTone(ctx, id, 1);
    await removeAudio(ctx, id);
    const person = await addPerson(ctx, { podcastId: podcast.id, name: 'Ada' });
    await setCredits(ctx, id, [{ personId: person.id }]);
    expect(await history(id)).toEqual([
      [2, 'title', 'slug'],
      [3, 'chapters'],
      [4, 'chapters'],
      [5, 'transcript'],
      [6, 'audio'],
      [7, 'audio'],
      [8, 'people'],
    ]);
    expect((await getEpisode(ctx, id)).revision).toBe(8);
  });

  it('revisions count every change of a podcast', async () => {
    const { ctx } = test;
    const { id } = podcast;
    await updatePodcast(ctx, id, { title: 'New', otherFunding: [] });
    await setPeople(ctx, id, [{ name: 'Ada' }, { name: 'Bo' }]);
    await pausePodcast(ctx, id);
    await resumePodcast(ctx, id);
    expect(await history(id)).toEqual([
      [2, 'title'],
      [3, 'people'],
      [4, 'status'],
      [5, 'status'],
    ]);
    expect((await getPodcast(ctx, id)).revision).toBe(5);
  });

  it('a transaction adds one revision, and none if it creates the episode', async () => {
    const { ctx } = test;
    await transact(ctx, async (tx) => {
      await updateEpisode(tx, episode.id, { title: 'New' });
      await setChapters(tx, episode.id, chapters);
      await updateEpisode(tx, episode.id, { title: 'Newer', subtitle: 'Too' });
    });
    expect(await history(episode.id)).toEqual([[2, 'title', 'chapters', 'subtitle']]);
    const made = await transact(ctx, async (tx) => {
      const { id } = await makeEpisode(tx, podcast);
      await setChapters(tx, id, chapters);
      return id;
    });
    expect([await history(made), (await getEpisode(ctx, made)).revision]).toEqual([[], 1]);
  });

  it('revisions remember the last hundred', async () => {
    const { ctx } = test;
    const { id } = episode;
    for (let i = 0; i < 103; i += 1) {
      await transact(ctx, (tx) => revise(tx, { episodeId: id }, ['title']));
    }
    const kept = await history(id);
    expect([kept.length, kept[0]?.[0], kept.at(-1)?.[0]]).toEqual([100, 5, 104]);
    const late = updateEpisode(ctx, id, { title: 'Late' }, { expected: 2 });
    await expect(late).rejects.toMatchObject({
      kind: 'precondition_failed',
      revision: 104,
      details: [{ field: 'title' }, { field: '*' }],
    });
  });

  it('revisions let only one of two writers win who have seen the same revision', async () => {
    const write = (title: string) =>
      updateEpisode(test.ctx, episode.id, { title }, { expected: 1 }).then(
        () => 'written',
        ({ kind }) => kind,
      );
    const outcomes = await Promise.all([write('One'), write('Two')]);
    expect(outcomes.sort()).toEqual(['precondition_failed', 'written']);
  });

  it('revisions are deleted with their episode, and protect it from deletion', async () => {
    const { ctx } = test;
    const { id } = episode;
    await setChapters(ctx, id, chapters);
    await expect(deleteEpisode(ctx, id, { expected: 1 })).rejects.toThrow('has changed');
    await deleteEpisode(ctx, id, { expected: 2 });
    expect(await history(id)).toEqual([]);
  });
});
