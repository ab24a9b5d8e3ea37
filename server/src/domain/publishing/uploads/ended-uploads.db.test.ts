import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestContext, type TestContext } from '../../../../test/create-test-context.ts';
import { makeEpisode, makePodcast, makeUser, testPassword } from '../../../../test/make.ts';
import { refusalOf } from '../../../../test/refusal-of.ts';
import { newId } from '../../../lib/uuid.ts';
import { setPlan, type User } from '../../foundation/accounts/index.ts';
import type { Context } from '../../foundation/context.ts';
import type { UploadPurpose } from '../../foundation/enumerations.ts';
import { deleteOwnAccount } from '../../service/departure/index.ts';
import { deletePodcast } from '../../service/shows/index.ts';
import { makeTone } from '../audio/index.ts';
import { deleteEpisode } from '../episodes/index.ts';
import { addMember, type Podcast, removeMember } from '../podcasts/index.ts';
import { appendToUpload, createUpload, openUpload, removeUpload, useAudioUpload } from './index.ts';
import { purgeUploads } from './purge-uploads.job.ts';
import { uploadKey } from './upload.ts';

const gb = 1_000_000_000;

let test: TestContext;
let tone: Buffer;
let owner: User;
let member: User;
let show: Podcast;
let owners: Context;
let members: Context;
beforeAll(async () => {
  test = await createTestContext();
  tone = await buffer(makeTone(1));
});
afterAll(() => test[Symbol.asyncDispose]());
beforeEach(async () => {
  owner = await makeUser(test.ctx, 'free');
  member = await makeUser(test.ctx, 'free');
  show = await makePodcast(test.ctx, { owner });
  await addMember(test.ctx, { podcastId: show.id, userId: member.id, role: 'editor' });
  owners = test.contextFor({ kind: 'user', userId: owner.id });
  members = test.contextFor({ kind: 'user', userId: member.id });
});

interface Begun {
  readonly id: string;
  readonly episodeId: string;
}

async function begin(
  ctx: Context,
  sizeBytes: number,
  purpose: UploadPurpose = 'audio',
): Promise<Begun> {
  const { id: episodeId } = await makeEpisode(test.ctx, show, { status: 'draft' });
  const id = newId();
  await createUpload(ctx, {
    ...{ id, purpose, podcastId: show.id, episodeId, filename: 'file', sizeBytes },
    sha256: undefined,
  });
  return { id, episodeId };
}

async function append(ctx: Context, id: string, body: AsyncIterable<Buffer>): Promise<void> {
  await using writing = await openUpload(ctx, id);
  await appendToUpload(ctx, writing, body);
}

async function send(ctx: Context): Promise<Begun> {
  const begun = await begin(ctx, tone.length);
  await append(ctx, begun.id, [tone] as unknown as AsyncIterable<Buffer>);
  return begun;
}

/** An upload of which all bytes have arrived, but only in its row. */
async function pretend(ctx: Context, sizeBytes: number, purpose?: UploadPurpose): Promise<Begun> {
  const begun = await begin(ctx, sizeBytes, purpose);
  await test.database.pool.query('update uploads set received_bytes = size_bytes where id = $1', [
    begun.id,
  ]);
  return begun;
}

/** What is noted of the file of an upload, beside the upload's row. */
async function notesOf(id: string) {
  const { rows } = await test.database.pool.query(
    `select (select bytes from written_files where id = $1 and account_id = $2) as "addedBytes",
       exists (select from unreferenced_files where id = $1) as "isReleased",
       exists (select from uploads where id = $1 and used_at is null) as "isWaiting"`,
    [id, owner.accountId],
  );
  return rows[0];
}

describe('an upload that ends with something else', () => {
  const ends: Readonly<Record<string, (upload: Begun) => Promise<unknown>>> = {
    'its episode': ({ episodeId }) => deleteEpisode(owners, episodeId),
    'its show': () => deletePodcast(owners, show.id),
    "its sender's membership": () =>
      removeMember(owners, { podcastId: show.id, userId: member.id }),
    "its sender's account": () =>
      deleteOwnAccount(members, { currentPassword: testPassword, withShows: true }),
  };

  it.each(Object.keys(ends))(
    'the file of an upload that ends with %s counts as added by the account and is swept',
    async (end) => {
      const upload = await send(members);
      expect(await notesOf(upload.id)).toEqual({
        ...{ addedBytes: null, isReleased: false, isWaiting: true },
      });
      await ends[end]?.(upload);
      expect(await notesOf(upload.id)).toEqual({
        ...{ addedBytes: tone.length, isReleased: true, isWaiting: false },
      });
    },
  );

  it('a picture for a show that ends with the show counts as added by the account', async () => {
    const id = newId();
    await createUpload(owners, {
      ...{ id, purpose: 'image', podcastId: show.id, episodeId: undefined, filename: 'a.png' },
      ...{ sizeBytes: 1_000, sha256: undefined },
    });
    await test.database.pool.query('update uploads set received_bytes = 400 where id = $1', [id]);
    await deletePodcast(owners, show.id);
    expect(await notesOf(id)).toMatchObject({ addedBytes: 400, isReleased: true });
  });

  it('only what has arrived of an upload counts as added when it ends with its episode', async () => {
    const { id, episodeId } = await begin(owners, 2 * gb);
    await deleteEpisode(owners, episodeId);
    expect(await notesOf(id)).toEqual({ addedBytes: null, isReleased: false, isWaiting: false });
  });
});

const removals: Readonly<Record<string, (upload: Begun) => Promise<unknown>>> = {
  cancelled: ({ id }) => removeUpload(owners, id),
  async expired() {
    test.clock.advance(25 * 3_600_000);
    await purgeUploads(test.ctx);
    test.clock.reset();
  },
  async used({ id: uploadId, episodeId }) {
    await useAudioUpload(owners, { episodeId, uploadId });
    await deleteEpisode(owners, episodeId);
  },
};

it.each(Object.keys(removals))(
  'the file of an upload that is %s is deleted at once and not counted',
  async (way) => {
    const upload = await send(owners);
    await removals[way]?.(upload);
    expect(await test.ctx.blobs.stat(uploadKey(upload.id))).toBeUndefined();
    expect(await notesOf(upload.id)).toEqual({
      ...{ addedBytes: null, isReleased: false, isWaiting: false },
    });
  },
);

it('an account that deletes the episodes of its uploads may add no more than twice its storage', async () => {
  for (let n = 0; n < 5; n += 1) {
    const { episodeId } = await pretend(owners, 2 * gb);
    await deleteEpisode(owners, episodeId);
  }
  for (const purpose of ['audio', 'image', 'transcript', 'chapters'] as const) {
    expect(await refusalOf(begin(owners, 1_000, purpose))).toMatchObject({
      kind: 'plan_upgrade_required',
      details: [{ reason: 'storage_written' }],
    });
  }
  const { email } = owner;
  await setPlan(test.ctx, { email, plan: 'creator', planState: 'active' });
  await begin(owners, 1_000, 'transcript');
});

it('files of transcripts whose episodes are deleted count as added by the account', async () => {
  const { id, episodeId } = await pretend(members, 10_000_000, 'transcript');
  await deleteEpisode(owners, episodeId);
  expect(await notesOf(id)).toMatchObject({ addedBytes: 10_000_000, isReleased: true });
});

it('an upload whose episode is deleted while its bytes arrive leaves no file', async () => {
  const { id, episodeId } = await begin(owners, tone.length);
  async function* body() {
    yield tone.subarray(0, 20_000);
    await deleteEpisode(owners, episodeId);
    yield tone.subarray(20_000);
  }
  await expect(append(owners, id, body())).rejects.toThrow();
  expect(await test.ctx.blobs.stat(uploadKey(id))).toBeUndefined();
});
