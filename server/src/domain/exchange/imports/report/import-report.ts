import type {
  FieldDifference,
  ImportConflict,
  ItemCounts,
  ItemRemark,
  PlannedItem,
} from '../../../../lib/import-remarks.ts';

export type {
  FieldDifference,
  ImportConflict,
  ItemRef,
  PlannedItem,
} from '../../../../lib/import-remarks.ts';
export type ItemProblem = ItemRemark;
export type ImportWarning = ItemRemark;

/** What an import did, or a dry run would do. The command prints it in snake_case. */
export interface ImportReport extends ItemCounts {
  /** Null for a dry run. */
  readonly importId: string | null;
  readonly dryRun: boolean;
  readonly podcast: ReportedPodcast;
  /** Copied in this run; in a dry run, an estimate from the feed. */
  readonly audio: { readonly files: number; readonly bytes: number };
  /** Items with a problem: omitted, or waiting for their audio. */
  readonly problems: readonly ItemRemark[];
  readonly warnings: readonly ItemRemark[];
  /** Values changed or deleted here since the last import, which stay. */
  readonly conflicts: readonly ImportConflict[];
  /** For a dry run only: what it would create and change. */
  readonly changes: readonly PlannedItem[];
  /** Elements of the feed that are not stored. */
  readonly notKept: readonly ElementNotKept[];
  /** The number of problems, warnings, conflicts and changes beyond the report's limits. */
  readonly omitted: number;
  /** What to do at the old host after an import. */
  readonly nextSteps: readonly string[];
}

export interface ReportedPodcast {
  /** Null if a dry run would create the show. */
  readonly id: string | null;
  readonly slug: string;
  readonly title: string;
  readonly guid: string;
  readonly outcome: Exclude<ItemOutcome, 'failed'>;
  readonly changes: readonly FieldDifference[];
}

export type ItemOutcome = 'created' | 'updated' | 'unchanged' | 'failed';

/** An element, or `element@attribute`, its parent in the feed, and its count. */
export interface ElementNotKept {
  readonly element: string;
  readonly in: 'channel' | 'item';
  readonly count: number;
}

/** The progress of an import, for display. */
export interface ImportProgress {
  readonly phase: ImportPhase;
  readonly done: number;
  /** Undefined until known. */
  readonly total: number | undefined;
  /** The title of the current item. */
  readonly title?: string | undefined;
}

export type ImportPhase =
  | 'queued' // no process runs it: it waits for its turn
  | 'waiting' // for another import of the same podcast to end
  | 'feed' // pages of it
  | 'episodes'
  | 'images'
  | 'texts' // transcripts and chapters
  | 'audio';
