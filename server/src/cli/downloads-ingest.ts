import { resolve } from 'node:path';
import { type IngestProgress, ingestLog } from '../domain/downloads/index.ts';
import type { RunOnApp } from './command.ts';
import { type CommandIo, printJson, printLine } from './command-io.ts';
import type { DownloadsIngest } from './download-commands.ts';
import { clearLine } from './progress-line.ts';

const stepPercent = 10;

export const run: RunOnApp<DownloadsIngest> = async (app, { file }, io) => {
  using progress = createProgress(io);
  const log = await ingestLog(app.ctx, app.geo, {
    path: resolve(io.cwd, file),
    signal: io.signal,
    onProgress: progress.show,
  });
  progress[Symbol.dispose]();
  if (log.lines > 0 && log.unreadable === log.lines)
    printLine(io, 'No line has a known format. docs/access-logs.md lists the formats.');
  printJson(io, {
    file,
    lines: log.lines + log.alreadyRead,
    requests: log.requests,
    counted: log.counted,
    rejected: log.rejected,
    unreadable: log.unreadable,
    already_read: log.alreadyRead,
  });
};

/** On a terminal one line that is redrawn; elsewhere a line for every ten percent. */
function createProgress(io: CommandIo) {
  let shown = -1;
  return {
    show({ readBytes, totalBytes }: IngestProgress): void {
      const percent = Math.floor((100 * readBytes) / Math.max(1, totalBytes));
      const isDue = io.isTerminal ? percent > shown : percent >= shown + stepPercent;
      if (!isDue || io.stderr.writableNeedDrain) return;
      shown = percent;
      if (io.isTerminal) io.stderr.write(`${clearLine}reading the log: ${percent} %`);
      else printLine(io, `reading the log: ${percent} %`);
    },
    [Symbol.dispose]() {
      if (io.isTerminal && shown >= 0) io.stderr.write(clearLine);
      shown = -1;
    },
  };
}
