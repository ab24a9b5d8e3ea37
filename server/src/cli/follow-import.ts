import {
  audioIsSecret,
  type FeedToImport,
  type ImportOptions,
  type ImportReport,
} from '../domain/exchange/imports/index.ts';
import { type CommandIo, printJson, printLine } from './command-io.ts';
import { CancelledError, outboundHint } from './describe-failure.ts';
import { presentReport } from './present.ts';
import { createProgressLine } from './progress-line.ts';

type Follow = Pick<ImportOptions, 'signal' | 'onProgress'> & Pick<FeedToImport, 'onBegun'>;

/**
 * Shows the progress of an import and prints its report. After Ctrl-C, background work continues
 * it.
 */
export async function printImport(
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
        `  import resume ${importId}  continues it here, if neither runs`,
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
    printLine(io, '--into SLUG imports into the show that is here already.');
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
