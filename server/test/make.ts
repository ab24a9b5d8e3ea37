import { hash } from '@node-rs/argon2';
import { createKey, type KeyWithSecret, type NewKey } from '../src/domain/access/keys/index.ts';
import { storeUser, type User } from '../src/domain/foundation/accounts/index.ts';
import type { Context } from '../src/domain/foundation/context.ts';
import { userScopes } from '../src/domain/foundation/enumerations.ts';
import {
  createEpisode,
  type Episode,
  type NewEpisode,
} from '../src/domain/publishing/episodes/index.ts';
import {
  createPodcast,
  type NewPodcast,
  type Podcast,
} from '../src/domain/publishing/podcasts/index.ts';
import { newId } from '../src/lib/uuid.ts';

/** Factories. They fill in the values that a test does not give. */

/** The password of every user made here. */
export const testPassword = 'correct horse';

/** Argon2 is slow on purpose. `hashPassword` has tests of its own. */
const quickly = { memoryCost: 8, timeCost: 1, parallelism: 1 };
let passwordHash: Promise<string> | undefined;

/** As `createUser` stores them, but all have the same hash, which takes no time to verify. */
export async function makeUser(ctx: Context, plan?: string): Promise<User> {
  passwordHash ??= hash(testPassword, quickly);
  const { defaultPlan, terms } = ctx.installation;
  const name = `user-${newId().slice(-8)}`;
  const { id, accountId, email } = await storeUser(ctx, {
    id: newId(),
    accountId: newId(),
    email: `${name}@example.com`,
    name,
    plan: plan ?? defaultPlan,
    planState: 'active',
    passwordHash: await passwordHash,
    acceptedTerms: terms?.version,
    language: undefined,
  });
  return { id, accountId, email, name };
}

export async function makePodcast(ctx: Context, input: Partial<NewPodcast> = {}): Promise<Podcast> {
  const owner = input.owner ?? (await makeUser(ctx));
  const slug = input.slug ?? `show-${newId().slice(-12)}`;
  return createPodcast(ctx, { title: 'A show', ...input, slug, owner });
}

/** By default, published an hour ago. */
export async function makeEpisode(
  ctx: Context,
  podcast: Podcast,
  input: Partial<NewEpisode> = {},
): Promise<Episode> {
  const status = input.status ?? 'published';
  const anHourAgo = new Date(ctx.clock.now().getTime() - 3_600_000);
  return createEpisode(ctx, {
    slug: `episode-${newId().slice(-12)}`,
    title: 'An episode',
    ...(status === 'published' ? { publishedAt: anHourAgo } : {}),
    ...input,
    status,
    podcastId: podcast.id,
  });
}

/** Made by the operator. By default, it reads everything of all podcasts. */
export async function makeKey(
  ctx: Context,
  user: { readonly id: string },
  input: Partial<NewKey> = {},
): Promise<KeyWithSecret> {
  return createKey(ctx, {
    userId: user.id,
    name: 'A key',
    scopes: userScopes,
    podcasts: 'all',
    expiresInDays: 90,
    ...input,
  });
}

/** Elements of feeds, as they are stored. */
type ExtraElement = NonNullable<NewEpisode['extraElements']>[number];

/** A `podcast:trailer`, at a URL of another server. */
export function makeTrailer(text: string, attributes: Readonly<Record<string, string>>) {
  const name = 'podcast:trailer';
  return { name, attributes: Object.entries(attributes), text, children: [] } as ExtraElement;
}

export function makeSoundbite(startSeconds: number, text: string, seconds = 10): ExtraElement {
  const attributes = [
    ['startTime', String(startSeconds)],
    ['duration', String(seconds)],
  ] as const;
  return { name: 'podcast:soundbite', attributes, text, children: [] };
}

/** Recommends the shows with these GUIDs. */
export function makePodroll(guids: readonly string[]): ExtraElement {
  const children = guids.map((guid) => ({
    name: 'podcast:remoteItem',
    attributes: [['feedGuid', guid] as const],
    ...{ text: '', children: [] },
  }));
  return { name: 'podcast:podroll', attributes: [], text: '', children };
}
