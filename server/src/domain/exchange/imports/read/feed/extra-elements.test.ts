import { expect, it } from 'vitest';
import { parseFeed } from '../../../../../../test/parse-feed.ts';
import { writeExtraElements } from '../../../../public/feeds/write-parts.ts';
import { checkExtraElements, type ExtraElement } from '../../../../publishing/podcasts/index.ts';
import type { ParsedFeed } from './parsed-feed.ts';

const namespaces = [
  'xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"',
  'xmlns:podcast="https://podcastindex.org/namespace/1.0"',
  'xmlns:other="https://other.example/ns"',
].join(' ');

function read(channel: string, declared = namespaces): Promise<ParsedFeed> {
  return parseFeed(
    `<rss version="2.0" ${declared}><channel><title>A</title>${channel}</channel></rss>`,
  );
}

async function itemExtras(item: string): Promise<readonly ExtraElement[]> {
  const { items } = await read(`<item><title>One</title>${item}</item>`);
  return items[0]?.extraElements ?? [];
}

const plain = { attributes: [], text: '', children: [] };

it('keeps elements of the namespace with their names, attributes, texts and children', async () => {
  expect(
    await itemExtras(`<podcast:value type="lightning" method="keysend">
      <podcast:valueRecipient customKey="906608" address="03ae&amp;" split="99"/>
      </podcast:value><podcast:newTag> A &amp;lt;b&amp;gt; </podcast:newTag>`),
  ).toEqual([
    {
      ...plain,
      name: 'podcast:value',
      attributes: [
        ['type', 'lightning'],
        ['method', 'keysend'],
      ],
      children: [
        {
          ...plain,
          name: 'podcast:valueRecipient',
          attributes: [
            ['customKey', '906608'],
            ['address', '03ae&'],
            ['split', '99'],
          ],
        },
      ],
    },
    { ...plain, name: 'podcast:newTag', text: 'A &lt;b&gt;' },
  ]);
});

it.each([
  ['xmlns:p="https://podcastindex.org/namespace/1.0"'],
  ['xmlns:p="https://podcastindex.org/namespace/2.0/"'],
  ['xmlns:p="https://github.com/Podcastindex-org/podcast-namespace/blob/main/docs/1.0.md"'],
])('recognizes the namespace by its address with any prefix: %s', async (declared) => {
  const { podcast } = await read('<p:chat server="a.example"/><p:GUID>x</p:GUID>', declared);
  expect(podcast.extraElements).toEqual([
    { ...plain, name: 'podcast:chat', attributes: [['server', 'a.example']] },
  ]);
});

// FEED-8
it('keeps an alternate enclosure with HLS and its sources, and the feed writes it as it was', async () => {
  const written = `<podcast:alternateEnclosure type="application/x-mpegURL" title="Video" default="false"><podcast:source uri="https://a.example/1/main.m3u8"/><podcast:integrity type="sri" value="sha384-x"/></podcast:alternateEnclosure>\n`;
  const file = '<enclosure url="https://a.example/1.mp3" length="1" type="audio/mpeg"/>';
  expect(writeExtraElements(await itemExtras(file + written))).toBe(written);
});

it('keeps elements of a live item in the other namespaces of our feed', async () => {
  const { podcast, items, unread } = await read(`<podcast:liveItem status="live">
    <title>Live</title><guid isPermaLink="false">g</guid><enclosure url="https://a.example/l"/>
    <itunes:image href="https://a.example/i.png"/><podcast:person>Ana</podcast:person>
    <other:thing/></podcast:liveItem>`);
  expect(items).toEqual([]);
  expect(podcast.title).toBe('A');
  expect(podcast.people).toEqual([]);
  expect(podcast.extraElements[0]?.children.map(({ name }) => name)).toEqual([
    ...['title', 'guid', 'enclosure', 'itunes:image', 'podcast:person'],
  ]);
  expect(unread).toEqual([
    { element: 'podcast:liveItem > other:thing', level: 'channel', count: 1 },
  ]);
});

it('extra elements do not include those that our feed writes from fields', async () => {
  const own = '<podcast:person>Ana</podcast:person><podcast:season>1</podcast:season>';
  const { podcast, items } = await read(
    `<podcast:podping usesPodping="true"/><podcast:locked>no</podcast:locked>
     <podcast:season>1</podcast:season><item><title>One</title>${own}
     <podcast:chapters url="https://a.example/c.json"/><podcast:locked>no</podcast:locked></item>`,
  );
  expect(podcast.extraElements.map(({ name }) => name)).toEqual(['podcast:season']);
  expect(items[0]?.extraElements.map(({ name }) => name)).toEqual(['podcast:locked']);
});

it('counts elements that nothing reads', async () => {
  const { unread } = await read(
    `<ttl>60</ttl><lastBuildDate>x</lastBuildDate><other:Thing><other:Inner/></other:Thing>
     <item><title>1</title><itunes:keywords>a</itunes:keywords></item>
     <item><title>2</title><itunes:keywords>b</itunes:keywords></item>`,
  );
  expect(unread).toEqual([
    { element: 'itunes:keywords', level: 'item', count: 2 },
    { element: 'ttl', level: 'channel', count: 1 },
    { element: 'other:Thing', level: 'channel', count: 1 },
  ]);
});

it.each([
  ['too many elements', '<podcast:txt/>'.repeat(5_000), 2_000, 3_000],
  ['too much text', `<podcast:txt>${'x'.repeat(60_000)}</podcast:txt>`.repeat(3), 1, 2],
  ['too deep', `${'<podcast:a>'.repeat(12)}${'</podcast:a>'.repeat(12)}`, 0, 1],
  [
    'too much in one',
    `<podcast:value>${'<podcast:x/>'.repeat(3_000)}</podcast:value><podcast:txt/>`,
    0,
    2,
  ],
])('drops and counts whole elements beyond a limit: %s', async (_name, item, kept, left) => {
  const { items, unread, problems } = await read(`<item><title>One</title>${item}</item>`);
  expect(problems).toEqual([]);
  expect(items[0]?.extraElements).toHaveLength(kept);
  expect(unread.reduce((sum, { count }) => sum + count, 0)).toBe(left);
  expect(checkExtraElements(items[0]?.extraElements ?? [], 'item')).toBeUndefined();
});

it.each([
  ['a prefix nobody declared', '<podcast:a x:y="1" z="2"/>', [['z', '2']]],
  ['a declaration', '<podcast:a xmlns:x="https://x.example/" z="2"/>', [['z', '2']]],
  ['a name that is none', '<podcast:a 1a="1" z="2"/>', [['z', '2']]],
  ['control characters', '<podcast:a z="a&#0;&#8;\u0001b\uFFFE"/>', [['z', 'ab']]],
  ['markup and quotes', `<podcast:a z='"&gt;&lt;b&gt;'/>`, [['z', '"><b>']]],
  ['a language', '<podcast:a xml:lang="en"/>', [['xml:lang', 'en']]],
])('keeps only attributes that XML can represent: %s', async (_name, item, attributes) => {
  expect(await itemExtras(item)).toEqual([{ ...plain, name: 'podcast:a', attributes }]);
});

it('limits how many names it counts', async () => {
  const names = Array.from({ length: 1_000 }, (_, count) => `<other:n${count}/>`).join('');
  const { unread } = await read(names);
  expect(unread.length).toBeLessThanOrEqual(201);
  expect(unread.reduce((sum, { count }) => sum + count, 0)).toBe(1_000);
});
