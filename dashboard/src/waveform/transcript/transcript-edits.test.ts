import { describe, expect, it } from 'vitest';
import {
  countSpeakers,
  editSegment,
  findSegments,
  noEdits,
  renameSpeaker,
  segmentAt,
  timeOfCharacter,
  toChanges,
} from './transcript-edits.ts';

const segments = ['Ana', 'Bo', 'Ana', ''].map((speaker, index) => ({
  index,
  start_seconds: index * 10,
  end_seconds: index * 10 + 8,
  speaker,
  text: `word ${index}`,
}));
const [first, second] = segments as [(typeof segments)[0], (typeof segments)[0]];

describe('edits', () => {
  it('edits contain the differences, and nothing that was changed back', () => {
    const edited = editSegment(noEdits, first, { text: 'new' });
    expect(toChanges(editSegment(edited, second, { speaker: 'Cy' }))).toEqual([
      { index: 0, text: 'new' },
      { index: 1, speaker: 'Cy' },
    ]);
    expect(editSegment(edited, first, { text: first.text }).size).toBe(0);
  });

  it('edits rename a speaker everywhere, those renamed before too', () => {
    const edited = editSegment(noEdits, second, { speaker: 'Ana' });
    const renamed = renameSpeaker(edited, segments, 'Ana', 'Eve');
    expect(countSpeakers(segments, renamed)).toEqual([{ name: 'Eve', count: 3 }]);
    const back = renameSpeaker(renamed, segments, 'Eve', 'Ana');
    expect(toChanges(back)).toEqual([{ index: 1, speaker: 'Ana' }]);
  });

  it('edits are found by their new words', () => {
    const edited = editSegment(noEdits, first, { text: 'Über alles' });
    expect(findSegments(segments, edited, 'über')).toEqual([0]);
    expect(findSegments(segments, edited, 'word')).toEqual([1, 2, 3]);
    expect(findSegments(segments, edited, 'bo')).toEqual([1]);
    expect(findSegments(segments, edited, ' ')).toEqual([]);
  });
});

it.each([
  [-1, -1],
  [0, 0],
  [9.9, 0],
  [10, 1],
  [99, 3],
])('the time %s s belongs to segment %s', (seconds, index) => {
  expect(segmentAt(segments, seconds)).toBe(index);
});

it('a word is heard at its share of the time', () => {
  const segment = { ...first, text: 'one two three four' };
  expect(timeOfCharacter(segment, segment.text, 0)).toBe(0);
  expect(timeOfCharacter(segment, segment.text, 6)).toBeCloseTo((4 / 18) * 8);
  expect(timeOfCharacter(segment, '', 0)).toBe(0);
});
