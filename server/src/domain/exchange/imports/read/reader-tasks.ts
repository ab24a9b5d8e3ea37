import { readWhole } from '../../../foundation/read-foreign.ts';
import { decodeText } from '../../../publishing/transcripts/parsing/index.ts';
import { ProblemList } from '../report/problem-list.ts';
import { findFeedLinks } from './feed/find-feed-links.ts';
import { FeedReader, type ParseFeedOptions } from './feed/parse-feed.ts';
import { addProblems, type PackedItems, packItems } from './packed-items.ts';
import type { ReadPage } from './read-feed.ts';

// In a child process: feeds, and the web pages that name them. Parts of results are small, so that receiving them does not block the parent.

type Files = AsyncIterable<AsyncIterable<Buffer>>;

export interface FeedPart extends PackedItems {
  /** With the last items. */
  readonly end?: Pick<ReadPage, 'podcast' | 'unread' | 'truncated'>;
}

/** The items in this many bytes of a feed are one part. */
const pieceBytes = 32 * 1024;

export async function* feed(options: ParseFeedOptions, files: Files): AsyncGenerator<FeedPart> {
  const reader = new FeedReader(options);
  const problems = new ProblemList();
  for await (const piece of piecesOf(files)) {
    reader.write(piece);
    const items = reader.takeItems();
    addProblems(problems, reader.takeProblems());
    if (items.length + problems.listed.length > 0) yield packItems(items, problems.take());
    if (reader.finished) break;
  }
  const { podcast, unread, truncated } = reader.end();
  addProblems(problems, reader.takeProblems());
  const packed = packItems(reader.takeItems(), problems.take());
  yield { ...packed, end: { podcast, unread, truncated } };
}

/** Throws the error of a document whose beginning is not that of a feed. */
export async function* feedBeginning(
  options: ParseFeedOptions,
  files: Files,
): AsyncGenerator<boolean> {
  const reader = new FeedReader(options);
  for await (const piece of piecesOf(files)) reader.write(piece);
  yield true;
}

/** The feeds that a web page names. */
export async function* feedLinks(
  { pageUrl }: { readonly pageUrl?: string },
  files: Files,
): AsyncGenerator<readonly string[]> {
  yield findFeedLinks(decodeText(await readWhole(files)), pageUrl);
}

async function* piecesOf(files: Files): AsyncGenerator<Buffer> {
  for await (const file of files) {
    for await (const chunk of file) {
      for (let at = 0; at < chunk.length; at += pieceBytes) {
        yield chunk.subarray(at, at + pieceBytes);
      }
    }
  }
}
