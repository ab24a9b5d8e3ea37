import type { ProcessIdentity } from '../../../platform/database/process-identity.ts';
import type { ImportState } from '../../foundation/enumerations.ts';
import type { ImportProgress, ImportReport, ImportWarning } from './report/import-report.ts';

/** The requested slug for a new show, or an existing show. */
export interface ImportTarget {
  readonly slug?: string | undefined;
  readonly into?: string | undefined;
}

/** The record of an import, which outlives its process. */
export interface Import {
  readonly id: string;
  readonly ownerId: string;
  /** Null until the feed has been read. */
  readonly podcastId: string | null;
  /** Null for a file. */
  readonly sourceUrl: string | null;
  /** Empty until the feed is read. */
  readonly documents: readonly StoredDocument[];
  readonly copyAudio: boolean;
  /** Replaces values even if they were changed here. */
  readonly overwrite: boolean;
  readonly ignoreLock: boolean;
  /** A dry run. */
  readonly dryRun: boolean;
  /** The requested podcast, until the feed is read. */
  readonly wish: ImportTarget;
  /** Whether the import creates the podcast. */
  readonly createsPodcast: boolean;
  readonly state: ImportState;
  readonly lease: ImportLease | null;
  /** Runs that have begun since it last made progress, with the present one; 0 before the first. */
  readonly attempts: number;
  /** Processes that died since the import last made progress. */
  readonly deaths: number;
  readonly progress: ImportProgress;
  readonly warnings: readonly ImportWarning[];
  /** For a finished import. */
  readonly report: ImportReport | null;
  /** For a failed import. */
  readonly error: string | null;
  /** The same for programs: an ImportRefusal. */
  readonly errorReason: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A page of the feed, unchanged. */
export interface StoredDocument {
  /** In the blob store. */
  readonly key: string;
  /** Null for a file. */
  readonly url: string | null;
  /** The encoding from the server's Content-Type. */
  readonly charset: string | null;
}

/** The point that an import has reached: its phase and the remaining number. */
export interface ReachedPlace {
  readonly phase: number;
  readonly left: number;
}

/** The process that runs the import, and the end of its claim. */
export interface ImportLease {
  readonly holder: ImportHolder;
  readonly until: Date;
}

/** One run in a process: a process may take an import over from its own earlier run. */
export interface ImportHolder extends ProcessIdentity {
  readonly run: string;
  /** In whose places it runs; undefined for a command. */
  readonly turn?: TurnKind;
}

/**
 * An import's place among those that background work runs at once. First turns have places of their
 * own: a new import waits only for the first turns of others, which are short, however many long
 * imports there are.
 */
export type TurnKind = 'first' | 'later';
