import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import { importPlatformFile } from '../domain/analytics/index.ts';
import { wireNames } from '../lib/wire-names.ts';
import { printJson } from './command-io.ts';
import { getPodcastByRef } from './get-podcast-by-ref.ts';
import type { PlatformRuns } from './platform-commands.ts';

export const importFile: PlatformRuns['importFile'] = async ({ ctx }, args, io) => {
  const { id: podcastId } = await getPodcastByRef(ctx, args.podcast);
  const file = open(resolve(io.cwd, args.file), io.signal);
  const report = await importPlatformFile(ctx, { podcastId, source: args.source, file });
  printJson(io, wireNames(report));
};

/** Opens the file at the first read: the error of an unread stream would end the process. */
async function* open(path: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  yield* createReadStream(path, { signal });
}
