import { toPage } from '../../../lib/list-page.ts';
import type { Context } from '../../foundation/context.ts';
import { requireFound } from '../../foundation/errors.ts';
import { authorize } from '../../foundation/permissions/index.ts';
import { getRevision } from '../../foundation/revisions/index.ts';
import type { Chapter } from './chapter.ts';
import type { TranscriptPage } from './transcript.ts';
import { selectTranscriptPage } from './transcript-page.sql.ts';
import { selectChapters } from './transcripts.sql.ts';

/**
 * Reads a page of the transcript, published or not. Throws not_found for an episode without a
 * transcript.
 */
export async function readTranscriptPage(
  ctx: Context,
  episodeId: string,
  query: { readonly after: number | undefined; readonly limit: number },
): Promise<TranscriptPage> {
  await authorize(ctx, 'transcript.read', { episodeId });
  const { after = -1, limit } = query;
  const found = await selectTranscriptPage(ctx.db, episodeId, { after, limit: limit + 1 });
  const { segments, ...transcript } = requireFound(found, 'transcript');
  return { ...transcript, ...toPage(segments, limit, ({ position }) => position) };
}

/** Reads the chapters of an episode for a member, with the episode's revision. */
export async function readChapters(
  ctx: Context,
  episodeId: string,
): Promise<{ readonly chapters: readonly Chapter[]; readonly revision: number }> {
  await authorize(ctx, 'episodes.read', { episodeId });
  const revision = await getRevision(ctx, { episodeId });
  return { chapters: (await selectChapters(ctx.db, episodeId)) ?? [], revision };
}
