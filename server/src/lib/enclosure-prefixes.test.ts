import { describe, expect, it } from 'vitest';
import { isEnclosurePrefix, measurementServices, putBehindPrefixes } from './enclosure-prefixes.ts';

const url = 'https://pods.example/media/1/f/a.mp3';

describe('prefixes of enclosures', () => {
  it.each([
    [[], url],
    [['https://op3.dev/e/'], 'https://op3.dev/e/pods.example/media/1/f/a.mp3'],
    [['https://op3.dev/e'], 'https://op3.dev/e/pods.example/media/1/f/a.mp3'],
    [
      ['https://dts.podtrac.com/redirect.mp3/', 'https://pscrb.fm/rss/p'],
      'https://dts.podtrac.com/redirect.mp3/pscrb.fm/rss/p/pods.example/media/1/f/a.mp3',
    ],
  ])('prefixes %j stand before a URL, the first one outermost', (prefixes, expected) => {
    expect(putBehindPrefixes(url, prefixes)).toBe(expected);
  });

  it('a URL without TLS keeps its scheme behind a prefix', () => {
    const plain = 'http://localhost:3000/media/1/f/a.mp3';
    expect(putBehindPrefixes(plain, ['https://op3.dev/e/'])).toBe(`https://op3.dev/e/${plain}`);
  });

  it('all prefixes that are offered can be used', () => {
    for (const { prefix } of measurementServices) expect(isEnclosurePrefix(prefix)).toBe(true);
  });

  it.each([
    'http://op3.dev/e/',
    'op3.dev/e/',
    'https://op3.dev/e/?x=1',
    'https://op3.dev/e/#x',
    'https://me:secret@op3.dev/e/',
    'https://op3.dev/e /',
    `https://op3.dev/${'e'.repeat(200)}/`,
    'javascript:alert(1)',
    '',
  ])('a prefix is an https URL that a path can follow, not %s', (prefix) => {
    expect(isEnclosurePrefix(prefix)).toBe(false);
  });
});
