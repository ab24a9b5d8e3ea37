import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/create-test-app.ts';
import { makeEpisode, makePodcast } from '../../../test/make.ts';
import { archiveEpisode } from '../../domain/publishing/episodes/index.ts';
import { setChapters, setTranscript } from '../../domain/publishing/transcripts/index.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterEach(() => {
  vi.restoreAllMocks();
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
});

/** Runs `act` when a request confirms for the first, second or later time that caches are fresh. */
function atConfirmation(at: number, act: () => Promise<unknown>): void {
  const { freshness } = app.ctx.announcements;
  const confirm = freshness.confirm.bind(freshness);
  let confirmations = 0;
  vi.spyOn(freshness, 'isConfirmed').mockReturnValue(false);
  vi.spyOn(freshness, 'confirm').mockImplementation(async () => {
    confirmations += 1;
    if (confirmations === at) await act();
    await confirm();
  });
}

describe.each(['transcripts', 'chapters'])('files in /%s', (folder) => {
  it.each([1, 2, 3])(
    'no file is kept if its episode is archived at confirmation %d of the request',
    async (at) => {
      const { ctx, request } = app;
      const podcast = await makePodcast(ctx);
      const { id } = await makeEpisode(ctx, podcast, { publishTranscript: true });
      const segments = [{ startMs: 0, endMs: 900, speaker: '', text: 'Spoken.' }];
      const transcript = {
        language: 'en',
        hasTimes: true,
        segments,
        wordCount: 1,
        durationMs: 900,
      };
      await setTranscript(ctx, id, transcript);
      await setChapters(ctx, id, [{ startMs: 0, title: 'Start' }]);
      const url = `/${folder}/${id}.json`;
      const archive = () => archiveEpisode(ctx, id);
      atConfirmation(at, archive);
      await request({ url });
      vi.restoreAllMocks();
      await archive().catch(() => undefined);
      expect((await request({ url })).statusCode).toBe(404);
    },
  );
});
