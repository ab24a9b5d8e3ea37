import { deserialize, serialize } from 'node:v8';
import type { ProblemList, Problems } from '../report/problem-list.ts';
import type { FeedProblem, ParsedItem } from './feed/parsed-feed.ts';
import { type ReadItem, readTexts, refOf } from './item-texts.ts';

/** What stays in memory of an item while its feed is imported: what it is matched by. */
export interface ItemHead extends Pick<ReadItem, 'guid' | 'title' | 'publishedAt' | 'episodeType'> {
  readonly enclosure: { readonly url: string } | undefined;
  /** It names pictures: its own, or photos of people. */
  readonly hasPictures: boolean;
  /** It names transcripts, or a file of chapters. */
  readonly hasTexts: boolean;
  /** Where the whole item is in the spool. */
  readonly at: number;
  readonly length: number;
}

/** Some items in a row, as they are spooled. */
export interface PackedItems {
  readonly heads: Uint8Array;
  readonly items: Uint8Array;
  /** The memory that they need later, in all. */
  readonly heldBytes: number;
  readonly hasAudio: boolean;
}

export interface HeadsOfItems {
  /** `at` is relative to the first item. */
  readonly heads: readonly ItemHead[];
  readonly problems: Problems;
}

/** Also derives the items' texts, which takes long. */
export function packItems(parsed: readonly ParsedItem[], problems: Problems): PackedItems {
  const items: Buffer[] = [];
  const heads: ItemHead[] = [];
  let [at, heldBytes] = [0, heldBytesOfProblems(problems)];
  for (const one of parsed) {
    const item = readTexts(one);
    const packed = serialize(item);
    heads.push({ ...headOf(item), at, length: packed.length });
    items.push(packed);
    at += packed.length;
    heldBytes += heldBytesOf(item);
  }
  return {
    heads: serialize({ heads, problems } satisfies HeadsOfItems),
    items: Buffer.concat(items),
    heldBytes,
    hasAudio: heads.some(({ enclosure }) => enclosure !== undefined),
  };
}

/** Whether their GUIDs may be shown takes long to find out, too. */
export function addProblems(list: ProblemList, problems: readonly FeedProblem[]): void {
  for (const problem of problems) {
    const { reason, message, leftOut } = problem;
    list.add(leftOut, () => ({ ...refOf(problem), reason, message }));
  }
}

export function unpackHeads(heads: Uint8Array): HeadsOfItems {
  return deserialize(heads) as HeadsOfItems;
}

export function unpackItem(item: Uint8Array): ReadItem {
  return deserialize(item) as ReadItem;
}

function headOf(item: ReadItem): Omit<ItemHead, 'at' | 'length'> {
  const { guid, title, publishedAt, episodeType, enclosure, people } = item;
  return {
    ...{ guid, title, publishedAt, episodeType },
    enclosure: enclosure && { url: enclosure.url },
    hasPictures: item.imageUrl !== undefined || people.some(({ img }) => img !== undefined),
    hasTexts: item.transcripts.length > 0 || item.chapters !== undefined,
  };
}

/** Its head, its place among others, the episode that it matches, and what was made of it. */
const bytesOfItem = 1_500;
/** In the list of those without a place in the show, and of those whose photo is fetched. */
const bytesOfPerson = 300;
const bytesOfProblem = 500;
const bytesOfChar = 2;
/** Of texts that identify an item: matching also has its key, its place, and these in lower case. */
const copiesOfIdentity = 4;

function heldBytesOf({ guid, title, enclosure, imageUrl, people }: ReadItem): number {
  let chars = lengthOf(title, imageUrl) + lengthOf(guid, enclosure?.url) * copiesOfIdentity;
  for (const { name, img } of people) chars += lengthOf(name, img);
  return bytesOfItem + people.length * bytesOfPerson + chars * bytesOfChar;
}

/** Of a problem that is beyond those in a report, only the number stays. */
function heldBytesOfProblems({ listed }: Problems): number {
  let chars = 0;
  for (const { guid, title, message } of listed) {
    chars += lengthOf(guid ?? undefined, title ?? undefined, message);
  }
  return listed.length * bytesOfProblem + chars * bytesOfChar;
}

const lengthOf = (...texts: readonly (string | undefined)[]): number =>
  texts.reduce((sum, text = '') => sum + text.length, 0);
