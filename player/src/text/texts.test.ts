import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const read = (name: string): Record<string, string> =>
  JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8'));
const english = read('en.json');
const placesOf = (text = '') => (text.match(/\{\w\}/g) ?? []).sort();

describe.each(readdirSync(import.meta.dirname).filter((name) => name.endsWith('.json')))(
  '%s',
  (name) => {
    const words = read(name);

    it('a translation has every text of en.json, with the same placeholders', () => {
      expect(Object.keys(words)).toEqual(Object.keys(english));
      for (const [key, text] of Object.entries(words)) {
        expect(text.trim(), key).toBe(text);
        expect(text, key).not.toBe('');
        expect(placesOf(text), key).toEqual(placesOf(english[key]));
      }
    });

    it("a translation does not contain the build's separator", () => {
      expect(Object.values(words).join('')).not.toContain('|');
    });
  },
);
