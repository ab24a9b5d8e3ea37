import { answerInThread } from '../../platform/threads/answer-in-thread.ts';
import type { Segment } from '../transcripts/index.ts';
import { decodeText, parseChapters, parseTranscript } from '../transcripts/parsing/index.ts';
import { FeedReader, type ParseFeedOptions } from './feed/parse-feed.ts';
import { readTexts } from './item-texts.ts';

// The thread that parses everything an import fetches: feeds, transcripts, chapters. Results are
// small, so that receiving them does not block the main thread.

let feed: FeedReader | undefined;
let segments: readonly Segment[] = [];
const segmentsPerAnswer = 2_000;

const begun = (): FeedReader => {
  if (feed === undefined) throw new Error('no feed was begun');
  return feed;
};

answerInThread({
  beginFeed(options: ParseFeedOptions) {
    feed = new FeedReader(options);
  },
  /** The items that end in this chunk. */
  feedPiece(bytes: Uint8Array) {
    const reader = begun();
    reader.write(Buffer.from(bytes));
    return { items: reader.takeItems().map(readTexts), finished: reader.finished };
  },
  endFeed() {
    const end = begun().end();
    const items = begun().takeItems().map(readTexts);
    feed = undefined;
    return { ...end, items };
  },
  transcript({ bytes, type }: { readonly bytes: Uint8Array; readonly type: string | undefined }) {
    const { segments: all, ...about } = parseTranscript(
      decodeText(bytes),
      type === undefined ? {} : { type },
    );
    segments = all;
    return about;
  },
  segmentsFrom(start: number) {
    const end = start + segmentsPerAnswer;
    const piece = segments.slice(start, end);
    if (end >= segments.length) segments = [];
    return piece;
  },
  chapters(bytes: Uint8Array) {
    return parseChapters(decodeText(bytes));
  },
});
