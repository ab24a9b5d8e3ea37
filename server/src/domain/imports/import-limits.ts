import { maxImageBytes } from '../media/index.ts';

/** How much an import asks of the world, and takes from it. */
export interface ImportLimits {
  /** Of all pages of the feed together, decoded. */
  readonly feedBytes: number;
  /** For one page of it, redirects included. */
  readonly feedTimeoutMs: number;
  readonly feedPages: number;
  readonly audioBytes: number;
  readonly audioTimeoutMs: number;
  readonly imageBytes: number;
  readonly transcriptBytes: number;
  readonly chaptersBytes: number;
  /** For a picture, a transcript, or chapters. */
  readonly fileTimeoutMs: number;
  /** The longest silence in any of them. */
  readonly idleTimeoutMs: number;
  readonly concurrentTransfers: number;
  /** In a report, of each kind; the rest is counted. */
  readonly reportedEntries: number;
}

const second = 1000;
const MB = 1024 * 1024;

/** Shows of thousands of episodes and audio of a whole day fit in; nothing endless does. */
export const importLimits: ImportLimits = {
  feedBytes: 100_000_000,
  feedTimeoutMs: 60 * second,
  feedPages: 500,
  audioBytes: 2048 * MB,
  audioTimeoutMs: 2 * 3600 * second,
  imageBytes: maxImageBytes,
  transcriptBytes: 10 * MB,
  chaptersBytes: MB,
  fileTimeoutMs: 60 * second,
  idleTimeoutMs: 20 * second,
  concurrentTransfers: 3,
  reportedEntries: 1000,
};

/** A process that carries out an import says so again well before this has passed. */
export const leaseMs = 30 * second;
export const leaseRenewalMs = 10 * second;
/** How often an import may be taken over from a process that died of it. */
export const maxAttempts = 10;
