import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

/**
 * Words in texts for people that a native speaker would not write. Only those that a program can find
 * without mistakes; comments are free.
 */

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (file: string) => readFileSync(`${root}/${file}`, 'utf8');

/** Each with the words to use instead. */
const patterns: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [
    /(?<!\bthere )\b(?:is|are|was|were) no (?!longer\b|more\b|later\b|earlier\b|less\b|fewer\b)/gi,
    'is not a, has no',
  ],
  [/\b(?:is|are|was|were) none of\b/gi, 'is not one of'],
  [/\b(?:some|any)body\b/gi, 'someone'],
  [/\bwho(?:so)?ever\b/gi, 'anyone who'],
  [/\bstands\b/gi, 'is'],
  [/\bleads? to\b/gi, 'redirects to, links to'],
  [/\bmeanwhile\b/gi, 'in the meantime, or nothing'],
  [/\bat present\b/gi, 'currently'],
  [/\bfor ever\b/gi, 'permanently'],
  [/\bin the place of\b/gi, 'instead of'],
  [/\bcarr(?:y|ies|ied) out\b/gi, 'run, do'],
  [/\b(?:comes?|came) out\b/gi, 'is published'],
  [/\bby (?:itself|themselves)\b/gi, 'automatically'],
];

function findForeign(text: string): string[] {
  return patterns.flatMap(([pattern, instead]) =>
    [...text.matchAll(pattern)].map(({ index }) => {
      const around = text.slice(Math.max(0, index - 30), index + 40).replaceAll(/\s+/g, ' ');
      return `${around} (instead: ${instead})`;
    }),
  );
}

it.each<[text: string, count: number]>([
  ['This is no file.', 1],
  ['There is no file, and there are no others. It is no longer kept.', 0],
  ['Somebody has this name.', 1],
  ['It leads to the feed, meanwhile.', 2],
  ['It is kept for ever.', 1],
  ['These are none of the shows. It comes out by itself.', 3],
])('foreign words are found: %s', (text, count) => {
  expect(findForeign(text)).toHaveLength(count);
});

const code = globSync('server/src/**/*.ts', { cwd: root }).filter(
  (file) => !file.endsWith('.test.ts'),
);

/** The texts of a module with at least three words, without its comments. */
function textsIn(source: string): string[] {
  const bare = source.replaceAll(/^\s*(?:\/\*|\*|\/\/).*$/gm, '').replaceAll(/\s\/\/ .*$/gm, '');
  const literals = bare.matchAll(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\[\s\S])*`/g);
  return [...literals].map(([text]) => text).filter((text) => text.split(' ').length > 2);
}

it('the messages of the server have none of them', () => {
  expect(code.length).toBeGreaterThan(500);
  const found = code.flatMap((file) =>
    textsIn(read(file)).flatMap((text) => findForeign(text).map((where) => [file, where])),
  );
  expect(found).toEqual([]);
});

const documents = globSync(
  ['docs/*.md', '{CONTRIBUTING,README,SECURITY}.md', '{dashboard,player}/README.md'],
  { cwd: root },
);

it.each(documents)('%s has none of them', (file) => {
  expect(findForeign(read(file))).toEqual([]);
});

/** The English texts of the app, from its catalog; a long one may have several lines. */
function textsOfCatalog(catalog: string): string[] {
  const entries = catalog.matchAll(/^msgid ((?:"(?:[^"\\]|\\.)*"\n)+)/gm);
  return [...entries].map(([, lines = '']) => lines.replaceAll('"\n"', '').slice(1, -2));
}

it('the texts of the app have none of them', () => {
  expect(textsOfCatalog('msgid ""\n"One "\n"two."\nmsgstr "Not"\n')).toEqual(['One two.']);
  const texts = textsOfCatalog(read('dashboard/src/words/en.po'));
  expect(texts.length).toBeGreaterThan(1500);
  expect(texts.flatMap(findForeign)).toEqual([]);
});
