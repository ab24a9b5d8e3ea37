import { expect, it } from 'vitest';
import { playerColor, showColor } from './color.ts';

const show = { id: '0197a3c4-1a2b-7c3d-8e4f-5a6b7c8d9e0f', brandColor: null, artwork: null };

it('the color of a show is its own, else that of its cover', () => {
  const artwork = { color: '#336699' };
  expect(showColor({ ...show, artwork, brandColor: '#aa3300' })).toBe('#aa3300');
  expect(showColor({ ...show, artwork })).toBe('#336699');
});

it('a show with a gray cover is gray', () => {
  const [, ...parts] =
    /^#(..)(..)(..)$/.exec(showColor({ ...show, artwork: { color: null } })) ?? [];
  const values = parts.map((part) => Number.parseInt(part, 16));
  expect(Math.max(...values) - Math.min(...values)).toBeLessThan(8);
});

it('shows without a cover have colors of their own', () => {
  const colors = ['0000', '0042', '0099'].map((end) => showColor({ ...show, id: `a-${end}` }));
  expect(new Set(colors).size).toBe(3);
});

it("a player's color wins over the show's", () => {
  expect(playerColor({ ...show, brandColor: '#aa3300', playerColor: '#224466' })).toBe('#224466');
});
