import { resolve } from 'node:path';
import { importFeed } from '../domain/imports/index.ts';
import { UsageError } from './arguments.ts';
import type { RunOnApp } from './command.ts';
import { followImport } from './follow-import.ts';
import type { ImportFeed } from './import-commands.ts';

export const run: RunOnApp<ImportFeed> = async (app, args, io) => {
  const { fileOrUrl, owner, slug, into, dryRun, noAudio, overwrite, ignoreLock } = args;
  if (slug !== undefined && into !== undefined) {
    throw new UsageError('Use --slug for a new show, or --into for an existing one.');
  }
  const isAddress = /^https?:\/\//i.test(fileOrUrl);
  await followImport(io, (options) =>
    importFeed(app.ctx, {
      ...options,
      source: isAddress ? { url: fileOrUrl } : { path: resolve(io.cwd, fileOrUrl) },
      owner: { email: owner },
      copyAudio: !noAudio,
      ...{ slug, into, dryRun, overwrite, ignoreLock },
    }),
  );
};
