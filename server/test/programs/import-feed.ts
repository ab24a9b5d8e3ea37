import { createApp } from '../../src/app.ts';
import { loadConfig } from '../../src/config/config.ts';
import { importFeed } from '../../src/domain/exchange/imports/index.ts';

// A process that a test kills. Imports the feed at IMPORT_URL, and prints its progress.
await using app = await createApp(loadConfig());
const report = await importFeed(app.ctx, {
  source: { url: process.env['IMPORT_URL'] ?? '' },
  owner: { email: process.env['IMPORT_OWNER'] ?? '' },
  copyAudio: true,
  // One transfer at a time, so that all runs have the same steps.
  limits: { concurrentTransfers: 1 },
  onProgress: ({ phase, done }) => process.stdout.write(`${phase} ${done}\n`),
});
process.stdout.write(`${JSON.stringify(report)}\n`);
