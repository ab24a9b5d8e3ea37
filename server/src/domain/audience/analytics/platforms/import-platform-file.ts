import { createReadStream } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { utcDayOf } from '../../../../lib/utc-day.ts';
import { newId } from '../../../../lib/uuid.ts';
import { type Context, transact } from '../../../foundation/context.ts';
import { DomainError, invalid, notFound } from '../../../foundation/errors.ts';
import { authorize, type Grant } from '../../../foundation/permissions/index.ts';
import { readForeign } from '../../../foundation/read-foreign.ts';
import { sayRefusal } from '../../../foundation/refusals.ts';
import { limitTexts } from '../../../foundation/storage/index.ts';
import type { InTurn } from '../../../foundation/take-turn.ts';
import { findPodcast, lockPodcast } from '../../../publishing/podcasts/index.ts';
import { matchEntries } from './match-entries.ts';
import type {
  PlatformEntry,
  PlatformFile,
  PlatformShow,
  PlatformSource,
} from './platform-figures.ts';
import type { PlatformFilePart } from './platform-file-task.ts';
import {
  insertPlatformEpisodes,
  type NewPlatformEpisode,
  type ReplacedPlatformImport,
  readMatchableEpisodes,
  replacePlatformImport,
} from './platforms.sql.ts';
import { maxCsvBytes } from './read-csv.ts';
import { includesPlatforms } from './read-platform-import.ts';

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
  /** Reads all episodes of the show when it is the user's turn. Without it, at once. */
  readonly inTurn?: InTurn;
}

/** Refuses what `importPlatformFile` would refuse, and changes nothing. */
export async function checkPlatformFile(ctx: Context, input: PlatformFileInput): Promise<void> {
  requirePlan(await authorize(ctx, 'platforms.import', { podcastId: input.podcastId }));
  using _share = takeShare(ctx);
  await readMatched(ctx, input);
}

/**
 * Imports a CSV export of Apple Podcasts Connect or Spotify for Creators, in place of the last one
 * of its source. Refuses a file that is neither, and then changes nothing. The file is read and matched
 * before the transaction begins. Of an episode that is deleted meanwhile, the figures are stored as of one
 * that is deleted later.
 */
export async function importPlatformFile(
  ctx: Context,
  input: PlatformFileInput,
): Promise<PlatformImportReport> {
  const { podcastId, source } = input;
  requirePlan(await authorize(ctx, 'platforms.import', { podcastId }));
  using _share = takeShare(ctx);
  const { file, show, matches } = await readMatched(ctx, input);
  return transact(ctx, async (tx) => {
    if ((await lockPodcast(tx.db, podcastId)) === undefined) throw notFound('podcast');
    // They may have left the show.
    requirePlan(await authorize(tx, 'platforms.import', { podcastId }));
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
    await limitTexts(tx, podcastId);
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

/** The file, the show in it that is the podcast, and the episodes of the show's entries. */
async function readMatched(ctx: Context, { podcastId, source, ...input }: PlatformFileInput) {
  const file = await readPlatformUpload(ctx, source, input.file);
  // Its sender can take ten minutes, in which they may have left the show.
  requirePlan(await authorize(ctx, 'platforms.import', { podcastId }));
  const match = () => matchShow(ctx, podcastId, file);
  const matched = input.inTurn === undefined ? await match() : await input.inTurn(match);
  return { file, ...matched };
}

function requirePlan({ plan }: Grant): void {
  if (includesPlatforms(plan)) return;
  const message = "This podcast's plan does not include figures from other platforms.";
  throw new DomainError('plan_upgrade_required', message);
}

async function matchShow(ctx: Context, podcastId: string, file: PlatformFile) {
  const title = (await findPodcast(ctx, podcastId))?.title ?? '';
  const show = chooseShow(file, title);
  const matches = await matchEntries(show.entries, readMatchableEpisodes(ctx.db, podcastId));
  refuseForeignShow(show, title, matches.size);
  return { show, matches };
}

/** A row has up to 5 kB. */
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

const module = new URL('./platform-file-task.ts', import.meta.url);
const limits = {
  memoryMb: 640,
  cpuMs: 120_000,
  wallMs: 5 * 60_000,
  resultBytes: 128 * 1024 * 1024,
};

/** One that is checked, and one that is imported. */
const mostPerUser = 2;
const ofUsers = new Map<string, number>();

/**
 * `readPlatformFile`, in a child process. The file is received first: a slow sender must not keep a
 * process from others.
 */
async function readPlatformUpload(
  ctx: Context,
  source: PlatformSource,
  file: AsyncIterable<Uint8Array>,
): Promise<PlatformFile> {
  const path = join(ctx.blobs.scratchDir, `platform-${newId()}.csv`);
  try {
    await receive(ctx, file, path);
    const input = { source, today: utcDayOf(ctx.clock.now()) };
    const files = [() => createReadStream(path)];
    const reading = new ReadParts();
    const refuse = () => invalid('file', 'The file takes too much memory or time to read.');
    const job = { module, task: 'platformFile', input, files, limits, refuse };
    await readForeign(ctx, job, (part) => reading.add(part as PlatformFilePart));
    return reading.result();
  } finally {
    await rm(path, { force: true });
  }
}

/** A user has few at a time, because each needs room on the disk and memory until it is stored. */
function takeShare({ principal }: Context): Disposable {
  if (principal.kind !== 'user') return { [Symbol.dispose]() {} };
  const { userId } = principal;
  const count = ofUsers.get(userId) ?? 0;
  if (count >= mostPerUser) {
    throw new DomainError('rate_limited', sayRefusal('attempts_minute'), { retryAfterSeconds: 60 });
  }
  ofUsers.set(userId, count + 1);
  return {
    [Symbol.dispose]() {
      const left = (ofUsers.get(userId) ?? 1) - 1;
      if (left > 0) ofUsers.set(userId, left);
      else ofUsers.delete(userId);
    },
  };
}

async function receive(
  { blobs }: Context,
  file: AsyncIterable<Uint8Array>,
  path: string,
): Promise<void> {
  using reserved = await blobs.room.reserve();
  await using stored = await open(path, 'wx', 0o600);
  let bytes = 0;
  for await (const chunk of file) {
    bytes += chunk.byteLength;
    if (bytes > maxCsvBytes) throw invalid('file', sayRefusal('file_too_large', { size: '32 MB' }));
    await reserved.take(chunk.byteLength);
    await stored.write(chunk);
  }
}

class ReadParts {
  #file: Omit<PlatformFile, 'shows'> | undefined;
  readonly #shows: (Omit<PlatformShow, 'entries'> & { readonly entries: PlatformEntry[] })[] = [];

  add(part: PlatformFilePart): void {
    if ('file' in part) this.#file = part.file;
    else if ('show' in part) this.#shows.push({ ...part.show, entries: [] });
    else this.#shows.at(-1)?.entries.push(...part.entries);
  }

  result(): PlatformFile {
    if (this.#file === undefined) throw new Error('the facts of the file are missing');
    return { ...this.#file, shows: this.#shows };
  }
}
