import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createTestContext, type TestContext } from '../../../../test/create-test-context.ts';
import { makeEpisode, makePodcast } from '../../../../test/make.ts';
import { soundFrames } from '../../../../test/make-sound.ts';
import { patience } from '../../../../test/patience.ts';
import { newId } from '../../../lib/uuid.ts';
import { type Context, transact } from '../../foundation/context.ts';
import { DomainError } from '../../foundation/errors.ts';
import { attachStoredAudio, findAudio, type StoredAudio } from '../audio/index.ts';
import type { Podcast } from '../podcasts/index.ts';
import { purgeReplacements } from './cancel-replacement.ts';
import { acceptReplacement, cancelReplacement, proposeReplacement } from './index.ts';

const dayMs = 24 * 3_600_000;

/** One verb has written and not committed when the other one starts. */
describe.skipIf(process.env['TEST_DATABASE'] !== 'postgres')('two decisions at once', () => {
  let test: TestContext;
  let show: Podcast;
  let episodeId: string;
  let stored: string[];
  let deleted: string[];
  let id: string;
  beforeAll(async () => {
    test = await createTestContext();
    show = await makePodcast(test.ctx);
    const { blobs } = test.ctx;
    const remove = blobs.delete.bind(blobs);
    vi.spyOn(blobs, 'delete').mockImplementation(async (key) => {
      deleted.push(key);
      await remove(key);
    });
  });
  afterAll(() => test[Symbol.asyncDispose]());
  beforeEach(async () => {
    [stored, deleted] = [[], []];
    episodeId = (await makeEpisode(test.ctx, show)).id;
    await attachStoredAudio(test.ctx, episodeId, await store());
    id = await proposeReplacement(test.ctx, episodeId, await store());
  });

  async function store(): Promise<StoredAudio> {
    const bytes = Buffer.concat(soundFrames(stored.length + 1, 1));
    const blobKey = `audio/${newId()}.mp3`;
    await test.ctx.blobs.put(blobKey, bytes, 'audio/mpeg');
    stored.push(blobKey);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const file = { contentType: 'audio/mpeg', extension: 'mp3', sizeBytes: bytes.length } as const;
    const facts = { ...file, durationMs: 1000, bitrateBps: 32_000, leadingTagBytes: 0, sha256 };
    return { blobKey, facts };
  }

  const accept = (ctx: Context) =>
    acceptReplacement(ctx, episodeId, { id, moveChapters: false, moveTranscript: false });
  const cancel = (ctx: Context) => cancelReplacement(ctx, episodeId, id);
  const propose = async (ctx: Context) => proposeReplacement(ctx, episodeId, await store());
  const purge = async (ctx: Context) => {
    const later = new Date(ctx.clock.now().getTime() + dayMs);
    await purgeReplacements({ ...ctx, clock: { ...ctx.clock, now: () => later } });
  };

  type Verb = (ctx: Context) => Promise<unknown>;

  /** Starts `late` when `early` is about to commit. Resolves to the refusal of `late`. */
  async function run(early: Verb, late: Verb): Promise<string | undefined> {
    const written = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    const first = transact(test.ctx, async (tx) => {
      await early(tx);
      written.resolve();
      await gate.promise;
    });
    await Promise.race([written.promise, first]);
    let isOver = false;
    const second = late(test.ctx)
      .then(
        () => undefined,
        (error: unknown) => {
          if (error instanceof DomainError) return error.kind;
          throw error;
        },
      )
      .finally(() => {
        isOver = true;
      });
    await vi.waitFor(async () => {
      const { rows } = await test.database.pool.query(
        `select from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock'`,
      );
      expect(isOver || rows.length === 1).toBe(true);
    }, patience);
    gate.resolve();
    await first;
    return await second;
  }

  async function expectFilesOfRows() {
    const { rows } = await test.database.pool.query<{ blob_key: string }>(
      'select blob_key from audio_replacements where episode_id = $1',
      [episodeId],
    );
    const kept = [(await findAudio(test.ctx, episodeId))?.blobKey, ...rows.map((r) => r.blob_key)];
    // Files that no row names any more are left to the sweep.
    const left = stored.filter((key) => !deleted.includes(key));
    expect(left).toEqual(expect.arrayContaining(kept));
    return kept.length;
  }

  it.each<[string, Verb, Verb, string | undefined, number]>([
    ['cancels before another accepts', cancel, accept, 'not_found', 1],
    ['accepts before another cancels', accept, cancel, 'not_found', 1],
    ['proposes before another accepts', propose, accept, 'not_found', 2],
    ['accepts before another proposes', accept, propose, undefined, 2],
    ['proposes before another proposes', propose, propose, undefined, 2],
    ['cancels before another proposes', cancel, propose, undefined, 2],
    ['proposes before another cancels', propose, cancel, 'not_found', 2],
    ['purges before another accepts', purge, accept, 'not_found', 1],
    ['accepts before another purges', accept, purge, undefined, 1],
    ['purges before another proposes', purge, propose, undefined, 2],
    ['accepts before another accepts', accept, accept, 'not_found', 1],
  ])(
    'two decisions at once keep the files of what is there where one %s',
    async (_name, early, late, refusal, files) => {
      expect(await run(early, late)).toBe(refusal);
      expect(await expectFilesOfRows()).toBe(files);
    },
  );
});
