import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  beginningReadChars,
  findBeginning,
  type Paragraph,
  toParagraphs,
} from './transcript-paragraphs.ts';

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

describe('findBeginning', () => {
  const speech = (count: number, text: string, speakerOf = (_: number) => 'Ana') =>
    Array.from({ length: count }, (_, i) => say(i * 1000, text, speakerOf(i)));
  const line = 'What the antenna heard in the dunes before dawn.';

  it('findBeginning has no beginning of a transcript that fits', () => {
    expect(findBeginning([])).toBeUndefined();
    expect(findBeginning(speech(80, line))).toBeUndefined();
  });

  it('findBeginning ends it between two paragraphs, whose times are known', () => {
    const segments = speech(900, line);
    const { paragraphs = [], restFromMs } = findBeginning(segments) ?? {};
    const all = toParagraphs(segments, upTo(1e6)).paragraphs;
    expect(paragraphs).toEqual(all.slice(0, paragraphs.length));
    expect(all[paragraphs.length]?.startMs).toBe(restFromMs);
    const { length } = paragraphs.map(textOf).join('');
    expect(length).toBeGreaterThan(1_000);
    expect(length).toBeLessThan(2_100);
  });

  it('findBeginning has a few paragraphs of a quick dialogue', () => {
    const { paragraphs } = findBeginning(speech(90, 'Yes.', (i) => `${i % 2}`)) ?? {};
    expect(paragraphs).toHaveLength(20);
  });

  // PAGE-27
  it.each([3_000, 10_000])('findBeginning has a first paragraph of %d characters whole', (n) => {
    const segments = speech(3, 'x'.repeat(n));
    const { paragraphs = [], restFromMs } = findBeginning(segments) ?? {};
    expect(paragraphs.map((one) => textOf(one).length)).toEqual([n]);
    expect(restFromMs).toBe(1000);
    expect(findBeginning(segments.slice(0, 1))).toBeUndefined();
  });

  it('findBeginning finds the same in as much as is read for it', () => {
    const length = fc.oneof({ weight: 9, arbitrary: fc.nat(900) }, fc.nat(9_999));
    const texts = fc.array(
      length.map((n) => `${'x'.repeat(n)}.`),
      { maxLength: 90 },
    );
    fc.assert(
      fc.property(texts, (lines) => {
        const segments = lines.map((text, i) => say(i * 1000, text));
        let chars = 0;
        const end = segments.findIndex(({ text }) => {
          chars += text.length;
          return chars > beginningReadChars;
        });
        const read = end < 0 ? segments : segments.slice(0, end + 1);
        expect(findBeginning(read)).toEqual(findBeginning(segments));
      }),
    );
  });
});
