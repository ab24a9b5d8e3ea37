import type { User } from '../accounts/index.ts';
import type { Context } from '../context.ts';
import { attachImage, setPodcastArtwork } from '../media/index.ts';
import { addPerson } from '../people/index.ts';
import {
  addMember,
  createPodcast,
  type Podcast,
  pausePodcast,
  suspendPodcast,
} from '../podcasts/index.ts';
import { at } from './at.ts';
import { type EpisodePlace, makeEpisode } from './make-episode.ts';
import { type Made, type Materials, named } from './materials.ts';
import { readImage } from './named-files.ts';
import { readMember, readPodcast } from './read-entries.ts';
import { readPerson } from './read-person.ts';
import type { PersonEntry, PodcastEntry } from './schema.ts';

export interface MadePodcast extends Made {
  /** By ref. */
  readonly episodes: Readonly<Record<string, Made>>;
}

/** The podcast's position in the file, and the entries it may refer to. */
export interface PodcastPlace extends Materials {
  readonly path: string;
  readonly users: ReadonlyMap<string, User>;
}

export async function makePodcast(
  ctx: Context,
  entry: PodcastEntry,
  place: PodcastPlace,
): Promise<MadePodcast> {
  const { path, users, folder } = place;
  const podcast = await at(path, () =>
    createPodcast(ctx, { ...readPodcast(entry, place), owner: named(users, entry.owner) }),
  );
  const { artwork } = entry;
  if (artwork != null) {
    await at(`${path}.artwork`, async () => {
      const bytes = await readImage(folder, artwork);
      const { id } = await attachImage(ctx, { podcastId: podcast.id, bytes });
      await setPodcastArtwork(ctx, podcast.id, id);
    });
  }
  for (const [index, member] of (entry.members ?? []).entries()) {
    await at(`${path}.members[${index}]`, () =>
      addMember(ctx, {
        ...readMember(member),
        podcastId: podcast.id,
        userId: named(users, member.user).id,
      }),
    );
  }
  const people = await makePeople(ctx, entry.people ?? [], podcast, place);
  const episodes = await makeEpisodes(ctx, entry, { ...place, podcast, people });
  await at(path, () => setStatus(ctx, entry, podcast));
  return { id: podcast.id, slug: podcast.slug, episodes };
}

/** Ids by ref. */
async function makePeople(
  ctx: Context,
  entries: readonly PersonEntry[],
  podcast: Podcast,
  { path, users, folder }: PodcastPlace,
): Promise<ReadonlyMap<string, string>> {
  const people = new Map<string, string>();
  for (const [index, entry] of entries.entries()) {
    const { photo } = entry;
    const podcastId = podcast.id;
    const person = await at(`${path}.people[${index}]`, async () => {
      const bytes = photo == null ? undefined : await readImage(folder, photo);
      const image = bytes && (await attachImage(ctx, { podcastId, bytes }));
      return await addPerson(ctx, {
        ...readPerson(entry),
        podcastId,
        userId: entry.user == null ? null : named(users, entry.user).id,
        photoId: image?.id ?? null,
      });
    });
    people.set(entry.ref, person.id);
  }
  return people;
}

async function makeEpisodes(
  ctx: Context,
  { episodes = [] }: PodcastEntry,
  place: EpisodePlace,
): Promise<Record<string, Made>> {
  const made: [string, Made][] = [];
  for (const [index, entry] of episodes.entries()) {
    const path = `${place.path}.episodes[${index}]`;
    made.push([entry.ref, await makeEpisode(ctx, entry, { ...place, path })]);
  }
  return Object.fromEntries(made);
}

/** Last, because a paused show's feed keeps its present state. */
async function setStatus(ctx: Context, { status }: PodcastEntry, { id }: Podcast): Promise<void> {
  if (status === 'paused') await pausePodcast(ctx, id);
  if (status === 'overage_suspended') await suspendPodcast(ctx, id);
}
