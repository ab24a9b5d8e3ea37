import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { languageIds } from '../../../server/src/lib/languages.ts';
import { readPo } from '../../../server/src/lib/read-po.ts';
import { listServerMessages, serverCatalogs } from '../../scripts/server-messages.ts';

const root = join(import.meta.dirname, '../../..');
const languages = languageIds.filter((id) => id !== 'en');
const messages = listServerMessages();
const readCatalog = (language: string) =>
  readPo(readFileSync(join(root, serverCatalogs.replace('{locale}', language)), 'utf8'));

it('finds the messages of pages, emails and refusals', () => {
  expect(messages.length).toBeGreaterThan(200);
  for (const found of [
    'Already have an account? <a>Sign in</a>',
    'Hello{ name},',
    'Start a show, or import one from its feed.',
    'This podcast is already yours.',
    "If you think this is a mistake, please contact the podcast's team.",
  ]) {
    expect(messages).toContain(found);
  }
  // The app says it, too.
  expect(messages).not.toContain('Sign in');
});

describe.each(languages)('what the server says in %s', (language) => {
  const catalog = readCatalog(language);

  it('a catalog has every message, and no others', () => {
    expect([...catalog.keys()]).toEqual([...messages]);
  });

  it('a message keeps its values, elements, links and bold parts', () => {
    for (const [message, translation] of catalog) {
      expect(partsOf(translation), message).toEqual(partsOf(message));
      expect(translation.trim(), message).toBe(translation);
    }
  });

  it('a message has the plural forms of the language', () => {
    const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
    for (const translation of catalog.values()) {
      const [, forms] = /, plural, ((?:\w+ \{[^{}]*\} ?)+)\}/.exec(translation) ?? [];
      if (forms === undefined) continue;
      const given = [...forms.matchAll(/(\w+) \{[^{}]*\}/g)].map(([, form]) => form);
      expect(given.sort()).toEqual([...pluralCategories].sort());
    }
  });
});

/** Names of values, tags, and the Markdown of links and bold text, without repetitions. */
function partsOf(text: string): readonly string[] {
  const plain = text.replace(/\{(\w+), plural, (?:\w+ \{[^{}]*\} ?)+\}/g, '{$1}');
  const parts = plain.match(/\{ ?\w+\}|<\/?\w+>|\*\*|\]\(\{\w+\}\)/g) ?? [];
  return [...new Set(parts)].sort();
}
