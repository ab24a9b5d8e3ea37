import { checkKey } from '../../access/keys/index.ts';
import { checkNewUser } from '../../foundation/accounts/index.ts';
import { DomainError, type ErrorDetail } from '../../foundation/errors.ts';
import { checkNewEpisode } from '../../publishing/episodes/index.ts';
import { checkPerson } from '../../publishing/people/index.ts';
import { checkMember, checkNewPodcast } from '../../publishing/podcasts/index.ts';
import { compileSchema, readPerson } from '../shows/edits/index.ts';
import { checkDownload } from './read-download.ts';
import {
  checkSite,
  checkSource,
  createEpisodeFinder,
  type Loading,
  readEpisodeEntry,
  readKey,
  readMember,
  readPodcastEntry,
  readUser,
} from './read-entries.ts';
import { type PodcastEntry, type SeedFile, SeedFileSchema } from './schema.ts';

const checkSchema = compileSchema(SeedFileSchema);

/** More problems are only counted. */
const maxReported = 100;

/** Reports all problems at once, each with its path. */
export function refuseSeedFile(problems: readonly ErrorDetail[]): DomainError {
  const more = problems.length - maxReported;
  const details =
    more <= 0
      ? problems
      : [
          ...problems.slice(0, maxReported),
          { field: '…', message: `And ${more} more like these.` },
        ];
  return new DomainError('invalid', 'The seed file is invalid.', { details });
}

/** Checks everything that needs neither the database nor files. */
export function parseSeedFile(value: unknown, loading: Loading): SeedFile {
  const wrongForm = checkSchema(value);
  const spoilt = new Set(wrongForm.map(({ field }) => entryOf(field)));
  const problems = [
    ...wrongForm,
    ...checkSeedReferences(value),
    // Entries of the wrong form are not checked further.
    ...checkEntries(value as SeedFile, loading, (path) => !spoilt.has(path)),
  ];
  if (problems.length > 0) throw refuseSeedFile(problems);
  return value as SeedFile;
}

/** The path of a field's entry: `podcasts[0].episodes[2]`. */
function entryOf(field: string): string {
  const entry =
    /^(?:users|podcasts|keys|sites|downloads)\[\d+\](?:\.(?:members|people|episodes)\[\d+\])?/.exec(
      field,
    );
  return entry?.[0] ?? '';
}

/** The checks of the verbs. */
function checkEntries(
  seedFile: SeedFile,
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
    ...check(seedFile?.users, 'users', (entry) => checkNewUser(readUser(entry))),
    ...check(seedFile?.podcasts, 'podcasts', (entry) =>
      checkNewPodcast(readPodcastEntry(entry, loading)),
    ),
    ...listOf(seedFile?.podcasts).flatMap((podcast, index) =>
      checkPodcast(podcast ?? {}, `podcasts[${index}]`),
    ),
    ...check(seedFile?.keys, 'keys', (entry) => checkKey(readKey(entry))),
    ...check(seedFile?.sites, 'sites', checkSite),
    ...check(seedFile?.downloads, 'downloads', (entry) => checkDownload(entry, loading)),
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
    const episode = readEpisodeEntry(entry, loading);
    const problems = [...checkNewEpisode(episode, loading.now), ...checkSource(entry)];
    const key = episode.source?.key;
    if (key !== undefined && sources.has(key)) {
      const message = 'Another episode of the podcast has the same source.';
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

type Entry = Readonly<Record<string, unknown>>;

/**
 * Reports refs that are not unique or do not exist. Accepts files of any form, so that these
 * problems appear together with those of the form.
 */
function checkSeedReferences(seedFile: unknown): ErrorDetail[] {
  const users = entriesOf(seedFile, 'users', 'users');
  const podcasts = entriesOf(seedFile, 'podcasts', 'podcasts');
  const keys = entriesOf(seedFile, 'keys', 'keys');
  const sites = entriesOf(seedFile, 'sites', 'sites');
  const userRefs = refsOf(users);
  const podcastRefs = refsOf(podcasts);
  return [
    ...doubleRefs(users),
    ...doubleRefs(podcasts),
    ...podcasts.flatMap((podcast) => checkPodcastReferences(podcast, userRefs)),
    ...doubleRefs(keys),
    ...doubleRefs(sites),
    ...[...keys, ...sites].flatMap(({ path, entry }) => [
      ...unknown(`${path}.user`, entry['user'], userRefs, 'user'),
      ...unknownEach(`${path}.podcasts`, entry['podcasts'], podcastRefs, 'podcast'),
    ]),
    ...checkDownloads(entriesOf(seedFile, 'downloads', 'downloads'), podcasts),
  ];
}

function checkDownloads(
  downloads: readonly Located[],
  podcasts: readonly Located[],
): ErrorDetail[] {
  const episodes = podcasts.map(({ path, entry }) => ({
    ref: String(entry['ref']),
    episodes: entriesOf(entry, 'episodes', path).map((episode) => ({
      ref: String(episode.entry['ref']),
      hasAudio: episode.entry['audio'] != null,
    })),
  }));
  const find = createEpisodeFinder(episodes);
  return downloads.flatMap(({ path, entry: { episode: ref } }) => {
    if (typeof ref !== 'string') return [];
    const found = find(ref);
    const field = `${path}.episode`;
    const quoted = JSON.stringify(ref);
    if (found === 'none') {
      return [{ field, message: `There is no episode with the ref ${quoted}.` }];
    }
    if (found === 'several') {
      const message = `Several podcasts have an episode ${quoted}. Write podcast/episode.`;
      return [{ field, message }];
    }
    return found.episode.hasAudio
      ? []
      : [{ field, message: `The episode ${quoted} has no audio.` }];
  });
}

interface Located {
  readonly path: string;
  readonly entry: Entry;
}

function checkPodcastReferences({ path, entry }: Located, users: ReadonlySet<unknown>) {
  const members = entriesOf(entry, 'members', `${path}.members`);
  const people = entriesOf(entry, 'people', `${path}.people`);
  const episodes = entriesOf(entry, 'episodes', `${path}.episodes`);
  const personRefs = refsOf(people);
  return [
    ...unknown(`${path}.owner`, entry['owner'], users, 'user'),
    ...members.flatMap((member) =>
      unknown(`${member.path}.user`, member.entry['user'], users, 'user'),
    ),
    ...doubleRefs(people),
    ...people.flatMap((person) =>
      unknown(`${person.path}.user`, person.entry['user'], users, 'user'),
    ),
    ...doubleRefs(episodes),
    ...episodes.flatMap(({ path, entry }) =>
      unknownEach(`${path}.people`, entry['people'], personRefs, 'person'),
    ),
  ];
}

function unknownEach(
  field: string,
  refs: unknown,
  known: ReadonlySet<unknown>,
  what: string,
): ErrorDetail[] {
  if (!Array.isArray(refs)) return [];
  return refs.flatMap((ref, index) => unknown(`${field}[${index}]`, ref, known, what));
}

function unknown(
  field: string,
  ref: unknown,
  known: ReadonlySet<unknown>,
  what: string,
): ErrorDetail[] {
  if (typeof ref !== 'string' || known.has(ref)) return [];
  return [{ field, message: `There is no ${what} with the ref ${JSON.stringify(ref)}.` }];
}

function doubleRefs(entries: readonly Located[]): ErrorDetail[] {
  const seen = new Set<string>();
  return entries.flatMap(({ path, entry: { ref } }) => {
    if (typeof ref !== 'string') return [];
    if (!seen.has(ref)) {
      seen.add(ref);
      return [];
    }
    const message = `The ref ${JSON.stringify(ref)} is used twice in this list.`;
    return [{ field: `${path}.ref`, message }];
  });
}

function refsOf(entries: readonly Located[]): ReadonlySet<unknown> {
  return new Set(entries.map(({ entry }) => entry['ref']));
}

function entriesOf(parent: unknown, property: string, path: string): Located[] {
  const entries = recordOf(parent)?.[property];
  if (!Array.isArray(entries)) return [];
  return entries.flatMap((value, index) => {
    const entry = recordOf(value);
    return entry === undefined ? [] : [{ path: `${path}[${index}]`, entry }];
  });
}

function recordOf(value: unknown): Entry | undefined {
  return typeof value === 'object' && value !== null ? (value as Entry) : undefined;
}
