import { countBytes } from '../../../../lib/byte-range.ts';
import type { Receipt } from './receipt.ts';

/**
 * Where a stage begins, as parts of a download: with a second of its minute, a quarter of it, and all of it. Each
 * stage has places of its own (COUNT-24), so nobody takes those of a stage without having fetched as much.
 */
export const stageParts = [60, 4, 1] as const;

/** The stage of downloads; 0 is that of less than a second. */
export const lastStage = stageParts.length;

/** How much of a download it is. Whoever receives more of the audio may only get to a later stage. */
export function stageOf({
  isCounted = false,
  audio,
  neededBytes,
}: Pick<Receipt, 'audio' | 'neededBytes'> & { readonly isCounted?: boolean }): number {
  if (isCounted) return lastStage;
  const bytes = countBytes(audio);
  return stageParts.filter((part) => bytes * part >= neededBytes).length;
}

/**
 * The most listeners of a crowd whose first request can be of this stage: `most` for it, and for each of those to
 * which they may have moved.
 */
export function mostNewcomers(most: number, stage: number): number {
  return most * (lastStage + 1 - stage);
}
