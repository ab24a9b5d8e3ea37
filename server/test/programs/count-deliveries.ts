import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createApp } from '../../src/app.ts';
import { loadConfig } from '../../src/config/config.ts';
import {
  requestLineFormat,
  tryParseRequestLine,
} from '../../src/domain/audience/downloads/delivery/request-line.ts';
import { createDeliveryCounter, ingestLog } from '../../src/domain/audience/downloads/index.ts';
import { openJournal } from '../../src/platform/journal/open-journal.ts';
import type { CountingTask } from '../counting-process.ts';

// A process that a test kills. Counts the task in each line of standard input, and prints its
// number when the data is on disk or in the database.
const geo = { locate: async () => ({ country: null, network: null }) };
await using app = await createApp(loadConfig(), { geo });
const journal = openJournal({
  folder: join(app.config.dataDir, 'downloads'),
  format: requestLineFormat,
  maxBytes: 1e9,
  maxUnwrittenBytes: 1e9,
  segmentBytes: 2_000,
  now: () => new Date(),
  report: ({ error }) => process.stderr.write(`${error}\n`),
});
let missing = 0;
let onAllAppended = () => {};
const append = journal.append.bind(journal);
journal.append = (line, at) => {
  const isKept = append(line, at);
  missing -= tryParseRequestLine(line)?.requests ?? 0;
  if (missing === 0) onAllAppended();
  return isKept;
};
await using counter = createDeliveryCounter(app.ctx, { geo, journal, counts: app.downloadCounts });
for await (const line of createInterface({ input: process.stdin })) {
  const { id, deliveries, log, flush }: CountingTask = JSON.parse(line);
  if (log !== undefined) await readLog(log);
  if (deliveries.length > 0) {
    const { promise, resolve } = Promise.withResolvers<void>();
    missing = deliveries.length;
    onAllAppended = resolve;
    for (const delivery of deliveries) {
      const at = new Date(delivery.at);
      counter.begin(at);
      counter.record({ ...delivery, at });
    }
    await promise;
    await journal.completeSegment();
  }
  if (flush) await counter.flush();
  process.stdout.write(`${id}\n`);
}

/** A killed process holds the log's lock until the database notices that its connection is gone. */
async function readLog(path: string): Promise<void> {
  for (;;) {
    try {
      await ingestLog(app.ctx, geo, { path });
      return;
    } catch (error) {
      if (!(error instanceof Error && error.name === 'LogBusyError')) throw error;
    }
  }
}
