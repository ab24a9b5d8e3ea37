import type { Geo } from '../../../platform/geo/geo.ts';
import { createKey } from '../../access/keys/index.ts';
import { ingestObserved, type ObservedRequest } from '../../audience/downloads/index.ts';
import { approveConnection, createUnregisteredSiteKey } from '../../exchange/sites/index.ts';
import { createUser, type User } from '../../foundation/accounts/index.ts';
import type { Context } from '../../foundation/context.ts';
import { getByRef, type MadePodcast, makePodcast, type SeedInputs } from './make-podcast.ts';
import { readDownload } from './read-download.ts';
import { createEpisodeFinder, readAddresses, readKey, readUser } from './read-entries.ts';
import type { KeyEntry, PodcastEntry, SeedFile, SiteEntry } from './schema.ts';
import { makeEach, withEntryPath } from './with-entry-path.ts';

/** By ref. */
export interface MadeEntries {
  readonly users: Readonly<Record<string, { readonly id: string }>>;
  readonly podcasts: Readonly<Record<string, MadePodcast>>;
  readonly keys: Readonly<Record<string, MadeKey>>;
  readonly sites: Readonly<Record<string, MadeSite>>;
  readonly downloads: MadeDownloads;
}

/** The only place that shows the secret. */
export interface MadeKey {
  readonly id: string;
  readonly secret: string;
}

/** Call it in a transaction. */
export async function makeEntries(
  ctx: Context,
  geo: Geo,
  seedFile: SeedFile,
  inputs: SeedInputs,
): Promise<MadeEntries> {
  const { signal } = inputs;
  const users = await makeEach('users', seedFile.users, signal, (entry, path) =>
    withEntryPath(path, () => createUser(ctx, readUser(entry))),
  );
  const podcasts = await makeEach('podcasts', seedFile.podcasts, signal, (entry, path) =>
    makePodcast(ctx, entry, { ...inputs, users, path }),
  );
  const keys = await makeEach('keys', seedFile.keys, signal, (entry, path) =>
    withEntryPath(path, () => makeKey(ctx, entry, { users, podcasts })),
  );
  const sites = await makeEach('sites', seedFile.sites, signal, (entry, path) =>
    withEntryPath(path, () => makeSite(ctx, entry, { users, podcasts })),
  );
  // Last, because nothing else can be counted until the end of the transaction.
  const downloads = await makeDownloads(ctx, geo, seedFile, { ...inputs, podcasts });
  return {
    users: Object.fromEntries([...users].map(([ref, { id }]) => [ref, { id }])),
    podcasts: Object.fromEntries(podcasts),
    keys: Object.fromEntries(keys),
    sites: Object.fromEntries(sites),
    downloads,
  };
}

async function makeKey(
  ctx: Context,
  entry: KeyEntry,
  made: {
    readonly users: ReadonlyMap<string, User>;
    readonly podcasts: ReadonlyMap<string, MadePodcast>;
  },
): Promise<MadeKey> {
  const { podcasts = 'all' } = entry;
  const { key, secret } = await createKey(ctx, {
    ...readKey(entry),
    userId: getByRef(made.users, entry.user).id,
    podcasts: podcasts === 'all' ? 'all' : podcasts.map((ref) => getByRef(made.podcasts, ref).id),
  });
  return { id: key.id, secret };
}

interface MadeDownloads {
  readonly requests: number;
  readonly counted: number;
}

/** Counts a file's downloads as if they had been requests. Call it in a transaction. */
async function makeDownloads(
  ctx: Context,
  geo: Geo,
  seedFile: SeedFile,
  made: SeedInputs & { readonly podcasts: ReadonlyMap<string, MadePodcast> },
): Promise<MadeDownloads> {
  if ((seedFile.downloads ?? []).length === 0) return { requests: 0, counted: 0 };
  return await ingestObserved(ctx, geo, () => listRequests(seedFile, made), made.signal);
}

/** One after the other: `times` may be large. */
function* listRequests(
  { podcasts = [], downloads = [] }: SeedFile,
  made: SeedInputs & { readonly podcasts: ReadonlyMap<string, MadePodcast> },
): Generator<ObservedRequest> {
  const find = createEpisodeFinder(podcasts.map(withPaths));
  for (const entry of downloads) {
    const found = find(entry.episode);
    if (typeof found === 'string') throw new Error(`no episode ${entry.episode}`);
    const { id: podcastId, episodes } = getByRef(made.podcasts, found.podcast);
    const { sha256: hash, ...facts } = getByRef(made.audio, found.episode.path).facts;
    const episodeId = episodes[found.episode.ref]?.id ?? '';
    const request = readDownload(entry, made, { podcastId, episodeId, file: { hash, ...facts } });
    for (let time = 0; time < (entry.times ?? 1); time += 1) yield request;
  }
}

/** Audio is kept under the path of its episode. */
function withPaths({ ref, episodes = [] }: PodcastEntry, index: number) {
  const paths = episodes.map(({ ref }, number) => ({
    ref,
    path: `podcasts[${index}].episodes[${number}]`,
  }));
  return { ref, episodes: paths };
}

/** The only place that shows the code of a connection, or the secret of an unregistered key. */
type MadeSite = { readonly code: string } | { readonly keyId: string; readonly secret: string };

/** Approves a connection, or makes an unregistered key. */
async function makeSite(
  ctx: Context,
  entry: SiteEntry,
  made: {
    readonly users: ReadonlyMap<string, User>;
    readonly podcasts: ReadonlyMap<string, MadePodcast>;
  },
): Promise<MadeSite> {
  const wanted = {
    userId: getByRef(made.users, entry.user).id,
    podcastIds: entry.podcasts.map((ref) => getByRef(made.podcasts, ref).id),
    transcripts: entry.transcripts ?? false,
  };
  if (entry.flow === 'code') {
    const { code } = await approveConnection(ctx, { ...readAddresses(entry), ...wanted });
    return { code };
  }
  const { id, secret } = await createUnregisteredSiteKey(ctx, wanted);
  return { keyId: id, secret };
}
