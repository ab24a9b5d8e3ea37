import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { disambiguateSlug, isSlug, proposeSlugs, slugify } from './slug.ts';

describe('isSlug', () => {
  // REQ-2
  it.each([
    'a',
    '0',
    'night-signals',
    'a-b-c',
    '123',
    'latest-news',
    'the-latest',
    'x'.repeat(100),
    '550e8400-e29b-41d4-a716-44665544000', // one digit short of a UUID
    '550e8400-e29b-41d4-a716-4466554400000',
    '550e8400-e29b-41d4-a716-44665544000g',
  ])('takes %s', (text) => {
    expect(isSlug(text)).toBe(true);
  });

  // REQ-2
  it.each([
    '',
    '-',
    '-a',
    'a-',
    'a--b',
    'A',
    'a_b',
    'a b',
    'a.b',
    'a\n',
    'é',
    'a/b',
    'x'.repeat(101),
    'latest',
    '550e8400-e29b-41d4-a716-446655440000',
    '00000000-0000-0000-0000-000000000000',
    'ffffffff-ffff-ffff-ffff-ffffffffffff',
  ])('refuses %j', (text) => {
    expect(isSlug(text)).toBe(false);
  });

  it('takes linear time', () => {
    expect(isSlug('a-'.repeat(1_000_000))).toBe(false);
  });
});

describe('slugify', () => {
  it.each([
    ['Night Signals', 'night-signals'],
    ['  #12: What’s next?  (Part 2) ', '12-whats-next-part-2'],
    ["Ana's show", 'anas-show'],
    ['Straße nach Łódź', 'strasse-nach-lodz'],
    ['GROẞE ÆØÅ Œuvre', 'grosse-aeoa-oeuvre'],
    ['Þórður & Ðoði', 'thordur-dodi'],
    ['Crème brûlée à la carte', 'creme-brulee-a-la-carte'],
    ['Crème brûlée', 'creme-brulee'],
    ['İstanbul’da ışık', 'istanbulda-isik'],
    ['Tiếng Việt', 'tieng-viet'],
    ['Радио-Т 123: объявление', 'radio-t-123-obyavlenie'],
    ['Мой ёж, щука', 'moy-ezh-shchuka'],
    ['Мой ёж'.normalize('NFD'), 'moy-ezh'],
    ['Їжак і Ґанок', 'yizhak-i-ganok'],
    ['Љубав и њива', 'ljubav-i-njiva'],
    ['Ελληνικά Ψυχή Ώρες', 'ellinika-psychi-ores'],
    ['ΟΔΟΣ', 'odos'],
    ['ｆｕｌｌ ｗｉｄｔｈ ①', 'full-width-1'],
    ['ﬁne ½', 'fine-1-2'],
    ['日本語 podcast', 'podcast'],
    ['Show 🎙️ time', 'show-time'],
    ['a\u0000b\ud800c', 'a-b-c'],
    ['LATEST', 'latest-1'],
    ['550E8400-E29B-41D4-A716-446655440000', '550e8400-e29b-41d4-a716-446655440000-1'],
  ])('%j → %s', (text, expected) => {
    expect(slugify(text)).toBe(expected);
  });

  it.each(['', '   ', '---', '日本語', '🎙️', 'ъь', "'", '\ud800'])('makes no slug of %j', (text) => {
    expect(slugify(text)).toBeUndefined();
  });

  it('cuts at the end of a word', () => {
    const words = `${'word '.repeat(19)}abcde fghij`; // 19 × 5, then 5 more make 100
    expect(slugify(words)).toBe(`${'word-'.repeat(19)}abcde`);
    expect(slugify(`${'word '.repeat(19)}abcdefghij`)).toBe('word-'.repeat(19).slice(0, -1));
    expect(slugify(`a ${'b'.repeat(200)}`)).toBe(`a-${'b'.repeat(98)}`);
    expect(slugify(`${'a'.repeat(99)} b c`)).toBe('a'.repeat(99));
  });

  it('always makes a valid slug or none', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        const slug = slugify(text);
        expect(slug === undefined || isSlug(slug)).toBe(true);
        if (slug !== undefined) expect(slugify(slug)).toBe(slug);
      }),
    );
    expect(slugify('ab '.repeat(400_000))).toHaveLength(98);
  });
});

describe('disambiguateSlug', () => {
  it.each([
    ['night', 2, 'night-2'],
    ['x'.repeat(100), 2, `${'x'.repeat(98)}-2`],
    [`${'x'.repeat(97)}-yy`, 2, `${'x'.repeat(97)}-2`],
    [`${'x'.repeat(60)}-${'y'.repeat(39)}`, 12, `${'x'.repeat(60)}-12`],
    ['latest', 2, 'latest-2'],
  ])('%s, %i', (slug, number, expected) => {
    expect(disambiguateSlug(slug, number)).toBe(expected);
  });

  it('gives a different slug for each number', () => {
    const slugs = fc.stringMatching(/^[a-z0-9]{1,40}(-[a-z0-9]{1,30}){0,2}$/).filter(isSlug);
    fc.assert(
      fc.property(slugs, fc.integer({ min: 2, max: 1_000_000 }), (slug, number) => {
        const next = disambiguateSlug(slug, number);
        expect(isSlug(next)).toBe(true);
        expect(next.endsWith(`-${number}`)).toBe(true);
        expect(disambiguateSlug(slug, number + 1)).not.toBe(next);
      }),
    );
  });
});

describe('proposeSlugs', () => {
  it('proposes the slug, then numbers, and finally random numbers, so that few are tried', () => {
    const proposed = [...proposeSlugs('news')];
    expect(proposed.slice(0, 3)).toEqual(['news', 'news-2', 'news-3']);
    expect(proposed[19]).toBe('news-20');
    expect(proposed).toHaveLength(40);
    for (const slug of proposed.slice(20)) expect(slug).toMatch(/^news-\d{4,6}$/);
    expect(proposed.every(isSlug)).toBe(true);
  });
});
