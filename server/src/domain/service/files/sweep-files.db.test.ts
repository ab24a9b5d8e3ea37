import { randomInt, randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createTestContext, type TestContext } from '../../../../test/create-test-context.ts';
import { makeEpisode, makePodcast, makeUser } from '../../../../test/make.ts';
import { patience } from '../../../../test/patience.ts';
import { hasS3, openTestS3Store } from '../../../../test/s3-store.ts';
import { useOneDatabase } from '../../../../test/use-one-database.ts';
import { createLog } from '../../../platform/log/log.ts';
import { startWorker } from '../../../worker/start-worker.ts';
import type { Context } from '../../foundation/context.ts';
import {
  attachExternalAudio,
  attachTone,
  removeAudio,
  storeTone,
} from '../../publishing/audio/index.ts';
import { deleteEpisode } from '../../publishing/episodes/index.ts';
import { attachImage, imageKey } from '../../publishing/images/index.ts';
import type { Podcast } from '../../publishing/podcasts/index.ts';
import { cancelReplacement, proposeReplacement } from '../../publishing/replacements/index.ts';
import { appendToUpload, createUpload, openUpload } from '../../publishing/uploads/index.ts';
import { deletePodcast } from '../shows/index.ts';
import { sweepDaily } from './sweep-files.job.ts';
import { sweepFiles } from './sweep-files.ts';

const hourMs = 3_600_000;
const forever = new AbortController().signal;
const databases = useOneDatabase();
let test: TestContext;
let show: Podcast;
beforeEach(async () => {
  test = await createTestContext({}, { databases });
  show = await makePodcast(test.ctx);
  hoursLater(25);
});
afterEach(() => test[Symbol.asyncDispose]());

/** Relative to the real clock, which the store uses for its files. */
const hoursLater = (hours: number) => test.clock.set(new Date(Date.now() + hours * hourMs));

async function rows<T extends object>(text: string, values: unknown[] = []): Promise<T[]> {
  return (await test.database.pool.query<T>(text, values)).rows;
}

const folders = ['audio', 'images', 'imports', 'uploads', 'player', 'elsewhere'];
async function storedKeys({ blobs }: Context = test.ctx): Promise<string[]> {
  const keys: string[] = [];
  for (const folder of folders) {
    for await (const batch of blobs.list(folder)) keys.push(...batch.map(({ key }) => key));
  }
  return keys.sort();
}

/** Audio left by an import that was killed before it wrote the row. */
async function leaveAudio(ctx: Context = test.ctx): Promise<string> {
  return (await storeTone(ctx, 1)).blobKey;
}

async function addAudio(ctx: Context = test.ctx): Promise<string> {
  const { id } = await makeEpisode(ctx, show);
  await attachTone(ctx, id, 1);
  const [row] = await rows<{ key: string }>(
    'select blob_key as key from audio_files where episode_id = $1',
    [id],
  );
  return row?.key ?? '';
}

async function episodeOf(key: string): Promise<string> {
  const text = 'select episode_id as id from audio_files where blob_key = $1';
  return (await rows<{ id: string }>(text, [key]))[0]?.id ?? '';
}

async function addImage(): Promise<string> {
  const [r = 0, g = 0, b = 0] = [randomInt(256), randomInt(256), randomInt(256)];
  const create = { width: 1400, height: 1400, channels: 3 as const, background: { r, g, b } };
  const bytes = await sharp({ create }).jpeg().toBuffer();
  return (await attachImage(test.ctx, { podcastId: show.id, bytes })).id;
}

const put = (key: string) => test.ctx.blobs.put(key, Buffer.from('x'), 'text/plain');
async function addImport(state: string): Promise<string> {
  const id = randomUUID();
  const key = `imports/${id}/${randomUUID()}.xml`;
  await put(key);
  await rows(
    `insert into imports (id, owner_id, documents, copy_audio, creates_podcast, state, progress,
       created_at, updated_at)
     select $1, id, $2, true, false, $3, '{}', now(), now() from users limit 1`,
    [id, JSON.stringify([{ key, url: null, charset: null }]), state],
  );
  return key;
}

describe('a sweep', () => {
  it('removes files that were unreferenced for a day, and no referenced ones', async () => {
    const kept: string[] = [];
    const gone: string[] = [];
    // Many states: creates everything as usual, then deletes half of the rows.
    for (let n = 0; n < 12; n += 1) {
      const isKept = randomInt(2) === 0;
      const keys = isKept ? kept : gone;
      const key = await addAudio();
      keys.push(key);
      if (!isKept) await rows('delete from audio_files where blob_key = $1', [key]);
      keys.push(await addImport(isKept ? 'running' : 'failed'));
      if (n % 3 > 0) continue;
      const before = new Set(await storedKeys());
      const imageId = await addImage();
      keys.push(...(await storedKeys()).filter((stored) => !before.has(stored)));
      if (!isKept) await rows('delete from images where id = $1', [imageId]);
    }
    gone.push(await leaveAudio(), `imports/${randomUUID()}/1.xml`);
    await put(gone.at(-1) ?? '');
    const swept = await sweepFiles(test.ctx);
    expect(await storedKeys()).toEqual(kept.sort());
    expect(swept).toMatchObject({ strays: gone.length, lookedAt: kept.length + gone.length });
    expect(await sweepFiles(test.ctx)).toMatchObject({ strays: 0, lookedAt: kept.length });
  });

  it("a sweep keeps all files that are not Podstead's", async () => {
    const others = [
      'player/v1.0123456789abcdef.js',
      `elsewhere/${randomUUID()}.mp3`,
      'audio/notes.txt',
      `audio/${randomUUID()}/a.mp3`,
      `images/${randomUUID()}/original.gif`,
      'images/index.html',
      `imports/${randomUUID()}.xml`,
    ];
    for (const key of others) await put(key);
    expect(await sweepFiles(test.ctx)).toMatchObject({ lookedAt: 0, strays: 0 });
    expect(await storedKeys()).toEqual(others.sort());
  });

  it('a sweep keeps files of the last day, whose rows may still be written', async () => {
    const key = await leaveAudio();
    hoursLater(23);
    expect(await sweepFiles(test.ctx)).toMatchObject({ lookedAt: 1, strays: 0 });
    expect(await storedKeys()).toEqual([key]);
    hoursLater(25);
    expect(await sweepFiles(test.ctx)).toMatchObject({ lookedAt: 1, strays: 1 });
    expect(await storedKeys()).toEqual([]);
  });

  const url = 'https://elsewhere.example/one.mp3';
  const external = { url, declaredType: 'audio/mpeg', sizeBytes: null, durationMs: null };
  /** Every way in which a file that a row has referenced loses its last reference. */
  const releases: Readonly<Record<string, () => Promise<string>>> = {
    'audio is replaced': async () => {
      const key = await addAudio();
      await attachTone(test.ctx, await episodeOf(key), 2);
      return key;
    },
    'audio is replaced by a link': async () => {
      const key = await addAudio();
      await attachExternalAudio(test.ctx, await episodeOf(key), external);
      return key;
    },
    'audio is removed': async () => {
      const key = await addAudio();
      await removeAudio(test.ctx, await episodeOf(key));
      return key;
    },
    'an episode is deleted': async () => {
      const key = await addAudio();
      await deleteEpisode(test.ctx, await episodeOf(key));
      return key;
    },
    'proposed audio is dropped': async () => {
      const episodeId = await episodeOf(await addAudio());
      const stored = await storeTone(test.ctx, 2);
      await cancelReplacement(
        test.ctx,
        episodeId,
        await proposeReplacement(test.ctx, episodeId, stored),
      );
      return stored.blobKey;
    },
    'a show with audio is deleted': async () => {
      const key = await addAudio();
      await deletePodcast(test.ctx, show.id);
      return key;
    },
    'a show with pictures is deleted': async () => {
      const key = imageKey(await addImage(), 'image/jpeg');
      await deletePodcast(test.ctx, show.id);
      return key;
    },
    'rows end by a cascade': async () => {
      const key = await addAudio();
      await rows('delete from episodes where id = $1', [await episodeOf(key)]);
      return key;
    },
  };

  // The files are old. A backup that copied the database before the change copies them afterwards.
  it.each(Object.keys(releases))('a sweep keeps the file for a day after %s', async (way) => {
    const key = (await releases[way]?.()) ?? '';
    const hoursOf = async (hours: number) => {
      hoursLater(hours);
      await sweepFiles(test.ctx);
      return (await storedKeys()).includes(key);
    };
    await rows(`update unreferenced_files set since = now() + interval '48 hours'`);
    expect(await hoursOf(71)).toBe(true);
    expect(await hoursOf(73)).toBe(false);
    expect(await rows('select id from unreferenced_files')).toEqual([]);
  });

  it('a sweep only counts in a dry run', async () => {
    await leaveAudio();
    await writeFile(join(test.ctx.blobs.scratchDir, 'put-killed'), '12345');
    const before = await storedKeys();
    const planned = await sweepFiles(test.ctx, { dryRun: true });
    expect(await storedKeys()).toEqual(before);
    expect(await sweepFiles(test.ctx)).toEqual(planned);
    expect(planned).toMatchObject({ lookedAt: 1, strays: 1, leftovers: 1 });
    expect(await storedKeys()).toEqual([]);
  });

  it('a sweep may run twice at once, and stop at any file', async () => {
    const key = await addAudio();
    for (let n = 0; n < 20; n += 1) await put(`audio/${randomUUID()}.mp3`);
    const killed = new AbortController();
    let deleted = 0;
    const blobs = new Proxy(test.ctx.blobs, {
      get: (target, name) => {
        if (name !== 'delete') return Reflect.get(target, name).bind?.(target);
        return async (stray: string) => {
          deleted += 1;
          if (deleted === 3) killed.abort(new Error('killed'));
          await target.delete(stray);
        };
      },
    });
    const sweeping = sweepFiles({ ...test.ctx, blobs }, { signal: killed.signal });
    await expect(sweeping).rejects.toThrow('killed');
    expect((await storedKeys()).length).toBeGreaterThan(1);
    await Promise.all([sweepFiles(test.ctx), sweepFiles(test.ctx)]);
    expect(await storedKeys()).toEqual([key]);
  });

  it.skipIf(!hasS3)('a sweep does the same in an S3 bucket', async () => {
    const scratchDir = await mkdtemp(join(tmpdir(), 'podstead-sweep-'));
    await using blobs = await openTestS3Store({ scratchDir, listedAtOnce: 2 });
    const ctx = { ...test.ctx, blobs };
    const kept = [await addAudio(ctx), await addAudio(ctx)];
    for (let n = 0; n < 3; n += 1) await leaveAudio(ctx);
    await blobs.put(`check/${randomUUID()}`, Buffer.from('ok'), 'text/plain');
    hoursLater(23);
    expect(await sweepFiles(ctx)).toMatchObject({ lookedAt: 5, strays: 0, leftovers: 0 });
    hoursLater(25);
    expect(await sweepFiles(ctx)).toMatchObject({ lookedAt: 5, strays: 3, leftovers: 1 });
    expect(await storedKeys(ctx)).toEqual(kept.sort());
    await rows('delete from audio_files');
    await sweepFiles(ctx);
    expect(await storedKeys(ctx)).toEqual([]);
    await rm(scratchDir, { recursive: true });
  });
});

describe('the daily sweep', () => {
  let lines: string[];
  let ctx: Context;
  beforeEach(() => {
    lines = [];
    ctx = { ...test.ctx, log: createLog('info', { write: (line) => lines.push(line) }) };
  });
  const logged = () => lines.map((line) => JSON.parse(line));

  it('the daily sweep removes unreferenced files, but only warns if most are unknown to the database', async () => {
    const keys = [await addAudio(), await addAudio()];
    await leaveAudio();
    await sweepDaily(ctx, forever);
    expect(await storedKeys()).toEqual([...keys].sort());
    // As with a wrong database, which has noted the end of a file of its own.
    await rows('delete from audio_files');
    await rows('delete from unreferenced_files');
    await rows('insert into unreferenced_files (id) values ($1)', [randomUUID()]);
    const uploaded = `uploads/${randomUUID()}`;
    await put(uploaded);
    await sweepDaily(ctx, forever);
    expect(await storedKeys()).toEqual([...keys, uploaded].sort());
    expect(logged()).toMatchObject([
      { level: 30, strays: 1, msg: 'removed unreferenced files' },
      {
        ...{ level: 40, lookedAt: 3, strays: 3, media: 2, unknownMedia: 2 },
        msg: expect.stringContaining('no files were removed'),
      },
    ]);
    expect(lines[1]).toContain('files sweep');
  });

  it('the daily sweep removes most files if the database has noted that they are unreferenced', async () => {
    const kept = await addAudio();
    const deleted = [await addAudio(), await addAudio(), await addAudio()];
    await rows('delete from audio_files where blob_key = any($1)', [deleted]);
    await sweepDaily(ctx, forever);
    expect(await storedKeys()).toEqual([kept]);
    expect(logged()).toMatchObject([{ level: 30, strays: 3, media: 4, unknownMedia: 0 }]);
  });

  it('the daily sweep removes deleted audio although another account left more files than there are others', async () => {
    const key = await addAudio();
    await removeAudio(test.ctx, await episodeOf(key));
    const sender = await makeUser(test.ctx);
    const acting = test.contextFor({ kind: 'user', userId: sender.id });
    const other = await makePodcast(test.ctx, { owner: sender });
    const { id: episodeId } = await makeEpisode(test.ctx, other, { status: 'draft' });
    for (let n = 0; n < 5; n += 1) {
      const id = randomUUID();
      await createUpload(acting, {
        ...{ id, purpose: 'transcript', podcastId: other.id, episodeId, filename: 'a.vtt' },
        ...{ sizeBytes: 1, sha256: undefined },
      });
      await using writing = await openUpload(acting, id);
      await appendToUpload(acting, writing, [Buffer.from('x')] as unknown as AsyncIterable<Buffer>);
    }
    await deleteEpisode(acting, episodeId);
    await put(`uploads/${randomUUID()}`);
    await put(`imports/${randomUUID()}/1.xml`);
    expect(await storedKeys()).toHaveLength(8);
    await sweepDaily(ctx, forever);
    expect(await storedKeys()).toEqual([]);
    expect(logged()).toMatchObject([{ level: 30, strays: 8 }]);
  });

  it('the daily sweep runs once a day, however often a worker starts', async () => {
    const key = await addAudio();
    await leaveAudio();
    for (let starts = 0; starts < 2; starts += 1) {
      await using _worker = await startWorker(test);
      await vi.waitFor(async () => expect(await storedKeys()).toEqual([key]), patience);
    }
    const sweeps = await rows(`select id from pgboss.job where name = 'sweep-files'`);
    expect(sweeps).toHaveLength(1);
    const [scheduled] = await rows(
      `select options from pgboss.schedule where name = 'sweep-files'`,
    );
    expect(scheduled).toMatchObject({ options: { singletonSeconds: 86_400 } });
  });
});

it('finds images by their stored names', async () => {
  const id = await addImage();
  expect(await storedKeys()).toContain(imageKey(id, 'image/jpeg'));
  expect(await sweepFiles(test.ctx)).toMatchObject({ strays: 0 });
});
