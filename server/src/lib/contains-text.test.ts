import fc from 'fast-check';
import { expect, it } from 'vitest';
import { acceptableGrowth, measureGrowth } from '../../test/growth.ts';
import { containsText } from './contains-text.ts';

it('finds the same as String.includes', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'ab', '😀'), { maxLength: 30 });
  fc.assert(
    fc.property(text, text, (one, other) => {
      const [whole, part] = [one.join(''), other.slice(0, 4).join('')];
      expect(containsText(whole, part)).toBe(whole.includes(part));
    }),
  );
});

it('takes linear time in the worst case', () => {
  const growth = measureGrowth((length) => {
    expect(containsText(`b${'a'.repeat(length)}`, `${'a'.repeat(length / 2)}b`)).toBe(false);
  });
  expect(growth).toBeLessThan(acceptableGrowth);
});
