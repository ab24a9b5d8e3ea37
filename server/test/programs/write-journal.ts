import { openJournal } from '../../src/platform/journal/open-journal.ts';

// A process to be killed: appends lines, and says how many it has sent on their way to the disk.
const journal = openJournal({
  folder: process.env['JOURNAL_FOLDER'] ?? '',
  format: 1,
  maxBytes: 1e9,
  maxUnwrittenBytes: 1e9,
  segmentBytes: 10_000,
  now: () => new Date(),
  report: ({ error }) => process.stderr.write(`${error}\n`),
});
for (let number = 0; ; number += 10) {
  for (let more = 0; more < 10; more += 1) {
    journal.append(`${process.pid} ${number + more} ${'x'.repeat(100)}`, new Date());
  }
  await journal.completeSegment();
  process.stdout.write(`${number + 10}\n`);
}
