import { expect, it } from 'vitest';
import { createSpeaker } from './sentences.ts';

const say = createSpeaker({
  required: 'This is required.',
  range: 'This must be {min} to {max}: {min} or more.',
});

it('says a sentence with its key', () => {
  expect(say('required')).toEqual({
    message: 'This is required.',
    messageKey: 'required',
    values: {},
  });
});

it('puts each value wherever it is named, and takes none of them for a name', () => {
  expect(say('range', { min: '{max}', max: '$&' })).toEqual({
    message: 'This must be {max} to $&: {max} or more.',
    messageKey: 'range',
    values: { min: '{max}', max: '$&' },
  });
});
