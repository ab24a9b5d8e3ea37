import { expect, it } from 'vitest';
import { acceptableGrowth, measureGrowth } from '../../../../server/test/growth.ts';
import { disarmHtml } from './disarm-html.ts';

it.each([
  ['<p style="color:red">a</p>', '<p data-style="color:red">a</p>'],
  ["<p class=x STYLE='a>b' id=y>", "<p class=x data-STYLE='a>b' id=y>"],
  ['<p style=color:red onclick=x()>', '<p data-style=color:red data-onclick=x()>'],
  ['<p title="style=1" style="a">', '<p title="style=1" data-style="a">'],
  ['<p title = "a style=1 b">', '<p title = "a style=1 b">'],
  ['<style>p{}</style>', '<xmp>p{}</xmp>'],
  ['<styled style>', '<styled data-style>'],
  ['in <b>style</b> = "x" on time=1', 'in <b>style</b> = "x" on time=1'],
  ['<!-- <p style="a"> --><p style="b">', '<!-- <p style="a"> --><p data-style="b">'],
  ['1 < 2 style="a"', '1 < 2 style="a"'],
  ['<p style="a', '<p data-style="a'],
])('%s', (html, disarmed) => {
  expect(disarmHtml(html)).toBe(disarmed);
});

it.each(['<p ', '<p style="', '<!--', '<p =', '<p ="a" '])(
  'disarmHtml takes linear time for %s',
  (piece) => {
    const growth = measureGrowth((count) => disarmHtml(piece.repeat(count)));
    expect(growth).toBeLessThan(acceptableGrowth);
  },
);
