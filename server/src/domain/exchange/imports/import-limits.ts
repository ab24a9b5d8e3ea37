import {
  defaultMinimumRate,
  type MinimumRate,
} from '../../../platform/outbound-http/outbound-http.ts';
import { maxImageBytes } from '../../publishing/images/index.ts';
import { ItemMemory } from './read/item-memory.ts';
import { mostListed } from './report/problem-list.ts';
import type { ReportLimits } from './report/report-draft.ts';

/** Limits of an import. */
export interface ImportLimits extends ReportLimits {
  /** For all pages of the feed together, decoded. */
  readonly feedBytes: number;
  /**
   * For one page, including redirects. It is parsed while it arrives, perhaps on a slow machine.
   */
  readonly feedTimeoutMs: number;
  readonly feedPages: number;
  /** What is read of the items of all pages together, in a temporary file. */
  readonly itemBytes: number;
  /** Of this process, for what stays in memory of the items of its imports. */
  readonly itemMemory: ItemMemory;
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
  /** The first turn of an import; afterwards it gives up its place if another waits for one. */
  readonly firstTurnMs: number;
  /**
   * Its later turns. After a turn in which it has completed nothing, the next is longer, up to
   * three times, because some servers send files only from the beginning.
   */
  readonly laterTurnMs: number;
  /** How often an import whose turn is over looks whether another waits. */
  readonly turnCheckMs: number;
  /** One that has not been claimed for so long waits for a place; others find a free one. */
  readonly claimWithinMs: number;
  /** How often a living process renews its claim. */
  readonly leaseRenewalMs: number;
}

const second = 1000;
const MB = 1024 * 1024;

/** Enough for thousands of episodes and day-long audio, but finite. */
export const importLimits: ImportLimits = {
  feedBytes: 100_000_000,
  feedTimeoutMs: 600 * second,
  feedPages: 500,
  // 100 MB of show notes become HTML and two plain texts, with up to two bytes a character.
  itemBytes: 700_000_000,
  itemMemory: new ItemMemory(),
  audioBytes: 2048 * MB,
  audioTimeoutMs: 2 * 3600 * second,
  imageBytes: maxImageBytes,
  transcriptBytes: 10 * MB,
  chaptersBytes: MB,
  fileTimeoutMs: 60 * second,
  idleTimeoutMs: 20 * second,
  minimumRate: defaultMinimumRate,
  concurrentTransfers: 3,
  firstTurnMs: 180 * second,
  laterTurnMs: 600 * second,
  turnCheckMs: 5 * second,
  claimWithinMs: 15 * second,
  leaseRenewalMs: 2 * second,
  reportedEntries: mostListed,
  reportBytes: 300_000,
};

/** The lifetime of a claim; a living process renews it well before. */
export const leaseMs = 30 * second;
/** No lease is so long, unless the clock was set back. Clocks of machines may differ by less. */
export const longestLeaseMs = 20 * leaseMs;
/** How many crashes and turns in a row may bring an import no further. */
export const maxAttempts = 10;
/**
 * An import is stopped after so many deaths at the same point, because the next process would die
 * too.
 */
export const maxDeathsInPlace = 2;
