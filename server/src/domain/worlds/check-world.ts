import { checkNewUser } from '../accounts/index.ts';
import { checkNewEpisode } from '../episodes/index.ts';
import { DomainError, type ErrorDetail } from '../errors.ts';
import { checkKey } from '../keys/index.ts';
import { checkPerson } from '../people/index.ts';
import { checkMember, checkNewPodcast } from '../podcasts/index.ts';
import { checkForm } from './check-form.ts';
import { checkReferences } from './check-references.ts';
import {
  type Loading,
  readEpisode,
  readKey,
  readMember,
  readPerson,
  readPodcast,
  readUser,
} from './read-entries.ts';
import type { PodcastEntry, World } from './schema.ts';

/** A file that is wrong from beginning to end is not told line by line. */
const maxTold = 100;

/** Everything that is wrong, at once, each with its path. */
export function refuseWorld(problems: readonly ErrorDetail[]): DomainError {
  const more = problems.length - maxTold;
  const details =
    more <= 0
      ? problems
      : [...problems.slice(0, maxTold), { field: '…', message: `And ${more} more like these.` }];
  return new DomainError('invalid', 'The world file is refused.', { details });
}

/** A value as a world of which all is right that can be seen without database and files. */
export function parseWorld(value: unknown, loading: Loading): World {
  const wrongForm = checkForm(value);
  const spoilt = new Set(wrongForm.map(({ field }) => entryOf(field)));
  const problems = [
    ...wrongForm,
    ...checkReferences(value),
    // With the values of an entry of the wrong form nothing can be done.
    ...checkEntries(value as World, loading, (path) => !spoilt.has(path)),
  ];
  if (problems.length > 0) throw refuseWorld(problems);
  return value as World;
}

/** The path of the entry that a field stands in: `podcasts[0].episodes[2]`. */
function entryOf(field: string): string {
  const entry = /^(?:users|podcasts|keys)\[\d+\](?:\.(?:members|people|episodes)\[\d+\])?/.exec(
    field,
  );
  return entry?.[0] ?? '';
}

/** What the verbs would refuse. */
function checkEntries(
  world: World,
  loading: Loading,
  isSound: (path: string) => boolean,
): ErrorDetail[] {
  const check = <T>(entries: readonly T[] | undefined, path: string, check: Check<T>) =>
    checkEach(entries, path, isSound, check);
  const checkPodcast = (podcast: PodcastEntry, path: string): ErrorDetail[] => [
    ...check(podcast.members, `${path}.members`, (entry) => checkMember(readMember(entry))),
    ...check(podcast.people, `${path}.people`, (entry) => checkPerson(readPerson(entry))),
    ...checkEpisodes(podcast, `${path}.episodes`, loading, isSound),
  ];
  return [
    ...check(world?.users, 'users', (entry) => checkNewUser(readUser(entry))),
    ...check(world?.podcasts, 'podcasts', (entry) => checkNewPodcast(readPodcast(entry, loading))),
    ...listOf(world?.podcasts).flatMap((podcast, index) =>
      checkPodcast(podcast ?? {}, `podcasts[${index}]`),
    ),
    ...check(world?.keys, 'keys', (entry) => checkKey(readKey(entry))),
  ];
}

function checkEpisodes(
  podcast: PodcastEntry,
  path: string,
  loading: Loading,
  isSound: (path: string) => boolean,
): ErrorDetail[] {
  const sources = new Set<string>();
  return checkEach(podcast.episodes, path, isSound, (entry) => {
    const episode = readEpisode(entry, loading);
    const problems = checkNewEpisode(episode, loading.now);
    const key = episode.source?.key;
    if (key !== undefined && sources.has(key)) {
      const message = 'Another episode of the podcast comes from there already.';
      problems.push({ field: 'source', message });
    }
    if (key !== undefined) sources.add(key);
    return problems;
  });
}

type Check<T> = (entry: T) => readonly ErrorDetail[];

function checkEach<T>(
  entries: readonly T[] | undefined,
  path: string,
  isSound: (path: string) => boolean,
  check: Check<T>,
): ErrorDetail[] {
  return listOf(entries).flatMap((entry, index) => {
    const place = `${path}[${index}]`;
    if (!isSound(place)) return [];
    return check(entry).map((problem) => ({ ...problem, field: `${place}.${problem.field}` }));
  });
}

function listOf<T>(value: readonly T[] | undefined): readonly T[] {
  return Array.isArray(value) ? value : [];
}
