import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { podcastTaxonomy } from '../../lib/podcast-taxonomy.ts';
import { directionOf } from './page-language.ts';
import { isSpoken, wordsIn } from './words.ts';

const folder = new URL('words/', import.meta.url);
const files = readdirSync(folder).map((name) => {
  const words = JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as Record<string, string>;
  return [name, words] as const;
});
const english = Object.fromEntries(files)['en.json'] ?? {};
const gaps = (text = '') => (text.match(/\{\w+\}/g) ?? []).sort();

describe('the words of the pages', () => {
  it.each(files)('%s has every text, with the same placeholders', (_name, words) => {
    expect(Object.keys(words)).toEqual(Object.keys(english));
    for (const [key, text] of Object.entries(words)) {
      expect(text.trim(), key).not.toBe('');
      expect(text, key).not.toMatch(/[<>&]/);
      expect(gaps(text), key).toEqual(gaps(english[key]));
    }
  });

  it("the words of the pages exist in exactly the player's languages", () => {
    const ofPlayer = new URL('../../../../player/src/text/', import.meta.url);
    const names = readdirSync(ofPlayer).filter((name) => name.endsWith('.json'));
    expect(files.map(([name]) => name).sort()).toEqual(names.sort());
    for (const name of names) expect(isSpoken(name.replace('.json', '')), name).toBe(true);
  });

  it('the words of the pages ignore the region of a language', () => {
    expect(wordsIn('de-AT').html('episodes').text).toBe('Folgen');
    expect(wordsIn('pt-BR').text('play')).toBe('Ouvir');
  });

  it('the words of the pages fall back to English, and mark it', () => {
    expect(wordsIn('fi').html('episodes').text).toBe('<span lang="en" dir="ltr">Episodes</span>');
    expect(wordsIn('fi').text('episodes')).toBe('Episodes');
    expect(wordsIn('@@').text('episodes')).toBe('Episodes');
  });

  it('the words of the pages escape values', () => {
    const title = '<b>"{title}"</b>';
    expect(wordsIn('en').text('playTitle', { title })).toBe(`Play ${title}`);
    expect(wordsIn('en').html('playTitle', { title }).text).not.toContain('<b>');
  });

  it('the words of the pages keep the order of a sentence with a name in another direction', () => {
    const [latin, hebrew] = ['Night Signals', 'קולות'];
    expect(wordsIn('en').html('paused', { title: hebrew }).text).toContain(`<bdi>${hebrew}</bdi>`);
    expect(wordsIn('fa').text('paused', { title: hebrew })).toContain(`\u2068${hebrew}\u2069`);
    expect(wordsIn('ar').html('paused', { title: latin }).text).toContain(`<bdi>${latin}</bdi>`);
    for (const [language, title] of [
      ['en', latin],
      ['ja', latin],
      ['ar', 'أصوات 24'],
      ['he', hebrew],
    ] as const) {
      expect(wordsIn(language).html('paused', { title }).text, language).toContain(title);
      expect(wordsIn(language).html('paused', { title }).text, language).not.toContain('<bdi>');
      expect(wordsIn(language).text('paused', { title }), language).not.toContain('\u2068');
    }
  });

  it('the words of the pages translate known roles, and keep others', () => {
    expect(wordsIn('de').role('guest').text).toBe('Gast');
    expect(wordsIn('de').role('sound <designer>').text).toBe('Sound &lt;designer&gt;');
    const unnamed = Object.values(podcastTaxonomy)
      .flat()
      .filter((role) => !Object.hasOwn(english, role));
    expect(unnamed).toEqual([]);
    // Other texts are not roles.
    expect(wordsIn('de').role('copy').text).toBe('Copy');
  });
});

describe('directionOf', () => {
  it.each([
    ['ar', 'rtl'],
    ['he-IL', 'rtl'],
    ['fa', 'rtl'],
    ['az-Arab', 'rtl'],
    ['ur', 'rtl'],
    ['dv', 'rtl'],
    ['az', 'ltr'],
    ['en', 'ltr'],
    ['nonsense language', 'ltr'],
  ])('%s: %s', (language, direction) => {
    expect(directionOf(language)).toBe(direction);
  });
});
