import fc from 'fast-check';
import { expect, it } from 'vitest';
import { mergeFields } from './merge-fields.ts';

it.each([
  ['nobody changed it', { a: 1 }, { a: 1 }, { a: 1 }, { a: 1 }, []],
  ['only I changed it', { a: 1 }, { a: 2 }, { a: 1 }, { a: 2 }, []],
  ['only they changed it', { a: 1 }, { a: 1 }, { a: 3 }, { a: 3 }, []],
  ['both changed it alike', { a: 1 }, { a: 2 }, { a: 2 }, { a: 2 }, []],
  ['both changed it', { a: 1 }, { a: 2 }, { a: 3 }, { a: 2 }, ['a']],
  ['different fields', { a: 1, b: 1 }, { a: 2, b: 1 }, { a: 1, b: 3 }, { a: 2, b: 3 }, []],
  ['they do not name it', { a: 1, b: 1 }, { a: 2, b: 1 }, {}, { a: 2, b: 1 }, []],
  ['they have a new field', {}, {}, { a: 3 }, { a: 3 }, []],
  ['lists are values', { a: [1] }, { a: [1] }, { a: [2] }, { a: [2] }, []],
])('%s', (_, base, mine, theirs, merged, overlapping) => {
  expect(mergeFields(base, mine, theirs)).toEqual({ merged, overlapping });
});

const fields = fc.record({ a: fc.nat(2), b: fc.nat(2), c: fc.nat(2) });

it('a merge is symmetric: exchanging both sides changes only the overlapping fields', () => {
  fc.assert(
    fc.property(fields, fields, fields, (base, mine, theirs) => {
      const one = mergeFields(base, mine, theirs);
      const other = mergeFields(base, theirs, mine);
      expect(one.overlapping).toEqual(other.overlapping);
      for (const field of ['a', 'b', 'c'] as const) {
        if (one.overlapping.includes(field)) expect(one.merged[field]).toBe(mine[field]);
        else expect(one.merged[field]).toBe(other.merged[field]);
      }
    }),
  );
});
