import { readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { toneBytes, writeTestFeed } from '../../../../test/hosts/podcast-host.ts';
import { type ImportFixture, openImportFixture } from '../../../../test/import-fixture.ts';
import { makeEpisode, makePodcast } from '../../../../test/make.ts';
import { patience } from '../../../../test/patience.ts';
import { refusalOf } from '../../../../test/refusal-of.ts';
import { useOneDatabase } from '../../../../test/use-one-database.ts';
import { newId } from '../../../lib/uuid.ts';
import { DiskReserveError } from '../../../platform/blob-store/disk-room.ts';
import { setPlan } from '../../foundation/accounts/index.ts';

const gb = 1_000_000_000;

const databases = useOneDatabase();
let fixture: ImportFixture;
beforeEach(async () => {
  fixture = await openImportFixture(databases);
  const { test, host, owner } = fixture;
  await setPlan(test.ctx, { email: owner.email, plan: 'free', planState: 'active' });
  const items = ['3', '2', '1'].map((n) => ({
    ...{ guid: n, title: `Episode ${n}`, date: `0${n} Jan 2020 10:00:00 GMT` },
    audio: `${host.url}/${n}.mp3`,
  }));
  host.serve('/feed.xml', writeTestFeed({ items }), 'application/rss+xml');
});
afterEach(() => fixture[Symbol.asyncDispose]());

/** Another show of the owner uses all of the plan's storage but so many bytes. */
async function leave(bytes: number): Promise<void> {
  const { test, owner } = fixture;
  await fixture.rows("delete from audio_files where blob_key = 'audio/full.mp3'");
  const { id } = await makeEpisode(test.ctx, await makePodcast(test.ctx, { owner }));
  await fixture.rows(
    `insert into audio_files (episode_id, blob_key, content_type, extension, size_bytes, duration_ms,
       sha256, bitrate_bps, leading_tag_bytes, updated_at)
     values ($1, 'audio/full.mp3', 'audio/mpeg', 'mp3', $2, 1000, repeat('a', 64), 64000, 0, now())`,
    [id, 5 * gb - bytes],
  );
}

it('deletes the stored pages of a feed if one of them cannot be stored', async () => {
  const { host, test } = fixture;
  const channel = `<atom:link rel="next" href="${host.url}/2.xml"/>`;
  host.serve('/feed.xml', writeTestFeed({ channel, items: [{ guid: '1', title: 'One' }] }));
  host.serve('/2.xml', writeTestFeed({ items: [{ guid: '2', title: 'Two' }] }));
  const { blobs } = test.ctx;
  const putFile = blobs.putFile.bind(blobs);
  const stored: string[] = [];
  vi.spyOn(blobs, 'putFile').mockImplementation(async (...input) => {
    if (stored.length === 1) throw new Error('the disk is away');
    stored.push(input[0]);
    return await putFile(...input);
  });
  await expect(fixture.run()).rejects.toThrow('the disk is away');
  expect(stored).toHaveLength(1);
  expect(await blobs.stat(stored[0]!)).toBeUndefined();
});

it('copies the audio for which there is storage, and stops the rest when it is used up', async () => {
  const { host } = fixture;
  const tone = await toneBytes(1);
  await leave(tone.length + 1_000_000);
  host.serve('/3.mp3', tone, 'audio/mpeg');
  let sent = 0;
  // Nobody says how long it is, and it has no end.
  host.respond('/2.mp3', async (_request, response) => {
    const stored = () => fixture.rows("select from audio_files where source_url like '%/3.mp3'");
    await vi.waitUntil(async () => (await stored()).length > 0, patience);
    response.writeHead(200, { 'content-type': 'audio/mpeg' });
    const chunk = Buffer.alloc(64_000, tone);
    const more = () => {
      while (!response.destroyed && response.write(chunk)) sent += chunk.length;
    };
    response.on('drain', more).on('error', () => {});
    more();
  });
  host.respond('/1.mp3', (_request, response) => {
    response.writeHead(200, { 'content-type': 'audio/mpeg', 'content-length': 2 * gb });
    response.on('error', () => {}).write(tone);
  });
  const report = await fixture.run();
  expect(report).toMatchObject({ created: 1, failed: 2, audio: { files: 1 } });
  expect(new Map(report.problems.map(({ guid, reason }) => [guid, reason]))).toEqual(
    new Map([
      ['1', 'storage_full'],
      ['2', 'storage_full'],
    ]),
  );
  for (const { message } of report.problems)
    expect(message).toMatch(
      /^Your plan Free includes 5 GB of storage, and [45](\.\d+)? GB is in use/,
    );
  expect(await fixture.episodesOf(report.podcast.id)).toMatchObject([
    { title: 'Episode 1', status: 'pending_confirmation', blob_key: null },
    { title: 'Episode 2', status: 'pending_confirmation', blob_key: null },
    { title: 'Episode 3', status: 'published' },
  ]);
  // What was on its way is bounded too.
  expect(sent).toBeLessThan(20_000_000);
});

const partialBytes = async () => {
  const { scratchDir } = fixture.test.ctx.blobs;
  const names = (await readdir(scratchDir)).filter((name) => /^audio-[0-9a-f-]+$/.test(name));
  const sizes = await Promise.all(names.map(async (n) => (await stat(join(scratchDir, n))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
};

it('the files that an import fetches at the same time have no more than the storage that is left', async () => {
  const { host } = fixture;
  const tone = await toneBytes(60);
  await leave(1.5 * tone.length);
  const { promise: ending, resolve: end } = Promise.withResolvers<void>();
  const { promise: refused, resolve: noteRefused } = Promise.withResolvers<void>();
  let closed = 0;
  for (const n of [1, 2, 3]) {
    host.respond(`/${n}.mp3`, (_request, response) => {
      response
        .on('error', () => {})
        .once('close', () => {
          closed += 1;
          if (closed === 2) noteRefused();
        });
      response.writeHead(200, { 'content-type': 'audio/mpeg', 'content-length': tone.length });
      response.write(tone.subarray(1));
      void ending.then(() => response.end(tone.subarray(0, 1)));
    });
  }
  const running = fixture.run();
  await Promise.race([refused, running]);
  // Those that were refused are deleted after their connections are closed.
  await expect.poll(partialBytes).toBeLessThanOrEqual(1.5 * tone.length);
  end();
  const report = await running;
  expect(report.problems.map(({ reason }) => reason)).toEqual(['storage_full', 'storage_full']);
});

it('the partial file of a paused import leaves less storage to the audio of another one', async () => {
  const { host, owner, test } = fixture;
  const tone = await toneBytes(1);
  for (const n of [1, 2, 3]) host.serve(`/${n}.mp3`, tone, 'audio/mpeg');
  const { id: podcastId } = await makePodcast(test.ctx, { owner });
  const importId = newId();
  await fixture.rows(
    `insert into imports (id, owner_id, podcast_id, creates_podcast, copy_audio, documents, progress,
       created_at, updated_at)
     values ($1, $2, $3, false, true, '[]', '{}', now(), now())`,
    [importId, owner.id, podcastId],
  );
  const path = join(test.ctx.blobs.scratchDir, `audio-${importId}-${newId()}`);
  await writeFile(path, Buffer.alloc(2.5 * tone.length));
  await leave(3 * tone.length);
  const before = await fixture.run();
  expect(before).toMatchObject({ created: 0, failed: 3, audio: { files: 0 } });
  expect(new Set(before.problems.map(({ reason }) => reason))).toEqual(new Set(['storage_full']));
  await rm(path);
  expect(await fixture.run()).toMatchObject({ failed: 0, audio: { files: 3 } });
});

it('the import of a new show is refused when no storage is left, and that of an existing show is not', async () => {
  const tone = await toneBytes(1);
  for (const n of [1, 2, 3]) fixture.host.serve(`/${n}.mp3`, tone, 'audio/mpeg');
  const { podcast } = await fixture.run();
  await leave(3 * tone.length);
  expect(await fixture.run()).toMatchObject({ unchanged: 3, failed: 0 });
  await fixture.rows('delete from podcasts where id = $1', [podcast.id]);
  await leave(0);
  const refused = await refusalOf(fixture.run());
  expect(refused.message).toContain('Your plan Free includes 5 GB of storage');
  const show = await fixture.run({ copyAudio: false });
  expect(show).toMatchObject({ created: 3, failed: 0 });
});

it('keeps an episode for which the disk has no room, with the reason', async () => {
  const tone = await toneBytes(1);
  for (const n of [1, 2, 3]) fixture.host.serve(`/${n}.mp3`, tone, 'audio/mpeg');
  const { room } = fixture.test.ctx.blobs;
  const reserve = room.reserveArriving.bind(room);
  const spy = vi.spyOn(room, 'reserveArriving').mockImplementation(async (bytes) => {
    if (bytes === tone.length) throw new DiskReserveError(bytes);
    return await reserve(bytes);
  });
  const report = await fixture.run();
  expect(report).toMatchObject({ created: 0, failed: 3 });
  expect(report.problems.map(({ reason }) => reason)).toEqual(Array(3).fill('no_room'));
  spy.mockRestore();
  expect(await fixture.run()).toMatchObject({ updated: 3, failed: 0 });
});

it('says which episodes and transcripts the account has no room for', async () => {
  const { host, test, owner } = fixture;
  const one = { guid: '1', title: 'Episode 1', date: '01 Jan 2020 10:00:00 GMT' };
  const audio = (n: number) => `${host.url}/${n}.mp3`;
  host.serve('/feed.xml', writeTestFeed({ items: [{ ...one, audio: audio(1) }] }), 'text/xml');
  await fixture.run({ copyAudio: false });
  const { id } = await makePodcast(test.ctx, { owner });
  await fixture.rows(
    `insert into podcast_texts (podcast_id, bytes, made_by)
     select $1, $2 - sum(bytes), null from podcast_texts where podcast_id = $1`,
    [id, 0.5 * gb - 2_500],
  );
  const link = `<podcast:transcript url="${host.url}/1.vtt" type="text/vtt" />`;
  host.serve('/1.vtt', `WEBVTT\n\n00:00.000 --> 00:09.000\n${'word '.repeat(500)}\n`, 'text/vtt');
  const two = { guid: '2', title: 'Episode 2', date: '02 Jan 2020 10:00:00 GMT' };
  const items = [
    { ...two, audio: audio(2) },
    { ...one, audio: audio(1), xml: link },
  ];
  host.serve('/feed.xml', writeTestFeed({ items }), 'text/xml');
  const report = await fixture.run({ copyAudio: false });
  expect(report.problems).toMatchObject([{ guid: '2', reason: 'texts_full' }]);
  expect(report.warnings).toContainEqual(
    expect.objectContaining({ guid: '1', reason: 'texts_full' }),
  );
  expect(report.problems[0]?.message).toContain('Your plan Free includes 500 MB of texts');
});
