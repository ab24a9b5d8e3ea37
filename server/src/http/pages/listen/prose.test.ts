import { expect, it } from 'vitest';
import { renderProse } from './prose.ts';

it.each([
  ['https://a.example/map', 'https://a.example/map', true],
  ['https://www.a.example/', 'a.example', true],
  ['https://a.example/?a=1&amp;b=2', 'a.example/?a=1&amp;b=2', true],
  ['https://a.example/map', 'the map', false],
  ['https://a.example/map', 'https://b.example/map', false],
])('a link to %s that says “%s” says its address: %s', (href, said, isAddress) => {
  const { text } = renderProse(`<p>See <a href="${href}" rel="nofollow">${said}</a>.</p>`);
  expect(text.includes('<a class="address" href=')).toBe(isAddress);
  expect(text.replace(' class="address"', '')).toContain(
    `<a href="${href}" rel="nofollow">${said}</a>`,
  );
});
