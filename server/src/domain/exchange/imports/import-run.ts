import { BlobStoreAwayError } from '../../../platform/blob-store/blob-store.ts';
import { DiskReserveError } from '../../../platform/blob-store/disk-room.ts';
import { OutboundError } from '../../../platform/outbound-http/outbound-http.ts';
import type { Context } from '../../foundation/context.ts';
import { DomainError, FileError } from '../../foundation/errors.ts';
import {
  findOrAddPeople,
  type KnownPerson,
  type NewPerson,
  type PeopleLimit,
} from '../../publishing/people/index.ts';
import type { TextReader } from '../../publishing/transcripts/index.ts';
import type { StoredDocument } from './import.ts';
import type { ImportLimits } from './import-limits.ts';
import { ping, updateReached } from './imports.sql.ts';
import { mergeImported, selectPeopleParts } from './match/known-identities.sql.ts';
import { hashValue, type MergeRules } from './plan/imported-values.ts';
import type { ReadFeed } from './read/read-feed.ts';
import type { Transfers } from './read/transfers.ts';
import { explainTransfer } from './refuse-import.ts';
import type { ImportPhase, ImportProgress } from './report/import-report.ts';
import type { ReportDraft } from './report/report-draft.ts';

type WantedPerson = Omit<NewPerson, 'podcastId'>;

type PersonPart = 'link' | 'photo';

/**
 * The people of an import. Of some, links and photos came from imports: a part that is missing now was
 * removed here, and stays removed. Others do not fit into the show and are left out.
 */
export class ImportedPeople {
  readonly #rules: MergeRules;
  readonly #noted = new Set<string>();
  /** Their names in lower case, and as the feed has them. */
  readonly #leftOut = new Map<PeopleLimit, Map<string, string>>();
  readonly #missing = new Set<string>();

  constructor(rules: MergeRules) {
    this.#rules = rules;
  }

  /** Whether an earlier import set it; always false with `overwrite`. */
  wasImported(part: PersonPart, name: string): boolean {
    const { imported, overwrite } = this.#rules;
    return !overwrite && imported?.[keyOf(part, name)] !== undefined;
  }

  note(part: PersonPart, name: string): void {
    const key = keyOf(part, name);
    if (this.#rules.imported?.[key] === undefined) this.#noted.add(key);
  }

  /**
   * Finds or adds people, in their order. Whom a limit of the show refuses stays as they are; undefined
   * for a new person.
   */
  async tryAdd(
    ctx: Context,
    podcastId: string,
    wanted: readonly WantedPerson[],
  ): Promise<(KnownPerson | undefined)[]> {
    const found = await findOrAddPeople(ctx, podcastId, wanted);
    return found.map(({ person, limit }, at) =>
      limit === undefined ? person : this.leaveOut(limit, wanted[at]?.name ?? '', person),
    );
  }

  /** Returns the known person, who stays as they are; undefined: the show does not have them. */
  leaveOut<Known>(limit: PeopleLimit, name: string, known: Known): Known {
    const key = name.toLowerCase();
    const names = this.#leftOut.get(limit) ?? new Map<string, string>();
    this.#leftOut.set(limit, names.set(key, name));
    if (known === undefined) this.#missing.add(key);
    return known;
  }

  /** Whether the show does not have the person, because they do not fit. */
  isMissing(name: string): boolean {
    return this.#missing.has(name.toLowerCase());
  }

  /** Each limit that left out people, or what is new about them, and their names. */
  *leftOut(): Generator<readonly [limit: PeopleLimit, names: readonly string[]]> {
    for (const [limit, names] of this.#leftOut) yield [limit, [...names.values()]];
  }

  /** When nobody is imported anymore, who was left out is no longer needed. */
  forget(): void {
    this.#leftOut.clear();
    this.#missing.clear();
  }

  /** Stores all at once: a feed may name 9,000 people. */
  async keep(ctx: Context, podcastId: string): Promise<void> {
    if (this.#noted.size === 0) return;
    const news: Record<string, string> = {};
    for (const { name, hasLink, hasPhoto } of await selectPeopleParts(ctx.db, podcastId)) {
      const [link, photo] = [keyOf('link', name), keyOf('photo', name)];
      if (hasLink && this.#noted.has(link)) news[link] = hashValue(true);
      if (hasPhoto && this.#noted.has(photo)) news[photo] = hashValue(true);
    }
    await mergeImported(ctx.db, 'podcasts', podcastId, news);
    this.#noted.clear();
  }
}

const keyOf = (part: PersonPart, name: string): string =>
  `${part}:${hashValue(name.trim().toLowerCase())}`;

/** The state that all steps of an import's run share. */
export interface ImportRun {
  readonly ctx: Context;
  readonly importId: string;
  /** Its stored feed. */
  readonly documents: readonly StoredDocument[];
  readonly feed: ReadFeed;
  readonly podcastId: string;
  /** Episodes created since then come from this import, in this run or an earlier one. */
  readonly startedAt: Date;
  readonly copyAudio: boolean;
  /** Replaces values even if they were changed here. */
  readonly overwrite: boolean;
  /** The rules for the show's own fields. */
  readonly showRules: MergeRules;
  readonly people: ImportedPeople;
  readonly limits: ImportLimits;
  readonly transfers: Transfers;
  readonly texts: TextReader;
  readonly report: ReportDraft;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: ImportProgress) => void;
}

/** Skipping so many takes a moment, and one statement for each would take minutes. */
const skippedAtOnce = 500;

/**
 * Counts the progress of a phase, and records it in case this process dies; of skipped items, only that
 * of every 500th.
 */
export function countPhase(
  run: ImportRun,
  phase: ImportPhase,
  total: number,
): (title?: string, how?: { readonly isSkipped: boolean }) => Promise<void> {
  let done = 0;
  run.onProgress({ phase, done, total });
  return async (title, how) => {
    done += 1;
    const progress = { phase, done, total, ...(title === undefined ? {} : { title }) };
    run.onProgress(progress);
    if (how?.isSkipped === true && done % skippedAtOnce !== 0) return;
    // Records the remaining number, because the next process finds less to do.
    const place = { phase: phases.indexOf(phase) + 1, left: total - done };
    await updateReached(run.ctx.db, run.importId, place, progress);
  };
}

const phases: readonly ImportPhase[] = ['episodes', 'images', 'texts', 'audio'];

export interface Failure {
  readonly reason: string;
  readonly message: string;
}

/**
 * Explains to the operator why an item, image or file failed. Rethrows errors that concern the
 * whole import: it is stopping, the disk is full, the database or the file store is unavailable.
 */
export async function explainFailure(run: ImportRun, error: unknown): Promise<Failure> {
  run.signal.throwIfAborted();
  if (error instanceof OutboundError) return explainTransfer(error);
  if (error instanceof FileError) return { reason: error.reason, message: error.message };
  if (error instanceof DomainError) {
    const words = error.details.map(({ message }) => message).join(' ');
    return { reason: error.details[0]?.reason ?? error.kind, message: words || error.message };
  }
  // Others may still fit, and nothing else is in danger.
  if (error instanceof DiskReserveError) {
    const message =
      'The server does not have enough disk space for this file. Contact the operator.';
    return { reason: 'no_room', message };
  }
  if (error instanceof BlobStoreAwayError) throw error;
  if (fullDisk.has((error as NodeJS.ErrnoException | undefined)?.code ?? '')) throw error;
  // Probably an internal error, unless the database is unavailable.
  await ping(run.ctx.db);
  run.ctx.log.error({ err: error, podcastId: run.podcastId }, 'an import failed internally');
  return {
    reason: 'internal_error',
    message: 'It could not be imported because of an internal error; see the log.',
  };
}

const fullDisk = new Set(['ENOSPC', 'EDQUOT', 'EROFS']);
