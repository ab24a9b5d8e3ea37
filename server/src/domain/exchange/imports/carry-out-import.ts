import { createYielder } from '../../../lib/time-slices.ts';
import { feedUrl, type ShowPlace } from '../../foundation/addresses.ts';
import type { Context, Installation } from '../../foundation/context.ts';
import type { ExtraElement, Podcast } from '../../publishing/podcasts/index.ts';
import { TextReader } from '../../publishing/transcripts/index.ts';
import { AudioList } from './apply/audio-list.ts';
import { importAudio } from './apply/import-audio.ts';
import { importImages } from './apply/import-images.ts';
import { importItems } from './apply/import-items.ts';
import { type ImportedShow, importShow, reportPodcast } from './apply/import-show.ts';
import { importTexts } from './apply/import-texts.ts';
import { firstProgress } from './begin-import.ts';
import type { Import } from './import.ts';
import { type ImportLimits, importLimits } from './import-limits.ts';
import { ImportedPeople, type ImportRun } from './import-run.ts';
import type { LeasedImport } from './lease.ts';
import { selectImportedOf } from './match/known-identities.sql.ts';
import { listItems } from './match/list-items.ts';
import { type MatchedList, matchItems } from './match/match-items.ts';
import { warnOfKnownShow } from './match/recognize-show.ts';
import type { ParsedPodcast } from './read/feed/parsed-feed.ts';
import { prefixesOfFeed } from './read/feed-prefixes.ts';
import { withoutOwnAudio } from './read/own-feed.ts';
import type { ReadFeed } from './read/read-feed.ts';
import { findRedirectedAudio } from './read/redirected-audio.ts';
import { type Delay, Transfers } from './read/transfers.ts';
import type { ImportProgress, ImportReport } from './report/import-report.ts';
import { ReportDraft } from './report/report-draft.ts';
import { reportFeed, reportLeftOutPeople, reportList } from './report/report-feed.ts';

/** Options of an import, whoever starts it. */
export interface ImportOptions {
  /** Ends the work soon: the verb rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: ImportProgress) => void) | undefined;
  readonly limits?: Partial<ImportLimits> | undefined;
  /** For tests: how to wait for pauses. */
  readonly delay?: Delay | undefined;
}

export interface ImportWork
  extends Pick<
    Import,
    'id' | 'createdAt' | 'documents' | 'copyAudio' | 'overwrite' | 'createsPodcast' | 'warnings'
  > {
  readonly podcast: Podcast;
  readonly feed: ReadFeed;
}

/**
 * Runs an import from the beginning, skipping what an earlier run has done. First everything that
 * makes the show readable, then the slow parts.
 */
export async function carryOutImport(
  ctx: Context,
  work: ImportWork,
  leased: LeasedImport,
  options: ImportOptions,
): Promise<ImportReport> {
  const run = await startRun(ctx, work, leased, options);
  const { podcast, createsPodcast } = work;
  for (const { reason, message } of work.warnings) run.report.warn({ reason, message });
  const { differences, ...rest } = await importAllButAudio(run, work);
  await using audio = rest.audio;
  await importAudio(run, audio);
  run.signal.throwIfAborted();
  return run.report.finish({
    importId: work.id,
    nextSteps: nextStepsFor(ctx.installation, podcast, work),
    podcast: reportPodcast(podcast, createsPodcast, differences),
  });
}

interface CopyingImport extends Pick<ImportedShow, 'differences'> {
  readonly audio: AudioList;
}

/**
 * What it returns is all that is left of the items: copying may take a day, in which other imports need the
 * memory and the disk.
 */
async function importAllButAudio(
  run: ImportRun,
  { podcast, feed, createsPodcast }: ImportWork,
): Promise<CopyingImport> {
  const { ctx, importId, limits, signal, onProgress } = run;
  const onWait = () => onProgress({ phase: 'waiting', done: 0, total: undefined });
  await feed.load({ memory: limits.itemMemory, importId, signal, onWait });
  onProgress(firstProgress);
  const list = await matchFeed(run, podcast.id, feed);
  const channel = await channelOf(ctx, feed);
  await reportFeed(run.report, feed, { isNew: createsPodcast, channel });
  reportList(run.report, list);
  if (createsPodcast) {
    const account = { id: podcast.accountId, without: podcast.id };
    await warnOfKnownShow(ctx, run.report, list.items, account);
  }
  const show = await importShow(run, podcast, channel);
  const items = await importItems(run, list.items);
  await importImages(run, { imageUrl: channel.imageUrl, withoutPhoto: show.withoutPhoto }, items);
  await importTexts(run, items, podcast.language);
  reportLeftOutPeople(run.report, run.people);
  const audio = await AudioList.of(run, items);
  run.report.settleAll();
  run.people.forget();
  await feed.unload();
  return { differences: show.differences, audio };
}

/**
 * The first page defines the show. A podcast:trailer that is also an episode is not passed on,
 * because our feed writes one for every trailer.
 */
export async function channelOf(
  { installation }: Pick<Context, 'installation'>,
  feed: ReadFeed,
): Promise<ParsedPodcast> {
  const { podcast } = feed;
  const trailers = new Set<string>();
  const maybeYield = createYielder();
  for (const { episodeType, enclosure } of feed.items) {
    if (episodeType === 'trailer' && enclosure !== undefined) trailers.add(enclosure.url);
    await maybeYield();
  }
  const isOwn = ({ name, attributes }: ExtraElement) =>
    name.toLowerCase() === 'podcast:trailer' &&
    attributes.some(([key, value]) => key === 'url' && trailers.has(value.trim()));
  const extraElements = podcast.extraElements.filter((element) => !isOwn(element));
  const enclosurePrefixes = prefixesOfFeed(feed, installation.redirectTable);
  return { ...podcast, extraElements, enclosurePrefixes };
}

export interface ListRules {
  readonly ctx: Context;
  readonly copyAudio: boolean;
  readonly transfers: Transfers;
}

/** The feed's items and their episodes here. */
export async function matchFeed(
  rules: ListRules,
  podcastId: string | undefined,
  feed: Pick<ReadFeed, 'items' | 'problems'>,
): Promise<MatchedList> {
  const { ctx, copyAudio } = rules;
  const listed = await listItems(feed, ctx.installation.redirectTable);
  // Copied audio is checked when it is fetched.
  const list = await withoutOwnAudio(ctx, listed, async (items) =>
    copyAudio ? new Set() : await findRedirectedAudio(rules, items),
  );
  return await matchItems(ctx, podcastId, list);
}

export function limitsOf({ limits }: ImportOptions): ImportLimits {
  return { ...importLimits, ...limits };
}

async function startRun(
  ctx: Context,
  work: ImportWork,
  leased: LeasedImport,
  options: ImportOptions,
): Promise<ImportRun> {
  const imported = await selectImportedOf(ctx.db, work.podcast.id);
  const showRules = { imported, overwrite: work.overwrite };
  const limits = limitsOf(options);
  const { signal } = leased;
  return {
    ctx,
    importId: work.id,
    documents: work.documents,
    feed: work.feed,
    podcastId: work.podcast.id,
    startedAt: work.createdAt,
    copyAudio: work.copyAudio,
    overwrite: work.overwrite,
    showRules,
    people: new ImportedPeople(showRules),
    limits,
    texts: new TextReader(ctx, signal),
    transfers: new Transfers(ctx, limits, signal, options.delay),
    report: new ReportDraft(limits),
    signal,
    onProgress: (progress) => {
      leased.note(progress);
      options.onProgress?.(progress);
    },
  };
}

/** The steps to take at the old host, in order. */
function nextStepsFor(
  hosts: Installation,
  show: ShowPlace,
  options: { readonly copyAudio: boolean },
): string[] {
  const feed = feedUrl(hosts, show);
  const audio =
    'The audio is still at the old host. Import the show again with its audio before you close the account there.';
  return [
    ...(options.copyAudio ? [] : [audio]),
    `Redirect the old feed with status 301 to ${feed}.`,
    `If the old host cannot do that, add <itunes:new-feed-url>${feed}</itunes:new-feed-url> to the old feed.`,
    'Keep the redirect and the old account for at least four weeks.',
    `Enter the new URL in directories that do not follow redirects: ${feed}.`,
  ];
}
