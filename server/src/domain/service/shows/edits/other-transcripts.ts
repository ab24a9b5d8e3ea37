import { tryParseLanguage } from '../../../../lib/language.ts';
import type { Context } from '../../../foundation/context.ts';
import { invalid } from '../../../foundation/errors.ts';
import {
  setFurtherTranscripts,
  type Transcript,
  TranscriptError,
} from '../../../publishing/transcripts/index.ts';
import { readTranscript, type SeedFolder } from './named-files.ts';
import type { OtherTranscriptEntry } from './schema-parts.ts';

export type OtherTranscript = Transcript & { readonly language: string };

/** Reads transcripts in other languages, in canonical spelling. */
export async function readOtherTranscripts(
  ctx: Context,
  folder: SeedFolder,
  entries: readonly OtherTranscriptEntry[],
): Promise<OtherTranscript[]> {
  const read: OtherTranscript[] = [];
  for (const entry of entries) {
    const language = tryParseLanguage(entry.language) ?? entry.language;
    read.push(await readTranscript(ctx, folder, { ...entry, language }, language));
  }
  return read;
}

/** Replaces the episode's transcripts in other languages. */
export async function setOtherTranscripts(
  tx: Context,
  episodeId: string,
  transcripts: readonly OtherTranscript[],
): Promise<void> {
  try {
    await setFurtherTranscripts(tx, episodeId, transcripts);
  } catch (error) {
    if (!(error instanceof TranscriptError)) throw error;
    throw invalid('other_transcripts', error.message);
  }
}
