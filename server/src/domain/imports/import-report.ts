/** What an import did, or on a dry run would do. Printed in snake_case by the command. */
export interface ImportReport {
  /** Null on a dry run, which leaves nothing behind. */
  readonly importId: string | null;
  readonly dryRun: boolean;
  readonly podcast: ReportedPodcast;
  /** Every item of the feed is counted in one of these four. */
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly failed: number;
  /** Copied in this run; on a dry run what would be, by what the feed says of it. */
  readonly audio: { readonly files: number; readonly bytes: number };
  /** Items that are not as they should be: left out, or waiting without their audio. */
  readonly problems: readonly ItemProblem[];
  readonly warnings: readonly ImportWarning[];
  /** Of a dry run alone: what would be made and changed. */
  readonly changes: readonly PlannedItem[];
  /** Problems, warnings and changes beyond what a report holds. */
  readonly omitted: number;
}

export interface ReportedPodcast {
  /** Null where a dry run would make one. */
  readonly id: string | null;
  readonly slug: string;
  readonly title: string;
  readonly guid: string;
  readonly outcome: Exclude<ItemOutcome, 'failed'>;
  readonly changes: readonly FieldDifference[];
}

export type ItemOutcome = 'created' | 'updated' | 'unchanged' | 'failed';

/** Which item of the feed is meant. A GUID that carries a credential is not repeated. */
export interface ItemRef {
  readonly guid: string | null;
  readonly title: string | null;
}

export interface ItemProblem extends ItemRef {
  readonly reason: string;
  readonly message: string;
}

/** About an item, or with both of them null about the show. */
export type ImportWarning = ItemProblem;

export interface FieldDifference {
  /** Under its wire name. */
  readonly field: string;
  readonly from: unknown;
  readonly to: unknown;
}

export interface PlannedItem extends ItemRef {
  readonly outcome: 'created' | 'updated';
  readonly changes: readonly FieldDifference[];
}

/** How far an import is, for whoever watches. */
export interface ImportProgress {
  readonly phase: ImportPhase;
  readonly done: number;
  /** Undefined until it is known. */
  readonly total: number | undefined;
  /** Of the item at hand. */
  readonly title?: string | undefined;
}

export type ImportPhase =
  | 'waiting' // for another import of the same podcast to end
  | 'feed' // pages of it
  | 'episodes'
  | 'images'
  | 'texts' // transcripts and chapters
  | 'audio';
