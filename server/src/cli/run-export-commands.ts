import { mkdir, readdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { exportPodcast, writeExport } from '../domain/exchange/exports/index.ts';
import { restorePodcast } from '../domain/exchange/restores/index.ts';
import { DomainError } from '../domain/foundation/errors.ts';
import { printJson, printLine } from './command-io.ts';
import { CommandError } from './describe-failure.ts';
import type { ExportRuns } from './export-commands.ts';
import { getPodcastByRef } from './option-values.ts';
import { withProgress } from './work-progress.ts';

export const exportShow: ExportRuns['exportShow'] = async (app, { podcast, to }, io) => {
  const { id } = await getPodcastByRef(app.ctx, podcast);
  const folder = resolve(io.cwd, to);
  await requireEmptyFolder(folder, app.config.dataDir);
  const openSnapshot = (tables: readonly string[]) => app.database.openSnapshot(tables);
  const { slug, entries } = await exportPodcast(app.ctx, id, {
    ...{ audio: true, openSnapshot, signal: io.signal },
  });
  const written = await withProgress(io, (options) =>
    writeExport(app.ctx, entries, folder, options),
  );
  printJson(io, { podcast_id: id, slug, files: written.files });
  const [first, ...others] = written.missing;
  if (first !== undefined)
    throw new CommandError(
      `The export is complete but for files that the file store does not have: ${first}${others.length === 0 ? '' : ` and ${others.length} more`}.`,
    );
};

export const restoreShow: ExportRuns['restoreShow'] = async (app, { folder, owner, slug }, io) => {
  const show = { folder: resolve(io.cwd, folder), ownerEmail: owner, slug };
  const restored = await withProgress(io, (options) =>
    restorePodcast(app.ctx, show, options),
  ).catch((error: unknown) => {
    const isTaken =
      error instanceof DomainError && error.details.some(({ reason }) => reason === 'slug_taken');
    throw isTaken ? new CommandError(`${error.message} The option is --slug.`) : error;
  });
  for (const lost of restored.slugsLost)
    printLine(io, `The former slug ${lost} is that of another show here, and stays so.`);
  const { podcastId, slugsLost: _, ...facts } = restored;
  printJson(io, { podcast_id: podcastId, ...facts });
  const { length } = restored.differences;
  if (length > 0)
    throw new CommandError(
      `The show differs from the export in ${length} ${length === 1 ? 'place' : 'places'}: see "differences".`,
    );
};

/** What is in DATA_DIR is ours, or is deleted. */
async function requireEmptyFolder(folder: string, dataDir: string): Promise<void> {
  if (`${folder}/`.startsWith(`${dataDir}/`))
    throw new CommandError(`${folder} is in DATA_DIR. Export into another folder.`);
  await mkdir(folder, { recursive: true });
  if ((await readdir(folder)).length > 0)
    throw new CommandError(`${folder} is not empty. Export into a new folder.`);
}
