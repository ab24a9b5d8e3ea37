import { createHash } from 'node:crypto';
import {
  attachStoredAudio,
  drawWaveformsJob,
  type StoredAudio,
} from '../../server/src/domain/publishing/audio/index.ts';
import { type Episode, updateEpisode } from '../../server/src/domain/publishing/episodes/index.ts';
import {
  type Segment,
  setChapters,
  setTranscript,
} from '../../server/src/domain/publishing/transcripts/index.ts';
import { newId } from '../../server/src/lib/uuid.ts';
import type { TestApp } from '../../server/test/create-test-app.ts';
import { soundFrameMs } from '../../server/test/make-sound.ts';

/** Frames of `soundFrames` as a file in the store. */
async function storeSound({ ctx }: TestApp, frames: readonly Buffer[]): Promise<StoredAudio> {
  const bytes = Buffer.concat(frames);
  const blobKey = `audio/${newId()}.mp3`;
  await ctx.blobs.put(blobKey, bytes, 'audio/mpeg');
  return {
    blobKey,
    facts: {
      contentType: 'audio/mpeg',
      extension: 'mp3',
      sizeBytes: bytes.length,
      durationMs: frames.length * soundFrameMs,
      bitrateBps: 32_000,
      leadingTagBytes: 0,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    },
  };
}

const words = 'So the river was high that night and nobody in the village slept very well'.split(
  ' ',
);

export function makeSegments(count: number, lengthMs: number): Segment[] {
  return Array.from({ length: count }, (_, index) => ({
    startMs: index * lengthMs,
    endMs: (index + 1) * lengthMs,
    speaker: index % 3 === 0 ? 'Ana Torres' : 'Bo Lindqvist',
    text: `Number ${index}: ${words.slice(0, 4 + (index % 11)).join(' ')}.`,
  }));
}

/** An episode with this sound, its waveform, three chapters and a transcript. */
export async function record(
  app: TestApp,
  episode: Episode,
  frames: readonly Buffer[],
  segments: readonly Segment[],
): Promise<void> {
  const { ctx } = app;
  await updateEpisode(ctx, episode.id, { title: 'The river' });
  await attachStoredAudio(ctx, episode.id, await storeSound(app, frames));
  await drawWaveformsJob.run(
    ctx,
    {},
    { signal: new AbortController().signal, enqueue: async () => undefined },
  );
  await setChapters(ctx, episode.id, [
    { startMs: 0, title: 'Welcome' },
    { startMs: 25_000, title: 'The flood', linkUrl: 'https://example.com/flood' },
    { startMs: 45_000, title: 'What came after' },
  ]);
  await setTranscript(ctx, episode.id, {
    language: 'en',
    segments,
    wordCount: segments.length * 10,
    durationMs: segments.at(-1)?.endMs ?? 0,
  });
}
