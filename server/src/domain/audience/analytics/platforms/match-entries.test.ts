import { expect, it } from 'vitest';
import { type MatchableEpisode, matchEntries } from './match-entries.ts';
import type { PlatformEntry } from './platform-figures.ts';

const entry = (title: string, releasedOn?: string, guid?: string): PlatformEntry => ({
  ...{ title, releasedOn, guid },
  metrics: {},
});
const episode = (id: string, title: string, day: string, guid = id): MatchableEpisode => ({
  ...{ id, title },
  guids: [guid],
  publicAt: new Date(`${day}T12:00:00Z`),
  timezone: 'UTC',
});

/** The ids that the entries match, in their order; null for none. */
async function match(entries: PlatformEntry[], episodes: MatchableEpisode[]) {
  const matched = await matchEntries(entries, inPages(episodes));
  return entries.map((one) => matched.get(one) ?? null);
}

/** A page for each. */
async function* inPages(episodes: readonly MatchableEpisode[]) {
  for (const one of episodes) yield [one];
}

const one = episode('a', 'First Light', '2026-03-01', 'tag:one');
const two = episode('b', 'Second Wind', '2026-03-08', 'tag:two');

it('matches by GUID, whatever the title', async () => {
  expect(await match([entry('Second Wind', '2026-03-08', 'tag:one')], [one, two])).toEqual(['a']);
});

it('matches by title without case, spaces and punctuation', async () => {
  const entries = [entry('  first—LIGHT!'), entry('Ｓecond Wind')];
  expect(await match(entries, [one, two])).toEqual(['a', 'b']);
});

it('matches titles of symbols alone', async () => {
  const episodes = [episode('a', '🎧', '2026-03-01'), episode('b', '🎉', '2026-03-02')];
  expect(await match([entry('🎉')], episodes)).toEqual(['b']);
});

it('matches a title that several episodes have by its day', async () => {
  const news = [episode('a', 'News', '2026-03-01'), episode('b', 'News', '2026-03-08')];
  expect(await match([entry('news', '2026-03-08'), entry('news', '2026-03-01')], news)).toEqual([
    'b',
    'a',
  ]);
});

it('matches a renamed episode by its day', async () => {
  expect(await match([entry('Renamed', '2026-03-08')], [one, two])).toEqual(['b']);
});

it('leaves unmatched what is ambiguous on either side', async () => {
  const news = [episode('a', 'News', '2026-03-01'), episode('b', 'News', '2026-03-08')];
  expect(await match([entry('News')], news)).toEqual([null]);
  expect(await match([entry('News', '2026-03-04')], news)).toEqual([null]);
  expect(await match([entry('First light'), entry('First light!')], [one])).toEqual([null, null]);
  const sameDay = [one, episode('c', 'Bonus', '2026-03-01')];
  expect(await match([entry('Renamed', '2026-03-01')], sameDay)).toEqual([null]);
  expect(await match([entry('X', '2026-03-01'), entry('Y', '2026-03-01')], [one])).toEqual([
    null,
    null,
  ]);
});

it('matches an episode once', async () => {
  const entries = [entry('Another', undefined, 'tag:one'), entry('First light')];
  expect(await match(entries, [one, two])).toEqual(['a', null]);
});

it('takes time in proportion to the number of episodes', async () => {
  const many = Array.from({ length: 20_000 }, (_, at) => at);
  const entries = many.map((at) => entry(`Episode ${at}`, undefined, `guid-${at}`));
  const episodes = many.map((at) => episode(`id-${at}`, `Episode ${at}`, '2026-03-01'));
  const matched = await matchEntries(entries, inPages(episodes));
  expect(matched.size).toBe(many.length);
});

it('reads each title once', async () => {
  let reads = 0;
  const countReads = <T extends object>(item: T, title: string): T =>
    Object.defineProperty({ ...item }, 'title', {
      get: () => {
        reads += 1;
        return title;
      },
    });
  const entries = [countReads(entry('', '2026-03-01'), 'First Light')];
  const episodes = [countReads(one, 'First Light'), countReads(two, 'Second Wind')];
  expect(await match(entries, episodes)).toEqual(['a']);
  expect(reads).toBe(3);
});
