import { afterAll, describe, expect, it } from 'vitest';
import { createReadingContext } from '../../../../../test/create-reading-context.ts';
import { ImportReader } from './import-reader.ts';
import { type PackedItems, unpackHeads, unpackItem } from './packed-items.ts';

const ctx = createReadingContext();
afterAll(() => ctx[Symbol.asyncDispose]());

async function* inChunks(...chunks: string[]): AsyncGenerator<Buffer> {
  for (const chunk of chunks) yield Buffer.from(chunk);
}

const feedOf = (...items: string[]) =>
  `<rss><channel><title>Night Signals</title>${items.map((item) => `<item>${item}</item>`).join('')}</channel></rss>`;

/** A spool in memory. */
function openSpool() {
  const packed: Pick<PackedItems, 'items' | 'heads'>[] = [];
  return {
    counted: 0,
    requireMemory: () => {},
    count(bytes: number) {
      this.counted += bytes;
    },
    add: async (part: Pick<PackedItems, 'items' | 'heads'>) => {
      packed.push({ items: Buffer.from(part.items), heads: Buffer.from(part.heads) });
      return { at: 0, itemBytes: 0, headBytes: 0 };
    },
    problems: () => packed.flatMap(({ heads }) => unpackHeads(heads).problems),
    heads: () => packed.flatMap(({ heads }) => unpackHeads(heads).heads),
    items: () =>
      packed.flatMap(({ items, heads }) =>
        unpackHeads(heads).heads.map(({ at, length }) =>
          unpackItem(items.subarray(at, at + length)),
        ),
      ),
  };
}

describe('ImportReader', () => {
  it('parses a feed in a process, and spools its items with sanitized texts', async () => {
    const spool = openSpool();
    const reader = new ImportReader(ctx, spool);
    const items = Array.from(
      { length: 3000 },
      (_, at) =>
        `<title>Episode ${at}</title><description>&lt;b onclick="x()"&gt;Words&lt;/b&gt; of ${at}</description>`,
    );
    const page = await reader.feed(inChunks(feedOf(...items)), { sizeBytes: 1 });
    expect(page).toMatchObject({ podcast: { title: 'Night Signals' }, truncated: false });
    expect(spool.items()).toHaveLength(3000);
    expect(spool.items()[2999]).toMatchObject({
      title: 'Episode 2999',
      description: 'Words of 2999',
      notes: { showNotesHtml: '<b>Words</b> of 2999', showNotes: 'Words of 2999' },
    });
    expect(spool.counted).toBe(page.heldBytes);
  });

  it('keeps nothing of a text in memory, however long it becomes', async () => {
    const notes = (text: string) => `<title>One</title><description>${text}</description>`;
    const [short, long] = [openSpool(), openSpool()];
    for (const [spool, text] of [
      [short, ''],
      [long, 'http://a.b '.repeat(1_000)],
    ] as const) {
      const reader = new ImportReader(ctx, spool);
      await reader.feed(inChunks(feedOf(notes(text))), { sizeBytes: 1 });
    }
    expect(long.items()[0]?.notes?.showNotesHtml.length).toBeGreaterThan(50_000);
    expect(long.counted).toBe(short.counted);
    expect(JSON.stringify(long.heads()).length).toBeLessThan(500);
  });

  // Matching has a key, an index and lower-case copies of them beside the items.
  it.each([
    ['GUID', (text: string) => `<guid>${text}</guid>`],
    ['audio', (text: string) => `<enclosure url="https://a.example/${text}" type="audio/mpeg"/>`],
  ])('counts what identifies an item four times: its %s', async (_name, element) => {
    const counted = async (text: string) => {
      const spool = openSpool();
      const xml = `<title>One</title>${element(text)}`;
      await new ImportReader(ctx, spool).feed(inChunks(feedOf(xml)), { sizeBytes: 1 });
      return spool.counted;
    };
    expect((await counted('x'.repeat(501))) - (await counted('x'))).toBe(4 * 2 * 500);
  });

  it('keeps of the problems of items as many as a report lists, and counts the others', async () => {
    const spool = openSpool();
    const guid = 'https://example.com/?token=hush';
    const items = Array.from({ length: 3_000 }, () => `<guid>${guid}</guid>`);
    const page = await new ImportReader(ctx, spool).feed(inChunks(feedOf(...items)), {
      sizeBytes: 1,
    });
    const problems = spool.problems();
    expect(problems.length).toBeGreaterThan(1);
    const listed = problems.flatMap((some) => some.listed);
    expect(listed).toHaveLength(1_000);
    expect(listed[999]).toMatchObject({ guid: null, reason: 'empty', leftOut: true });
    expect(problems.reduce((sum, { more }) => sum + more.leftOut, 0)).toBe(2_000);
    // Of those that are counted, nothing stays.
    expect(page.heldBytes).toBeLessThan(1_000 * 1_000);
  });

  it('counts the texts of a problem as a report has them', async () => {
    const counted = async (title: string, date: string) => {
      const spool = openSpool();
      const xml = `<title>${title}</title><pubDate>${date}</pubDate>`;
      await new ImportReader(ctx, spool).feed(inChunks(feedOf(xml)), { sizeBytes: 1 });
      return spool.counted;
    };
    const more = async (title: string) =>
      (await counted(title, 'never')) - (await counted(title, '01 Jan 2020 10:00:00 GMT'));
    expect((await more('x'.repeat(101))) - (await more('x'))).toBe(2 * 100);
    expect((await more('x'.repeat(900))) - (await more('x'.repeat(200)))).toBe(0);
  });

  it("throws the parser's refusal and stops reading the source", async () => {
    const reader = new ImportReader(ctx, undefined);
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
    const reader = new ImportReader(ctx, undefined);
    const failing = async function* () {
      yield Buffer.from('<rss>');
      throw new TypeError('the line is cut');
    };
    await expect(reader.feed(failing(), { sizeBytes: 1 })).rejects.toThrow(
      new TypeError('the line is cut'),
    );
  });

  it("throws the spool's refusal", async () => {
    const full = { ...openSpool(), add: () => Promise.reject(new RangeError('the spool is full')) };
    const reader = new ImportReader(ctx, full);
    const refused = reader.feed(inChunks(feedOf('<title>One</title>')), { sizeBytes: 1 });
    await expect(refused).rejects.toThrow(new RangeError('the spool is full'));
  });
});
