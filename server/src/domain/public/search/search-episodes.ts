import { LRUCache } from 'lru-cache';
import { type Context, transact } from '../../foundation/context.ts';
import { type ListedEpisode, listEpisodesBriefly, type PublicPodcast } from '../catalogue/index.ts';
import { type IndexQuery, type Search, type Stems, toIndexQuery } from './parse-search.ts';
import {
  chooseWord,
  type Extract,
  extractSentence,
  findNthWord,
  type MarkedText,
  markWords,
} from './quote.ts';
import { notesOf, parts, piecesOf } from './search-blocks.ts';
import {
  type FoundBlock,
  type FoundPlace,
  limitStatements,
  type SpokenSegment,
  type SpokenWord,
  selectFound,
  selectNewestFound,
  selectNotes,
  selectPlaces,
  selectSpokenSegments,
  selectStems,
  selectWithPhrases,
} from './search-episodes.sql.ts';
import { dictionaryOf, findWords, prefixOf } from './words.ts';

/** Of a search. */
export const mostHits = 50;
/** Blocks whose words are compared with a phrase. */
const mostCompared = 300;
/** A search reads one part of the index, so this is for shows of 100,000 episodes. */
const longestMs = 500;

export interface SearchHit {
  readonly episode: ListedEpisode;
  readonly title: MarkedText;
  /** What the notes or the transcript say; undefined: the title matches. */
  readonly quote: Quote | undefined;
}

export interface Quote {
  readonly text: MarkedText;
  /** Whether something is left out before and after. */
  readonly isCut: Extract['isCut'];
  /** Undefined: it is from the notes. */
  readonly spoken: { readonly startMs: number; readonly speaker: string } | undefined;
}

/**
 * Searches titles, notes and published transcripts of a show's public episodes. Each episode is found once: first
 * those whose title matches, then notes, then transcripts, each from the newest. Rejects with a timeout of the
 * statement if it takes too long.
 */
export async function searchEpisodes(
  ctx: Context,
  show: PublicPodcast,
  search: Search,
): Promise<SearchHit[]> {
  const dictionary = dictionaryOf(show.language);
  const prefix = prefixOf(show.id);
  const words = [...new Set(search.terms.flatMap((term) => term.words))];
  if (words.length === 0) return [];
  const stems = await findStems(ctx, dictionary, words);
  const query = toIndexQuery(search, stems, prefix);
  if (query === undefined) return [];
  const { found, places } = await findBlocks(ctx, show, query);
  if (found.length === 0) return [];
  const episodes = await listEpisodesBriefly(
    ctx,
    show,
    found.map(({ episodeId }) => episodeId),
  );
  const passages = await readPassages(ctx, found, places);
  const texts = [...episodes.map(({ title }) => title), ...[...passages.values()].map(shownOf)];
  const isMatch = await findMatching(ctx, dictionary, texts, query);
  const byId = new Map(episodes.map((episode) => [episode.id, episode]));
  return found.flatMap(({ episodeId }) => {
    const episode = byId.get(episodeId);
    if (episode === undefined) return [];
    const passage = passages.get(episodeId);
    const quote = passage && {
      text: markWords(shownOf(passage), isMatch),
      isCut: passage.extract.isCut,
      spoken: passage.spoken,
    };
    return [{ episode, title: markWords(episode.title, isMatch), quote }];
  });
}

async function findBlocks(
  ctx: Context,
  show: PublicPodcast,
  { all, phrases, stems, beginning }: IndexQuery,
): Promise<{ found: FoundBlock[]; places: FoundPlace[] }> {
  const prefix = prefixOf(show.id);
  const lexemes = {
    lexemes: stems.map((stem) => prefix + stem),
    beginning: beginning === undefined ? undefined : prefix + beginning,
  };
  const search = {
    podcastId: show.id,
    tsquery: all,
    everyBlock: phrases !== undefined,
    limit: phrases === undefined ? mostHits : mostCompared,
    now: ctx.clock.now(),
  };
  // Not with the statements that follow: nobody else uses the embedded database until the transaction has ended.
  const blocks = await transact(ctx, async ({ db }) => {
    await limitStatements(db, longestMs);
    const newest = await selectNewestFound(db, search);
    return newest.length < search.limit ? await selectFound(db, search) : newest;
  });
  const found =
    phrases === undefined || blocks.length === 0
      ? blocks
      : firstOfEach(await selectWithPhrases(ctx.db, blocks, phrases));
  const long = found.filter(({ part }) => part !== parts.title);
  return { found, places: long.length === 0 ? [] : await selectPlaces(ctx.db, long, lexemes) };
}

function firstOfEach(blocks: readonly FoundBlock[]): FoundBlock[] {
  const known = new Set<string>();
  const isFirst = ({ episodeId }: FoundBlock) => known.size < known.add(episodeId).size;
  return blocks.filter(isFirst).slice(0, mostHits);
}

/** A text, and what is shown of it. */
interface Passage {
  readonly text: string;
  readonly extract: Extract;
  readonly spoken: Quote['spoken'];
}

const shownOf = ({ text, extract: { start, end } }: Passage) => text.slice(start, end).trim();

/** By episode. A text that has just changed may have none. */
async function readPassages(
  ctx: Context,
  found: readonly FoundBlock[],
  places: readonly FoundPlace[],
): Promise<Map<string, Passage>> {
  const placeOf = new Map(places.map((place) => [place.episodeId, place]));
  const inNotes = found.filter(({ part }) => part === parts.notes);
  const spoken = found.flatMap(({ episodeId, part, block }): SpokenWord[] => {
    const place = placeOf.get(episodeId);
    const word = part === parts.transcript && place ? chooseWord(place) : undefined;
    return word === undefined ? [] : [{ episodeId, block, word }];
  });
  const passages = new Map<string, Passage>();
  for (const { episodeId, text, low, at } of await readNotes(ctx, inNotes, placeOf))
    passages.set(episodeId, { text, extract: extractSentence(text, at, low), spoken: undefined });
  const segments = spoken.length === 0 ? [] : await selectSpokenSegments(ctx.db, spoken, around);
  for (const [episodeId, around] of Map.groupBy(segments, ({ episodeId }) => episodeId)) {
    const passage = quoteSegments(around);
    if (passage !== undefined) passages.set(episodeId, passage);
  }
  return passages;
}

/** Most sentences of captions have fewer. */
const around = { before: 3, after: 4 } as const;

function quoteSegments(segments: readonly SpokenSegment[]): Passage | undefined {
  const target = segments.findIndex(({ word }) => word !== null);
  const speaker = segments[target]?.speaker;
  if (speaker === undefined) return undefined;
  const isOther = (segment: SpokenSegment) => segment.speaker !== speaker;
  const first = segments.slice(0, target).findLastIndex(isOther) + 1;
  const end = segments.findIndex((segment, index) => index > target && isOther(segment));
  const own = segments.slice(first, end < 0 ? undefined : end);
  let text = '';
  let at = 0;
  const starts = own.map((segment) => {
    if (text !== '') text += ' ';
    const start = text.length;
    if (segment.word !== null) at = start + (findNthWord(segment.text, segment.word) ?? 0);
    text += segment.text;
    return start;
  });
  const extract = extractSentence(text, at);
  const index = starts.findLastIndex((start) => start <= extract.start);
  return { text, extract, spoken: { startMs: own[index]?.startMs ?? 0, speaker } };
}

async function readNotes(
  ctx: Context,
  found: readonly FoundBlock[],
  placeOf: ReadonlyMap<string, FoundPlace>,
): Promise<{ episodeId: string; text: string; low: number; at: number }[]> {
  if (found.length === 0) return [];
  const ids = found.map(({ episodeId }) => episodeId);
  const notes = new Map((await selectNotes(ctx.db, ids)).map((one) => [one.episodeId, one]));
  return found.flatMap(({ episodeId, block }) => {
    const [texts, place] = [notes.get(episodeId), placeOf.get(episodeId)];
    if (texts === undefined || place === undefined) return [];
    const text = piecesOf(`${texts.title}\n${notesOf(texts)}`)[block] ?? '';
    const low = block === 0 ? texts.title.length + 1 : 0;
    const titleWords = block === 0 ? [...findWords(texts.title)].length : 0;
    const word = chooseWord(place, titleWords + 1);
    const at = word === undefined ? undefined : findNthWord(text, word - 1);
    return at === undefined ? [] : [{ episodeId, text, low, at }];
  });
}

/** Which words of these texts to mark. */
async function findMatching(
  ctx: Context,
  dictionary: string,
  texts: readonly string[],
  { stems, beginning }: IndexQuery,
): Promise<(word: string) => boolean> {
  const words = new Set(texts.flatMap((text) => Array.from(findWords(text), ({ word }) => word)));
  const stemsOf = await findStems(ctx, dictionary, [...words]);
  const wanted = new Set(stems);
  return (word) =>
    wanted.has(word) ||
    stemsOf.get(word)?.some((stem) => wanted.has(stem)) === true ||
    (beginning !== undefined && word.startsWith(beginning));
}

/** Of words in one dictionary; some 3 MB. Most words of a text are in all others. */
const knownStems = new LRUCache<string, readonly string[]>({ max: 15_000 });

async function findStems(
  { db }: Context,
  dictionary: string,
  words: readonly string[],
): Promise<Stems> {
  const keyOf = (word: string) => `${dictionary} ${word}`;
  const found = new Map(words.map((word) => [word, knownStems.get(keyOf(word))]));
  const unknown = words.filter((word) => found.get(word) === undefined);
  const read = unknown.length === 0 ? [] : await selectStems(db, dictionary, unknown);
  for (const { word, stems } of read) {
    knownStems.set(keyOf(word), stems);
    found.set(word, stems);
  }
  return new Map([...found].map(([word, stems]) => [word, stems ?? [word]]));
}
