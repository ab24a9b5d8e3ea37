import { tryParseLanguage } from '../../../../lib/language.ts';
import type { Context } from '../../../foundation/context.ts';
import { takeLongWrite } from '../../../foundation/long-writes.ts';
import { getEpisode, updateEpisode } from '../../../publishing/episodes/index.ts';
import {
  countSegmentBytes,
  describeLeftOut,
  findPublishedLanguage,
  findPublishedTranscript,
  type LeftOut,
  setFurtherTranscript,
  setTranscript,
  type Transcript,
} from '../../../publishing/transcripts/index.ts';
import { explainFailure, type ImportRun } from '../import-run.ts';
import { mergeImported } from '../match/known-identities.sql.ts';
import { describeOwnTranscript, describeSourceTranscript } from '../plan/describe-parts.ts';
import { groupTranscripts, type TranscriptGroup } from '../plan/group-transcripts.ts';
import { hashValue } from '../plan/imported-values.ts';
import type { ParsedTranscript } from '../read/feed/parsed-feed.ts';
import type { WholeImportedItem } from './import-items.ts';
import { type EpisodePart, mergePart } from './merge-part.ts';
import { type InLanguage, printTranscript } from './print-transcript.ts';

/** Fetches an item's transcripts in all languages. A failure is a warning. */
export async function importTranscripts(
  run: ImportRun,
  imported: WholeImportedItem,
  showLanguage: string,
): Promise<void> {
  const { groups } = groupTranscripts(imported.item.transcripts, showLanguage);
  const isOnly = groups.length === 1;
  const published = await findPublishedLanguage(run.ctx, imported.episodeId);
  // It was unpublished here, so it stays unpublished.
  if (imported.known?.hasTranscript === true && published === undefined) return;
  let tried = 0;
  for (const group of groups) {
    tried += 1;
    const isTaken = await takeFirst(run, imported, group, { isOnly });
    // The next import may find another language; what was the first transcript once stays the
    // first.
    if (isTaken || imported.known?.imported?.['transcript'] !== undefined) break;
  }
  await takeFurther(run, imported, groups.slice(tried));
}

/** Whether it was stored. */
function takeFirst(
  run: ImportRun,
  imported: WholeImportedItem,
  group: TranscriptGroup,
  { isOnly }: { readonly isOnly: boolean },
): Promise<boolean> {
  const { episodeId } = imported;
  return tryForms(run, imported, group, isOnly, async (read, link) => {
    // With several transcripts, the feed's language applies; with one, the file's.
    const said = isOnly ? [read.language, link.language] : [link.language, read.language];
    const [language = group.language] = said.flatMap((text) => tryParseLanguage(text) ?? []);
    const here = await findPublishedTranscript(run.ctx, episodeId);
    const transcript = { ...read, language };
    const part = await compareTranscripts('transcript', here, transcript, link);
    using _turn = await takeTurnFor(run, part, transcript);
    await mergePart(run, imported, part, async (tx) => {
      await setTranscript(tx, episodeId, transcript);
      await purgeFurther(tx, imported, language);
      // It was public at its source.
      const { publishTranscript } = await getEpisode(tx, episodeId);
      if (!publishTranscript) await updateEpisode(tx, episodeId, { publishTranscript: true });
    });
  });
}

/** It was not deleted here: if the feed names it as another language again, it returns. */
async function purgeFurther(
  tx: Context,
  { episodeId, known }: WholeImportedItem,
  language: string,
): Promise<void> {
  const field = furtherField(language);
  if (known?.imported?.[field] === undefined) return;
  await mergeImported(tx.db, 'episodes', episodeId, { [field]: hashValue(undefined) });
}

async function takeFurther(
  run: ImportRun,
  imported: WholeImportedItem,
  groups: readonly TranscriptGroup[],
): Promise<void> {
  if (groups.length === 0) return;
  const { episodeId } = imported;
  const first = (await findPublishedLanguage(run.ctx, episodeId))?.toLowerCase();
  if (first === undefined) return;
  for (const group of groups) {
    const { language } = group;
    // Already stored as the first.
    if (first === language.toLowerCase()) continue;
    await tryForms(run, imported, group, false, async (read, link) => {
      const here = await findPublishedTranscript(run.ctx, episodeId, language);
      const transcript = { ...read, language };
      const part = await compareTranscripts(furtherField(language), here, transcript, link);
      using _turn = await takeTurnFor(run, part, transcript);
      await mergePart(run, imported, part, (tx) => setFurtherTranscript(tx, episodeId, transcript));
    });
  }
}

/**
 * A transcript that is the same here is not written. It counts as not in memory, which is limited by how many
 * imports run: nobody else should be refused for its sake.
 */
async function takeTurnFor(
  { ctx, signal }: ImportRun,
  { here, source }: EpisodePart,
  { segments }: Transcript,
): Promise<Disposable | undefined> {
  if (here.hash === source.hash) return undefined;
  return await takeLongWrite(ctx, { bytes: countSegmentBytes(segments), step: signal });
}

export const furtherField = (language: string): string => `transcript.${language}`;

/** Tries the formats in order until one works. Returns whether one did. */
async function tryForms(
  run: ImportRun,
  imported: WholeImportedItem,
  { language, links }: TranscriptGroup,
  isOnly: boolean,
  take: (transcript: Transcript, link: ParsedTranscript) => Promise<void>,
): Promise<boolean> {
  let failure: { readonly reason: string; readonly message: string } | undefined;
  for (const link of links) {
    try {
      const bytes = await run.transfers.bytes(link.url, run.limits.transcriptBytes);
      const transcript = await run.texts.transcript(bytes, link.type);
      await take(transcript, link);
      warnOfLeftOut(run, imported, 'Its transcript is not complete', transcript.leftOut);
      return true;
    } catch (error) {
      failure ??= await explainFailure(run, error);
    }
  }
  if (failure !== undefined) {
    const what = isOnly ? 'Its transcript' : `Its transcript in the language ${language}`;
    const message = `${what} could not be imported: ${failure.message}`;
    run.report.warn({ reason: failure.reason, message }, imported.ref);
  }
  return false;
}

export function warnOfLeftOut(
  run: ImportRun,
  { ref }: WholeImportedItem,
  what: string,
  leftOut: LeftOut | undefined,
): void {
  if (leftOut === undefined || leftOut.count === 0) return;
  const message = `${what}: ${describeLeftOut(leftOut)}`;
  run.report.warn({ reason: 'parts_left_out', message }, ref);
}

async function compareTranscripts(
  field: string,
  here: InLanguage | undefined,
  source: InLanguage,
  { url }: ParsedTranscript,
): Promise<EpisodePart> {
  return {
    field,
    here: await printTranscript(here),
    source: await printTranscript(source),
    words: () => ({
      here: describeOwnTranscript(here),
      source: describeSourceTranscript(source.language, url),
    }),
  };
}
