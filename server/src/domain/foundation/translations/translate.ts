import { readFileSync } from 'node:fs';
import type { Language } from '../../../lib/languages.ts';
import { readPo } from '../../../lib/read-po.ts';

/** The catalog of the app, and that of what only the server says. */
const folders = [
  new URL('../../../../../dashboard/src/words/', import.meta.url),
  new URL('./', import.meta.url),
];

/** Each language is read once, and only if somebody needs it. */
const catalogs = new Map<Language, ReadonlyMap<string, string>>();

/** A message in a language; undefined if the catalogs do not have it. `message`: in English. */
export function translate(message: string, language: Language): string | undefined {
  if (language === 'en') return message;
  const catalog = catalogs.get(language) ?? readCatalogs(language);
  catalogs.set(language, catalog);
  return catalog.get(message);
}

function readCatalogs(language: Language): ReadonlyMap<string, string> {
  const messages = folders.flatMap((folder) => [
    ...readPo(readFileSync(new URL(`${language}.po`, folder), 'utf8')),
  ]);
  // The domain leaves the formats of numbers to those who say its sentences.
  return new Map(
    messages.map(([text, translation]) => [text.replaceAll(', number}', '}'), translation]),
  );
}
