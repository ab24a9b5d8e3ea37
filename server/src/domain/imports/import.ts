import type { ProcessIdentity } from '../../platform/database/process-identity.ts';
import type { ImportProgress, ImportReport, ImportWarning } from './import-report.ts';

/** A feed being brought in, or brought in: the row that outlives the process. */
export interface Import {
  readonly id: string;
  readonly ownerId: string;
  /** Null when the podcast has been deleted since. */
  readonly podcastId: string | null;
  /** Null for a file. */
  readonly sourceUrl: string | null;
  readonly documents: readonly StoredDocument[];
  readonly copyAudio: boolean;
  /** The podcast was made for it. */
  readonly createsPodcast: boolean;
  readonly state: ImportState;
  readonly lease: ImportLease | null;
  readonly attempts: number;
  readonly progress: ImportProgress;
  readonly warnings: readonly ImportWarning[];
  /** Of one that has finished. */
  readonly report: ImportReport | null;
  /** Of one that has failed. */
  readonly error: string | null;
  readonly createdAt: Date;
}

export type ImportState = 'running' | 'finished' | 'failed';

/** A page of the feed, as it came. */
export interface StoredDocument {
  /** In the blob store. */
  readonly key: string;
  /** Null for a file. */
  readonly url: string | null;
  /** What the server said of its encoding. */
  readonly charset: string | null;
}

/** Who carries the import out, and until when that may be believed. */
export interface ImportLease {
  readonly holder: ImportHolder;
  readonly until: Date;
}

/** One run within a process: the same process may take an import over from itself. */
export interface ImportHolder extends ProcessIdentity {
  readonly run: string;
}
