import type { Context } from '../../foundation/context.ts';
import { type SegmentsAround, selectSegmentsAround } from './quotes.sql.ts';

/** A sentence of a transcript. */
export interface Quote {
  /** Empty if unknown. */
  readonly speaker: string;
  readonly text: string;
}

/** After what was said last. Then there is music, or nothing. */
const longestSilenceMs = 10_000;
/** A sentence has no more, before and after its middle. */
const mostChars = 1_000;

/** The sentence that is said at this second, by the published transcript with times. */
export async function findQuote(
  ctx: Context,
  episodeId: string,
  second: number,
): Promise<Quote | undefined> {
  // Links to a segment name its second, so that may begin within it.
  const around = await selectSegmentsAround(ctx.db, episodeId, (second + 1) * 1000);
  return around && sentenceAt(around, second * 1000);
}

const sentences = new Intl.Segmenter('en', { granularity: 'sentence' });

/** The sentence at this time, from as many segments of its speaker as it needs. */
export function sentenceAt({ segments, index }: SegmentsAround, ms: number): Quote | undefined {
  const segment = segments[index];
  if (segment === undefined || ms > segment.endMs + longestSilenceMs) return undefined;
  const { speaker, startMs, endMs } = segment;
  const before = segments.slice(0, index);
  const own = before.slice(before.findLastIndex((one) => one.speaker !== speaker) + 1);
  const after = segments.slice(index + 1);
  const end = after.findIndex((one) => one.speaker !== speaker);
  const start = own.map(({ text }) => `${text} `).join('');
  const rest = end === -1 ? after : after.slice(0, end);
  const text = [start + segment.text, ...rest.map((one) => one.text)].join(' ');
  // Within a segment, everybody speaks evenly.
  const share = Math.min(Math.max(0, ms - startMs) / Math.max(1, endMs - startMs), 1);
  const at = start.length + Math.floor(share * (segment.text.length - 1));
  const from = Math.max(0, at - mostChars);
  const near = text.slice(from, at + mostChars).toWellFormed();
  const found =
    sentences
      .segment(near)
      .containing(at - from)
      ?.segment.trim() ?? '';
  return found === '' ? undefined : { speaker, text: found };
}
