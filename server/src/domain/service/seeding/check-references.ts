import type { ErrorDetail } from '../../foundation/errors.ts';
import { createEpisodeFinder } from './find-episode.ts';

type Entry = Readonly<Record<string, unknown>>;

/**
 * Reports refs that are not unique or do not exist. Accepts files of any form, so that these
 * problems appear together with those of the form.
 */
export function checkSeedReferences(seedFile: unknown): ErrorDetail[] {
  const users = entriesOf(seedFile, 'users', 'users');
  const podcasts = entriesOf(seedFile, 'podcasts', 'podcasts');
  const keys = entriesOf(seedFile, 'keys', 'keys');
  const sites = entriesOf(seedFile, 'sites', 'sites');
  const userRefs = refsOf(users);
  return [
    ...doubleRefs(users),
    ...doubleRefs(podcasts),
    ...podcasts.flatMap((podcast) => checkPodcastReferences(podcast, userRefs)),
    ...doubleRefs(keys),
    ...doubleRefs(sites),
    ...[...keys, ...sites].flatMap(({ path, entry }) => [
      ...unknown(`${path}.user`, entry['user'], userRefs, 'user'),
      ...unknownEach(`${path}.podcasts`, entry['podcasts'], refsOf(podcasts), 'podcast'),
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
      const message = `Several podcasts have an episode ${quoted}: write podcast/episode.`;
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
      unknownEach(`${path}.people`, entry['people'], refsOf(people), 'person'),
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
