import { type Context, transact } from '../../foundation/context.ts';
import { DomainError, invalid, notFound } from '../../foundation/errors.ts';
import { takeRewrite } from '../../foundation/long-writes.ts';
import { authorize } from '../../foundation/permissions/index.ts';
import { sayRefusal } from '../../foundation/refusals.ts';
import { type Expectation, revise } from '../../foundation/revisions/index.ts';
import { type AudioFacts, attachStoredAudio, findAudio } from '../audio/index.ts';
import { changeSegments, findChapters, removeChapters, setChapters } from '../transcripts/index.ts';
import type { MatchedPart } from './alignment/align-audio.ts';
import { moveChapters } from './move-chapters.ts';
import { SegmentMover } from './move-transcript.ts';
import type { Replacement } from './replacement.ts';
import { deleteReplacement, selectEpisodeRevision, selectReplacement } from './replacements.sql.ts';

export interface Acceptance extends Expectation {
  readonly id: string;
  readonly moveChapters: boolean;
  readonly moveTranscript: boolean;
}

/**
 * Makes the proposed audio the episode's, and moves chapters and transcripts with it, all or
 * nothing. Throws precondition_failed if the episode is not at the expected revision or has other
 * audio meanwhile, not_found if the proposal is gone or has expired. Resolves to the episode's
 * revision.
 */
export async function acceptReplacement(
  ctx: Context,
  episodeId: string,
  acceptance: Acceptance,
): Promise<number> {
  await authorize(ctx, 'episode.edit', { episodeId });
  using _turn = acceptance.moveTranscript ? await takeRewrite(ctx, episodeId) : undefined;
  return await transact(ctx, async (tx) => {
    await authorize(tx, 'episode.edit', { episodeId });
    await revise(tx, { episodeId }, ['audio'], acceptance);
    const replacement = await selectReplacement(tx.db, episodeId, ctx.clock.now());
    if (replacement?.id !== acceptance.id.toLowerCase()) throw notFound('replacement');
    const oldDurationMs = await requireSameAudio(tx, replacement);
    const { parts } = replacement;
    if (parts === null && (acceptance.moveChapters || acceptance.moveTranscript)) {
      throw invalid('move_chapters', sayRefusal('not_aligned'), 'not_aligned');
    }
    // The request that deletes the row owns its file, which here becomes the episode's.
    const blobKey = await deleteReplacement(tx.db, episodeId, replacement.id);
    if (blobKey === undefined) throw notFound('replacement');
    const audio = { blobKey, facts: factsOf(replacement) };
    await attachStoredAudio(tx, episodeId, audio, { isReserved: true });
    if (acceptance.moveChapters) await moveOwnChapters(tx, episodeId, parts ?? [], oldDurationMs);
    if (acceptance.moveTranscript) await moveOwnTranscripts(tx, episodeId, parts ?? []);
    return await selectEpisodeRevision(tx.db, episodeId);
  });
}

/** Refuses if the old audio is another one than the compared one. Resolves to its duration. */
async function requireSameAudio(tx: Context, replacement: Replacement): Promise<number> {
  const { episodeId, replacesSha256 } = replacement;
  const present = await findAudio(tx, episodeId);
  if (present?.sha256 === replacesSha256) return present.durationMs ?? 0;
  const message = "The episode's audio has changed. Propose the replacement again.";
  throw new DomainError('precondition_failed', message, {
    details: [{ field: 'audio', message, reason: 'changed' }],
  });
}

async function moveOwnChapters(
  tx: Context,
  episodeId: string,
  parts: readonly MatchedPart[],
  oldDurationMs: number,
): Promise<void> {
  const before = await findChapters(tx, episodeId);
  if (before === undefined) return;
  const { chapters } = moveChapters(before, parts, oldDurationMs);
  if (chapters.length === 0) await removeChapters(tx, episodeId);
  else await setChapters(tx, episodeId, chapters);
}

async function moveOwnTranscripts(
  tx: Context,
  episodeId: string,
  parts: readonly MatchedPart[],
): Promise<void> {
  await changeSegments(tx, episodeId, () => {
    const mover = new SegmentMover(parts);
    return (some) => mover.move(some).segments;
  });
}

function factsOf(replacement: Replacement): AudioFacts {
  const { sizeBytes, durationMs, bitrateBps, leadingTagBytes, sha256 } = replacement;
  const { contentType, extension } = replacement as Pick<AudioFacts, 'contentType' | 'extension'>;
  return { contentType, extension, sizeBytes, durationMs, bitrateBps, leadingTagBytes, sha256 };
}
