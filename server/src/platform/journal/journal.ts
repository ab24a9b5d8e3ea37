/**
 * Lines on disk that wait to be read once: written now, read in segments, removed segment by
 * segment. Each process has its own journal in a common folder, and reads those of dead processes.
 */
export interface Journal extends AsyncDisposable {
  readonly id: string;
  /**
   * Returns at once and never throws. `at` is the time that the line is about, `events` how many
   * events it tells. False: the line was dropped. A line is on disk some milliseconds later, and
   * safe from a power failure within about a second.
   */
  append(line: string, at: Date, events?: number): boolean;
  /** The number of events whose lines were dropped so far. Disposing drops what cannot be written. */
  readonly droppedCount: number;
  /** The size of all lines that wait, in memory and on disk, also of journals that were adopted. */
  readonly sizeBytes: number;
  /** When the earliest of the waiting lines was appended. */
  readonly waitingSince: Date | undefined;
  /** The earliest time that a waiting line of this journal is about. */
  readonly earliestAt: Date | undefined;
  /** Own segments that are complete, in the order in which they began. */
  readonly segments: readonly Segment[];
  /** Completes the present segment with all lines that can be written. Never rejects. */
  completeSegment(): Promise<void>;
  /**
   * Returns lines that cannot be written as a segment in memory, which is lost unless it is removed;
   * undefined: there are none. Nothing is written after that. Never rejects.
   */
  handOverUnwritten(): Promise<Segment | undefined>;
  /** Takes over the journals of processes that have ended. Never rejects. */
  adopt(): Promise<void>;
  /** Disposing leaves the folder, though empty, so that another process adopts it. */
  keepFolder(): void;
  readonly adopted: readonly AdoptedJournal[];
  /** The size of the journals of ended processes that a newer version wrote: they stay on the disk. */
  readonly newerBytes: number;
}

/** A part of a journal: a file. */
export interface Segment {
  /** Unique among all segments of all processes, so that it can be counted once. */
  readonly id: string;
  readonly startedAt: Date;
  readonly sizeBytes: number;
  /**
   * Returns complete lines only: a kill may leave an incomplete last line. Undefined: the file is gone.
   */
  readLines(): Promise<readonly string[] | undefined>;
  remove(): Promise<void>;
}

/** The journal of an ended process. This process owns it until it ends or removes it. */
export interface AdoptedJournal {
  readonly id: string;
  /** The segments that are not removed yet. */
  readonly segments: ReadonlySet<Segment>;
  /** Removes the journal with its remaining segments. */
  remove(): Promise<void>;
}

export interface JournalOptions {
  /** The folder of all processes' journals. Created if missing, for this user only. */
  readonly folder: string;
  /**
   * The number of the format of the appended lines, which is in the journal's name. The process can
   * read this one and all lower ones; it leaves journals with a higher one alone.
   */
  readonly format: number;
  /** The maximum size of all waiting lines. Further lines are dropped. */
  readonly maxBytes: number;
  /** The maximum size of lines in memory while the disk is slow, full or away. */
  readonly maxUnwrittenBytes: number;
  /** A segment of this size is completed. */
  readonly segmentBytes: number;
  readonly now: () => Date;
  /** Called at most once a minute while lines cannot be written or are dropped. */
  report(trouble: JournalTrouble): void;
}

export interface JournalTrouble {
  /** The error of the disk; undefined if the journal is full. */
  readonly error: unknown;
  /** As `droppedCount`. */
  readonly dropped: number;
}
