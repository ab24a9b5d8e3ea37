import { type Context, transact } from '../context.ts';
import { getEpisode } from '../episodes/index.ts';
import {
  type AudioFacts,
  attachStoredAudio,
  proposeReplacement,
  readAudioFacts,
  storeAndCommit,
  storeAudioBlob,
} from '../media/index.ts';
import { authorize } from '../permissions/index.ts';
import { sayRefusal } from '../refusals.ts';
import { type Expectation, revise } from '../revisions/index.ts';
import {
  claimFinished,
  type FinishedUpload,
  type Revised,
  type SentFile,
} from './claim-finished.ts';

/**
 * Makes an uploaded file the episode's audio. Resolves to what was found in it. Throws, and removes
 * the file, if it is no audio or not what its sender has sent.
 */
export async function useAudioUpload(
  ctx: Context,
  { episodeId, ...sent }: SentFile & { readonly episodeId: string },
  expectation?: Expectation,
): Promise<AudioFacts & Revised> {
  const { podcastId } = await authorize(ctx, 'episode.edit', { episodeId });
  // Before a large file is read, too.
  await transact(ctx, (tx) => revise(tx, { episodeId }, [], expectation));
  const use = { ...sent, purpose: 'audio', podcastId, episodeId } as const;
  await using finished = await claimFinished(ctx, use);
  const facts = await checkAudio(ctx, finished);
  const revision = await storeAndCommit(
    ctx,
    (storing) => storeAudioBlob(storing, finished.key, facts),
    async (tx, stored) => {
      await attachStoredAudio(tx, episodeId, stored, expectation);
      await finished.markUsed(tx);
      return (await getEpisode(tx, episodeId)).revision;
    },
  );
  await finished.removeFile();
  return { ...facts, revision };
}

/**
 * Keeps an uploaded file beside the episode's audio, to be compared with it. Throws, and removes the
 * file, if it is no audio or not what its sender has sent.
 */
export async function proposeAudioUpload(
  ctx: Context,
  { episodeId, uploadId }: { readonly episodeId: string; readonly uploadId: string },
): Promise<void> {
  const { podcastId } = await authorize(ctx, 'episode.edit', { episodeId });
  const use = { uploadId, purpose: 'audio', podcastId, episodeId } as const;
  await using finished = await claimFinished(ctx, use);
  const facts = await checkAudio(ctx, finished);
  await storeAndCommit(
    ctx,
    (storing) => storeAudioBlob(storing, finished.key, facts),
    async (tx, stored) => {
      await proposeReplacement(tx, episodeId, stored);
      await finished.markUsed(tx);
    },
  );
  await finished.removeFile();
}

/** Reads the whole file: what it holds, and whether all of it is as it was sent. */
async function checkAudio(ctx: Context, finished: FinishedUpload): Promise<AudioFacts> {
  const { key, sha256 } = finished;
  const facts = await finished.check(() => ctx.blobs.withFile(key, readAudioFacts));
  if (sha256 === null || sha256 === facts.sha256) return facts;
  throw await finished.refuse(sayRefusal('file_damaged'), 'checksum');
}
