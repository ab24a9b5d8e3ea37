import { createApp } from '../../src/app.ts';
import { loadConfig } from '../../src/config/config.ts';
import { importFeed } from '../../src/domain/imports/index.ts';

// A process to be killed: imports the feed at IMPORT_URL, saying on standard output how far it is.
await using app = await createApp(loadConfig());
const report = await importFeed(app.ctx, {
  source: { url: process.env['IMPORT_URL'] ?? '' },
  owner: { email: process.env['IMPORT_OWNER'] ?? '' },
  copyAudio: true,
  // One after the other, so that every run comes through the same moments.
  limits: { concurrentTransfers: 1 },
  onProgress: ({ phase, done }) => process.stdout.write(`${phase} ${done}\n`),
});
process.stdout.write(`${JSON.stringify(report)}\n`);
