import { expect, it } from 'vitest';
import { directories } from '../../../server/src/domain/distribution/directory.ts';
import { episodeRules } from '../../../server/src/domain/distribution/health/episode-rules.ts';
import { healthSentences } from '../../../server/src/domain/distribution/health/health-sentences.ts';
import { showRules } from '../../../server/src/domain/distribution/health/show-rules.ts';
import type { SentenceList } from '../../../server/src/lib/sentences.ts';
import { loadWords } from '../../test/load-words.ts';

// The dashboard has the sentences of the server a second time, for its translations.

const rules = [...showRules, ...episodeRules];

function byRule(textOf: (rule: (typeof rules)[number]) => string): SentenceList {
  return Object.fromEntries(rules.map((rule) => [rule.rule, textOf(rule)]));
}

const lists: readonly (readonly [file: string, name: string, list: object])[] = [
  [
    'health-words.ts',
    'healthMessages',
    {
      ...healthSentences,
      ...Object.fromEntries(episodeRules.map(({ rule, message }) => [rule, message])),
    },
  ],
  ['health-words.ts', 'healthTitles', byRule(({ title }) => title)],
  ['health-words.ts', 'healthAdvice', byRule(({ whatToDo }) => whatToDo)],
  [
    'directory-words.ts',
    'directorySteps',
    Object.fromEntries(directories.map(({ id, steps }) => [id, steps])),
  ],
];

it.each(lists)('%s has %s for every sentence of the server', async (file, name, list) => {
  const words = await loadWords(file);
  expect(englishOf(words[name])).toEqual(list);
});

/** The messages as the server has them: without the formats of values. */
function englishOf(words: unknown): unknown {
  if (Array.isArray(words)) return words.map(englishOf);
  if (typeof words !== 'object' || words === null) return words;
  if ('message' in words) return String(words.message).replaceAll(/\{(\w+), number\}/g, '{$1}');
  return Object.fromEntries(Object.entries(words).map(([key, word]) => [key, englishOf(word)]));
}
