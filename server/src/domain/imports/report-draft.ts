import type {
  FieldDifference,
  ImportReport,
  ImportWarning,
  ItemOutcome,
  ItemProblem,
  ItemRef,
  PlannedItem,
  ReportedPodcast,
} from './import-report.ts';

/** A report in the making. Bounded, whatever the feed holds: what is too much is counted. */
export class ReportDraft {
  readonly #outcomes = new Map<string, ItemOutcome>();
  readonly #problems: ItemProblem[] = [];
  readonly #warnings: ImportWarning[] = [];
  readonly #changes: PlannedItem[] = [];
  readonly #maxEntries: number;
  #leftOut = 0;
  #omitted = 0;
  #audioFiles = 0;
  #audioBytes = 0;

  constructor(maxEntries: number) {
    this.#maxEntries = maxEntries;
  }

  /** What became of an item, known by its source key. */
  outcome(sourceKey: string, outcome: ItemOutcome): void {
    const before = this.#outcomes.get(sourceKey);
    // What is made or has failed stays so, whatever is added to it afterwards.
    if (before === 'failed' || (before === 'created' && outcome === 'updated')) return;
    this.#outcomes.set(sourceKey, outcome);
  }

  /** The item was taken in, and cannot be as it should. */
  fail(sourceKey: string, problem: ItemProblem): void {
    this.#outcomes.set(sourceKey, 'failed');
    this.#add(this.#problems, problem);
  }

  /** The item was not taken in at all: it may not even have a key. */
  leaveOut(problem: ItemProblem): void {
    this.#leftOut += 1;
    this.#add(this.#problems, problem);
  }

  warn(warning: Omit<ImportWarning, keyof ItemRef>, item: ItemRef = show): void {
    const { guid, title } = item;
    this.#add(this.#warnings, { guid, title, ...warning });
  }

  plan(item: ItemRef, outcome: PlannedItem['outcome'], changes: readonly FieldDifference[]): void {
    const { guid, title } = item;
    this.#add(this.#changes, { guid, title, outcome, changes });
  }

  audio(bytes: number): void {
    this.#audioFiles += 1;
    this.#audioBytes += bytes;
  }

  finish(about: {
    readonly importId: string | null;
    readonly podcast: ReportedPodcast;
  }): ImportReport {
    const count = { created: 0, updated: 0, unchanged: 0, failed: this.#leftOut };
    for (const outcome of this.#outcomes.values()) count[outcome] += 1;
    return {
      importId: about.importId,
      dryRun: about.importId === null,
      podcast: about.podcast,
      ...count,
      audio: { files: this.#audioFiles, bytes: this.#audioBytes },
      problems: this.#problems,
      warnings: this.#warnings,
      changes: this.#changes,
      omitted: this.#omitted,
    };
  }

  #add<T>(list: T[], entry: T): void {
    if (list.length < this.#maxEntries) list.push(entry);
    else this.#omitted += 1;
  }
}

const show: ItemRef = { guid: null, title: null };
