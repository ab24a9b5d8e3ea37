import { resolve } from 'node:path';
import {
  audioIsSecret,
  cancelImport,
  confirmFeedCode,
  type FeedToImport,
  getImport,
  type ImportOptions,
  type ImportReport,
  importFeed,
  listImports,
  reopenImport,
  resumeImport,
  sendFeedCode,
} from '../domain/exchange/imports/index.ts';
import { getPodcast } from '../domain/publishing/podcasts/index.ts';
import { loadSeedFile } from '../domain/service/seeding/index.ts';
import { isUuid } from '../lib/uuid.ts';
import { wireNames } from '../lib/wire-names.ts';
import { UsageError } from './arguments.ts';
import { type CommandIo, printJson, printLine } from './command-io.ts';
import { CancelledError, CommandError, outboundHint } from './describe-failure.ts';
import type { ImportRuns } from './import-commands.ts';
import { findArtworkWarnings, listCategoryWarnings, printWarnings } from './listing-warnings.ts';
import { presentReport, printedImport } from './present.ts';
import { createProgressLine } from './progress-line.ts';

export const seed: ImportRuns['seed'] = async (app, { file }, io) => {
  const path = resolve(io.cwd, file);
  const { users, podcasts, keys, sites, downloads } = await loadSeedFile(app.ctx, app.geo, {
    path,
    signal: io.signal,
  });
  if (downloads.requests > 0) {
    printLine(io, `downloads: ${downloads.counted} counted; requests: ${downloads.requests}.`);
  }
  for (const { id, slug } of Object.values(podcasts)) {
    const podcast = await getPodcast(app.ctx, id);
    const ofArtwork = await findArtworkWarnings(app.ctx, podcast.artworkId);
    printWarnings(io, [...listCategoryWarnings(podcast), ...ofArtwork], slug);
  }
  printJson(io, {
    users,
    podcasts,
    keys,
    sites: Object.fromEntries(Object.entries(sites).map(([ref, site]) => [ref, wireNames(site)])),
  });
};

export const start: ImportRuns['start'] = async (app, args, io) => {
  const { fileOrUrl, owner, slug, into, dryRun, noAudio, overwrite, ignoreLock } = args;
  if (slug !== undefined && into !== undefined) {
    throw new UsageError('Use --slug for a new show, or --into for an existing one.');
  }
  const isAddress = /^https?:\/\//i.test(fileOrUrl);
  await printImport(io, (options) =>
    importFeed(app.ctx, {
      ...options,
      source: isAddress ? { url: fileOrUrl } : { path: resolve(io.cwd, fileOrUrl) },
      owner: { email: owner },
      copyAudio: !noAudio,
      ...{ slug, into, dryRun, overwrite, ignoreLock },
    }),
  );
};

const most = 100;

export const list: ImportRuns['list'] = async (app, _args, io) => {
  const { items } = await listImports(app.ctx, { limit: most });
  printJson(io, { imports: items.map(printedImport) });
};

export const show: ImportRuns['show'] = async (app, { id }, io) => {
  printJson(io, printedImport(await getImport(app.ctx, readImportId(id))));
};

export const cancel: ImportRuns['cancel'] = async (app, { id }, io) => {
  printJson(io, printedImport(await cancelImport(app.ctx, readImportId(id))));
};

export const resume: ImportRuns['resume'] = async (app, { id }, io) => {
  const importId = readImportId(id);
  await reopenImport(app.ctx, importId, { wake: false });
  await printImport(io, async ({ onBegun, ...follow }) => {
    onBegun?.(importId);
    const report = await resumeImport(app.ctx, importId, follow);
    if (report !== undefined) return report;
    throw new CommandError(`Another process has resumed it: import show ${importId}.`);
  });
};

export const sendCode: ImportRuns['sendCode'] = async (app, { url, owner }, io) => {
  const { id, sentTo, expiresAt } = await sendFeedCode(app.ctx, { url, owner: { email: owner } });
  printLine(io, `A code was sent to ${sentTo}. Next: import confirm ${id} CODE`);
  printJson(io, { id, sent_to: sentTo, expires_at: expiresAt });
};

export const confirmCode: ImportRuns['confirmCode'] = async (app, { id, code }, io) => {
  await confirmFeedCode(app.ctx, { id: readImportId(id), code: code.join(' ') });
  printJson(io, { id, confirmed: true });
};

type Follow = Pick<ImportOptions, 'signal' | 'onProgress'> & Pick<FeedToImport, 'onBegun'>;

/**
 * Shows the progress of an import and prints its report. After Ctrl-C, background work continues
 * it.
 */
async function printImport(
  io: CommandIo,
  work: (follow: Follow) => Promise<ImportReport>,
): Promise<void> {
  let importId: string | undefined;
  using progress = createProgressLine(io);
  try {
    const report = await work({
      signal: io.signal,
      onProgress: (state) => progress.show(state),
      onBegun: (id) => {
        importId = id;
      },
    });
    progress.clear();
    printSummary(io, report);
    adviseOnAudio(io, report);
    if (report.dryRun) printLine(io, 'This was a dry run: nothing was imported.');
    printJson(io, presentReport(report));
  } catch (error) {
    if (!(error instanceof CancelledError) || importId === undefined) throw error;
    throw new CancelledError(
      [
        'The command has ended. A running server or worker continues the import:',
        `  import show ${importId}    shows its progress`,
        `  import cancel ${importId}  ends it`,
        `  import resume ${importId}  continues it here, if neither is running`,
      ].join('\n'),
    );
  }
}

function printSummary(io: CommandIo, report: ImportReport): void {
  const { created, updated, unchanged, failed, podcast, conflicts, nextSteps } = report;
  const counts = `${created} new, ${updated} changed, ${unchanged} unchanged, ${failed} failed`;
  printLine(io, `${podcast.slug}: ${counts}.`);
  if (conflicts.length > 0) {
    const what = `${conflicts.length} values or episodes were changed or deleted here and stay as they are`;
    printLine(io, `${what}; use --overwrite for the feed's values.`);
  }
  pointAtReport(io, report);
  if (nextSteps.length === 0) return;
  printLine(io, 'Next steps:');
  for (const [index, step] of nextSteps.entries()) printLine(io, `  ${index + 1}. ${step}`);
}

/** The counts alone do not show these. */
function pointAtReport(io: CommandIo, { problems, warnings, conflicts }: ImportReport): void {
  const named = Object.entries({ problems, warnings, conflicts })
    .filter(([, list]) => list.length > 0)
    .map(([name, list]) => `"${name}" (${list.length})`);
  if (named.length > 0) printLine(io, `See the report for: ${named.join(', ')}.`);
  if (warnings.some(({ reason }) => reason === 'known_show')) {
    printLine(io, '--into SLUG imports into the existing show.');
  }
  const isForbidden = [...problems, ...warnings].some((p) => p.reason === 'address_not_allowed');
  if (isForbidden) printLine(io, outboundHint);
}

/** Without a copy, these episodes are in no feed. */
function adviseOnAudio(io: CommandIo, { problems }: ImportReport): void {
  const count = problems.filter(({ reason }) => reason === audioIsSecret).length;
  if (count === 0) return;
  printLine(
    io,
    `${count} episodes have no audio, because its URL contains a credential. ` +
      'Run the import again without --no-audio: it copies the audio.',
  );
}

function readImportId(text: string): string {
  if (isUuid(text)) return text.toLowerCase();
  throw new UsageError(`${JSON.stringify(text)} is not an id. \`import list\` prints them.`);
}
