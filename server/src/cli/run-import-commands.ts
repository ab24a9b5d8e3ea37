import { resolve } from 'node:path';
import {
  cancelImport,
  confirmFeedCode,
  getImport,
  importFeed,
  listImports,
  reopenImport,
  resumeImport,
  sendFeedCode,
} from '../domain/exchange/imports/index.ts';
import { getPodcast } from '../domain/publishing/podcasts/index.ts';
import { loadSeedFile } from '../domain/service/seeding/index.ts';
import { wireNames } from '../lib/wire-names.ts';
import { UsageError } from './arguments.ts';
import { printJson, printLine } from './command-io.ts';
import { CommandError } from './describe-failure.ts';
import { printImport } from './follow-import.ts';
import type { ImportRuns } from './import-commands.ts';
import { readImportId } from './import-id.ts';
import { findArtworkWarnings, listCategoryWarnings, printWarnings } from './listing-warnings.ts';
import { printedImport } from './present.ts';

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
