import { checkKey } from '../../access/keys/index.ts';
import { checkNewUser } from '../../foundation/accounts/index.ts';
import { DomainError, type ErrorDetail } from '../../foundation/errors.ts';
import { checkNewEpisode } from '../../publishing/episodes/index.ts';
import { checkPerson } from '../../publishing/people/index.ts';
import { checkMember, checkNewPodcast } from '../../publishing/podcasts/index.ts';
import { compileSchema, readPerson } from '../shows/edits/index.ts';
import { checkSeedReferences } from './check-references.ts';
import { checkDownload } from './read-download.ts';
import {
  type Loading,
  readEpisodeEntry,
  readKey,
  readMember,
  readPodcastEntry,
  readUser,
} from './read-entries.ts';
import { checkSite } from './read-site.ts';
import { type PodcastEntry, type SeedFile, SeedFileSchema } from './schema.ts';

const checkSchema = compileSchema(SeedFileSchema);

/** More problems are only counted. */
const maxTold = 100;

/** Reports all problems at once, each with its path. */
export function refuseSeedFile(problems: readonly ErrorDetail[]): DomainError {
  const more = problems.length - maxTold;
  const details =
    more <= 0
      ? problems
      : [...problems.slice(0, maxTold), { field: '…', message: `And ${more} more like these.` }];
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
    const problems = checkNewEpisode(episode, loading.now);
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
