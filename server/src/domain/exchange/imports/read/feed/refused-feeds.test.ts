import { describe, expect, it } from 'vitest';
import { type FeedSource, parseFeed } from '../../../../../../test/parse-feed.ts';
import type { FeedLimits } from './feed-document.ts';
import { FeedError } from './feed-error.ts';

const START = '<rss version="2.0"><channel><title>T</title>';

/** The reason for a refusal; throws if the feed was read or if another error occurred. */
async function refusalOf(source: FeedSource, limits: Partial<FeedLimits> = {}): Promise<string> {
  const error: unknown = await parseFeed(source, { limits }).then(
    () => new Error('it was read'),
    (thrown: unknown) => thrown,
  );
  if (error instanceof FeedError) return error.reason;
  throw error;
}

describe('a document that is not a feed', () => {
  const cases: readonly (readonly [string, string | Buffer, string])[] = [
    ['nothing', '', 'empty'],
    ['blank lines', '\uFEFF \n\n', 'empty'],
    ['an XML declaration alone', '<?xml version="1.0"?>', 'not_a_feed'],
    ['a page of HTML', '<!DOCTYPE html><html><head></head></html>', 'html'],
    ['a page without a document type', '\n<HTML lang="en"><body>', 'html'],
    ['XHTML', '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"></html>', 'html'],
    ['Atom', '<feed xmlns="http://www.w3.org/2005/Atom"><title>x</title></feed>', 'atom_feed'],
    ['Atom by prefix', '<a:feed xmlns:a="http://www.w3.org/2005/Atom"/>', 'atom_feed'],
    ['OPML', '<opml version="2.0"><head/><body/></opml>', 'not_a_feed'],
    ['other XML', '<soap:Envelope xmlns:soap="x"/>', 'not_a_feed'],
    ['JSON', '{"version":"https://jsonfeed.org/version/1.1"}', 'not_a_feed'],
    ['plain words', 'Not found', 'not_a_feed'],
    ['a gzip file', Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0]), 'not_a_feed'],
    ['binary zeros', Buffer.alloc(5_000), 'not_a_feed'],
    ['no channel', '<rss version="2.0"></rss>', 'no_channel'],
    ['no channel but items', '<rss><item><title>x</title></item></rss>', 'no_channel'],
  ];

  it.each(cases)(
    'a document that is not a feed is refused: %s',
    async (_name, document, reason) => {
      expect(await refusalOf(document)).toBe(reason);
    },
  );

  it('a document that is not a feed is recognized from its first bytes', async () => {
    async function* endless(): AsyncGenerator<Buffer> {
      yield Buffer.from('<!doctype html><html><body>');
      throw new Error('read on');
    }
    expect(await refusalOf(endless())).toBe('html');
  });
});

describe('entities of the document', () => {
  const feed = `${START}<item><title>&lol;</title></item></channel></rss>`;
  const bomb = '<!ENTITY lol "ha"><!ENTITY lol2 "&lol;&lol;&lol;&lol;&lol;&lol;&lol;">';
  const cases: readonly (readonly [string, string])[] = [
    ['a bomb', `<!DOCTYPE rss [${bomb}]>${feed}`],
    ['a bomb behind a system id', `<!DOCTYPE rss SYSTEM "a[b.dtd" [${bomb}]>${feed}`],
    ['an external entity', `<!DOCTYPE rss [<!ENTITY lol SYSTEM "file:///etc/passwd">]>${feed}`],
    ['a parameter entity', `<!DOCTYPE rss [<!ENTITY % x SYSTEM "http://a.example/">%x;]>${feed}`],
    ['in lower case', `<!doctype rss[\n<!entity lol "x">]>${feed}`],
    ['without a document type', `<!ENTITY lol "x">${feed}`],
    ['within the feed', `${START}<!ENTITY lol "x"></channel></rss>`],
  ];

  it.each(cases)('entities of the document are refused: %s', async (_name, document) => {
    expect(await refusalOf(document)).toBe('xml_entities');
    const utf16 = Buffer.from(`\uFEFF${document}`, 'utf16le');
    expect(await refusalOf(utf16)).toBe('xml_entities');
  });

  it('entities of the document are not refused because of a plain document type', async () => {
    const doctype =
      '<!DOCTYPE rss PUBLIC "-//Netscape//DTD RSS 0.91//EN" "http://a.example/[x].dtd">';
    const { items } = await parseFeed(`<?xml version="1.0"?>${doctype}${feed}`);
    expect(items[0]?.title).toBe('&lol;');
  });
});

describe('a feed beyond the limits', () => {
  async function* repeat(head: string, piece: string): AsyncGenerator<Buffer> {
    yield Buffer.from(head);
    const bytes = Buffer.from(piece.repeat(Math.ceil(10_000 / piece.length)));
    for (;;) yield bytes;
  }
  const limits: Partial<FeedLimits> = { totalBytes: 3_000_000, textChars: 500_000, items: 1_000 };
  const cases: readonly (readonly [string, string, string, string])[] = [
    ['an endless title', `${START}<item><title>`, 'x', 'too_large'],
    ['an endless CDATA section', `${START}<item><title><![CDATA[`, ']]', 'too_large'],
    ['an endless comment', `${START}<!--`, '- -', 'too_large'],
    ['an endless attribute', `${START}<item a="`, '&amp;', 'too_large'],
    ['an endless name', `${START}<`, 'x', 'too_large'],
    ['an endless document type', '<!DOCTYPE ', 'x', 'not_a_feed'],
    ['an endless instruction', `${START}<?x `, 'x', 'too_large'],
    ['endless end tags', START, '</x>', 'too_large'],
    ['endless elements nobody knows', START, '<x/>', 'too_large'],
    ['endless elements of the channel', START, '<link/>', 'too_large'],
    ['an endless item', `${START}<item><title>x</title>`, '<link>x</link>', 'too_large'],
    ['endless markup in a text', `${START}<item><description>`, '<hr/>', 'too_large'],
    ['endless opening brackets', `${START}<item><title>`, '<', 'too_large'],
    ['endless items', START, '<item/>', 'too_many_items'],
    ['endless nesting', START, '<x>', 'too_deep'],
    ['endless nesting before the root', '', '<br>', 'too_deep'],
    ['endless blank lines', '', '\n', 'empty'],
    ['endless text before the root', 'x', ' y', 'not_a_feed'],
  ];

  it.each(cases)('a feed beyond the limits is refused: %s', async (_name, head, piece, reason) => {
    expect(await refusalOf(repeat(head, piece), limits)).toBe(reason);
  });

  it('a feed beyond the limits is refused for one element with too many attributes', async () => {
    async function* attributes(): AsyncGenerator<string> {
      yield `${START}<item `;
      for (let count = 0; ; count++) yield `a${count}="x" `;
    }
    expect(await refusalOf(attributes(), limits)).toBe('too_large');
  });

  it('a feed beyond the limits is refused by its size in bytes, in chunks of any size', async () => {
    const document = `${START}${'<x/>'.repeat(50_000)}</channel></rss>`;
    expect(await refusalOf(document, { totalBytes: 150_000 })).toBe('too_large');
    expect(await refusalOf(Buffer.from(document), { totalBytes: 150_000 })).toBe('too_large');
    expect((await parseFeed(document, { limits: { totalBytes: 250_000 } })).items).toEqual([]);
  });
});

describe('one item beyond the limits', () => {
  it('one item beyond the limits is skipped, and the next item is read', async () => {
    const large = 'x'.repeat(3_000);
    const feed = await parseFeed(
      `${START}<item><title>Large</title><guid>1</guid><description>${large}</description>
        <link>https://a.example/</link></item>
      <item><title>Busy</title><guid>2</guid>${'<podcast:person/>'.repeat(60)}</item>
      <item><title>Right</title><guid>3</guid></item></channel></rss>`,
      { limits: { itemChars: 2_000, itemElements: 50 } },
    );
    expect(feed.items.map((item) => item.title)).toEqual(['Right']);
    expect(feed.problems.map(({ guid, title, reason }) => [guid, title, reason])).toEqual([
      ['1', 'Large', 'too_large'],
      ['2', 'Busy', 'too_large'],
    ]);
  });
});

describe('the source', () => {
  const whole = `${START}</channel></rss>`;

  it('the source is closed at the end of the feed', async () => {
    let closed = false;
    async function* talkative(): AsyncGenerator<Buffer> {
      try {
        yield Buffer.from(whole);
        throw new Error('read on');
      } finally {
        closed = true;
      }
    }
    expect((await parseFeed(talkative())).truncated).toBe(false);
    expect(closed).toBe(true);
  });

  it('the source passes on its own error', async () => {
    async function* broken(): AsyncGenerator<Buffer> {
      yield Buffer.from(START);
      throw new RangeError('connection reset');
    }
    await expect(parseFeed(broken())).rejects.toThrow(RangeError);
  });

  it('the source is closed on a refusal', async () => {
    let closed = false;
    async function* page(): AsyncGenerator<string> {
      try {
        for (;;) yield '<html>';
      } finally {
        closed = true;
      }
    }
    await expect(parseFeed(page())).rejects.toThrow(FeedError);
    expect(closed).toBe(true);
  });
});
