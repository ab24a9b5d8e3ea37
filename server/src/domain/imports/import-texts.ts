import { transact } from '../context.ts';
import { getEpisode, updateEpisode } from '../episodes/index.ts';
import {
  type Chapter,
  findChapters,
  findPublishedTranscript,
  formatChaptersJson,
  parseChapters,
  parseTranscript,
  type Segment,
  setChapters,
  setTranscript,
} from '../transcripts/index.ts';
import type { ParsedTranscript } from './feed/parsed-feed.ts';
import { forEachConcurrently } from './for-each-concurrently.ts';
import type { ImportedItem } from './import-items.ts';
import { countPhase, explainFailure, type Failure, type ImportRun } from './import-run.ts';
import { readInlineChapters } from './item-draft.ts';

/**
 * Fetches transcripts and chapters, each time anew: they are corrected after publication more often
 * than anything else, and are small. One that cannot be had is a warning.
 */
export async function importTexts(
  run: ImportRun,
  items: readonly ImportedItem[],
  showLanguage: string,
): Promise<void> {
  const withTexts = items.filter(
    ({ item }) => item.transcripts.length > 0 || item.chapters !== undefined,
  );
  const count = countPhase(run, 'texts', withTexts.length);
  await forEachConcurrently(withTexts, run.limits.concurrentTransfers, async (imported) => {
    await importTranscript(run, imported, showLanguage);
    await importChapters(run, imported);
    count(imported.ref.title ?? undefined);
  });
}

async function importTranscript(
  run: ImportRun,
  imported: ImportedItem,
  showLanguage: string,
): Promise<void> {
  let failure: Failure | undefined;
  for (const link of byUsefulness(imported.item.transcripts)) {
    try {
      return await takeTranscript(run, imported, link, showLanguage);
    } catch (error) {
      failure ??= await explainFailure(run, error);
    }
  }
  if (failure !== undefined) warn(run, imported, 'Its transcript', failure);
}

async function takeTranscript(
  run: ImportRun,
  { key, episodeId, known }: ImportedItem,
  link: ParsedTranscript,
  showLanguage: string,
): Promise<void> {
  const { ctx, limits, transfers, report } = run;
  const published = await findPublishedTranscript(ctx, episodeId);
  // Its makers have withdrawn it: it is theirs, and stays so.
  if (known?.hasTranscript === true && published === undefined) return;
  const text = decodeText(await transfers.bytes(link.url, limits.transcriptBytes));
  const transcript = parseTranscript(text, link.type === undefined ? {} : { type: link.type });
  const language = tryLanguage(transcript.language ?? link.language) ?? showLanguage;
  if (published?.language === language && isSame(published.segments, transcript.segments)) return;
  await transact(ctx, async (tx) => {
    await setTranscript(tx, episodeId, { ...transcript, language });
    // It was public where it comes from.
    const { publishTranscript } = await getEpisode(tx, episodeId);
    if (!publishTranscript) await updateEpisode(tx, episodeId, { publishTranscript: true });
  });
  report.outcome(key, 'updated');
}

async function importChapters(run: ImportRun, imported: ImportedItem): Promise<void> {
  const { chapters: link } = imported.item;
  if (link === undefined) return;
  try {
    const bytes = await run.transfers.bytes(link.url, run.limits.chaptersBytes);
    await keepChapters(run, imported, parseChapters(decodeText(bytes)));
  } catch (error) {
    warn(run, imported, 'Its chapters', await explainFailure(run, error));
    const inline = readInlineChapters(imported.item);
    const isBetter = (await findChapters(run.ctx, imported.episodeId)) === undefined;
    if (inline !== undefined && isBetter) await keepChapters(run, imported, inline);
  }
}

async function keepChapters(
  { ctx, report }: ImportRun,
  { key, episodeId }: ImportedItem,
  chapters: readonly Chapter[],
): Promise<void> {
  const known = (await findChapters(ctx, episodeId)) ?? [];
  if (formatChaptersJson(known) === formatChaptersJson(chapters)) return;
  await setChapters(ctx, episodeId, chapters);
  report.outcome(key, 'updated');
}

/** Captions say exactly when; the rest is better than nothing. */
function byUsefulness(links: readonly ParsedTranscript[]): ParsedTranscript[] {
  const forms = [/vtt/, /srt|subrip/, /json/, /html/];
  const rank = ({ type }: ParsedTranscript): number => {
    const at = forms.findIndex((form) => form.test(type ?? ''));
    return at === -1 ? forms.length : at;
  };
  return links.toSorted((one, other) => rank(one) - rank(other));
}

function isSame(stored: readonly Segment[], found: readonly Segment[]): boolean {
  return (
    stored.length === found.length &&
    stored.every((segment, index) => {
      const other = found[index];
      return (
        segment.startMs === other?.startMs &&
        segment.endMs === other.endMs &&
        segment.speaker === other.speaker &&
        segment.text === other.text
      );
    })
  );
}

/** UTF-8, as it should be, or what it is where it is none. */
function decodeText(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

function tryLanguage(text: string | undefined): string | undefined {
  try {
    return Intl.getCanonicalLocales(text ?? [])[0];
  } catch {
    return undefined;
  }
}

function warn(
  { report }: ImportRun,
  { ref }: ImportedItem,
  what: string,
  { reason, message }: Failure,
): void {
  report.warn({ reason, message: `${what} could not be taken: ${message}` }, ref);
}
