import {
  defaultMinimumRate,
  type MinimumRate,
} from '../../platform/outbound-http/outbound-http.ts';
import { maxImageBytes } from '../media/index.ts';

/** Limits of an import. */
export interface ImportLimits {
  /** For all pages of the feed together, decoded. */
  readonly feedBytes: number;
  /**
   * For one page, including redirects. It is parsed while it arrives, perhaps on a slow machine.
   */
  readonly feedTimeoutMs: number;
  readonly feedPages: number;
  readonly audioBytes: number;
  readonly audioTimeoutMs: number;
  readonly imageBytes: number;
  readonly transcriptBytes: number;
  readonly chaptersBytes: number;
  /** For an image, a transcript or chapters. */
  readonly fileTimeoutMs: number;
  /** The longest pause without data. */
  readonly idleTimeoutMs: number;
  /** Of every transfer. A host with a steady 100 kB/s is twenty times as fast. */
  readonly minimumRate: MinimumRate;
  readonly concurrentTransfers: number;
  /** How often a living process renews its claim. */
  readonly leaseRenewalMs: number;
  /** Entries of each kind in a report; more are only counted. */
  readonly reportedEntries: number;
}

const second = 1000;
const MB = 1024 * 1024;

/** Enough for thousands of episodes and day-long audio, but finite. */
export const importLimits: ImportLimits = {
  feedBytes: 100_000_000,
  feedTimeoutMs: 600 * second,
  feedPages: 500,
  audioBytes: 2048 * MB,
  audioTimeoutMs: 2 * 3600 * second,
  imageBytes: maxImageBytes,
  transcriptBytes: 10 * MB,
  chaptersBytes: MB,
  fileTimeoutMs: 60 * second,
  idleTimeoutMs: 20 * second,
  minimumRate: defaultMinimumRate,
  concurrentTransfers: 3,
  leaseRenewalMs: 2 * second,
  reportedEntries: 1000,
};

/** The lifetime of a claim; a living process renews it well before. */
export const leaseMs = 30 * second;
/** How often an import may be resumed in total after crashes. */
export const maxAttempts = 10;
/**
 * An import is stopped after so many deaths at the same point, because the next process would die
 * too.
 */
export const maxDeathsInPlace = 2;
