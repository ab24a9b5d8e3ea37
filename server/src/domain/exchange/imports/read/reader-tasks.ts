import { readWhole } from '../../../foundation/read-foreign.ts';
import { decodeText } from '../../../publishing/transcripts/parsing/index.ts';
import { findFeedLinks } from './feed/find-feed-links.ts';
import { FeedReader, type ParseFeedOptions } from './feed/parse-feed.ts';
import { type ReadFeed, type ReadItem, readTexts } from './item-texts.ts';

// In a child process: feeds, and the web pages that name them. Parts of results are small, so that receiving them does not block the parent.

type Files = AsyncIterable<AsyncIterable<Buffer>>;

export interface FeedPart {
  readonly items: readonly ReadItem[];
  /** With the last items. */
  readonly end?: Omit<ReadFeed, 'items'>;
}

/** The items in this many bytes of a feed are one part. */
const pieceBytes = 32 * 1024;

export async function* feed(options: ParseFeedOptions, files: Files): AsyncGenerator<FeedPart> {
  const reader = new FeedReader(options);
  for await (const piece of piecesOf(files)) {
    reader.write(piece);
    const items = reader.takeItems().map(readTexts);
    if (items.length > 0) yield { items };
    if (reader.finished) break;
  }
  const end = reader.end();
  yield { items: reader.takeItems().map(readTexts), end };
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
