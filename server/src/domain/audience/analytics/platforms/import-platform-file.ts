import { newId } from '../../../../lib/uuid.ts';
import { type Context, transact } from '../../../foundation/context.ts';
import { DomainError, invalid, notFound } from '../../../foundation/errors.ts';
import { authorize, type Grant } from '../../../foundation/permissions/index.ts';
import { sayRefusal } from '../../../foundation/refusals.ts';
import { findPodcast, lockPodcast } from '../../../publishing/podcasts/index.ts';
import { matchEntries } from './match-entries.ts';
import type { PlatformFile, PlatformShow, PlatformSource } from './platform-figures.ts';
import {
  insertPlatformEpisodes,
  type NewPlatformEpisode,
  type ReplacedPlatformImport,
  replacePlatformImport,
  selectMatchableEpisodes,
} from './platforms.sql.ts';
import { readPlatformUpload } from './read-platform-upload.ts';

export interface PlatformImportReport {
  readonly podcastId: string;
  readonly source: PlatformSource;
  readonly importedAt: Date;
  /** Rows of data in the file. */
  readonly rows: number;
  /** Episodes of the file that were found here. */
  readonly matched: number;
  /** The titles of the others. */
  readonly unmatched: readonly string[];
  /** The import of the same source that is gone; undefined: there was none. */
  readonly replaced: ReplacedPlatformImport | undefined;
}

interface PlatformFileInput {
  readonly podcastId: string;
  readonly source: PlatformSource;
  readonly file: AsyncIterable<Uint8Array>;
}

/** Refuses what `importPlatformFile` would refuse, and changes nothing. */
export async function checkPlatformFile(ctx: Context, input: PlatformFileInput): Promise<void> {
  const { podcastId } = input;
  requirePlan(await authorize(ctx, 'platforms.import', { podcastId }));
  await matchShow(ctx, podcastId, await readPlatformUpload(ctx, input.source, input.file));
}

/**
 * Imports a CSV export of Apple Podcasts Connect or Spotify for Creators, in place of the last one
 * of its source. Refuses a file that is neither, and then changes nothing. The file is read before
 * the transaction begins.
 */
export async function importPlatformFile(
  ctx: Context,
  input: PlatformFileInput,
): Promise<PlatformImportReport> {
  const { podcastId, source } = input;
  requirePlan(await authorize(ctx, 'platforms.import', { podcastId }));
  const file = await readPlatformUpload(ctx, source, input.file);
  return transact(ctx, async (tx) => {
    if ((await lockPodcast(tx.db, podcastId)) === undefined) throw notFound('podcast');
    const { show, matches } = await matchShow(tx, podcastId, file);
    const id = newId();
    const importedAt = tx.clock.now();
    const { showMetrics } = show;
    const replaced = await replacePlatformImport(tx.db, {
      ...{ id, podcastId, source, importedAt, showMetrics },
      asOf: file.asOf,
    });
    const episodes = show.entries.map(
      (entry, position): NewPlatformEpisode => ({
        position,
        episodeId: matches.get(entry) ?? null,
        title: entry.title,
        metrics: entry.metrics,
      }),
    );
    await insertInParts(tx, id, episodes);
    const unmatched = show.entries.filter((entry) => !matches.has(entry));
    return {
      ...{ podcastId, source, importedAt },
      rows: file.rows,
      matched: matches.size,
      unmatched: unmatched.map((entry) => entry.title),
      replaced,
    };
  });
}

function requirePlan({ plan }: Grant): void {
  if (plan?.engagementImports === false) {
    const message = 'The plan of this podcast does not include figures of other platforms.';
    throw new DomainError('plan_upgrade_required', message);
  }
}

/** The show of the file that is the podcast, and the episodes of its entries. */
async function matchShow(ctx: Context, podcastId: string, file: PlatformFile) {
  const title = (await findPodcast(ctx, podcastId))?.title ?? '';
  const show = chooseShow(file, title);
  const matches = await matchEntries(
    show.entries,
    await selectMatchableEpisodes(ctx.db, podcastId),
  );
  refuseForeignShow(show, title, matches.size);
  return { show, matches };
}

const partSize = 1_000;

/** Writing one statement with all episodes would hold the process for a while. */
async function insertInParts(
  tx: Context,
  importId: string,
  episodes: readonly NewPlatformEpisode[],
): Promise<void> {
  for (let at = 0; at < episodes.length; at += partSize) {
    await insertPlatformEpisodes(tx.db, importId, episodes.slice(at, at + partSize));
  }
}

const mostNamed = 5;

/**
 * Chooses the show of a file by the podcast's title. A file of one show is taken under any name,
 * because shows are renamed; of several, the one with the title.
 */
function chooseShow({ shows }: PlatformFile, title: string): PlatformShow {
  const [only, ...others] = shows;
  if (only === undefined) throw invalid('file', sayRefusal('csv_no_rows'));
  if (others.length === 0) return only;
  const wanted = simplify(title);
  const named = shows.filter(({ name }) => name !== undefined && simplify(name) === wanted);
  if (named[0] !== undefined && named.length === 1) return named[0];
  const names = shows.slice(0, mostNamed).map(({ name = '' }) => `"${name}"`);
  if (shows.length > mostNamed) names.push('…');
  throw invalid('file', sayRefusal('platform_several_shows', { title, names: names.join(', ') }));
}

/** For a file that names one show under another title: it is the podcast's if an episode is. */
function refuseForeignShow(show: PlatformShow, title: string, matched: number): void {
  const { name } = show;
  if (name === undefined || simplify(name) === simplify(title) || matched > 0) return;
  throw invalid('file', sayRefusal('platform_other_show', { name, title }));
}

const simplify = (name: string): string =>
  name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');
