import { afterAll, describe, expect, it } from 'vitest';
import { createReadingContext } from '../../../../../test/create-reading-context.ts';
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
});
