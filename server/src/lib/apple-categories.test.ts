import { expect, it } from 'vitest';
import { tryParseAppleCategory } from './apple-categories.ts';

it.each([
  ['Arts', undefined, 'Arts', undefined],
  ['Society & Culture', 'Documentary', 'Society & Culture', 'Documentary'],
  ['society and culture', 'documentary', 'Society & Culture', 'Documentary'],
  ['Society &amp; Culture', undefined, 'Society & Culture', undefined],
  ['TV & Film', 'Film Reviews', 'TV & Film', 'Film Reviews'],
  ['Games & Hobbies', 'Video Games', 'Leisure', 'Video Games'],
  ['Health', 'Self-Help', 'Education', 'Self-Improvement'],
  ['Society & Culture', 'History', 'History', undefined],
  ['Technology', 'Podcasting', 'Technology', undefined],
])('%s, %s is parsed as %s, %s', (category, subcategory, expected, within) => {
  expect(tryParseAppleCategory({ category, subcategory })).toEqual({
    category: expected,
    subcategory: within,
  });
});

it.each([
  ['Podcasting', undefined],
  ['Arts', 'Video Games'],
  ['__proto__', undefined],
])('tryParseAppleCategory does not know %s, %s', (category, subcategory) => {
  expect(tryParseAppleCategory({ category, subcategory })).toBeUndefined();
});
