import { expect, it } from 'vitest';
import { groupTranscripts } from './group-transcripts.ts';

const link = (language: string | undefined, type = 'text/vtt') => ({
  url: `https://a.example/${language}`,
  type,
  language,
  rel: undefined,
});

const grouped = (languages: (string | undefined)[], show: string) => {
  const { groups, leftOut } = groupTranscripts(
    languages.map((language) => link(language)),
    show,
  );
  return [...groups.map(({ language, links }) => `${language} ${links.length}`), leftOut];
};

it.each<[string, (string | undefined)[], string, unknown[]]>([
  ['the show’s language comes first', ['de', 'en', 'fr'], 'en', ['en 1', 'de 1', 'fr 1', 0]],
  ['or another form of it', ['de', 'en-GB', 'fr'], 'en-US', ['en-GB 1', 'de 1', 'fr 1', 0]],
  ['or what the feed has first', ['de', 'fr'], 'en', ['de 1', 'fr 1', 0]],
  ['without a language it is the show’s', ['de', undefined, 'EN'], 'en', ['en 2', 'de 1', 0]],
  ['spellings of one language are one', ['pt_br', 'pt-BR'], 'en', ['pt-BR 2', 0]],
  ['what is no language is left out', ['de', '?', '?', '??'], 'en', ['de 1', 2]],
  ['unless there is no other', ['?'], 'en', ['en 1', 0]],
  ['nothing is nothing', [], 'en', [0]],
])('%s', (_, languages, show, expected) => {
  expect(grouped(languages, show)).toEqual(expected);
});

it('sorts the formats of each language, best first', () => {
  const types = ['text/html', 'application/json', 'application/x-subrip', 'text/vtt'];
  const { groups } = groupTranscripts(
    types.map((type) => link('en', type)),
    'en',
  );
  expect(groups[0]?.links.map(({ type }) => type)).toEqual(types.toReversed());
});
