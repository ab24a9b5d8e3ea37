import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestContext, type TestContext } from '../../../../test/create-test-context.ts';
import { findEmailToken } from '../../../../test/find-emails.ts';
import { makeEpisode, makePodcast, makeUser, testPassword } from '../../../../test/make.ts';
import { editChapters } from '../../publishing/audio/index.ts';
import { startEpisode, updateEpisode } from '../../publishing/episodes/index.ts';
import { findOrAddPerson, setCredits, setPeople } from '../../publishing/people/index.ts';
import {
  addMember,
  createPodcast,
  moveToNewOwner,
  offerOwnership,
  type Podcast,
  updatePodcast,
} from '../../publishing/podcasts/index.ts';
import {
  editTranscript,
  removeTranscript,
  setChapters,
  setFirstChapters,
  setFurtherTranscript,
  setTranscript,
} from '../../publishing/transcripts/index.ts';
import { duplicateEpisode } from '../../service/shows/index.ts';
import { getUser, setPlan, type User } from '../accounts/index.ts';
import { type Context, transact } from '../context.ts';
import { mergeTextSums } from './merge-text-sums.job.ts';
import { sumTexts } from './storage.sql.ts';

const mb = 1_000_000;

let test: TestContext;
let user: User;
let podcast: Podcast;
let episodeId: string;
let personId: string;
let ctx: Context;
beforeAll(async () => {
  test = await createTestContext();
});
afterAll(() => test[Symbol.asyncDispose]());
beforeEach(async () => {
  user = await makeUser(test.ctx, 'free');
  podcast = await makePodcast(test.ctx, { owner: user });
  ({ id: episodeId } = await makeEpisode(test.ctx, podcast, { status: 'draft' }));
  await setTranscript(test.ctx, episodeId, transcript('en', 'Hello'));
  const person = { podcastId: podcast.id, name: 'Bo' };
  ({ id: personId } = await findOrAddPerson(test.ctx, person));
  ctx = test.contextFor({ kind: 'user', userId: user.id });
});

const transcript = (language: string, text: string) => ({
  language,
  segments: [{ startMs: 0, endMs: 1000, speaker: '', text }],
  wordCount: 1,
  durationMs: 1000,
});
const chapters = [{ startMs: 0, title: 'Start' }];

/** Another show of the account has so many bytes of texts. */
async function fill(bytes: number, owner: User = user): Promise<void> {
  const { id } = await makePodcast(test.ctx, { owner });
  await test.database.pool.query(
    `insert into podcast_texts (podcast_id, bytes, made_by)
     select $1, $2 - sum(bytes), null from podcast_texts where podcast_id = $1`,
    [id, bytes],
  );
}

async function outcomeOf(work: Promise<unknown>): Promise<string> {
  return await work.then(
    () => 'done',
    ({ kind, details, message }) => `${kind} ${details?.[0]?.reason}: ${message}`,
  );
}

const refusal =
  'plan_upgrade_required texts_full: Your plan Free includes 500 MB of texts and transcripts, and ' +
  '500 MB is in use, so this doesn’t fit. Delete transcripts or episodes, or ask for a larger plan.';

const ways: Record<string, (by: Context) => Promise<unknown>> = {
  'a new episode': (by) => startEpisode(by, { podcastId: podcast.id, title: 'One' }),
  'a copy of an episode': (by) => duplicateEpisode(by, episodeId),
  'show notes': (by) => updateEpisode(by, episodeId, { showNotesHtml: '<p>One</p>' }),
  'a transcript': (by) => setTranscript(by, episodeId, transcript('en', 'Hello again')),
  'a further transcript': (by) => setFurtherTranscript(by, episodeId, transcript('fr', 'Salut')),
  'an edited transcript': (by) => editTranscript(by, episodeId, [{ index: 0, text: 'Hello all' }]),
  chapters: (by) => setChapters(by, episodeId, chapters),
  'edited chapters': (by) => editChapters(by, episodeId, chapters),
  credits: (by) => setCredits(by, episodeId, [{ personId }]),
  'chapters of a file': (by) => setFirstChapters(by, episodeId, chapters),
};

const waysOfOwners: Record<string, (by: Context) => Promise<unknown>> = {
  ...ways,
  people: (by) => setPeople(by, podcast.id, [{ name: 'Ada' }]),
  'a credited person': (by) => findOrAddPerson(by, { podcastId: podcast.id, name: 'Ada' }),
  'a description': (by) => updatePodcast(by, podcast.id, { description: 'Long'.repeat(9) }),
  'a new show': (by) => createPodcast(by, { slug: `new-${episodeId}`, title: 'New', owner: user }),
};

// LIM-19
describe('the texts of an account', () => {
  it.each(Object.entries(waysOfOwners))(
    'the texts of an account have a limit for %s',
    async (_what, add) => {
      await fill(500 * mb - 100);
      expect(await outcomeOf(add(ctx))).toBe(refusal);
      // The same for the operator, whose imports and commands add to the account.
      expect(await outcomeOf(add(test.ctx))).toBe(refusal);
      const { email } = await getUser(test.ctx, user.id);
      await setPlan(test.ctx, { email, plan: 'creator', planState: 'active' });
      expect(await outcomeOf(add(ctx))).toBe('done');
    },
  );

  it.each(Object.entries(ways))(
    'the texts of an account have the owner’s limit for a member: %s',
    async (_what, add) => {
      const { id: userId } = await makeUser(test.ctx, 'enterprise');
      await addMember(test.ctx, { podcastId: podcast.id, userId, role: 'editor' });
      await fill(500 * mb - 100);
      expect(await outcomeOf(add(test.contextFor({ kind: 'user', userId })))).toBe(refusal);
    },
  );

  it('the texts of an account may become less when they are too many', async () => {
    const long = transcript('en', 'word '.repeat(100).trim());
    await setTranscript(ctx, episodeId, long);
    await fill(600 * mb);
    await setTranscript(ctx, episodeId, transcript('en', 'Hello'));
    await editTranscript(ctx, episodeId, [{ index: 0, text: 'Hi' }]);
    await updateEpisode(ctx, episodeId, { title: 'One' });
    await removeTranscript(ctx, episodeId);
    expect(await outcomeOf(setTranscript(ctx, episodeId, long))).toContain('600 MB is in use');
  });

  it('the texts of an account fit once if two that add them leave room for one', async () => {
    const { id: other } = await makeEpisode(test.ctx, await makePodcast(test.ctx, { owner: user }));
    await fill(500 * mb - 6_500);
    const text = 'w'.repeat(1_500);
    const outcomes = await Promise.all(
      [episodeId, other].map((id) => outcomeOf(setTranscript(ctx, id, transcript('en', text)))),
    );
    expect(outcomes.map((outcome) => outcome.slice(0, 4)).toSorted()).toEqual(['done', 'plan']);
  });

  // The embedded database has one transaction at a time.
  it.runIf(process.env['TEST_DATABASE'] === 'postgres')(
    'the texts of an account of several episodes can change at the same time, and all changes count',
    async () => {
      const { id: other } = await makeEpisode(test.ctx, podcast);
      const sums = async () => (await sumTexts(test.ctx.db, podcast.id))?.podcastBytes ?? 0;
      const before = await sums();
      const [written, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const changing = transact(ctx, async (tx) => {
        await updateEpisode(tx, other, { description: 'd'.repeat(1_000) });
        written.resolve();
        await end.promise;
      });
      await written.promise;
      await updateEpisode(ctx, episodeId, { subtitle: 's'.repeat(50) });
      await mergeTextSums(test.ctx);
      end.resolve();
      await changing;
      expect(await sums()).toBe(before + (1_000 - 'An episode'.length) + 50);
    },
  );

  it('the sums of texts are merged a few podcasts at a time, so that a save need not wait for all', async () => {
    const { pool } = test.database;
    for (let n = 0; n < 26; n += 1)
      await updatePodcast(ctx, (await makePodcast(test.ctx, { owner: user })).id, { title: 'Two' });
    await mergeTextSums(test.ctx);
    const { rows } = await pool.query(
      `select count(*)::int - count(distinct podcast_id)::int as unmerged,
         count(distinct xmin::text) > 1 as "inParts"
       from podcast_texts where made_by is null`,
    );
    expect(rows).toEqual([{ unmerged: 0, inParts: true }]);
  });

  it('the texts of an account have no limit in the larger plans', async () => {
    const { email } = await getUser(test.ctx, user.id);
    await setPlan(test.ctx, { email, plan: 'production_house', planState: 'active' });
    await fill(900_000 * mb);
    await setTranscript(ctx, episodeId, transcript('en', 'Hello again'));
  });

  it('the texts of an account go to another account only if it has room for them', async () => {
    const receiver = await makeUser(test.ctx, 'free');
    await fill(500 * mb - 500, receiver);
    const { email } = receiver;
    await offerOwnership(ctx, { podcastId: podcast.id, email, currentPassword: testPassword });
    const token = await findEmailToken(test, email);
    const accepting = test.contextFor({ kind: 'user', userId: receiver.id });
    const accept = () => outcomeOf(moveToNewOwner(accepting, { token, teamKeys: false }));
    expect(await accept()).toBe(refusal);
    await setPlan(test.ctx, { email, plan: 'creator', planState: 'active' });
    expect(await accept()).toBe('done');
  });
});
