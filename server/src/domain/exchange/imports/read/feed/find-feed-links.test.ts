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
])('finds %s', (_name, html, expected) => {
  expect(findFeedLinks(html, 'https://a.example/show/')).toEqual(expected);
});

it('finds at most ten', () => {
  const html = Array.from({ length: 50 }, (_, at) => `<link ${rss} href="/${at}">`).join('');
  expect(findFeedLinks(html, 'https://a.example/')).toHaveLength(10);
});
