import { join } from 'node:path';
import {
  formatRequestLine,
  requestLineFormat,
} from '../../server/src/domain/audience/downloads/delivery/request-line.ts';
import {
  type ObservedRequest,
  toAudioRequest,
} from '../../server/src/domain/audience/downloads/index.ts';
import type { Journal } from '../../server/src/platform/journal/journal.ts';
import { openJournal } from '../../server/src/platform/journal/open-journal.ts';

const secret = Buffer.alloc(32, 1);
const place = { country: 'DE', network: 3320 };
const plenty = 2 ** 30;

/** A journal with segments as those of `serve`, and room for all lines. */
export function openBenchJournal(folder: string): Journal {
  return openJournal({
    folder: join(folder, 'bench-journal'),
    format: requestLineFormat,
    maxBytes: plenty,
    maxUnwrittenBytes: plenty,
    segmentBytes: 512 * 1024,
    now: () => new Date(),
    report: ({ error }) => {
      throw new Error('the journal of the bench drops lines', { cause: error });
    },
  });
}

/** Does with requests what a process does at delivery: hashes the addresses, and writes lines. */
export function writeToJournal(journal: Journal, observed: readonly ObservedRequest[]): void {
  for (const one of observed) {
    const request = toAudioRequest(one, secret, place);
    journal.append(formatRequestLine(request), request.at);
  }
}
