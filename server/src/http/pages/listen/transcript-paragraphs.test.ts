import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Paragraph, toParagraphs } from './transcript-paragraphs.ts';

const say = (startMs: number, text: string, speaker = '') => ({
  startMs,
  endMs: startMs + 1,
  speaker,
  text,
});

const textOf = ({ sentences }: Paragraph) => sentences.map(({ text }) => text).join(' ');
const upTo = (maxChars: number, maxParagraphs = 10_000) => ({ maxChars, maxParagraphs });

describe('toParagraphs', () => {
  it('starts a new paragraph for each speaker', () => {
    const segments = [say(0, 'Good', 'Ana'), say(5, 'evening.', 'Ana'), say(9, 'Hi.', 'Bo')];
    expect(toParagraphs(segments, upTo(1000))).toEqual({
      paragraphs: [
        { startMs: 0, speaker: 'Ana', sentences: [{ startMs: 0, text: 'Good evening.' }] },
        { startMs: 9, speaker: 'Bo', sentences: [{ startMs: 9, text: 'Hi.' }] },
      ],
      isCut: false,
    });
  });

  it('splits long paragraphs after a sentence, without repeating the speaker', () => {
    const segments = Array.from({ length: 60 }, (_, i) =>
      say(i, i % 2 === 0 ? 'and so it went on' : 'until it ended.”', 'Ana'),
    );
    const { paragraphs } = toParagraphs(segments, upTo(100_000));
    expect(paragraphs.length).toBeGreaterThan(1);
    for (const one of paragraphs.slice(0, -1)) expect(textOf(one)).toMatch(/ended\.”$/);
    expect(paragraphs.map(({ speaker }) => speaker).filter((name) => name !== '')).toEqual(['Ana']);
  });

  it('splits even without sentences', () => {
    const segments = Array.from({ length: 500 }, (_, i) => say(i, 'words without an end'));
    for (const one of toParagraphs(segments, upTo(1e6)).paragraphs) {
      expect(textOf(one).length).toBeLessThan(1300);
      for (const { text } of one.sentences) expect(text.length).toBeLessThan(330);
    }
  });

  it('parts a paragraph into sentences, which begin with a segment', () => {
    const segments = [
      say(0, 'The lamp of the old lighthouse went out'),
      say(4, 'in the first night of the year.'),
      say(8, 'Why?'),
      say(9, 'Nobody in the village could say what had happened up there.'),
      say(14, 'We asked.'),
    ];
    const [first] = toParagraphs(segments, upTo(1000)).paragraphs;
    expect(first?.sentences.map(({ startMs }) => startMs)).toEqual([0, 8, 14]);
  });

  it.each([
    [2, 'one two', true],
    [3, 'one two three', false],
  ])('stops after %i paragraphs', (most, words, isCut) => {
    const segments = ['one', 'two', 'three'].map((word, i) => say(i, word, `Speaker ${i}`));
    const cut = toParagraphs(segments, upTo(1000, most));
    expect(cut.paragraphs.map(textOf).join(' ')).toBe(words);
    expect(cut.isCut).toBe(isCut);
  });

  it('keeps every word once, up to its limit', () => {
    const segment = fc.record({
      startMs: fc.nat(),
      endMs: fc.nat(),
      speaker: fc.constantFrom('', 'Ana', 'Bo'),
      text: fc.stringMatching(/^[a-z.]{1,40}$/),
    });
    fc.assert(
      fc.property(fc.array(segment), fc.nat({ max: 2000 }), (segments, max) => {
        const { paragraphs, isCut } = toParagraphs(segments, upTo(max));
        const words = paragraphs.map(textOf).join(' ');
        const all = segments.map(({ text }) => text).join(' ');
        if (isCut) expect(all.startsWith(words)).toBe(true);
        else expect(words).toBe(all);
        expect(words.replaceAll(' ', '').length).toBeLessThanOrEqual(max);
      }),
    );
  });
});
