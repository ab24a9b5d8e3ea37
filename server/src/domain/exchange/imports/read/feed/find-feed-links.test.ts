import { expect, it } from 'vitest';
import { findFeedLinks } from './find-feed-links.ts';

const rss = 'rel="alternate" type="application/rss+xml"';

it.each([
  ['an absolute URL', `<link ${rss} href="https://b.example/feed">`, ['https://b.example/feed']],
  [
    'a relative one',
    `<link ${rss} href="../feed?a=1&amp;b=2">`,
    ['https://a.example/feed?a=1&b=2'],
  ],
  ['a base', `<base href="/x/"><link ${rss} href="feed">`, ['https://a.example/x/feed']],
  [
    'several: podcasts first, each once',
    `<link ${rss} href="/1"><link ${rss} href="/2" title="The Podcast"><link ${rss} href="/1">`,
    ['https://a.example/2', 'https://a.example/1'],
  ],
  ['other types', '<link rel="alternate" type="application/atom+xml" href="/atom">', []],
  ['other relations', '<link rel="stylesheet" type="application/rss+xml" href="/1">', []],
  ['other schemes', `<link ${rss} href="file:///etc/passwd"><link ${rss} href="http://[">`, []],
  [
    'what a page of Apple Podcasts gives to its scripts',
    '<script type="application/json" id="serialized-server-data">[{"data":{"offer":{"feedUrl":' +
      '"https:\\/\\/b.example\\/feed?a=1&b=2","title":"A \\"feedUrl\\""}}}]</script>',
    ['https://b.example/feed?a=1&b=2'],
  ],
  [
    'the link of a saved page of Podcast Index',
    '<a href="https://b.example/feed" title="RSS Feed"><img></a><a href="/rss" title="About RSS">',
    ['https://b.example/feed'],
  ],
  [
    'what is most certain first',
    `<a title="rss" href="/4"><script>{"feedUrl":"https://b.example/3"}</script><link ${rss} href="/2">` +
      `<link ${rss} href="/podcast">`,
    [
      'https://a.example/podcast',
      'https://a.example/2',
      'https://b.example/3',
      'https://a.example/4',
    ],
  ],
  ['no data outside of scripts', '<p>{"feedUrl": "https://b.example/feed"}</p>', []],
  ['no data of other schemes', '<script>{"feedUrl": "file:///etc/passwd"}</script>', []],
])('finds %s', (_name, html, expected) => {
  expect(findFeedLinks(html, 'https://a.example/show/')).toEqual(expected);
});

it('finds only absolute links in a file, whose URL is unknown', () => {
  const html = `<link ${rss} href="/1"><link ${rss} href="https://b.example/2">`;
  expect(findFeedLinks(html)).toEqual(['https://b.example/2']);
});

it('finds at most ten', () => {
  const html = Array.from({ length: 50 }, (_, at) => `<link ${rss} href="/${at}">`).join('');
  expect(findFeedLinks(html, 'https://a.example/')).toHaveLength(10);
});
