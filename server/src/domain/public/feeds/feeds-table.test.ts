import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { writeFeed } from '../../../../test/write-feed.ts';
import { type FeedElement, feedElements } from '../../../lib/fields/feed-elements.ts';
import type { FeedChannel, FeedItem } from './feed.ts';

const table = readFileSync(new URL('../../../../../docs/feeds.md', import.meta.url), 'utf8');
const rows = table.split('\n').filter((line) => line.startsWith('| `'));
const tagsOf = (row: string): string[] =>
  [...row.matchAll(/`([a-z]+:[\w-]+)`/g)].map(([, tag]) => tag!);

const person = { name: 'Ana', role: 'host', group: 'cast' };
const file = { url: 'https://a.example/1.mp3', type: 'audio/mpeg', lengthBytes: 1 };
const image = { url: 'https://a.example/1.png', type: 'image/png', width: 9, height: 9 };
const publishedAt = new Date('2024-01-05T06:07:08Z');

/** Elements for every name in the last rows of the table: those that members edit, and all others. */
const extraNames = rows.slice(-2).flatMap(tagsOf);
const extraElements = extraNames.map((name) => ({ name, attributes: [], text: 'x', children: [] }));

const channel: FeedChannel = {
  title: 'A',
  subtitle: 'B',
  description: 'C',
  linkUrl: 'https://a.example/',
  selfUrl: 'https://a.example/feed.xml',
  language: 'en',
  author: 'Ana',
  guid: 'g',
  explicit: false,
  showType: 'serial',
  categories: [{ category: 'Arts' }],
  lastBuildAt: publishedAt,
  locked: false,
  imageUrl: 'https://a.example/1.png',
  images: [image],
  owner: { name: 'Ana', email: 'ana@a.example' },
  funding: [{ url: 'https://a.example/give' }],
  medium: 'podcast',
  complete: true,
  itunesBlock: true,
  people: [person],
  trailers: [{ ...file, title: 'Soon', publishedAt }],
  newFeedUrl: 'https://b.example/feed.xml',
  extraElements,
};

const item: FeedItem = {
  guid: 'g',
  guidIsPermalink: false,
  title: 'One',
  publishedAt,
  linkUrl: 'https://a.example/1',
  enclosure: file,
  durationSeconds: 1,
  season: 1,
  episode: 1,
  episodeType: 'full',
  explicit: false,
  itunesBlock: true,
  description: 'D',
  subtitle: 'E',
  imageUrl: 'https://a.example/1.png',
  images: [image],
  people: [person],
  transcripts: [{ url: 'https://a.example/1.vtt', type: 'text/vtt' }],
  chapters: [
    { startMs: 0, title: 'A & B' },
    {
      startMs: 3_723_045,
      title: 'Two',
      linkUrl: 'https://a.example/?a&b',
      imageUrl: 'https://a.example/2.png',
    },
  ],
  chaptersUrl: 'https://a.example/1.json',
  extraElements: [],
};

const xml = writeFeed(channel, [item]);
const written = new Set([...xml.matchAll(/<((?:itunes|podcast):[\w-]+)/g)].map(([, tag]) => tag!));

it.each(rows.filter((row) => /\| yes[^|]*\|$/.test(row)))('matches the table: %s', (row) => {
  for (const tag of tagsOf(row)) expect(written).toContain(tag);
});

it('every element that members edit is in the table, in a row of their own', () => {
  const edited = Object.values<FeedElement>(feedElements).map(
    ({ element, within }) => within ?? element,
  );
  const told = [...tagsOf(rows.at(-2) ?? ''), ...rows.slice(0, -2).flatMap(tagsOf)];
  expect(edited.filter((tag) => !told.includes(tag))).toEqual([]);
});

it('every tag in the feed has a row in the table', () => {
  const told = new Set(rows.flatMap(tagsOf));
  expect([...written].filter((tag) => !told.has(tag) && !/:(?:name|email)$/.test(tag))).toEqual([]);
});
