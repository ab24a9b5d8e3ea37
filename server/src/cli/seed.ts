import { resolve } from 'node:path';
import { getPodcast } from '../domain/podcasts/index.ts';
import { loadSeedFile } from '../domain/seeding/index.ts';
import { wireNames } from '../lib/wire-names.ts';
import type { RunOnApp } from './command.ts';
import { printJson, printLine } from './command-io.ts';
import type { Seed } from './import-commands.ts';
import { findArtworkWarnings, listCategoryWarnings, printWarnings } from './listing-warnings.ts';

export const run: RunOnApp<Seed> = async (app, { file }, io) => {
  const path = resolve(io.cwd, file);
  const { users, podcasts, keys, sites, downloads } = await loadSeedFile(app.ctx, app.geo, {
    path,
    signal: io.signal,
  });
  if (downloads.requests > 0) {
    printLine(io, `downloads: ${downloads.requests} requests, ${downloads.counted} counted.`);
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
