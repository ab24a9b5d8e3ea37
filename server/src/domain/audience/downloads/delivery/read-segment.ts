import { createYielder } from '../../../../lib/time-slices.ts';
import type { Segment } from '../../../../platform/journal/journal.ts';
import type { AudioRequest } from '../audio-request.ts';
import { tryParseRequestLine } from './request-line.ts';
import { UnitedRequests } from './united-requests.ts';

export interface ReadSegment {
  /** Those of a listener for the same audio are united. */
  readonly requests: readonly AudioRequest[];
  /** The number of lines that are damaged. */
  readonly unreadable: number;
  /** Somebody has removed the file. */
  readonly isGone: boolean;
}

/** Rejects if the file cannot be read. Yields to other tasks. */
export async function readSegment(segment: Segment): Promise<ReadSegment> {
  const maybeYield = createYielder();
  const requests = new UnitedRequests();
  let unreadable = 0;
  const lines = await segment.readLines();
  for (const line of lines ?? []) {
    const request = tryParseRequestLine(line);
    if (request === undefined) unreadable += 1;
    else requests.add(request);
    // To await nothing after each line would take as long as to read it.
    const pause = maybeYield();
    if (pause !== undefined) await pause;
  }
  return { requests: requests.take(), unreadable, isGone: lines === undefined };
}
