import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestContext, type TestContext } from '../../../../test/create-test-context.ts';
import { makeEpisode, makePodcast, makeUser } from '../../../../test/make.ts';
import { newId } from '../../../lib/uuid.ts';
import type { Context } from '../../foundation/context.ts';
import {
  archiveEpisode,
  publishEpisode,
  readEpisodeDraft,
  scheduleEpisode,
} from '../episodes/index.ts';
import { addPerson, setCredits } from '../people/index.ts';
import { addMember, type Podcast } from '../podcasts/index.ts';
import { createUpload } from '../uploads/index.ts';
import { attachTone, findAudio, removeAudio } from './index.ts';

let test: TestContext;
let podcast: Podcast;
let cohost: Context;
let editor: Context;
let personId: string;
beforeAll(async () => {
  test = await createTestContext();
  podcast = await makePodcast(test.ctx, { owner: await makeUser(test.ctx) });
  const join = async (role: 'cohost' | 'editor') => {
    const { id: userId, name } = await makeUser(test.ctx);
    await addMember(test.ctx, { podcastId: podcast.id, userId, role });
    return { userId, name, ctx: test.contextFor({ kind: 'user', userId }) };
  };
  const credited = await join('cohost');
  cohost = credited.ctx;
  editor = (await join('editor')).ctx;
  const { userId, name } = credited;
  ({ id: personId } = await addPerson(test.ctx, { podcastId: podcast.id, name, userId }));
});
afterAll(() => test[Symbol.asyncDispose]());

type Status = 'draft' | 'scheduled' | 'published' | 'archived';

async function make(status: Status, audio: boolean): Promise<string> {
  const { id } = await makeEpisode(test.ctx, podcast, { status: 'draft' });
  await setCredits(test.ctx, id, [{ personId }]);
  if (audio) await attachTone(test.ctx, id, 1);
  const inAnHour = new Date(test.clock.now().getTime() + 3_600_000);
  if (status === 'scheduled') await scheduleEpisode(test.ctx, id, inAnHour);
  if (status === 'published') await publishEpisode(test.ctx, id);
  if (status === 'archived') await archiveEpisode(test.ctx, id);
  return id;
}

async function attempt(work: Promise<unknown>): Promise<'done' | string> {
  return await work.then(
    () => 'done',
    ({ kind, message }) => `${kind}: ${message}`,
  );
}

const refused = 'forbidden: Your role on this podcast does not include episodes.publish.';

describe('audio of a member who may edit but not publish', () => {
  it.each<[Status, string]>([
    ['draft', 'done'],
    ['scheduled', refused],
    ['published', refused],
    ['archived', 'done'],
  ])(
    'audio of a member who may edit but not publish is removed only if that takes nothing out of the feed: %s',
    async (status, outcome) => {
      const id = await make(status, true);
      expect((await readEpisodeDraft(cohost, id)).may.removeAudio).toBe(outcome === 'done');
      expect(await attempt(removeAudio(cohost, id))).toBe(outcome);
      expect((await findAudio(test.ctx, id)) === undefined).toBe(outcome === 'done');
      expect(await attempt(removeAudio(editor, id))).toBe('done');
    },
  );

  it.each<[Status, string]>([
    ['draft', 'done'],
    ['scheduled', 'done'],
    ['published', refused],
    ['archived', 'done'],
  ])(
    'audio of a member who may edit but not publish is added only if that puts nothing into the feed: %s',
    async (status, outcome) => {
      const id = await make(status, false);
      expect((await readEpisodeDraft(cohost, id)).may.setAudio).toBe(outcome === 'done');
      const upload = () =>
        createUpload(cohost, {
          ...{ id: newId(), purpose: 'audio', podcastId: podcast.id, episodeId: id },
          ...{ filename: 'a.mp3', sizeBytes: 1_000, sha256: undefined },
        });
      expect(await attempt(upload())).toBe(outcome);
      expect(await attempt(attachTone(cohost, id, 1))).toBe(outcome);
      expect(await attempt(attachTone(editor, id, 2))).toBe('done');
      // A new recording changes nothing in the feed but itself.
      expect((await readEpisodeDraft(cohost, id)).may.setAudio).toBe(true);
      expect(await attempt(attachTone(cohost, id, 3))).toBe('done');
    },
  );

  it.each<[Status, string]>([
    ['draft', 'done'],
    ['scheduled', refused],
    ['published', refused],
    ['archived', 'done'],
  ])(
    'audio of a member who may edit but not publish is replaced by far less only if it may be removed: %s',
    async (status, outcome) => {
      const id = await make(status, true);
      await attachTone(editor, id, 9);
      expect(await attempt(attachTone(cohost, id, 5))).toBe('done');
      expect(await attempt(attachTone(cohost, id, 2))).toBe(outcome);
      expect((await findAudio(test.ctx, id))?.durationMs).toBeGreaterThan(
        outcome === 'done' ? 1_900 : 4_900,
      );
      expect(await attempt(attachTone(editor, id, 1))).toBe('done');
    },
  );

  it('audio is removed by nobody who may publish but not edit', async () => {
    const { id: userId } = await makeUser(test.ctx);
    await addMember(test.ctx, {
      ...{ podcastId: podcast.id, userId, role: 'custom', roleName: 'Publisher' },
      capabilities: ['episodes.publish', 'episodes.view_all'],
    });
    const publisher = test.contextFor({ kind: 'user', userId });
    const id = await make('published', true);
    expect(await attempt(removeAudio(publisher, id))).toContain('episodes.edit');
    expect((await readEpisodeDraft(publisher, id)).may).toMatchObject({
      ...{ setAudio: false, removeAudio: false, publish: true },
    });
  });
});
