import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseFeed } from '../../../../../../test/parse-feed.ts';
import { FeedError } from './feed-error.ts';

const START = '<rss version="2.0"><channel><title>T</title>';
const END = '</channel></rss>';

describe('a feed that is not well-formed', () => {
  const title = async (inner: string): Promise<string | undefined> =>
    (await parseFeed(`${START}<item><title>${inner}</title><guid>g</guid></item>${END}`)).items[0]
      ?.title;

  it.each([
    ['a bare ampersand', 'Q&A & B&B;', 'Q&A & B&B;'],
    ['an unknown reference', '&gtgt; &#99999999;', '&gtgt; &#99999999;'],
    ['a bracket before a space', '1 < 2', '1 < 2'],
    ['a bracket before a sign', 'I <3 you', 'I <3 you'],
    ['markup nobody closed', 'a<br>b', 'a<br>b'],
    ['a stray end tag', 'a</b>c', 'ac'],
    ['a stray end of CDATA', 'a]]>b', 'a]]>b'],
    ['two titles in one', '<![CDATA[a]]> &amp; <![CDATA[b]]>', 'a & b'],
  ])(
    'a feed that is not well-formed is read in spite of this: %s',
    async (_name, inner, expected) => {
      expect(await title(inner)).toBe(expected);
    },
  );

  it('a feed that is not well-formed keeps unescaped HTML in a text', async () => {
    const { items } = await parseFeed(
      `${START}<item><title>x</title><description>
        <p class='a "b"'>One &amp; <b>two</b><br/></p><![CDATA[ <i>&amp;</i> ]]>
        <em><![CDATA[<3]]></em></description></item>${END}`,
    );
    expect(items[0]?.descriptionHtml?.replace(/\s+/g, ' ')).toBe(
      '<p class="a &quot;b&quot;">One &amp; <b>two</b><br></p> <i>&amp;</i> <em>&lt;3</em>',
    );
  });

  it('a feed that is not well-formed keeps all items and fields after a text without its end tag', async () => {
    const { items, problems } = await parseFeed(
      `${START}<item><title>One<guid>1</guid><itunes:episode>4</itunes:episode></item>
      <item><title>Two</title><guid>2</guid>
      <item><title>Three <3</title><guid>3</guid><enclosure url="https://a.example/3.mp3"/></item>
      ${END}`,
    );
    expect(items.map(({ title: name, guid, episode }) => [name, guid, episode])).toEqual([
      ['One', '1', 4],
      ['Two', '2', undefined],
      ['Three <3', '3', undefined],
    ]);
    expect(items[2]?.enclosure?.url).toBe('https://a.example/3.mp3');
    expect(problems).toEqual([]);
  });

  it.each([
    ['blank lines before the declaration', `\n\n<?xml version="1.0"?>${START}`],
    ['a byte order mark before it', `\uFEFF<?xml version="1.0"?>${START}`],
    ['a warning before it', `<br />\n<b>Warning</b>: x &lt; y<br />${START}`],
    ['comments before it', `<!-- <rss> --><?xml-stylesheet href="x"?>${START}`],
    ['no rss element', START.replace('<rss version="2.0">', '')],
    ['capitals', START.toUpperCase().replace('CHANNEL', 'Channel')],
  ])('a feed that is not well-formed is read after %s', async (_name, start) => {
    const feed = await parseFeed(`${start}<item><title>One</title></item>${END}`);
    expect(feed.podcast.title).toBe('T');
    expect(feed.items).toHaveLength(1);
  });

  it('a feed that is not well-formed is read if its items are outside of the channel, as in RSS 1.0', async () => {
    const feed = await parseFeed(
      `<rdf:RDF xmlns="http://purl.org/rss/1.0/"><channel><title>T</title></channel>
      <item><title>One</title></item></rdf:RDF>`,
    );
    expect([feed.podcast.title, feed.items.length, feed.truncated]).toEqual(['T', 1, false]);
  });

  it('a feed that is not well-formed is read up to its last complete item if it was cut off, with a warning', async () => {
    const whole = `${START}<item><title>One</title></item><item><title>Two</title>${END}`;
    const cut = whole.indexOf('Two');
    const feed = await parseFeed(whole.slice(0, cut + 1));
    expect(feed.items.map((item) => item.title)).toEqual(['One']);
    expect(feed.problems.map((problem) => problem.reason)).toEqual(['cut_off']);
    expect(feed.truncated).toBe(true);
    expect((await parseFeed(whole)).truncated).toBe(false);
  });
});

describe('a damaged feed', () => {
  const sample = Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE rss><rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"
      xmlns:podcast="https://podcastindex.org/namespace/1.0"><channel><title>Ä &amp; B</title>
    <itunes:category text="News"><itunes:category text="Tech News"/></itunes:category>
    <!-- note --><description><![CDATA[<p>x</p>]]></description>
    <item><title>One &lt;1&gt; — “é”</title><guid isPermaLink="false">a-1</guid>
      <pubDate>Wed, 02 Oct 2002 13:00:00 +0000</pubDate><itunes:duration>1:02</itunes:duration>
      <enclosure url="https://a.example/1.mp3" length="12" type="audio/mpeg"/>
      <podcast:person role="guest">Ada</podcast:person><description><p>Hi</p></description></item>
    <item><title>Two</title><guid>a-2</guid><itunes:season>1</itunes:season></item>
    </channel></rss>`);
  const damage = fc.array(
    fc.record({
      at: fc.nat(sample.length - 1),
      byte: fc.oneof(fc.nat(255), fc.constantFrom(...Buffer.from('<>&;"\'/![]-?= \0'))),
      drop: fc.nat(20),
    }),
    { maxLength: 12 },
  );

  /** Anything but a refusal is a bug. */
  async function readOrRefuse(chunks: AsyncIterable<Buffer>): Promise<void> {
    try {
      const feed = await parseFeed(chunks);
      expect(feed.items.length).toBeLessThanOrEqual(3);
    } catch (error) {
      expect(error).toBeInstanceOf(FeedError);
    }
  }

  async function* inChunks(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  }

  it('a damaged feed is read or refused, with damage in any place and chunks of any size', async () => {
    await fc.assert(
      fc.asyncProperty(damage, fc.integer({ min: 1, max: 400 }), async (hits, size) => {
        let bytes = Buffer.from(sample);
        for (const { at, byte, drop } of hits) {
          if (at >= bytes.length) continue;
          bytes[at] = byte;
          bytes = Buffer.concat([bytes.subarray(0, at + 1), bytes.subarray(at + 1 + drop)]);
        }
        await readOrRefuse(inChunks(bytes, size));
      }),
      { numRuns: 1_000 },
    );
  });

  it('a damaged feed is read or refused if it is cut off in any place', async () => {
    for (let length = 0; length <= sample.length; length++) {
      await readOrRefuse(inChunks(sample.subarray(0, length), 97));
    }
  });

  it('gives the same result in chunks of any size', async () => {
    const whole = await parseFeed(sample);
    expect(whole.items).toHaveLength(2);
    for (const size of [1, 2, 3, 7, 64, 1_000]) {
      expect(await parseFeed(inChunks(sample, size))).toEqual(whole);
    }
  });
});
