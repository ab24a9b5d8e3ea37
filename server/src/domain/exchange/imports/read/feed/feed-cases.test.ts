import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findCollection, ownCases } from '../../../../../../test/collections.ts';
import { readFeedCase } from '../../../../../../test/feed-cases.ts';
import { parseFeed } from '../../../../../../test/parse-feed.ts';
import type { ParsedItem } from './parsed-feed.ts';

interface Listed {
  readonly file: string;
  readonly items: number;
  readonly language: string;
  /** A date as in the feed; empty without items. */
  readonly newest: string;
}

const own: readonly Listed[] = (
  [
    ['alternate-enclosures.xml', 2, '', 'Sun, 12 Dec 2021 20:00:00 GMT'],
    ['chapters-in-feed.xml', 2, 'de-DE', 'Sun, 14 Jan 2024 06:00:00 +0000'],
    ['cyrillic.xml', 2, 'ru', 'Sat, 10 Feb 2024 17:51:21 EST'],
    ['measured-downloads.xml', 2, 'en', 'Wed, 10 Nov 2021 08:00:00 -0000'],
    ['no-media-types.xml', 2, 'en-US', 'Fri, 18 Jan 2019 21:05:00 +0000'],
    ['numbered-guids.xml', 3, 'de', 'Fri, 25 Mar 2022 09:46:00 GMT'],
    ['plain-itunes.xml', 2, 'en', 'Tue, 12 Mar 2019 09:15:00 +0000'],
    ['publisher.xml', 0, '', ''],
    ['space-before-declaration.xml', 3, 'en', 'Thu, 02 Feb 2023 07:00:26 GMT'],
    ['spaces-in-guids.xml', 3, 'en', 'Fri, 15 Oct 2021 18:00:00 +0000'],
    ['time-splits.xml', 2, 'en', 'Thu, 05 Oct 2023 16:20:00 -0500'],
    ['undeclared-entities.xml', 2, 'en', 'Sun, 10 Oct 2021 19:45:02 +0000'],
    ['whole-namespace.xml', 2, 'en-GB', 'Fri, 17 May 2024 06:30:00 GMT'],
    ['zone-names.xml', 3, 'en-US', 'Wed, 15 Jan 2020 20:01:32 PST'],
  ] as const
).map(([file, items, language, newest]) => ({ file, items, language, newest }));

/** The list of the collection of feeds, on machines that have it. */
function readManifest(): Listed[] {
  const folder = findCollection('feeds');
  if (folder === undefined) return [];
  const [, ...rows] = readFileSync(join(folder, 'MANIFEST.tsv'), 'utf8').trim().split('\n');
  return rows.map((row) => {
    const [file = '', , , , , , items, language = '', , newest = ''] = row.split('\t');
    return { file, items: Number(items), language, newest };
  });
}

const listed = [...own, ...readManifest()];

/** The items as text, for counting without a parser. */
function itemTexts(xml: string): string[] {
  return xml.match(/<item[ >][\s\S]*?<\/item>/g) ?? [];
}

function count(texts: readonly string[], tag: RegExp): number {
  return texts.reduce((total, text) => total + (text.match(tag)?.length ?? 0), 0);
}

/** Podlove names people in one of two elements, or in both. */
function countPeople(texts: readonly string[]): number {
  return texts.reduce((total, text) => {
    const people = namesIn(text, /<podcast:person[^>]*>\s*([^<\s][^<]*)/g);
    const others = namesIn(text, /<atom:contributor>\s*<atom:name>([^<]*)/g);
    return total + people.length + others.filter((name) => !people.includes(name)).length;
  }, 0);
}

function namesIn(text: string, tag: RegExp): string[] {
  return [...text.matchAll(tag)].map(([, name]) => (name ?? '').trim());
}

function sum(items: readonly ParsedItem[], count: (item: ParsedItem) => number): number {
  return items.reduce((total, item) => total + count(item), 0);
}

it('the list of own feeds is complete', () => {
  const files = readdirSync(join(ownCases, 'feeds'));
  expect(own.map(({ file }) => file)).toEqual(files.sort());
});

describe('a feed in the shape of another generator', () => {
  it.each(listed)(
    'a feed in the shape of another generator is read without problems: $file',
    async ({ file, ...expected }) => {
      const { language, newest } = expected;
      const bytes = await readFeedCase(file);
      const { podcast, items, problems, truncated } = await parseFeed(bytes);
      expect(truncated).toBe(false);
      expect(problems).toEqual([]);
      expect(items).toHaveLength(expected.items);
      expect(podcast.language ?? '').toBe(language);
      expect(podcast.title).toBeTruthy();
      expect(podcast.description).toBeTruthy();
      expect(podcast.imageUrl ?? '').toMatch(/^https?:|^$/);
      expect(new Set(items.map((item) => item.guid ?? item.position)).size).toBe(items.length);
      for (const item of items) {
        expect(item.title).toBeTruthy();
        expect(item.enclosure?.url).toMatch(/^https?:\/\/\S+$/);
        expect(item.publishedAt?.getTime()).toBeGreaterThan(Date.UTC(2005, 0));
        expect(item.title).not.toMatch(/<\/|&\w+;|\n/);
      }
      if (newest !== '') {
        const found = Math.max(...items.map((item) => item.publishedAt?.getTime() ?? 0));
        const day = 86_400_000;
        expect(Math.abs(found - new Date(newest).getTime())).toBeLessThan(day);
      }
    },
  );

  it.each(listed)(
    'a feed in the shape of another generator has every part of its items read: $file',
    async ({ file }) => {
      const xml = (await readFeedCase(file)).toString();
      const texts = itemTexts(xml);
      const { items } = await parseFeed(xml);
      expect(sum(items, (item) => item.people.length)).toBe(countPeople(texts));
      expect(sum(items, (item) => item.transcripts.length)).toBe(
        count(texts, /<podcast:transcript\s[^>]*url="http/g),
      );
      expect(sum(items, (item) => (item.chapters === undefined ? 0 : 1))).toBe(
        count(texts, /<podcast:chapters\s[^>]*url="http/g),
      );
      expect(sum(items, (item) => item.inlineChapters.length)).toBe(
        count(texts, /<psc:chapter\s/g),
      );
      expect(sum(items, (item) => (item.imageUrl === undefined ? 0 : 1))).toBe(
        texts.filter((text) =>
          /<(?:itunes:image|podcast:images)\s[^>]*(?:href|srcset)="http/.test(text),
        ).length,
      );
      expect(sum(items, (item) => (item.durationMs === undefined ? 0 : 1))).toBe(
        count(texts, /<itunes:duration>\s*[\d:.]*[1-9]/g),
      );
      expect(sum(items, (item) => (item.guid === undefined ? 0 : 1))).toBe(
        count(texts, /<guid[^>]*>\s*(?:<!\[CDATA\[)?[^<\s]/g),
      );
    },
  );

  it('a feed in the shape of another generator is locked only if it says so', async () => {
    const locked: string[] = [];
    for (const { file } of listed) {
      const { podcast } = await parseFeed(await readFeedCase(file));
      if (podcast.locked?.locked === true) locked.push(file.replace(/^.*__/, ''));
    }
    const collected = ['example.xml', 'launched.xml', 'no-agenda.xml', 'pc20rss.xml'];
    expect(locked).toEqual(
      expect.arrayContaining(['undeclared-entities.xml', 'whole-namespace.xml']),
    );
    const others = locked.slice(2).sort();
    expect(others).toEqual(findCollection('feeds') === undefined ? [] : collected);
  });
});
