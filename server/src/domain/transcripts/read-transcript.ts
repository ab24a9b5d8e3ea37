import { toPage } from '../../lib/page.ts';
import type { Context } from '../context.ts';
import { notFound } from '../errors.ts';
import { authorize } from '../permissions/index.ts';
import { selectTranscriptPage } from './transcript-page.sql.ts';
import type { TranscriptPage } from './transcript-page.ts';

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
  if (found === undefined) throw notFound('transcript');
  const { segments, ...transcript } = found;
  return { ...transcript, ...toPage(segments, limit, ({ position }) => position) };
}
