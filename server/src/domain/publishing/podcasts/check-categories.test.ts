import { expect, it } from 'vitest';
import { checkCategories } from './check-categories.ts';

const check = (category: string | null, subcategory: string | null = null) =>
  checkCategories({ category, subcategory, otherCategories: [] });

it.each([
  [null, null],
  ['Science', null],
  ['Science', 'Astronomy'],
  ['Technology', null],
  ['TV & Film', 'After Shows'],
])('takes %s, %s', (category, subcategory) => {
  expect(check(category, subcategory)).toEqual([]);
});

it.each([
  ['Sience', null, 'category', /no category "Sience"\. Did you mean "Science"\?$/],
  ['science', null, 'category', /Did you mean "Science"\?$/],
  ['TV and Film', null, 'category', /Did you mean "TV & Film"\?$/],
  ['Health', 'Self-Help', 'category', /mean "Education" with the subcategory "Self-Improvement"/],
  [
    'Astronomy',
    null,
    'category',
    /Choose one of: Arts, .*Astronomy is a subcategory of Science\.$/,
  ],
  ['Quilting', null, 'category', /Choose one of: Arts, Business, .*TV & Film\.$/],
  ['constructor', null, 'category', /Choose one of: Arts/],
  ['x'.repeat(100_000), null, 'category', /Choose one of: Arts/],
  ['Science', 'Astronomi', 'subcategory', /Did you mean "Astronomy"\?$/],
  ['Music', 'Astronomy', 'subcategory', /Astronomy is a subcategory of Science\.$/],
  ['Science', 'Quilting', 'subcategory', /Choose one of: Astronomy, Chemistry, /],
  ['Technology', 'Quilting', 'subcategory', /It has none\.$/],
  [
    null,
    'Astronomy',
    'subcategory',
    /requires its category\. Astronomy is a subcategory of Science/,
  ],
])('refuses %s, %s', (category, subcategory, field, message) => {
  expect(check(category, subcategory)).toEqual([
    { field, message: expect.stringMatching(message) },
  ]);
});

it('looks at the further ones too', () => {
  const otherCategories = [
    { category: 'Music', subcategory: null },
    { category: 'Musik', subcategory: null },
  ];
  expect(checkCategories({ category: null, subcategory: null, otherCategories })).toEqual([
    {
      field: 'other_categories[1].category',
      message: expect.stringMatching(/Did you mean "Music"\?$/),
    },
  ]);
});
