import type { Geo } from '../../../platform/geo/geo.ts';
import { createKey } from '../../access/keys/index.ts';
import { createUser, type User } from '../../foundation/accounts/index.ts';
import type { Context } from '../../foundation/context.ts';
import { type MadeDownloads, makeDownloads } from './make-downloads.ts';
import { type MadePodcast, makePodcast } from './make-podcast.ts';
import { type MadeSite, makeSite } from './make-site.ts';
import { readKey, readUser } from './read-entries.ts';
import type { KeyEntry, SeedFile } from './schema.ts';
import { getByRef, type SeedInputs } from './seed-inputs.ts';
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
