import { describe, expect, it } from 'vitest';
import { feedChunks, writeFeed } from '../../../../test/write-feed.ts';
import type { FeedChannel, FeedItem } from './feed.ts';

const CHANNEL: FeedChannel = {
  title: 'Salt & "Pepper"',
  description: 'All about <taste>',
  linkUrl: 'https://salt.example/?a=1&b=2',
  selfUrl: 'https://pods.example/feeds/salt.xml',
  language: 'en-GB',
  author: 'Ada & Bob',
  guid: '917393e3-1b1e-5cef-ace4-edaa54e1f810',
  explicit: false,
  showType: 'serial',
  categories: [{ category: 'Arts', subcategory: 'Food' }, { category: 'Society & Culture' }],
  lastBuildAt: new Date('2024-02-29T12:00:00.500Z'),
  locked: false,
  imageUrl: 'https://pods.example/images/1.png',
  images: [],
  copyright: 'Ada',
  people: [{ name: 'Ada', role: 'host', group: 'cast' }],
  trailers: [],
  funding: [],
  medium: 'podcast',
  complete: false,
  itunesBlock: false,
  extraElements: [],
};

const ITEM: FeedItem = {
  guid: 'tag:salt.example,2024:1?a&b',
  guidIsPermalink: false,
  title: 'On <salt>',
  publishedAt: new Date('2024-01-05T06:07:08Z'),
  linkUrl: 'https://pods.example/listen/salt/on-salt',
  enclosure: {
    url: 'https://pods.example/media/1/f/on-salt.mp3',
    lengthBytes: 12_345,
    type: 'audio/mpeg',
  },
  durationSeconds: 61.6,
  season: 2,
  episode: 7,
  episodeType: 'full',
  explicit: true,
  itunesBlock: false,
  description: 'Salt & more',
  contentHtml: '<p>Salt &amp; more</p>',
  subtitle: 'White gold',
  imageUrl: 'https://pods.example/images/2.png',
  images: [],
  people: [
    {
      name: 'Cleo "C" Doe',
      role: 'cover art designer',
      group: 'visuals',
      imageUrl: 'https://pods.example/images/3.png',
      linkUrl: 'https://cleo.example/?a&b',
    },
  ],
  transcripts: [
    { url: 'https://pods.example/transcripts/1.vtt', type: 'text/vtt', language: 'en' },
    {
      url: 'https://pods.example/transcripts/1.srt',
      type: 'application/x-subrip',
      rel: 'captions',
    },
  ],
  chapters: [
    { startMs: 0, title: 'A & B' },
    {
      startMs: 3_723_045,
      title: 'Two',
      linkUrl: 'https://a.example/?a&b',
      imageUrl: 'https://a.example/2.png',
    },
  ],
  chaptersUrl: 'https://pods.example/chapters/1.json',
  extraElements: [],
};

function write(channel: Partial<FeedChannel> = {}, ...items: Partial<FeedItem>[]): string {
  return writeFeed(
    { ...CHANNEL, ...channel },
    items.map((item) => ({ ...ITEM, ...item })),
  );
}

const TOKEN =
  /<!\[CDATA\[([\s\S]*?)\]\]>|<\/([\w:-]+)>|<([\w:-]+)((?:\s[\w:-]+="(?:[^"<&]|&(?:amp|lt|gt|quot|apos);)*")*)(\/?)>|((?:[^<&>]|&(?:amp|lt|gt|quot|apos);)+)/y;

/** Throws if the XML is not well-formed. */
function checkWellFormed(xml: string): void {
  const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n';
  expect(xml.startsWith(declaration)).toBe(true);
  expect(xml).not.toMatch(/[\uFFFE\uFFFF\p{Cs}[\p{Cc}--[\t\n\r\x7F-\x9F]]]/v);
  const open: string[] = [];
  TOKEN.lastIndex = declaration.length;
  while (TOKEN.lastIndex < xml.length) {
    const at = TOKEN.lastIndex;
    const token = TOKEN.exec(xml);
    if (token === null) throw new Error(`not well-formed: ${xml.slice(at, at + 80)}`);
    const [, , closing, opening, attributes = '', empty] = token;
    const names = [...attributes.matchAll(/\s([\w:-]+)="[^"]*"/g)].map((match) => match[1]);
    if (new Set(names).size < names.length) throw new Error(`an attribute twice: ${token[0]}`);
    if (opening !== undefined && empty === '') open.push(opening);
    if (closing !== undefined && open.pop() !== closing) throw new Error(`stray </${closing}>`);
  }
  expect(open).toEqual([]);
}

describe("Apple's and PSP-1's requirements", () => {
  const always: readonly (readonly [string, string])[] = [
    ['the namespaces', 'xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"'],
    ['', 'xmlns:podcast="https://podcastindex.org/namespace/1.0"'],
    ['', 'xmlns:atom="http://www.w3.org/2005/Atom"'],
    ['', 'xmlns:content="http://purl.org/rss/1.0/modules/content/"'],
    ['RSS 2.0', '<rss version="2.0" '],
    [
      'where it is',
      '<atom:link rel="self" href="https://pods.example/feeds/salt.xml" type="application/rss+xml"/>',
    ],
    ['a title', '<title>Salt &amp; &quot;Pepper&quot;</title>'],
    ['a description', '<description>All about &lt;taste&gt;</description>'],
    ['a link', '<link>https://salt.example/?a=1&amp;b=2</link>'],
    ['a language', '<language>en-GB</language>'],
    ['a category in a category', '<itunes:category text="Arts">\n<itunes:category text="Food"/>'],
    ['a category alone', '<itunes:category text="Society &amp; Culture"/>'],
    ['no explicit words', '<itunes:explicit>false</itunes:explicit>'],
    ['artwork', '<itunes:image href="https://pods.example/images/1.png"/>'],
    ['artwork for readers of plain RSS', '<url>https://pods.example/images/1.png</url>'],
    ['an author', '<itunes:author>Ada &amp; Bob</itunes:author>'],
    ['a type', '<itunes:type>serial</itunes:type>'],
    ['the copyright', '<copyright>Ada</copyright>'],
    ['its date', '<lastBuildDate>Thu, 29 Feb 2024 12:00:00 +0000</lastBuildDate>'],
    ['who wrote it', '<generator>Podstead</generator>'],
    ['its GUID', '<podcast:guid>917393e3-1b1e-5cef-ace4-edaa54e1f810</podcast:guid>'],
    ['no lock', '<podcast:locked>no</podcast:locked>'],
    ['the medium', '<podcast:medium>podcast</podcast:medium>'],
    ['its people', '<podcast:person role="host" group="cast">Ada</podcast:person>'],
    ['an item: its title', '<title>On &lt;salt&gt;</title>'],
    ['', '<itunes:title>On &lt;salt&gt;</itunes:title>'],
    ['its GUID', '<guid isPermaLink="false">tag:salt.example,2024:1?a&amp;b</guid>'],
    ['its date', '<pubDate>Fri, 05 Jan 2024 06:07:08 +0000</pubDate>'],
    ['its page', '<link>https://pods.example/listen/salt/on-salt</link>'],
    [
      'its file',
      '<enclosure url="https://pods.example/media/1/f/on-salt.mp3" length="12345" type="audio/mpeg"/>',
    ],
    ['whole seconds', '<itunes:duration>62</itunes:duration>'],
    ['numbers', '<itunes:season>2</itunes:season>\n<podcast:season>2</podcast:season>'],
    ['', '<itunes:episode>7</itunes:episode>\n<podcast:episode>7</podcast:episode>'],
    ['its type', '<itunes:episodeType>full</itunes:episodeType>'],
    ['explicit words', '<itunes:explicit>true</itunes:explicit>'],
    ['its description', '<description>Salt &amp; more</description>'],
    ['its notes', '<content:encoded><![CDATA[<p>Salt &amp; more</p>]]></content:encoded>'],
    ['its subtitle', '<itunes:subtitle>White gold</itunes:subtitle>'],
    ['its picture', '<itunes:image href="https://pods.example/images/2.png"/>'],
    [
      'its people',
      '<podcast:person role="cover art designer" group="visuals" ' +
        'img="https://pods.example/images/3.png" href="https://cleo.example/?a&amp;b">' +
        'Cleo &quot;C&quot; Doe</podcast:person>',
    ],
    [
      'its transcripts',
      '<podcast:transcript url="https://pods.example/transcripts/1.vtt" type="text/vtt" language="en"/>',
    ],
    [
      '',
      '<podcast:transcript url="https://pods.example/transcripts/1.srt" type="application/x-subrip" rel="captions"/>',
    ],
    [
      'its chapters in simple form',
      `<psc:chapters version="1.2">
<psc:chapter start="00:00:00.000" title="A &amp; B"/>
<psc:chapter start="01:02:03.045" title="Two" href="https://a.example/?a&amp;b" image="https://a.example/2.png"/>
</psc:chapters>`,
    ],
    [
      'its chapters',
      '<podcast:chapters url="https://pods.example/chapters/1.json" type="application/json+chapters"/>',
    ],
  ];

  it.each(always)('%s %s', (_name, expected) => {
    expect(write({}, {})).toContain(expected);
  });

  it.each([
    ['the owner', 'itunes:owner'],
    ['a new address', 'itunes:new-feed-url'],
    ['the end of the show', 'itunes:complete'],
    ['funding', 'podcast:funding'],
    ['trailers', 'podcast:trailer'],
    ['pages', 'rel="next"'],
    ['a hub', 'rel="hub"'],
  ])('a feed omits %s if there is none', (_name, tag) => {
    expect(write({}, {})).not.toContain(tag);
  });

  it.each<readonly [string, Partial<FeedChannel>, string]>([
    [
      'the owner',
      { owner: { name: 'Ada', email: 'ada@salt.example' } },
      '<itunes:owner>\n<itunes:name>Ada</itunes:name>\n<itunes:email>ada@salt.example</itunes:email>\n</itunes:owner>',
    ],
    [
      'a new address',
      { newFeedUrl: 'https://new.example/rss' },
      '<itunes:new-feed-url>https://new.example/rss</itunes:new-feed-url>',
    ],
    [
      'a lock',
      { locked: true, lockedOwner: 'ada@salt.example' },
      '<podcast:locked owner="ada@salt.example">yes</podcast:locked>',
    ],
    [
      'funding',
      { funding: [{ url: 'https://salt.example/give', text: 'Give' }] },
      '<podcast:funding url="https://salt.example/give">Give</podcast:funding>',
    ],
    [
      'a trailer',
      {
        trailers: [
          {
            title: 'Soon',
            publishedAt: new Date('2024-01-01T00:00:00Z'),
            url: 'https://pods.example/media/0/f/soon.mp3',
            type: 'audio/mpeg',
            lengthBytes: 9,
            season: 2,
          },
        ],
      },
      '<podcast:trailer pubdate="Mon, 01 Jan 2024 00:00:00 +0000" ' +
        'url="https://pods.example/media/0/f/soon.mp3" length="9" type="audio/mpeg" season="2">' +
        'Soon</podcast:trailer>',
    ],
    [
      'a hub',
      { hubUrls: ['https://hub.example/', 'https://b.example/?a=1&b=2'] },
      '<atom:link rel="hub" href="https://hub.example/"/>\n' +
        '<atom:link rel="hub" href="https://b.example/?a=1&amp;b=2"/>',
    ],
    [
      'pages',
      { paging: { first: 'https://a.example/1', next: 'https://a.example/4' } },
      '<atom:link rel="first" href="https://a.example/1" type="application/rss+xml"/>\n' +
        '<atom:link rel="next" href="https://a.example/4" type="application/rss+xml"/>',
    ],
    ['no description', { description: ' ' }, '<description>Salt &amp; &quot;Pepper&quot;</desc'],
  ])('a feed is written as its readers expect with %s', (_name, channel, expected) => {
    const xml = write(channel, {});
    expect(xml).toContain(expected);
    checkWellFormed(xml);
  });

  it.each<readonly [string, Partial<FeedItem>, RegExp]>([
    [
      'a length nobody knows',
      { enclosure: { url: 'https://a.example/1.mp3', type: 'audio/mpeg' } },
      /length="0"/,
    ],
    [
      'an address in ASCII',
      { linkUrl: 'https://Zoë.example/ö b?ü=✓' },
      /<link>https:\/\/xn--zo-ija\.example\/%C3%B6%20b\?%C3%BC=%E2%9C%93</,
    ],
    ['half a second as one', { durationSeconds: 0.3 }, /<itunes:duration>1</],
  ])('an item is written as its readers expect with %s', (_name, item, expected) => {
    expect(write({}, item)).toMatch(expected);
  });

  // NOTIFY-9
  it('a feed says that it uses podping, or nothing of it', () => {
    expect(write()).not.toContain('podping');
    expect(write({ usesPodping: false })).not.toContain('podping');
    expect(write({ usesPodping: true })).toContain('<podcast:podping usesPodping="true"/>');
  });

  it('a feed omits missing fields of an item', () => {
    const xml = write(
      { imageUrl: undefined },
      {
        season: undefined,
        episode: 0,
        durationSeconds: undefined,
        subtitle: undefined,
        contentHtml: undefined,
        imageUrl: undefined,
        chaptersUrl: undefined,
        chapters: [],
        people: [],
        transcripts: [],
      },
    );
    expect(xml).not.toMatch(/season|itunes:episode>|duration|subtitle|encoded>|image|chapters[ >]/);
    expect(xml).toContain('<podcast:episode>0</podcast:episode>');
    checkWellFormed(xml);
  });
});

describe('hostile texts', () => {
  const nasty = '</title>]]>&lt;\u0000\u000b\ufffe\ud800"\'<![CDATA[<x a="\u001f">\udc00🎙\n\t';

  it('hostile texts keep the feed well-formed, and stay complete except for forbidden characters', () => {
    const xml = write(
      {
        title: nasty,
        description: nasty,
        author: nasty,
        language: nasty,
        linkUrl: nasty,
        lockedOwner: nasty,
        categories: [{ category: nasty, subcategory: nasty }],
        owner: { name: nasty, email: nasty },
        funding: [{ url: nasty, text: nasty }],
      },
      {
        guid: nasty,
        title: nasty,
        description: nasty,
        contentHtml: `${nasty}]]]>]]]]>>`,
        people: [{ name: nasty, role: nasty, group: nasty, linkUrl: nasty }],
        transcripts: [{ url: nasty, type: nasty, language: nasty }],
      },
    );
    checkWellFormed(xml);
    expect(xml).toContain('&lt;/title&gt;]]&gt;&amp;lt;&quot;&apos;&lt;![CDATA[');
    expect(xml).toContain('🎙');
  });

  it.each([
    ['letters', 'x'.repeat(5_000), 4_000],
    ['characters of three bytes', '✓'.repeat(2_000), 3_999],
    ['characters of four bytes', `a${'🎙'.repeat(1_500)}`, 3_997],
    ['exactly as much as fits', 'ö'.repeat(2_000), 4_000],
    ['spaces where it is cut', `${'x'.repeat(3_990)}${' '.repeat(20)}x`, 3_990],
  ])('hostile texts are cut at 4,000 bytes, between characters: %s', (_name, text, bytes) => {
    const [, cut = ''] =
      /<description>([^<]*)<\/description>/.exec(write({ description: text })) ?? [];
    expect(Buffer.byteLength(cut)).toBe(bytes);
    expect(text.startsWith(cut)).toBe(true);
  });
});

describe('many items', () => {
  it('many items are read one by one, on demand', () => {
    let made = 0;
    function* items(): Generator<FeedItem> {
      for (; made < 5_000; made++)
        yield { ...ITEM, guid: `guid-${made}`, title: `Episode ${made}` };
    }
    let chunks = 0;
    for (const chunk of feedChunks(CHANNEL, items())) {
      expect(made).toBeLessThanOrEqual(chunks);
      expect(chunk.length).toBeLessThan(10_000);
      chunks += 1;
    }
    expect([made, chunks]).toEqual([5_000, 5_002]);
  });

  it('many items make one well-formed feed', () => {
    const items = Array.from({ length: 5_000 }, (_, count) => ({ guid: `guid-${count}` }));
    const xml = write({}, ...items);
    checkWellFormed(xml);
    expect(xml.match(/<item>/g)).toHaveLength(5_000);
  });
});
