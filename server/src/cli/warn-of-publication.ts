import type { Context } from '../domain/foundation/context.ts';
import { findAudio } from '../domain/publishing/audio/index.ts';
import type { Episode } from '../domain/publishing/episodes/index.ts';
import { findTranscriptFacts } from '../domain/publishing/transcripts/index.ts';
import { type CommandIo, printLine } from './command-io.ts';

/** Nothing else shows that the transcripts of a public episode are not public. */
export async function warnOfPrivateTranscripts(
  ctx: Context,
  io: Pick<CommandIo, 'stderr'>,
  { id, publishTranscript }: Pick<Episode, 'id' | 'publishTranscript'>,
): Promise<void> {
  if (publishTranscript || (await findTranscriptFacts(ctx, id)) === undefined) return;
  const command = `episode set ${id} publish_transcript=true`;
  printLine(io, `The transcripts of this episode are not public. To publish them: ${command}`);
}

/** The app asks before such a publication; scripts must not wait for an answer. */
export async function warnOfMissingAudio(
  ctx: Context,
  io: Pick<CommandIo, 'stderr'>,
  { id, status }: Pick<Episode, 'id' | 'status'>,
): Promise<void> {
  if (status !== 'published' && status !== 'scheduled') return;
  if ((await findAudio(ctx, id)) !== undefined) return;
  const verb = status === 'published' ? 'is' : 'will be';
  printLine(
    io,
    `This episode has no audio: it ${verb} public on its page and in the API, but not in the feed.`,
  );
}
