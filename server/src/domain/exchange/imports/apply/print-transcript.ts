import { createHash } from 'node:crypto';
import { createYielder } from '../../../../lib/time-slices.ts';
import type { Segment } from '../../../publishing/transcripts/index.ts';
import { printOf, shortenHash, type ValuePrint } from '../plan/imported-values.ts';

export interface InLanguage {
  readonly language: string;
  readonly segments: readonly Segment[];
}

/**
 * The fingerprint of a transcript: its words and times. The same as `printOf` of [language,
 * [[startMs, endMs, speaker, text], …]], but yields to other tasks.
 */
export async function printTranscript(transcript: InLanguage | undefined): Promise<ValuePrint> {
  if (transcript === undefined) return printOf(undefined);
  const hash = createHash('sha256').update(`[${JSON.stringify(transcript.language)},[`);
  const maybeYield = createYielder();
  let separator = '';
  for (const { startMs, endMs, speaker, text } of transcript.segments) {
    hash.update(separator + JSON.stringify([startMs, endMs, speaker, text]));
    separator = ',';
    await maybeYield();
  }
  return { hash: shortenHash(hash.update(']]').digest('base64url')), isEmpty: false };
}
