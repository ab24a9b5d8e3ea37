import type { Geo } from '../../platform/geo/geo.ts';
import { createUser, type User } from '../accounts/index.ts';
import type { Context } from '../context.ts';
import { createKey } from '../keys/index.ts';
import { at, makeEach } from './with-entry-path.ts';
import { type MadeDownloads, makeDownloads } from './make-downloads.ts';
import { type MadePodcast, makePodcast } from './make-podcast.ts';
import { type MadeSite, makeSite } from './make-site.ts';
import { type Materials, named } from './seed-inputs.ts';
import { readKey, readUser } from './read-entries.ts';
import type { KeyEntry, SeedFile } from './schema.ts';

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
  materials: Materials,
): Promise<MadeEntries> {
  const { signal } = materials;
  const users = await makeEach('users', seedFile.users, signal, (entry, path) =>
    at(path, () => createUser(ctx, readUser(entry))),
  );
  const podcasts = await makeEach('podcasts', seedFile.podcasts, signal, (entry, path) =>
    makePodcast(ctx, entry, { ...materials, users, path }),
  );
  const keys = await makeEach('keys', seedFile.keys, signal, (entry, path) =>
    at(path, () => makeKey(ctx, entry, { users, podcasts })),
  );
  const sites = await makeEach('sites', seedFile.sites, signal, (entry, path) =>
    at(path, () => makeSite(ctx, entry, { users, podcasts })),
  );
  // Last, because nothing else can be counted until the end of the transaction.
  const downloads = await makeDownloads(ctx, geo, seedFile, { ...materials, podcasts });
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
    userId: named(made.users, entry.user).id,
    podcasts: podcasts === 'all' ? 'all' : podcasts.map((ref) => named(made.podcasts, ref).id),
  });
  return { id: key.id, secret };
}
