import { describe, expect, it } from 'vitest';
import { parseFeed } from '../../../../../../test/parse-feed.ts';
import type { ParsedEnclosure, ParsedFeed, ParsedItem, ParsedPodcast } from './parsed-feed.ts';

const NAMESPACES = [
  'xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"',
  'xmlns:podcast="https://podcastindex.org/namespace/1.0"',
  'xmlns:content="http://purl.org/rss/1.0/modules/content/"',
  'xmlns:atom="http://www.w3.org/2005/Atom"',
  'xmlns:psc="http://podlove.org/simple-chapters"',
  'xmlns:media="http://search.yahoo.com/mrss/"',
  'xmlns:googleplay="http://www.google.com/schemas/play-podcasts/1.0"',
].join(' ');

function rss(channel: string, namespaces = NAMESPACES): string {
  const start = `<?xml version="1.0" encoding="UTF-8"?><rss version="2.0" ${namespaces}>`;
  return `${start}<channel>${channel}</channel></rss>`;
}

async function podcastOf(channel: string, namespaces?: string): Promise<ParsedPodcast> {
  return (await parseFeed(rss(channel, namespaces))).podcast;
}

/** The one item, with a title of its own so that it is kept. */
async function itemOf(item: string, namespaces?: string): Promise<ParsedItem> {
  const feed = await parseFeed(rss(`<item><title>An episode</title>${item}</item>`, namespaces));
  expect(feed.items).toHaveLength(1);
  return feed.items[0]!;
}

describe('the podcast', () => {
  const cases: readonly (readonly [string, string, Partial<ParsedPodcast>])[] = [
    ['a title', '<title> The\n  Quiet  Hour </title>', { title: 'The Quiet Hour' }],
    ['a title that looks like a number', '<title>1984</title>', { title: '1984' }],
    ['a title that looks like a value', '<title>true</title>', { title: 'true' }],
    ['references', '<title>A &amp; B</title>', { title: 'A & B' }],
    [
      'a text that was escaped twice',
      '<title>It&amp;#8217;s &amp;amp; done</title>',
      { title: 'It’s & done' },
    ],
    [
      'the same in CDATA',
      '<title><![CDATA[It&amp;#8217;s &amp;amp; done]]></title>',
      { title: 'It’s & done' },
    ],
    [
      'an attribute that was escaped twice',
      '<itunes:category text="Society &amp;amp; Culture"/>',
      { categories: [{ category: 'Society & Culture', subcategory: undefined }] },
    ],
    [
      'a text that was not escaped twice: it has an & alone',
      '<title>R&amp;B &amp;amp; soul</title>',
      { title: 'R&B &amp; soul' },
    ],
    [
      'a reference that does not exist',
      '<title>Q&amp;bogus; &amp;amp; A</title>',
      { title: 'Q&bogus; &amp; A' },
    ],
    [
      'our own feed, which is never escaped twice',
      '<title>How to write &amp;amp;</title><generator>Podstead</generator>',
      { title: 'How to write &amp;' },
    ],
    ['CDATA', '<title><![CDATA[A & <B>]]></title>', { title: 'A & <B>' }],
    ['CDATA with references', '<title><![CDATA[Q&amp;A]]></title>', { title: 'Q&A' }],
    ['numeric references', '<title>&#8220;Hi&#x201D; &#146;n</title>', { title: '“Hi” ’n' }],
    ['undeclared names', '<title>Caf&eacute;&nbsp;&hellip;</title>', { title: 'Café …' }],
    ['unknown names', '<title>a &bogus; b & c</title>', { title: 'a &bogus; b & c' }],
    ['forbidden characters', '<title>a&#0;b&#11;c&#xD800;d</title>', { title: 'abcd' }],
    ['no title', '<link>https://a.example/</link>', { title: undefined }],
    ['an empty tag', '<title/><itunes:author> </itunes:author>', { author: undefined }],
    ['the author', '<itunes:author>Ada</itunes:author>', { author: 'Ada' }],
    [
      'the author elsewhere',
      '<atom:author><atom:name>Ada</atom:name></atom:author>',
      { author: 'Ada' },
    ],
    [
      'HTML in the description',
      '<description>&lt;p&gt;Hello &amp;amp; you&lt;/p&gt;</description>',
      { description: '<p>Hello &amp; you</p>' },
    ],
    ['a summary alone', '<itunes:summary>All of it</itunes:summary>', { description: 'All of it' }],
    [
      'a subtitle in the place of the description',
      '<description>Short</description><itunes:subtitle>Short</itunes:subtitle>' +
        '<itunes:summary>Long</itunes:summary>',
      { description: 'Long', subtitle: 'Short' },
    ],
    ['the language', '<language>de-AT</language>', { language: 'de-AT' }],
    ['explicit yes', '<itunes:explicit>Yes</itunes:explicit>', { explicit: true }],
    ['explicit clean', '<itunes:explicit>clean</itunes:explicit>', { explicit: false }],
    ['explicit nonsense', '<itunes:explicit>maybe</itunes:explicit>', { explicit: undefined }],
    ['the show type', '<itunes:type>Serial</itunes:type>', { showType: 'serial' }],
    ['the copyright', '<copyright>© Ada</copyright>', { copyright: '© Ada' }],
    [
      'the site, not the feed',
      '<atom:link rel="self" href="https://a.example/rss"/><link>https://a.example/</link>',
      { websiteUrl: 'https://a.example/', selfUrl: 'https://a.example/rss' },
    ],
    [
      'the next page',
      '<atom:link rel="next" href="https://a.example/rss?page=2&amp;x=1"/>',
      { nextPageUrl: 'https://a.example/rss?page=2&x=1' },
    ],
    ['a site that is none', '<link>javascript:alert(1)</link>', { websiteUrl: undefined }],
    [
      'the artwork',
      '<image><url>https://a.example/small.png</url></image>' +
        '<itunes:image href="https://a.example/big.png"/>',
      { imageUrl: 'https://a.example/big.png' },
    ],
    [
      'the artwork of plain RSS',
      '<image><url>https://a.example/small.png</url><title>x</title></image>',
      { imageUrl: 'https://a.example/small.png', title: undefined },
    ],
    [
      'artwork among banners',
      '<podcast:image href="https://a.example/wide.png" aspect-ratio="16/9"/>' +
        '<podcast:image href="https://a.example/s.png" aspect-ratio="1/1" purpose="artwork social"/>',
      { imageUrl: 'https://a.example/s.png' },
    ],
    [
      'the owner',
      '<itunes:owner><itunes:name>Ada</itunes:name><itunes:email>a@b.example</itunes:email>' +
        '</itunes:owner>',
      { ownerName: 'Ada', ownerEmail: 'a@b.example' },
    ],
    [
      'the GUID',
      '<podcast:guid>917393E3-1B1E-5CEF-ACE4-EDAA54E1F810</podcast:guid>',
      { guid: '917393e3-1b1e-5cef-ace4-edaa54e1f810' },
    ],
    ['a placeholder for a GUID', '<podcast:guid>your-guid</podcast:guid>', { guid: undefined }],
    [
      'a lock',
      '<podcast:locked owner="a@b.example">Yes</podcast:locked>',
      { locked: { locked: true, owner: 'a@b.example' } },
    ],
    [
      'an open lock',
      '<podcast:locked>no</podcast:locked>',
      { locked: { locked: false, owner: undefined } },
    ],
    ['no lock', '<title>x</title>', { locked: undefined }],
    [
      'funding',
      '<podcast:funding url="https://a.example/give">Give</podcast:funding>',
      { funding: [{ url: 'https://a.example/give', text: 'Give' }] },
    ],
    [
      'a move',
      '<itunes:new-feed-url>https://b.example/rss</itunes:new-feed-url>',
      { newFeedUrl: 'https://b.example/rss' },
    ],
    ['the end of the show', '<itunes:complete>Yes</itunes:complete>', { complete: true }],
    ['no end of the show', '<itunes:complete>no</itunes:complete>', { complete: false }],
    ['the medium', '<podcast:medium>Music</podcast:medium>', { medium: 'music' }],
  ];

  it.each(cases)('reads %s', async (_name, channel, expected) => {
    expect(await podcastOf(channel)).toMatchObject(expected);
  });

  it('reads nested categories without duplicates', async () => {
    const { categories } = await podcastOf(`
      <itunes:category text="Society &amp; Culture"><itunes:category text="Documentary"/>
        <itunes:category text="Philosophy"/></itunes:category>
      <itunes:category text="News"/><itunes:category text="News"/><itunes:category/>`);
    expect(categories).toEqual([
      { category: 'Society & Culture', subcategory: 'Documentary' },
      { category: 'Society & Culture', subcategory: 'Philosophy' },
      { category: 'News', subcategory: undefined },
    ]);
  });

  it('reads elements of the podcast after the items, and ignores live items', async () => {
    const feed = await parseFeed(
      rss(`<podcast:liveItem status="live"><title>Live</title><guid>l</guid></podcast:liveItem>
        <item><title>One</title></item><title>The show</title>`),
    );
    expect(feed.podcast.title).toBe('The show');
    expect(feed.items.map((item) => item.title)).toEqual(['One']);
  });
});

describe('an item', () => {
  const cases: readonly (readonly [string, string, Partial<ParsedItem>])[] = [
    ['a GUID as it stands', '<guid isPermaLink="false"> a  B%2f </guid>', { guid: 'a  B%2f' }],
    ['a GUID in CDATA', '<guid><![CDATA[a&amp;b]]></guid>', { guid: 'a&amp;b' }],
    ['an empty GUID', '<guid></guid>', { guid: undefined }],
    ['a date', '<pubDate>Wed, 02 Oct 2002 08:00:00 EST</pubDate>', { publishedAt: at(13) }],
    ['a date elsewhere', '<dc:date>2002-10-02T13:00:00Z</dc:date>', { publishedAt: at(13) }],
    [
      'HTML in both places',
      '<description>short</description><content:encoded><![CDATA[<p>a &amp; b</p>]]></content:encoded>',
      { descriptionHtml: 'short', contentHtml: '<p>a &amp; b</p>' },
    ],
    ['a summary', '<itunes:summary>s</itunes:summary>', { summary: 's' }],
    ['a subtitle', '<itunes:subtitle>s</itunes:subtitle>', { subtitle: 's' }],
    ['a link', '<link> https://a.example/1 </link>', { link: 'https://a.example/1' }],
    ['seconds', '<itunes:duration>3725</itunes:duration>', { durationMs: 3_725_000 }],
    ['a clock', '<itunes:duration>1:02:05</itunes:duration>', { durationMs: 3_725_000 }],
    ['no duration', '<itunes:duration>0</itunes:duration>', { durationMs: undefined }],
    [
      'numbers',
      '<itunes:season>02</itunes:season><itunes:episode>7</itunes:episode>',
      { season: 2, episode: 7 },
    ],
    [
      'numbers of the other namespace',
      '<podcast:season name="Two">2</podcast:season><podcast:episode display="Ch.3">7</podcast:episode>',
      { season: 2, episode: 7 },
    ],
    [
      'numbers that are none',
      '<itunes:season>two</itunes:season><podcast:episode>7.5</podcast:episode>',
      { season: undefined, episode: undefined },
    ],
    ['a number too large', '<itunes:season>10000</itunes:season>', { season: undefined }],
    ['its type', '<itunes:episodeType>Bonus</itunes:episodeType>', { episodeType: 'bonus' }],
    ['no type', '<itunes:episodeType>other</itunes:episodeType>', { episodeType: undefined }],
    ['explicit', '<itunes:explicit>true</itunes:explicit>', { explicit: true }],
    ['nothing on explicit', '', { explicit: undefined }],
    [
      'its picture',
      '<itunes:image href="https://a.example/1.png"/>',
      { imageUrl: 'https://a.example/1.png' },
    ],
    [
      'chapters by address',
      '<podcast:chapters url="https://a.example/c.json" type="application/json+chapters"/>',
      { chapters: { url: 'https://a.example/c.json', type: 'application/json+chapters' } },
    ],
  ];

  it.each(cases)('reads %s', async (_name, item, expected) => {
    expect(await itemOf(item)).toMatchObject(expected);
  });

  it('reads people with defaults, in lower case and without duplicates', async () => {
    const { people } = await itemOf(`
      <podcast:person href="https://a.example/ada" img="/ada.png">Ada &amp; Co</podcast:person>
      <podcast:person role="Guest">Bob</podcast:person><podcast:person role="guest">Bob</podcast:person>
      <podcast:person group="Visuals" role="Cover  Art Designer">Cleo</podcast:person>
      <podcast:person role="guest"> </podcast:person><podcast:person name="Dee"/>`);
    expect(people).toEqual([
      {
        name: 'Ada & Co',
        role: 'host',
        group: 'cast',
        img: undefined,
        href: 'https://a.example/ada',
      },
      { name: 'Bob', role: 'guest', group: 'cast', img: undefined, href: undefined },
      {
        name: 'Cleo',
        role: 'cover art designer',
        group: 'visuals',
        img: undefined,
        href: undefined,
      },
      { name: 'Dee', role: 'host', group: 'cast', img: undefined, href: undefined },
    ]);
  });

  it('reads every transcript', async () => {
    const { transcripts } = await itemOf(`
      <podcast:transcript url="https://a.example/1.vtt" type="Text/VTT; charset=utf-8" language="de" rel="captions"/>
      <podcast:transcript url="https://a.example/1.html"/><podcast:transcript type="text/vtt"/>`);
    expect(transcripts).toEqual([
      { url: 'https://a.example/1.vtt', type: 'text/vtt', language: 'de', rel: 'captions' },
      { url: 'https://a.example/1.html', type: undefined, language: undefined, rel: undefined },
    ]);
  });

  it('reads simple chapters sorted by time', async () => {
    const { inlineChapters } = await itemOf(`<psc:chapters version="1.2">
      <psc:chapter start="00:01:00.5" title="Then" href="https://a.example/" image="https://a.example/1.png"/>
      <psc:chapter start="0" title="First &amp; foremost"/><psc:chapter start="soon" title="x"/>
      </psc:chapters>`);
    expect(inlineChapters).toEqual([
      { startMs: 0, title: 'First & foremost', href: undefined, image: undefined },
      { startMs: undefined, title: 'x', href: undefined, image: undefined },
      {
        startMs: 60_500,
        title: 'Then',
        href: 'https://a.example/',
        image: 'https://a.example/1.png',
      },
    ]);
  });
});

function at(hour: number): Date {
  return new Date(Date.UTC(2002, 9, 2, hour));
}

describe('an enclosure', () => {
  const file = (name: string, rest = ''): string =>
    `<enclosure url="https://a.example/${name}" ${rest}/>`;
  const alternate = (name: string, type: string, rest = ''): string =>
    `<podcast:alternateEnclosure type="${type}" length="9" ${rest}>
      <podcast:source uri="ipfs://x"/><podcast:source uri="https://a.example/${name}"/>
    </podcast:alternateEnclosure>`;
  const found = (name: string, type?: string, lengthBytes?: number): ParsedEnclosure => ({
    url: `https://a.example/${name}`,
    type,
    lengthBytes,
  });
  const cases: readonly (readonly [string, string, ParsedEnclosure | undefined])[] = [
    ['one', file('1.mp3', 'type="audio/mpeg" length="12"'), found('1.mp3', 'audio/mpeg', 12)],
    ['none', '', undefined],
    ['a length of 0', file('1.mp3', 'length="0"'), found('1.mp3')],
    ['a length that is none', file('1.mp3', 'length="1,234"'), found('1.mp3')],
    ['a type that is none', file('1.mp3', 'type="null"'), found('1.mp3')],
    ['a type in capitals', file('1.mp3', 'type="Audio/MP3"'), found('1.mp3', 'audio/mp3')],
    [
      'several: the first with audio',
      file('1.jpg', 'type="image/jpeg"') + file('1.m4a', 'type="audio/mp4"') + file('1.mp3'),
      found('1.m4a', 'audio/mp4'),
    ],
    ['several without types', file('1.pdf') + file('1.mp3?x=1'), found('1.mp3?x=1')],
    ['a picture alone', file('1.jpg', 'type="image/jpeg"'), undefined],
    ['video alone', file('1.mp4', 'type="video/mp4"'), found('1.mp4', 'video/mp4')],
    [
      'only alternates: the default one',
      alternate('a.mp3', 'audio/mpeg') + alternate('b.mp4', 'video/mp4', 'default="true"'),
      found('b.mp4', 'video/mp4', 9),
    ],
    [
      'only alternates, no default: audio',
      alternate('b.mp4', 'video/mp4') + alternate('a.mp3', 'audio/mpeg'),
      found('a.mp3', 'audio/mpeg', 9),
    ],
    [
      'an enclosure and alternates',
      alternate('a.mp3', 'audio/mpeg', 'default="true"') + file('1.ogg', 'type="audio/ogg"'),
      found('1.ogg', 'audio/ogg'),
    ],
    [
      'only media:content',
      '<media:content url="https://a.example/1.jpg" type="image/jpeg"/><media:group>' +
        '<media:content url="https://a.example/1.mp3" type="audio/mpeg" fileSize="7"/></media:group>',
      found('1.mp3', 'audio/mpeg', 7),
    ],
  ];

  it.each(cases)('reads %s', async (_name, item, expected) => {
    expect((await itemOf(item)).enclosure).toEqual(expected);
  });

  it('an enclosure keeps its address unchanged', async () => {
    const url = 'HTTPS://A.example:443/x/../%7e %zz/ü.mp3?a=1&b=2#c';
    const item = await itemOf(`<enclosure url=" ${url.replace('&', '&amp;')} "/>`);
    expect(item.enclosure?.url).toBe(url);
  });
});

describe('namespaces', () => {
  const cases: readonly (readonly [string, string, string])[] = [
    ['the other prefix', 'xmlns:i="http://www.itunes.com/dtds/podcast-1.0.dtd"', 'i:season'],
    ['another case', 'xmlns:iTunes="http://www.itunes.com/DTDs/Podcast-1.0.dtd"', 'iTunes:Season'],
    ['https and a slash', 'xmlns:x="https://www.itunes.com/dtds/podcast-1.0.dtd/"', 'x:season'],
    ['no declaration', '', 'itunes:season'],
    ['a wrong address', 'xmlns:itunes="http://example.com/"', 'itunes:season'],
    ['podcast', 'xmlns:p="https://podcastindex.org/namespace/1.0"', 'p:season'],
    [
      'podcast under its old address',
      'xmlns:p="https://github.com/Podcastindex-org/podcast-namespace/blob/main/docs/1.0.md"',
      'p:season',
    ],
  ];

  it.each(cases)(
    'namespaces are recognized by address or usual prefix: %s',
    async (_name, declared, tag) => {
      expect((await itemOf(`<${tag}>4</${tag}>`, declared)).season).toBe(4);
    },
  );

  it('namespaces are not recognized by a prefix of another known namespace', async () => {
    const item = await itemOf(
      '<itunes:season>4</itunes:season>',
      'xmlns:itunes="http://www.w3.org/2005/Atom"',
    );
    expect(item.season).toBeUndefined();
  });

  it('namespaces can be declared on one element, and apply only inside it', async () => {
    const feed = await parseFeed(
      rss(
        `<item><title>a</title>
          <x:season xmlns:x="http://www.itunes.com/dtds/podcast-1.0.dtd">4</x:season></item>
        <item><title>b</title><x:season>4</x:season></item>
        <link xmlns="http://www.w3.org/2005/Atom" rel="self" href="https://a.example/rss"/>`,
        'xmlns="http://backend.userland.com/rss2"',
      ),
    );
    expect(feed.items.map((item) => item.season)).toEqual([4, undefined]);
    expect(feed.podcast.selfUrl).toBe('https://a.example/rss');
  });
});

describe('problems', () => {
  it('problems do not stop the other items from being read', async () => {
    const feed: ParsedFeed = await parseFeed(
      rss(`
      <item><title>Good</title><guid>1</guid></item>
      <item><guid>2</guid><description>neither title nor enclosure</description></item>
      <item><title>Again</title><guid>1</guid></item>
      <item><title>Undated</title><guid>3</guid><pubDate>yesterday</pubDate></item>
      <item><title>Elsewhere</title><guid>4</guid><enclosure url="ftp://a.example/1.mp3"/></item>
      <item><title>Long</title><guid>${'x'.repeat(2001)}</guid></item>
      <item><title>No audio</title><guid>5</guid><enclosure url="" type="audio/mpeg"/></item>
      <item><enclosure url="https://a.example/1.mp3"/></item>`),
    );
    expect(feed.items.map((item) => [item.position, item.title, item.guid])).toEqual([
      [0, 'Good', '1'],
      [2, 'Again', '1'],
      [3, 'Undated', '3'],
      [4, 'Elsewhere', '4'],
      [5, 'Long', undefined],
      [6, 'No audio', '5'],
      [7, undefined, undefined],
    ]);
    expect(
      feed.problems.map((problem) => [problem.position, problem.reason, problem.leftOut]),
    ).toEqual([
      [1, 'empty', true],
      [3, 'bad_date', false],
      [4, 'bad_enclosure_url', false],
      [5, 'guid_too_long', false],
    ]);
    expect(feed.problems[1]).toMatchObject({ guid: '3', title: 'Undated' });
    expect(feed.problems[1]?.message).toContain('"yesterday"');
  });

  it('problems do not include an item without a file', async () => {
    const feed = await parseFeed(rss('<item><title>Only words</title></item>'));
    expect(feed.items[0]?.enclosure).toBeUndefined();
    expect(feed.problems).toEqual([]);
  });
});

describe('the address of an enclosure, a transcript and chapters', () => {
  it.each([
    ['/audio/1.mp3', 'https://a.example/audio/1.mp3'],
    ['1.mp3', 'https://a.example/feeds/1.mp3'],
    ['//b.example/1.mp3', 'https://b.example/1.mp3'],
    ['http:https://b.example/1.mp3', 'https://b.example/1.mp3'],
    ['https:http://b.example/1.mp3', 'http://b.example/1.mp3'],
    ['https://b.example/http:https://1.mp3', 'https://b.example/http:https://1.mp3'],
    ['javascript:alert(1)', undefined],
    ['file:///etc/passwd', undefined],
  ])('%s is %s', async (written, expected) => {
    const tags = ['enclosure', 'podcast:transcript', 'podcast:chapters'];
    const links = tags.map((tag) => `<${tag} url="${written}"/>`).join('');
    const xml = rss(`<item><title>One</title>${links}</item>`);
    const feed = await parseFeed(xml, { baseUrl: 'https://a.example/feeds/show.xml' });
    const [item] = feed.items;
    const found = [item?.enclosure?.url, item?.transcripts[0]?.url, item?.chapters?.url];
    expect(found).toEqual([expected, expected, expected]);
  });

  it('the address of an enclosure, a transcript and chapters is reported if it is relative and the feed has no address', async () => {
    const { problems } = await parseFeed(
      rss('<item><title>One</title><enclosure url="1.mp3"/></item>'),
    );
    expect(problems).toMatchObject([{ reason: 'bad_enclosure_url' }]);
  });
});
