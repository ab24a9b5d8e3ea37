import { type SweptFiles, sweepFiles } from '../domain/service/files/index.ts';
import { type CommandIo, printJson } from './command-io.ts';
import type { FileRuns } from './file-commands.ts';
import { clearLine } from './progress-line.ts';

export const sweep: FileRuns['sweep'] = async (app, { dryRun }, io) => {
  try {
    const { lookedAt, strays, leftovers, bytes } = await sweepFiles(app.ctx, {
      dryRun,
      signal: io.signal,
      onProgress: (swept) => showProgress(io, swept),
    });
    if (io.isTerminal) io.stderr.write(clearLine);
    const removed = strays + leftovers;
    printJson(io, { looked_at: lookedAt + leftovers, removed, bytes, dry_run: dryRun === true });
  } catch (error) {
    if (io.isTerminal) io.stderr.write(clearLine);
    throw error;
  }
};

/** Updates after each batch. */
function showProgress({ isTerminal, stderr }: CommandIo, { lookedAt, strays }: SweptFiles): void {
  if (!isTerminal || stderr.writableNeedDrain) return;
  stderr.write(`${clearLine}files: ${lookedAt} checked, ${strays} unreferenced`);
}
