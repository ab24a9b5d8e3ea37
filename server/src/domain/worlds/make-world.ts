import { createUser, type User } from '../accounts/index.ts';
import type { Context } from '../context.ts';
import { at } from './at.ts';
import { type MadePodcast, makePodcast } from './make-podcast.ts';
import type { Materials } from './materials.ts';
import { readUser } from './read-entries.ts';
import type { World } from './schema.ts';

/** By ref. */
export interface MadeWorld {
  readonly users: Readonly<Record<string, { readonly id: string }>>;
  readonly podcasts: Readonly<Record<string, MadePodcast>>;
}

/** Within one transaction. */
export async function makeWorld(
  ctx: Context,
  world: World,
  materials: Materials,
): Promise<MadeWorld> {
  const users = new Map<string, User>();
  for (const [index, entry] of (world.users ?? []).entries()) {
    materials.signal?.throwIfAborted();
    users.set(entry.ref, await at(`users[${index}]`, () => createUser(ctx, readUser(entry))));
  }
  const podcasts = new Map<string, MadePodcast>();
  for (const [index, entry] of (world.podcasts ?? []).entries()) {
    const path = `podcasts[${index}]`;
    podcasts.set(entry.ref, await makePodcast(ctx, entry, { ...materials, users, path }));
  }
  return {
    users: Object.fromEntries([...users].map(([ref, { id }]) => [ref, { id }])),
    podcasts: Object.fromEntries(podcasts),
  };
}
