import { expect, it } from 'vitest';
import type { ShowSettings } from '../../api/show-settings.ts';
import { changesOf, fieldNamed, fieldsOfShow } from './show-fields.ts';

const show = (fields: Partial<ShowSettings>) => fields as ShowSettings;
const arts = { category: 'Arts', subcategory: 'Books' };
const news = { category: 'News', subcategory: null };

it('reads all categories as one field, and writes them as the server has them', () => {
  const some = show({ title: 'Night', ...arts, other_categories: [news] });
  const fields = fieldsOfShow(some, ['title', 'categories']);
  expect(fields).toEqual({ title: 'Night', categories: [arts, news] });
  expect(changesOf({ title: 'Day', categories: [news, arts] })).toEqual({
    title: 'Day',
    ...news,
    other_categories: [arts],
  });
  expect(changesOf({ title: 'Day' })).toEqual({ title: 'Day' });
});

it('writes that there is no category', () => {
  const none = { category: null, subcategory: null, other_categories: [] };
  expect(fieldsOfShow(show(none), ['categories'])).toEqual({ categories: [] });
  expect(changesOf({ categories: [] })).toEqual(none);
});

it.each([
  ['category', 'categories'],
  ['subcategory', 'categories'],
  ['other_categories[0].subcategory', 'categories'],
  ['title', 'title'],
])('shows what is wrong with %s at %s', (name, field) => {
  expect(fieldNamed(name)).toBe(field);
});
