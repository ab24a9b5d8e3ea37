import { readdir } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestContext, type TestContext } from '../../../../test/create-test-context.ts';
import { makeEpisode, makePodcast, makeUser } from '../../../../test/make.ts';
import { removeOldFiles } from '../../../platform/blob-store/scratch-folder.ts';
import { addMember } from '../../publishing/podcasts/index.ts';
import { parseTranscript, setTranscript } from '../../publishing/transcripts/index.ts';
import { exportPodcast, rowsPath, showTables } from './index.ts';

let test: TestContext;
beforeAll(async () => {
  test = await createTestContext();
});
afterAll(() => test[Symbol.asyncDispose]());

it('an export is whole, also if its reader leaves the team before it ends', async () => {
  const { ctx } = test;
  const show = await makePodcast(ctx);
  const { id } = await makeEpisode(ctx, show, { slug: 'first' });
  const words = parseTranscript('WEBVTT\n\n00:00.000 --> 00:01.000\nHello.\n');
  await setTranscript(ctx, id, { ...words, language: 'en' });
  const { id: userId } = await makeUser(ctx);
  await addMember(ctx, { podcastId: show.id, userId, role: 'admin' });
  const reader = test.contextFor({ kind: 'user', userId });
  const { entries } = await exportPodcast(reader, show.id, {
    audio: false,
    openSnapshot: (tables) => test.database.openSnapshot(tables),
  });
  await ctx.db.deleteFrom('podcast_members').where('user_id', '=', userId).execute();
  const paths: string[] = [];
  for await (const { path } of entries) paths.push(path);
  expect(paths).toEqual([
    'show.json',
    'downloads.json',
    'feed.xml',
    'episodes/first/episode.json',
    'episodes/first/transcript.vtt',
    ...Object.keys(showTables).map(rowsPath),
    'manifest.json',
  ]);
});

it('an export is whole, also if its reader is so slow that its temporary files are removed', async () => {
  const { ctx } = test;
  const show = await makePodcast(ctx);
  await makeEpisode(ctx, show);
  const { entries } = await exportPodcast(ctx, show.id, {
    audio: false,
    openSnapshot: (tables) => test.database.openSnapshot(tables),
  });
  const lines = new Map<string, number>();
  for await (const { path, content } of entries) {
    const tomorrow = new Date(Date.now() + 25 * 3_600_000);
    if (path === 'show.json') await removeOldFiles(ctx.blobs.scratchDir, tomorrow);
    if (!path.startsWith('rows/') || content.kind !== 'text') continue;
    lines.set(path, (await text(Readable.from(content.pieces))).split('\n').length - 1);
  }
  expect(lines.get(rowsPath('podcasts'))).toBe(1);
  expect(lines.get(rowsPath('episodes'))).toBe(1);
  expect([...lines.keys()]).toEqual(Object.keys(showTables).map(rowsPath));
  expect(await readdir(ctx.blobs.scratchDir)).toEqual([]);
});

it('an export says whose it is, for the places of its account and its owner', async () => {
  const owner = await makeUser(test.ctx);
  const show = await makePodcast(test.ctx, { owner });
  const { id: member } = await makeUser(test.ctx);
  await addMember(test.ctx, { podcastId: show.id, userId: member, role: 'admin' });
  const { accountId } = show;
  for (const [userId, isOwner] of [
    [owner.id, true],
    [member, false],
  ] as const) {
    const ctx = test.contextFor({ kind: 'user', userId });
    const exported = await exportPodcast(ctx, show.id, {
      audio: false,
      openSnapshot: (tables) => test.database.openSnapshot(tables),
    });
    expect(exported).toMatchObject({ accountId, isOwner });
  }
});
