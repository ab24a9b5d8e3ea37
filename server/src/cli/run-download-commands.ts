import { resolve } from 'node:path';
import {
  type ExplainedListener,
  explainDownloads,
  type IngestedLog,
  type IngestProgress,
  ingestLog,
  type ListenerQuery,
  logFaults,
  recount,
} from '../domain/audience/downloads/index.ts';
import { canonicalAddress } from '../lib/canonical-address.ts';
import { UsageError } from './arguments.ts';
import { type CommandIo, printJson, printLine } from './command-io.ts';
import { CommandError } from './describe-failure.ts';
import type { DownloadRuns } from './download-commands.ts';
import { readDay, readEpisodeId } from './option-values.ts';
import { clearLine } from './progress-line.ts';

const stepPercent = 10;

export const ingest: DownloadRuns['ingest'] = async (app, { file }, io) => {
  using progress = createProgress(io);
  const log = await ingestLog(app.ctx, app.geo, {
    path: resolve(io.cwd, file),
    signal: io.signal,
    onProgress: progress.show,
  });
  progress.finish();
  if (log.firstUnreadable !== undefined) {
    const { number, trouble } = log.firstUnreadable;
    const where = `The first is line ${number}: it ${trouble}.`;
    printLine(io, `Unreadable lines: ${log.unreadable}. ${where}`);
  }
  if (log.alreadyCounted > 0)
    printLine(
      io,
      `${log.alreadyCounted} downloads on past days were counted when Podstead sent the audio. ` +
        'They are not counted again (see docs/access-logs.md).',
    );
  for (const fault of log.faults) printLine(io, logFaults[fault]);
  const lines = log.lines + log.alreadyRead;
  const hint = log.endsEarly ? undefined : describeNothing(file, log);
  if (hint !== undefined) printLine(io, hint);
  printJson(io, {
    file,
    lines,
    requests: log.requests,
    counted: log.counted,
    rejected: log.rejected,
    unreadable: log.unreadable,
    already_read: log.alreadyRead,
  });
  if (log.endsEarly) throw new CommandError(describeEarlyEnd(file, log));
};

/** Undefined: there was something to count, now or before. */
function describeNothing(
  file: string,
  { lines, requests, alreadyRead }: IngestedLog,
): string | undefined {
  if (alreadyRead > 0 || requests > 0) return undefined;
  if (lines === 0) return `${file} is empty: there is nothing to count.`;
  return (
    `${file} has no requests for this installation's audio. docs/access-logs.md says which ` +
    'URLs are recognized.'
  );
}

function describeEarlyEnd(file: string, { lines, counted }: IngestedLog): string {
  return (
    `${file} ends early: its compressed data is incomplete. ${lines} complete lines were read, and ` +
    `${counted} new downloads counted. Read the complete file later: only the rest will be counted.`
  );
}

/** On a terminal, redraws one line; elsewhere prints a line for every ten percent, and the end. */
function createProgress(io: CommandIo) {
  let shown = -1;
  const clear = () => {
    if (io.isTerminal && shown >= 0) io.stderr.write(clearLine);
    shown = -1;
  };
  return {
    show({ readBytes, totalBytes }: IngestProgress): void {
      const percent = Math.floor((100 * readBytes) / Math.max(1, totalBytes));
      const isDue = io.isTerminal ? percent > shown : percent >= shown + stepPercent;
      if (!isDue || io.stderr.writableNeedDrain) return;
      shown = percent;
      if (io.isTerminal) io.stderr.write(`${clearLine}reading the log: ${percent} %`);
      else printLine(io, `reading the log: ${percent} %`);
    },
    finish(): void {
      // The last step may have been left out, because it was small or the caller read slowly.
      const isCut = !io.isTerminal && shown >= 0 && shown < 100;
      if (isCut) printLine(io, 'reading the log: 100 %');
      clear();
    },
    [Symbol.dispose]: clear,
  };
}

export const recountDays: DownloadRuns['recountDays'] = async (app, options, io) => {
  const from = readDay('--from', options.from);
  const to = readDay('--to', options.to);
  if (to < from) throw new UsageError('--to must not be before --from.');
  const { before, after, skipped, incomplete } = await recount(app.ctx, { from, to });
  for (const { day, podcasts } of incomplete)
    printLine(
      io,
      `The evidence for ${day} was full, so details of some requests are missing: ` +
        `${podcasts} podcasts were not recounted (see docs/counting.md).`,
    );
  printJson(io, { from, to, before, after, skipped, incomplete });
};

export const explain: DownloadRuns['explain'] = async (app, options, io) => {
  const episodeId = readEpisodeId(options.episode);
  const day = readDay('--day', options.day);
  const listener = readListener(options);
  const explained = await explainDownloads(app.ctx, { episodeId, day, listener });
  const { requests, rejected, listeners, counted, withoutDetails } = explained;
  if (withoutDetails > 0)
    printLine(
      io,
      `The evidence for ${day} was full, so ${withoutDetails} requests have no details. ` +
        'The downloads are exact, but there may be more listeners, and more requests from the one you named. ' +
        'See docs/counting.md.',
    );
  printJson(io, {
    ...{ episode_id: episodeId, day, requests, rejected, listeners, counted },
    without_details: withoutDetails,
    ...(explained.listener && { listener: describeListener(explained.listener) }),
  });
};

function readListener(options: {
  readonly listener?: string | undefined;
  readonly ip?: string | undefined;
  readonly userAgent?: string | undefined;
}): ListenerQuery | undefined {
  const { listener: hash, ip: address, userAgent } = options;
  if (hash !== undefined && address !== undefined)
    throw new UsageError('Name a listener with either --listener or --ip, not both.');
  if (userAgent !== undefined && address === undefined)
    throw new UsageError('--user-agent needs --ip.');
  if (address !== undefined && canonicalAddress(address) === undefined)
    throw new UsageError('--ip must be an IP address.');
  if (address !== undefined) return { address, userAgent: userAgent ?? '' };
  if (hash === undefined) return undefined;
  if (!/^[0-9a-f]{32}$/.test(hash)) throw new UsageError('--listener must have 32 hex digits.');
  return { hash };
}

function describeListener({ hash, requests, rejected, receivedBytes, ...rest }: ExplainedListener) {
  const { neededBytes, counted, listenersOfAddress } = rest;
  return {
    hash,
    requests,
    rejected,
    received_bytes: receivedBytes,
    needed_bytes: neededBytes,
    counted,
    ...(listenersOfAddress !== undefined && { listeners_of_address: listenersOfAddress }),
  };
}
