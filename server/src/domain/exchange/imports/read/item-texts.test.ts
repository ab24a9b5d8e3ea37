import { expect, it } from 'vitest';
import { pickFullest } from './item-texts.ts';

it.each<[string, (string | undefined)[], number | undefined]>([
  ['the content, where the rest says the same', ['<p>One two</p>', 'One two', 'One two'], 0],
  ['the content, where the rest says something else', ['<p>One</p>', 'Two', 'Three four'], 0],
  ['the content, where the rest is its beginning', ['One two three', 'One two […]', 'One'], 0],
  [
    'the summary, where the others are its beginning',
    [undefined, 'One two […]', 'One two. Three'],
    2,
  ],
  [
    'the description, where the content is an excerpt',
    ['<b>two</b>…', 'One, two, three', 'One'],
    1,
  ],
  ['the fullest of several beginnings', ['One', 'One two', 'One two three'], 2],
  ['what there is', [undefined, undefined, 'One'], 2],
  ['a text rather than an empty one', ['<p>&nbsp;</p>', 'One', undefined], 1],
  ['words, whatever their references', ['Caf&eacute; &amp; more', 'Café & more, and more', ''], 1],
  ['nothing where there is nothing', [undefined, undefined, undefined], undefined],
])('picks %s', (_name, texts, expected) => {
  expect(pickFullest(texts)).toBe(expected === undefined ? undefined : texts[expected]);
});
