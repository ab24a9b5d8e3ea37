import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseFeed } from '../../../../../test/parse-feed.ts';
import type { ParsedItem } from './parsed-feed.ts';

/** Feeds of many generators, beside the repository on some machines. */
const FOLDER = new URL('../../../../../../shared/feeds/', import.meta.url);
const MANIFEST = new URL('MANIFEST.tsv', FOLDER);
const present = existsSync(MANIFEST);
if (!present) console.warn(`skipped: no real feeds at ${FOLDER.pathname}`);

interface Listed {
  readonly file: string;
  readonly items: number;
  readonly language: string;
  readonly newest: string;
}

function readManifest(): Listed[] {
  if (!present) return [];
  const [, ...rows] = readFileSync(MANIFEST, 'utf8').trim().split('\n');
  return rows.map((row) => {
    const [file = '', , , , , , items, language = '', , newest = ''] = row.split('\t');
    return { file, items: Number(items), language, newest };
  });
}

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

describe.skipIf(!present)('real feeds', () => {
  it.each(readManifest())('$file', async ({ file, items: listed, language, newest }) => {
    const { podcast, items, problems, truncated } = await parseFeed(
      readFileSync(new URL(file, FOLDER)),
    );
    expect(truncated).toBe(false);
    expect(problems).toEqual([]);
    expect(items).toHaveLength(listed);
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
  });

  it.each(readManifest())('$file: all parts of its items are found', async ({ file }) => {
    const xml = readFileSync(new URL(file, FOLDER), 'utf8');
    const texts = itemTexts(xml);
    const { items } = await parseFeed(xml);
    expect(sum(items, (item) => item.people.length)).toBe(countPeople(texts));
    expect(sum(items, (item) => item.transcripts.length)).toBe(
      count(texts, /<podcast:transcript\s[^>]*url="http/g),
    );
    expect(sum(items, (item) => (item.chapters === undefined ? 0 : 1))).toBe(
      count(texts, /<podcast:chapters\s[^>]*url="http/g),
    );
    expect(sum(items, (item) => item.inlineChapters.length)).toBe(count(texts, /<psc:chapter\s/g));
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
  });

  it('are recognized as locked', async () => {
    const locked: string[] = [];
    for (const { file } of readManifest()) {
      const { podcast } = await parseFeed(readFileSync(new URL(file, FOLDER)));
      if (podcast.locked?.locked === true) locked.push(file.replace(/^.*__/, ''));
    }
    expect(locked.sort()).toEqual(['example.xml', 'launched.xml', 'no-agenda.xml', 'pc20rss.xml']);
  });
});
