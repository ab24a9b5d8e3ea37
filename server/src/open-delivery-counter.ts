import { join } from 'node:path';
import type { App } from './app.ts';
import {
  createDeliveryCounter,
  type DeliveryCounter,
  requestLineFormat,
} from './domain/audience/downloads/index.ts';
import { system } from './domain/foundation/principal.ts';
import { openJournal } from './platform/journal/open-journal.ts';

const mebibyte = 1024 * 1024;

/** Enough for twenty minutes of 1,500 requests a second while the database is away. */
const maxBytes = 512 * mebibyte;
const maxUnwrittenBytes = 8 * mebibyte;
/** About 2,000 requests. One transaction counts one segment. */
const segmentBytes = mebibyte / 2;

/** Counts the downloads that this process delivers. They wait in files in `DATA_DIR/downloads`. */
export function openDeliveryCounter({
  config,
  contextFor,
  geo,
  downloadCounts,
}: App): DeliveryCounter {
  const ctx = contextFor(system);
  const journal = openJournal({
    folder: join(config.dataDir, 'downloads'),
    format: requestLineFormat,
    maxBytes,
    maxUnwrittenBytes,
    segmentBytes,
    now: () => ctx.clock.now(),
    report: ({ error, dropped }) =>
      ctx.log.error({ err: error, dropped }, 'requests for audio cannot be written to the disk'),
  });
  return createDeliveryCounter(ctx, { geo, journal, counts: downloadCounts });
}
