import { describe, expect, it, vi } from 'vitest';
import { tryReadRowLine } from './read-row-line.ts';

const long = 'x'.repeat(100_000);

describe('tryReadRowLine', () => {
  it.each([
    ['texts and nulls', ['a', null, '']],
    ['a long text with everything that JSON escapes', [`[{,"\\\\${long}\\"`, null, ',,']],
  ])('reads what was written: %s', (_what, row) => {
    expect(tryReadRowLine(JSON.stringify(row), 3)).toEqual(row);
  });

  it.each([
    ['too few', '["a"]'],
    ['too many', '["a","b","c","d"]'],
    ['a number', '["a",1,null]'],
    ['an object', '{"0":"a"}'],
    ['no JSON', '["a",'],
    ['a long text that does not end', `["a",null,"${long}`],
    ['a long line of other things', `["a",null,{"x":"${long}"}]`],
  ])('anything else is no row: %s', (_what, line) => {
    expect(tryReadRowLine(line, 3)).toBeUndefined();
  });

  it('a long line that nests is not parsed, which would take a hundred times its size', () => {
    const parse = vi.spyOn(JSON, 'parse');
    for (const line of ['['.repeat(100_000), `[${'"",'.repeat(100_000)}""]`, `["",[${long}`])
      expect(tryReadRowLine(line, 3)).toBeUndefined();
    expect(parse).not.toHaveBeenCalled();
    parse.mockRestore();
  });
});
