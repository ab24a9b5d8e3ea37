import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

/** Words that address somebody as a friend, and nothing else. All our texts are formal. */
const informal = {
  de: anyWord('du|dir|dich|dein(?:e[mnrs]?)?|euch|euer|eure[mnrs]?'),
  es: anyWord(
    // Of `intentar` a stranger is told `inténtelo`; verbs such as `abrir` have `ábralo`.
    'tú|tus?|te|ti|contigo|tuy[oa]s?|vosotr[oa]s|vuestr[oa]s?|os',
    '(?:inténta|revísa|guárda|compruéba|envía|cópia|ciérra|cárga|cámbia)l[aeo]s?',
    'eres|estás|has|puedes|quieres|tienes|debes|necesitas|refieres|veis|podéis|haz',
  ),
  fr: anyWord('tu|toi|te|ton|tes|tien(?:ne)?s?'),
};

function anyWord(...words: readonly string[]): RegExp {
  return new RegExp(`(?<!\\p{L})(?:${words.join('|')})(?!\\p{L})`, 'giu');
}

const languages = Object.keys(informal) as (keyof typeof informal)[];
const places = {
  dashboard: (language: string) => translations(`${language}.po`),
  'pages without scripts and emails': (language: string) =>
    translations(`../../../server/src/domain/foundation/translations/${language}.po`),
  'listen pages': (language: string) =>
    values(`../../../server/src/http/pages/words/${language}.json`),
  player: (language: string) => values(`../../../player/src/text/${language}.json`),
};

it.each(
  languages.flatMap((language) =>
    Object.entries(places).map(([name, textsIn]) => [language, name, textsIn] as const),
  ),
)('%s, %s: the texts address people formally', (language, _name, textsIn) => {
  const texts = textsIn(language);
  expect(texts.length).toBeGreaterThan(500);
  const lines = texts.split('\n').filter((line) => line.search(informal[language]) >= 0);
  expect(lines).toEqual([]);
});

it.each([
  ['de', 'Prüfe deine Angaben', true],
  ['de', 'Prüfen Sie Ihre Angaben', false],
  ['es', 'Inténtalo de nuevo', true],
  ['es', 'Inténtelo de nuevo', false],
  ['es', 'Solo tu equipo', true],
  ['es', 'Envía el código al equipo', false],
  ['fr', 'Vérifie ton adresse', true],
  ['fr', 'Vérifiez votre adresse', false],
] as const)('the check for %s calls “%s” informal: %s', (language, text, expected) => {
  expect(text.search(informal[language]) >= 0).toBe(expected);
});

function read(path: string): string {
  return readFileSync(new URL(path, import.meta.url), 'utf8');
}

function translations(path: string): string {
  return read(path).replace(/^(?!msgstr).*$/gm, '');
}

function values(path: string): string {
  return Object.values(JSON.parse(read(path)) as Record<string, string>).join('\n');
}
