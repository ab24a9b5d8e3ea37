import { type Page, toPage } from '../../lib/page.ts';
import type { Context } from '../context.ts';
import { notFound } from '../errors.ts';
import { selectTranscriptPage } from './transcript.sql.ts';

export interface TranscriptSegment {
  /** Place in the transcript, from 0. */
  readonly position: number;
  readonly startMs: number;
  readonly endMs: number;
  /** Empty where nobody is named. */
  readonly speaker: string;
  readonly text: string;
}

export interface TranscriptPage extends Page<TranscriptSegment, number> {
  /** BCP 47. */
  readonly language: string;
  readonly wordCount: number;
  readonly durationMs: number;
  readonly segmentCount: number;
}

/** Whether it is published or not. Throws not_found for an episode without a transcript. */
export async function readTranscriptPage(
  ctx: Context,
  episodeId: string,
  query: { readonly after: number | undefined; readonly limit: number },
): Promise<TranscriptPage> {
  const { after = -1, limit } = query;
  const found = await selectTranscriptPage(ctx.db, episodeId, { after, limit: limit + 1 });
  if (found === undefined) throw notFound('transcript');
  const { segments, ...transcript } = found;
  return { ...transcript, ...toPage(segments, limit, ({ position }) => position) };
}
