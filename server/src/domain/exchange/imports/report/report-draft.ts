import type { KeptValue } from '../plan/imported-values.ts';
import type { UnreadElement } from '../read/feed/parsed-feed.ts';
import type {
  ElementNotKept,
  FieldDifference,
  ImportConflict,
  ImportReport,
  ImportWarning,
  ItemOutcome,
  ItemProblem,
  ItemRef,
  PlannedItem,
  ReportedPodcast,
} from './import-report.ts';
import type { ProblemCounts } from './problem-list.ts';
import { shortenValues } from './shorten-values.ts';

export interface ReportLimits {
  /** Entries of each kind; more are only counted. */
  readonly reportedEntries: number;
  /** All entries together, as JSON; more are only counted. */
  readonly reportBytes: number;
}

interface DatedItem {
  readonly item: { readonly publishedAt: Date | undefined };
  readonly date: Date | undefined;
}

/** Builds a report with limited size: texts are shortened, and more entries are only counted. */
export class ReportDraft {
  readonly #outcomes = new Map<string, ItemOutcome>();
  /** The numbers of those that are no longer in the map. */
  readonly #settled = { created: 0, updated: 0, unchanged: 0, failed: 0 };
  readonly #problems: ItemProblem[] = [];
  readonly #warnings: ImportWarning[] = [];
  readonly #conflicts: ImportConflict[] = [];
  readonly #changes: PlannedItem[] = [];
  readonly #notKept = new Map<string, ElementNotKept>();
  readonly #undated = { guessed: 0, now: 0 };
  readonly #limits: ReportLimits;
  #leftOut = 0;
  #omitted = 0;
  #audioFiles = 0;
  #audioBytes = 0;

  constructor(limits: ReportLimits) {
    this.#limits = limits;
  }

  /** The result for an item, identified by its source key. */
  outcome(sourceKey: string, outcome: ItemOutcome): void {
    const before = this.#outcomes.get(sourceKey);
    // Created and failed are final.
    if (before === 'failed' || (before === 'created' && outcome === 'updated')) return;
    this.#outcomes.set(sourceKey, outcome);
  }

  /** Undefined if there is none yet. */
  outcomeOf(sourceKey: string): ItemOutcome | undefined {
    return this.#outcomes.get(sourceKey);
  }

  /** All outcomes so far are final: only their numbers stay in memory. */
  settleAll(): void {
    for (const outcome of this.#outcomes.values()) this.#settled[outcome] += 1;
    this.#outcomes.clear();
  }

  /** The same for one item. */
  settle(sourceKey: string): void {
    const outcome = this.#outcomes.get(sourceKey);
    if (outcome === undefined) return;
    this.#settled[outcome] += 1;
    this.#outcomes.delete(sourceKey);
  }

  /** The outcome of this item is not final after all. `outcome`: the one that was settled. */
  reopen(sourceKey: string, outcome: ItemOutcome | undefined): void {
    if (outcome === undefined) return;
    this.#settled[outcome] -= 1;
    this.#outcomes.set(sourceKey, outcome);
  }

  /** The item was imported with a problem. */
  fail(sourceKey: string, problem: ItemProblem): void {
    this.#outcomes.set(sourceKey, 'failed');
    this.#add(this.#problems, problem);
  }

  /** The item was not imported; it may have no key. */
  leaveOut(problem: ItemProblem): void {
    this.#leftOut += 1;
    this.#add(this.#problems, problem);
  }

  /** Problems that nobody has kept, because there are more than a report lists. */
  countMore({ leftOut, flawed }: ProblemCounts): void {
    this.#leftOut += leftOut;
    this.#omitted += leftOut + flawed;
  }

  warn(warning: Omit<ImportWarning, keyof ItemRef>, item: ItemRef = show): void {
    const { guid, title } = item;
    this.#add(this.#warnings, { guid, title, ...warning });
  }

  /** Values that stay although the source has others. */
  keep(values: readonly KeptValue[], item: ItemRef = show): void {
    const { guid, title } = item;
    for (const { field, here, source } of values) {
      this.#add(this.#conflicts, { guid, title, reason: 'changed_here', field, here, source });
    }
  }

  /** The item's episode was deleted here and is not created again. */
  keepDeleted(sourceKey: string, item: ItemRef): void {
    const { guid, title } = item;
    this.outcome(sourceKey, 'unchanged');
    const conflict = { reason: 'deleted_here', field: null, here: null, source: title } as const;
    this.#add(this.#conflicts, { guid, title, ...conflict });
  }

  plan(item: ItemRef, outcome: PlannedItem['outcome'], changes: readonly FieldDifference[]): void {
    const { guid, title } = item;
    this.#add(this.#changes, { guid, title, outcome, changes });
  }

  leaveUnread({ element: name, level, count }: UnreadElement): void {
    const element = shortenValues(name);
    const key = `${level} ${element}`;
    const before = this.#notKept.get(key)?.count ?? 0;
    if (before === 0 && this.#notKept.size >= this.#limits.reportedEntries) this.#omitted += 1;
    else this.#notKept.set(key, { element, in: level, count: before + count });
  }

  /** Counts a new episode whose item has no date. */
  date({ item, date }: DatedItem): void {
    if (item.publishedAt === undefined) this.#undated[date === undefined ? 'now' : 'guessed'] += 1;
  }

  audio(bytes: number): void {
    this.#audioFiles += 1;
    this.#audioBytes += bytes;
  }

  finish(about: {
    readonly importId: string | null;
    readonly podcast: ReportedPodcast;
    readonly nextSteps?: readonly string[];
  }): ImportReport {
    const count = { ...this.#settled, failed: this.#settled.failed + this.#leftOut };
    for (const outcome of this.#outcomes.values()) count[outcome] += 1;
    this.#warnOfDates();
    const notKept = [...this.#notKept.values()].sort((one, other) => other.count - one.count);
    // In the order of their importance.
    const room = { bytes: this.#limits.reportBytes };
    const problems = this.#fit(this.#problems, room);
    const warnings = this.#fit(this.#warnings, room);
    const conflicts = this.#fit(this.#conflicts, room);
    const listed = { problems, warnings, conflicts, notKept: this.#fit(notKept, room) };
    const changes = this.#fit(this.#changes, room);
    return {
      importId: about.importId,
      dryRun: about.importId === null,
      podcast: { ...about.podcast, changes: shortenValues(about.podcast.changes) },
      ...count,
      audio: { files: this.#audioFiles, bytes: this.#audioBytes },
      ...listed,
      changes,
      omitted: this.#omitted,
      nextSteps: about.nextSteps ?? [],
    };
  }

  #warnOfDates(): void {
    const { guessed, now } = this.#undated;
    if (guessed + now === 0) return;
    const all = guessed + now;
    const message =
      `${all} new ${all === 1 ? 'episode has' : 'episodes have'} no date in the feed. ` +
      `Dates of an older neighbor: ${guessed}; the time of the import: ${now}.`;
    this.warn({ reason: 'no_date', message });
  }

  #add<T>(list: T[], entry: T): void {
    if (list.length < this.#limits.reportedEntries) list.push(shortenValues(entry));
    else this.#omitted += 1;
  }

  /** Those for which there is room; counts the others as omitted. */
  #fit<T>(list: readonly T[], room: { bytes: number }): T[] {
    const fitting = list.filter((entry) => {
      const bytes = Buffer.byteLength(JSON.stringify(entry));
      if (bytes > room.bytes) return false;
      room.bytes -= bytes;
      return true;
    });
    this.#omitted += list.length - fitting.length;
    return fitting;
  }
}

const show: ItemRef = { guid: null, title: null };
