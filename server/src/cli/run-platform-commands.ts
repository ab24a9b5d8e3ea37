import { resolve } from 'node:path';
import { importPlatformFile } from '../domain/audience/analytics/index.ts';
import { wireNames } from '../lib/wire-names.ts';
import { openRegularFile } from '../platform/files/open-regular-file.ts';
import { printJson, printLine } from './command-io.ts';
import { getPodcastByRef } from './option-values.ts';
import type { PlatformRuns } from './platform-commands.ts';

export const importFile: PlatformRuns['importFile'] = async ({ ctx }, args, io) => {
  const { id: podcastId } = await getPodcastByRef(ctx, args.podcast);
  const file = open(resolve(io.cwd, args.file), io.signal);
  const { source } = args;
  const { replaced, ...report } = await importPlatformFile(ctx, { podcastId, source, file });
  if (replaced !== undefined) {
    const at = replaced.importedAt.toISOString();
    const until = replaced.asOf === null ? '' : ` (figures through ${replaced.asOf})`;
    printLine(io, `This replaced the figures imported from ${source} at ${at}${until}.`);
  }
  printJson(io, wireNames(report));
};

/** Opens the file at the first read: the error of an unread stream would end the process. */
async function* open(path: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  await using file = await openRegularFile(path);
  yield* file.createReadStream({ signal });
}
