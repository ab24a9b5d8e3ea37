import { resolve } from 'node:path';
import { importFeed } from '../domain/imports/index.ts';
import { defineAppCommand } from './command.ts';
import { printJson, printLine } from './command-io.ts';
import { CancelledError } from './describe-failure.ts';
import { presentReport } from './present.ts';
import { createProgressLine } from './progress-line.ts';

export const importCommand = defineAppCommand({
  name: 'import',
  about: 'Imports a podcast feed, or brings an imported show up to date.',
  notes: [
    'Running it again updates and adds, and never doubles anything; one that was interrupted goes',
    'on where it stopped. Prints a report; what is wrong with single episodes stands in it.',
  ].join('\n'),
  operands: { fileOrUrl: { about: 'an RSS feed' } },
  options: {
    owner: { value: 'EMAIL', about: 'the user whose show it is to be', required: true },
    slug: { value: 'SLUG', about: "of a new show; default: from the feed's title" },
    dryRun: { about: 'say what would happen, and leave nothing behind' },
    noAudio: { about: 'leave the audio where it is, and redirect there' },
  },
  async run(app, args, io) {
    const { fileOrUrl, owner, slug, dryRun, noAudio } = args;
    const isAddress = /^https?:\/\//i.test(fileOrUrl);
    using progress = createProgressLine(io);
    try {
      const report = await importFeed(app.ctx, {
        source: isAddress ? { url: fileOrUrl } : { path: resolve(io.cwd, fileOrUrl) },
        owner: { email: owner },
        slug,
        copyAudio: !noAudio,
        dryRun,
        signal: io.signal,
        onProgress: (state) => progress.show(state),
      });
      progress.clear();
      const { created, updated, unchanged, failed, podcast } = report;
      const counts = `${created} new, ${updated} changed, ${unchanged} as before, ${failed} failed`;
      printLine(io, `${podcast.slug}: ${counts}.`);
      printJson(io, presentReport(report));
    } catch (error) {
      if (!(error instanceof CancelledError) || dryRun) throw error;
      throw new CancelledError('Cancelled. What was imported stays; run it again to go on.');
    }
  },
});
