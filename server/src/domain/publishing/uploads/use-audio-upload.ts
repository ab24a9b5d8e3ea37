import { type Context, transact } from '../../foundation/context.ts';
import { authorize } from '../../foundation/permissions/index.ts';
import { sayRefusal } from '../../foundation/refusals.ts';
import { type Expectation, revise } from '../../foundation/revisions/index.ts';
import {
  type AudioFacts,
  attachStoredAudio,
  readAudioFacts,
  storeAudioBlob,
  takeFileChapters,
} from '../audio/index.ts';
import { getEpisode } from '../episodes/index.ts';
import { proposeReplacement } from '../replacements/index.ts';
import {
  claimFinished,
  type FinishedUpload,
  type Revised,
  type SentFile,
} from './claim-finished.ts';

/**
 * Makes an uploaded file the episode's audio. Its chapters become the episode's, if that has none.
 * Resolves to its facts. Throws, and removes the file,
 * if it is not audio or has another hash than the sender's.
 */
export async function useAudioUpload(
  ctx: Context,
  { episodeId, ...sent }: SentFile & { readonly episodeId: string },
  expectation?: Expectation,
): Promise<AudioFacts & Revised> {
  const { podcastId } = await authorize(ctx, 'episode.edit', { episodeId });
  // Checked here too, before a large file is read.
  await transact(ctx, (tx) => revise(tx, { episodeId }, [], expectation));
  const use = { ...sent, purpose: 'audio', podcastId, episodeId } as const;
  await using finished = await claimFinished(ctx, use);
  const facts = await checkAudio(ctx, finished);
  const revision = await finished.use(
    (storing) => storeAudioBlob(storing, finished.key, facts),
    async (tx, stored) => {
      await attachStoredAudio(tx, episodeId, stored, { ...expectation, isReserved: true });
      return (await getEpisode(tx, episodeId)).revision;
    },
  );
  const taken = await takeFileChapters(ctx, episodeId);
  if (taken.length > 0) return { ...facts, revision: (await getEpisode(ctx, episodeId)).revision };
  return { ...facts, revision };
}

/**
 * Proposes an uploaded file as a replacement of the episode's audio. Throws, and removes the file,
 * if it is not audio or has another hash than the sender's.
 */
export async function proposeAudioUpload(
  ctx: Context,
  { episodeId, uploadId }: { readonly episodeId: string; readonly uploadId: string },
): Promise<void> {
  const { podcastId } = await authorize(ctx, 'episode.edit', { episodeId });
  const use = { uploadId, purpose: 'audio', podcastId, episodeId } as const;
  await using finished = await claimFinished(ctx, use);
  const facts = await checkAudio(ctx, finished);
  await finished.use(
    (storing) => storeAudioBlob(storing, finished.key, facts),
    (tx, stored) => proposeReplacement(tx, episodeId, stored),
  );
}

/** Reads the whole file for its facts, and compares its hash. */
async function checkAudio(ctx: Context, finished: FinishedUpload): Promise<AudioFacts> {
  const { key, sha256 } = finished;
  const facts = await finished.check(() =>
    ctx.blobs.withFile(key, (path) => readAudioFacts(ctx, path)),
  );
  if (sha256 === null || sha256 === facts.sha256) return facts;
  throw await finished.refuse(sayRefusal('file_damaged'), 'checksum');
}
