import { expect, it } from 'vitest';
import { countJsonParts } from './json-parts.ts';

it.each([
  ['{}', 1, 0],
  ['{"a":[1,[],{"b":2}],"c":3}', 4, 3],
  ['{"a":"[{,\\"[{,","b":"\\\\"}', 1, 1],
  ['"[', 0, 0],
])(
  'the parts of the JSON text %s are %i objects and arrays, and %i commas',
  (text, containers, commas) => {
    expect(countJsonParts(text)).toEqual({ containers, commas });
  },
);
