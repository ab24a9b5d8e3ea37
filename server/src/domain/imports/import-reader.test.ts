import { setImmediate } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { createReadingContext } from '../../../test/create-reading-context.ts';
import { ImportReader } from './import-reader.ts';

const ctx = createReadingContext();
afterAll(() => ctx[Symbol.asyncDispose]());

async function* inChunks(...chunks: string[]): AsyncGenerator<Buffer> {
  for (const chunk of chunks) yield Buffer.from(chunk);
}

const feedOf = (...items: string[]) =>
  `<rss><channel><title>Night Signals</title>${items.map((item) => `<item>${item}</item>`).join('')}</channel></rss>`;

describe('ImportReader', () => {
  it('parses a feed in a process, with sanitized texts', async () => {
    const reader = new ImportReader(ctx);
    const items = Array.from(
      { length: 3000 },
      (_, at) =>
        `<title>Episode ${at}</title><description>&lt;b onclick="x()"&gt;Words&lt;/b&gt; of ${at}</description>`,
    );
    const feed = await reader.feed(inChunks(feedOf(...items)), { sizeBytes: 1 });
    expect(feed).toMatchObject({ podcast: { title: 'Night Signals' }, truncated: false });
    expect(feed.items).toHaveLength(3000);
    expect(feed.items[2999]).toMatchObject({
      title: 'Episode 2999',
      description: 'Words of 2999',
      notes: { showNotesHtml: '<b>Words</b> of 2999', showNotes: 'Words of 2999' },
    });
  });

  it("throws the parser's refusal and stops reading the source", async () => {
    const reader = new ImportReader(ctx);
    let read = 0;
    let isClosed = false;
    const endless = async function* () {
      try {
        for (;;) {
          read += 1;
          yield Buffer.from(read === 1 ? '<rss><channel>' : '<a>'.repeat(1000));
        }
      } finally {
        isClosed = true;
      }
    };
    const refused = reader.feed(endless(), { sizeBytes: 1 });
    await expect(refused).rejects.toMatchObject({ name: 'FeedError', reason: 'too_deep' });
    expect(read).toBeLessThan(2_000);
    expect(isClosed).toBe(true);
  });

  it("throws the source's own error", async () => {
    const reader = new ImportReader(ctx);
    const failing = async function* () {
      yield Buffer.from('<rss>');
      throw new TypeError('the line is cut');
    };
    await expect(reader.feed(failing(), { sizeBytes: 1 })).rejects.toThrow(
      new TypeError('the line is cut'),
    );
  });

  it('ends its process when it is aborted', async () => {
    const stop = new AbortController();
    const reader = new ImportReader(ctx, stop.signal);
    const waiting = reader.transcript(Buffer.from('x '.repeat(1_000_000)), undefined);
    stop.abort(new Error('stopped'));
    await expect(waiting).rejects.toThrow('stopped');
    await expect(reader.chapters(Buffer.from('[]'))).rejects.toThrow('stopped');
  });

  it('sends a large transcript in chunks without blocking the event loop', async () => {
    const reader = new ImportReader(ctx);
    const all = Array.from({ length: 20_000 }, (_, at) => ({ start: at, body: `word ${at}` }));
    let turns = 0;
    let isDone = false;
    const read = reader.transcript(Buffer.from(JSON.stringify(all)), 'application/json');
    void read.finally(() => {
      isDone = true;
    });
    while (!isDone) {
      await setImmediate();
      turns += 1;
    }
    const { segments, wordCount } = await read;
    expect(segments).toHaveLength(20_000);
    expect(segments.at(-1)).toMatchObject({ startMs: 19_999_000, text: 'word 19999' });
    expect(wordCount).toBe(40_000);
    expect(turns).toBeGreaterThan(10);
  });

  it('names the fault of invalid transcripts and chapters', async () => {
    const reader = new ImportReader(ctx);
    await expect(reader.transcript(Buffer.from(' '), undefined)).rejects.toMatchObject({
      name: 'TranscriptError',
      reason: 'empty',
    });
    await expect(reader.chapters(Buffer.from('no'))).rejects.toMatchObject({
      name: 'ChaptersError',
      reason: 'not_chapters',
    });
    const { chapters } = await reader.chapters(Buffer.from('[{"startTime":1,"title":"One"}]'));
    expect(chapters).toEqual([{ startMs: 1000, title: 'One' }]);
  });
});
