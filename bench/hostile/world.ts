import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { App } from '../../server/src/app.ts';
import { signIn } from '../../server/src/domain/access/sessions/index.ts';
import { userScopes } from '../../server/src/domain/foundation/enumerations.ts';
import { system } from '../../server/src/domain/foundation/principal.ts';
import { loadSeedFile } from '../../server/src/domain/service/seeding/index.ts';
import { locateAudio } from '../downloads/locate-audio.ts';
import type { AudioBytes } from '../downloads/ranges.ts';

const uploaders = 10;
const password = 'correct horse battery staple';

/** A show whose episodes have two minutes of audio each. */
export interface ServedShow extends AudioBytes {
  readonly id: string;
  readonly slug: string;
  readonly episodeIds: readonly string[];
  /** The paths of the audio, in the same order. */
  readonly paths: readonly string[];
}

/** A show with the session of its owner. */
export interface OwnedShow {
  readonly cookie: string;
  readonly podcastId: string;
  readonly slug: string;
  readonly episodeIds: readonly string[];
}

export interface World {
  /** Only honest listeners know it. */
  readonly quiet: ServedShow;
  /** Attacked, too, but never with a minute of audio. */
  readonly flooded: ServedShow;
  /** Its downloads are not compared: clients break off anywhere. */
  readonly noisy: ServedShow & OwnedShow & { readonly secret: string };
  /** Has a draft with audio for each minute. */
  readonly punctual: OwnedShow;
  readonly hostile: readonly OwnedShow[];
}

const served = ['quiet', 'flooded', 'noisy'] as const;

/** Makes the users and shows, and signs the users in. */
export async function makeWorld(app: App, folder: string, minutes: number): Promise<World> {
  const path = join(folder, 'seeds.json');
  await writeFile(path, JSON.stringify(describeWorld(minutes)));
  const made = await loadSeedFile(app.ctx, app.geo, { path });
  const own = async (name: string): Promise<OwnedShow> => {
    const { id: podcastId, episodes } = made.podcasts[name]!;
    const episodeIds = Object.values(episodes).map(({ id }) => id);
    return { cookie: await signInAs(app, name), podcastId, slug: name, episodeIds };
  };
  const serve = async (name: (typeof served)[number]): Promise<ServedShow> => {
    const { id, episodes } = made.podcasts[name]!;
    const entries = Object.entries(episodes);
    const episodeIds = entries.map(([, episode]) => episode.id);
    const paths = entries.map(([slug, episode]) => `/media/${episode.id}/f/${slug}.mp3`);
    return {
      ...(await locateAudio(app.ctx, episodeIds[0] ?? '')),
      ...{ id, slug: name, episodeIds, paths },
    };
  };
  return {
    quiet: await serve('quiet'),
    flooded: await serve('flooded'),
    noisy: {
      ...(await serve('noisy')),
      ...(await own('noisy')),
      secret: made.keys['noisy']?.secret ?? '',
    },
    punctual: await own('punctual'),
    hostile: await Promise.all(hostileNames.map(own)),
  };
}

const hostileNames = Array.from({ length: uploaders }, (_, at) => `hostile-${at}`);
const emailOf = (name: string) => `${name}@example.com`;

async function signInAs(app: App, name: string): Promise<string> {
  // Attempts to sign in are limited by network.
  const client = { network: `bench-${name}`, userAgent: 'bench' };
  const ctx = app.contextFor(system);
  const { token } = await signIn(ctx, { email: emailOf(name), password, client });
  return `podstead_session=${token}`;
}

function describeWorld(minutes: number): object {
  const names = [...served, 'punctual', ...hostileNames];
  const episodes = (count: number, entry: object) =>
    Array.from({ length: count }, (_, at) => {
      const slug = `e${at}`;
      return { ref: slug, slug, title: `Episode ${at}`, ...entry };
    });
  const published = { status: 'published', audio: { tone_seconds: 120 } };
  const episodesOf = (name: string) => {
    if (name === 'punctual') return episodes(minutes, { audio: { tone_seconds: 5 } });
    return episodes(name.startsWith('hostile') ? 2 : 5, published);
  };
  return {
    users: names.map((ref) => ({ ref, email: emailOf(ref), name: ref, password })),
    podcasts: names.map((ref) => ({
      ...{ ref, owner: ref, slug: ref, title: `The ${ref} show`, description: 'A show' },
      episodes: episodesOf(ref),
    })),
    keys: [{ ref: 'noisy', user: 'noisy', scopes: [...userScopes] }],
  };
}
