import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createTestContext, type TestContext } from '../../../../../test/create-test-context.ts';
import { makeEpisode, makePodcast, makeUser } from '../../../../../test/make.ts';
import type { BlobStore } from '../../../../platform/blob-store/blob-store.ts';
import { transact } from '../../../foundation/context.ts';
import { deleteEpisode, type Episode } from '../../episodes/index.ts';
import type { Podcast } from '../../podcasts/index.ts';
import { attachExternalAudio, attachStoredAudio, attachTone, findAudio } from '../index.ts';
import { drawWaveforms, purgeWaveforms } from './draw-waveforms.ts';
import { findWaveform } from './find-waveform.ts';
import { claimTask } from './waveforms.sql.ts';

let test: TestContext;
let show: Podcast;
let episode: Episode;
beforeAll(async () => {
  test = await createTestContext();
  show = await makePodcast(test.ctx);
});
beforeEach(async () => {
  await test.database.pool.query('delete from audio_files');
  await test.database.pool.query('delete from waveforms');
  episode = await makeEpisode(test.ctx, show);
});
afterAll(() => test[Symbol.asyncDispose]());

const forever = new AbortController().signal;
const draw = (blobs: BlobStore = test.ctx.blobs) => drawWaveforms({ ...test.ctx, blobs }, forever);
const find = (id = episode.id) => findWaveform(test.ctx, id);
const later = (minutes: number) =>
  test.clock.set(new Date(test.clock.now().getTime() + minutes * 60_000));

async function rows() {
  const { rows } = await test.database.pool.query<{ attempts: number; due: boolean }>(
    'select attempts, due_at is not null as due from waveforms',
  );
  return rows;
}

/** The store; calls `onRead` before each read, which may throw. */
function watch(onRead: () => void | Promise<void>): BlobStore {
  const { blobs } = test.ctx;
  return new Proxy(blobs, {
    get: (target, name) =>
      name === 'read'
        ? async (...input: Parameters<BlobStore['read']>) => {
            await onRead();
            return target.read(...input);
          }
        : Reflect.get(target, name),
  });
}

/** Attaches bytes that claim to be an MP3 of ten seconds. */
async function attachBytes(bytes: Buffer) {
  const blobKey = 'audio/damaged.mp3';
  await test.ctx.blobs.put(blobKey, bytes, 'audio/mpeg');
  await attachStoredAudio(test.ctx, episode.id, {
    blobKey,
    facts: {
      contentType: 'audio/mpeg',
      extension: 'mp3',
      sizeBytes: bytes.length,
      durationMs: 10_000,
      bitrateBps: 64_000,
      leadingTagBytes: 0,
      sha256: 'ab'.repeat(32),
    },
  });
}

describe('a waveform', () => {
  it('a waveform is drawn when an episode gets audio, and the change is announced', async () => {
    const [changed, ordered] = [vi.fn(), vi.fn()];
    const listener = { onChange: changed, onWork: ordered, onGap: () => undefined };
    const end = test.ctx.announcements.subscribe(listener);
    await attachTone(test.ctx, episode.id, 3);
    expect(await find()).toBeUndefined();
    expect(ordered.mock.calls).toEqual([['draw-waveforms']]);
    changed.mockClear();
    await draw();
    end();
    const { peaks, durationMs } = (await find())!;
    expect(durationMs).toBe(3000);
    expect(peaks).toHaveLength(60);
    expect(Math.max(...peaks)).toBe(255);
    expect(changed).toHaveBeenCalledWith(show.id);
  });

  it('a waveform is drawn once for several episodes with the audio, and by several workers', async () => {
    const other = await makeEpisode(test.ctx, await makePodcast(test.ctx));
    await attachTone(test.ctx, episode.id, 2);
    await attachTone(test.ctx, other.id, 2);
    const read = vi.fn();
    await Promise.all([draw(watch(read)), draw(watch(read)), draw(watch(read))]);
    expect(read).toHaveBeenCalledTimes(1);
    expect((await find(other.id))?.peaks).toEqual((await find())?.peaks);
    await attachTone(test.ctx, (await makeEpisode(test.ctx, show)).id, 2);
    await draw(watch(read));
    expect(read).toHaveBeenCalledTimes(1);
  });

  it('changes with the audio', async () => {
    await attachTone(test.ctx, episode.id, 2);
    await draw();
    await attachTone(test.ctx, episode.id, 4);
    expect(await find()).toBeUndefined();
    await draw();
    expect((await find())?.durationMs).toBe(4008);
  });

  it('a waveform is not drawn for audio at another host', async () => {
    const audio = { url: 'https://cdn.example.com/a.mp3', declaredType: 'audio/mpeg' };
    await attachExternalAudio(test.ctx, episode.id, { ...audio, sizeBytes: 1, durationMs: 1000 });
    expect(await rows()).toEqual([]);
  });

  it('a waveform is missing for bytes that cannot be decoded, which are not tried again', async () => {
    await attachBytes(Buffer.alloc(80_000, 7));
    const read = vi.fn();
    await draw(watch(read));
    later(24 * 60);
    await draw(watch(read));
    expect(read).toHaveBeenCalledTimes(1);
    expect(await find()).toBeUndefined();
    expect(await rows()).toEqual([{ attempts: 1, due: false }]);
  });
});

describe('an order', () => {
  it('an order is taken over after its process has ended', async () => {
    await attachTone(test.ctx, episode.id, 2);
    // As if the process ended here.
    const reached = Promise.withResolvers<void>();
    const neverRead = watch(() => {
      reached.resolve();
      return new Promise(() => undefined);
    });
    void draw(neverRead);
    await reached.promise;
    await draw();
    expect(await find()).toBeUndefined();
    later(7);
    await draw();
    expect(await find()).toBeDefined();
  });

  // FAULT-2
  it('an order from before the clock was set back by a day is due at once', async () => {
    const dayMinutes = 24 * 60;
    later(dayMinutes);
    await attachTone(test.ctx, episode.id, 1);
    later(-dayMinutes);
    await draw();
    expect(await find()).toBeDefined();
  });

  it('an order is released at once by a worker that stops', async () => {
    await attachTone(test.ctx, episode.id, 2);
    const stopping = new AbortController();
    const blobs = watch(() => stopping.abort());
    await drawWaveforms({ ...test.ctx, blobs }, stopping.signal);
    expect(await rows()).toEqual([{ attempts: 0, due: true }]);
    await draw();
    expect(await find()).toBeDefined();
  });

  it('an order is not tried again after three failures, until the audio is attached again', async () => {
    await attachTone(test.ctx, episode.id, 2);
    const read = vi.fn(() => {
      throw new Error('the store is away');
    });
    for (let hour = 0; hour < 6; hour += 1) {
      await draw(watch(read));
      later(60);
    }
    expect(read).toHaveBeenCalledTimes(3);
    await attachTone(test.ctx, episode.id, 2);
    await draw();
    expect(await find()).toBeDefined();
  });

  it('an order does not prevent other tasks', async () => {
    await attachBytes(Buffer.alloc(80_000, 7));
    const next = await makeEpisode(test.ctx, show);
    await attachTone(test.ctx, next.id, 2);
    let reads = 0;
    const failing = watch(() => {
      reads += 1;
      if (reads === 1) throw new Error('the store is away');
    });
    await draw(failing);
    expect(await find(next.id)).toBeDefined();
  });
});

describe('accounts take turns', () => {
  const shaOf = async (id: string) => (await findAudio(test.ctx, id))?.sha256 as string;
  /** Each recording has a length of its own, so that no two are equal. */
  let seconds = 1;
  const queue = async (owner: Podcast) => {
    const { id } = await makeEpisode(test.ctx, owner);
    seconds += 1;
    await attachTone(test.ctx, id, seconds);
    later(1);
    return await shaOf(id);
  };
  const claim = () => {
    const now = test.clock.now();
    return claimTask(test.ctx.db, now, new Date(now.getTime() + 3_600_000));
  };

  it('accounts take turns in one queue of all processes: many waveforms do not hold up one of another', async () => {
    const [ana, bo, cy] = await Promise.all([1, 2, 3].map(() => makePodcast(test.ctx)));
    const many = [];
    for (let count = 0; count < 5; count += 1) many.push(await queue(ana!));
    expect(await claim()).toBe(many[0]);
    const one = await queue(bo!);
    expect(await claim()).toBe(one);
    expect(await claim()).toBe(many[1]);
    // Coming again is no advantage to those who wait longer for their turn.
    const [again, first] = [await queue(bo!), await queue(cy!)];
    expect([await claim(), await claim(), await claim()]).toEqual([first, again, many[2]]);
    expect(await queue(cy!)).toBe(await claim());
    expect([await claim(), await claim(), await claim()]).toEqual([many[3], many[4], undefined]);
  });

  it('accounts take turns if one of them is gone', async () => {
    const owner = await makeUser(test.ctx);
    const gone = await queue(await makePodcast(test.ctx, { owner }));
    await test.database.pool.query('update waveforms set account_id = gen_random_uuid()');
    expect(await claim()).toBe(gone);
  });
});

describe('a claim', () => {
  it('reads one row for each waiting account, however many are due', async () => {
    const { pool } = test.database;
    await pool.query(
      `insert into waveforms (sha256, due_at, asked_at, account_id)
       select lpad(to_hex(n), 64, '0'), $1::timestamptz - n * interval '1 s', $1,
         md5((n % 20)::text)::uuid
       from generate_series(1, 20000) n`,
      [test.clock.now()],
    );
    await pool.query('vacuum analyze waveforms');
    await transact(test.ctx, async ({ db }) => {
      const countRead = async () => {
        const { rows } = await sql<{ read: number }>`
          select (seq_tup_read + idx_tup_fetch)::integer as read from pg_stat_xact_user_tables
          where relname = 'waveforms'`.execute(db);
        return rows[0]?.read ?? 0;
      };
      const now = test.clock.now();
      const until = new Date(now.getTime() + 3_600_000);
      const claims = [];
      for (let n = 0; n < 10; n += 1) claims.push(await claimTask(db, now, until));
      // Nobody else has had a turn, so those that wait the longest come first.
      expect(claims).toEqual(claims.map((_, n) => (20_000 - n).toString(16).padStart(64, '0')));
      expect(await countRead()).toBeLessThan(10 * 100);
    });
  });
});

describe('purgeWaveforms', () => {
  it('deletes those of audio that no episode has had for a day', async () => {
    const other = await makeEpisode(test.ctx, show);
    await attachTone(test.ctx, episode.id, 2);
    await attachTone(test.ctx, other.id, 3);
    await draw();
    await deleteEpisode(test.ctx, episode.id);
    await purgeWaveforms(test.ctx);
    expect(await rows()).toHaveLength(2);
    later(25 * 60);
    await purgeWaveforms(test.ctx);
    expect(await rows()).toHaveLength(1);
    expect(await find(other.id)).toBeDefined();
  });
});
