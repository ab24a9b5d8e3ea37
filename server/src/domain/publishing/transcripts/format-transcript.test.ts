import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { longestTaskMs } from '../../../../test/watch-event-loop.ts';
import {
  formatSrt,
  formatTranscriptHtml,
  formatTranscriptJson,
  formatVtt,
} from './format-transcript.ts';
import { parseTranscript } from './parse-transcript.ts';
import type { Segment } from './transcript.ts';

const segments: Segment[] = [
  { startMs: 0, endMs: 1500, speaker: 'Ana & <Bo>', text: 'a --> b & <i>c</i>' },
  { startMs: 1500, endMs: 3_600_001, speaker: 'Ana & <Bo>', text: 'more' },
  { startMs: 362_439_999, endMs: 362_440_000, speaker: '', text: 'late' },
];

describe('the written formats', () => {
  it('a transcript is written as WebVTT', async () => {
    expect(await formatVtt(segments, 'en')).toBe(
      `WEBVTT
Language: en

00:00:00.000 --> 00:00:01.500
<v Ana &amp; &lt;Bo&gt;>a --&gt; b &amp; &lt;i&gt;c&lt;/i&gt;

00:00:01.500 --> 01:00:00.001
<v Ana &amp; &lt;Bo&gt;>more

100:40:39.999 --> 100:40:40.000
late
`,
    );
  });

  it('WebVTT, with a note if text without a speaker begins like a name', async () => {
    const nameless = [{ startMs: 0, endMs: 1000, speaker: '', text: 'Ana: hello' }];
    expect(await formatVtt(nameless)).toContain('\n\nNOTE Every cue names its speaker.\n\n');
  });

  it.each([formatVtt, formatSrt, formatTranscriptJson, formatTranscriptHtml])(
    'a transcript is written in turns with other tasks: %o',
    async (format) => {
      const long = Array.from({ length: 90_000 }, (_, index): Segment => {
        return {
          startMs: index,
          endMs: index + 1,
          speaker: '',
          text: 'Words & <words> '.repeat(6).trim(),
        };
      });
      expect(await longestTaskMs(() => format(long), 250)).toBeLessThan(250);
    },
  );

  it('a transcript is written as SubRip', async () => {
    expect(await formatSrt(segments)).toBe(
      `1
00:00:00,000 --> 00:00:01,500
Ana & ‹Bo>: a → b & ‹i>c‹/i>

2
00:00:01,500 --> 01:00:00,001
more

3
100:40:39,999 --> 100:40:40,000
late
`,
    );
  });

  it('a transcript is written as JSON', async () => {
    expect(JSON.parse(await formatTranscriptJson(segments.slice(1)))).toEqual({
      version: '1.0.0',
      segments: [
        { speaker: 'Ana & <Bo>', startTime: 1.5, endTime: 3600.001, body: 'more' },
        { startTime: 362_439.999, endTime: 362_440, body: 'late' },
      ],
    });
  });

  it('a transcript without segments', async () => {
    expect(await formatVtt([])).toBe('WEBVTT\n');
    expect(await formatSrt([])).toBe('');
    expect(await formatTranscriptJson([])).toBe('{"version":"1.0.0","segments":[]}');
  });
});

const times = fc.tuple(fc.nat(400_000_000), fc.integer({ min: 1, max: 100_000 }));
const speakers = fc.constantFrom('', 'Ana', 'Bo', 'Dr. Mae West', 'A & <B>');

/** Any text after the parser: what the database can store. */
function stored(words: fc.Arbitrary<string>, names: fc.Arbitrary<string>) {
  const entry = fc.tuple(times, names, words);
  return fc
    .array(entry, { minLength: 1, maxLength: 12 })
    .map((entries) =>
      entries.map(([[start, length], speaker, body]) => ({
        startTime: start / 1000,
        endTime: (start + length) / 1000,
        speaker,
        body,
      })),
    )
    .filter((list) => list.some(({ body }) => /[a-z]/.test(body)))
    .map((list) => parseTranscript(JSON.stringify(list)));
}

const anyWords = fc.oneof(
  fc.string({ unit: 'binary' }).map((text) => `x${text}`),
  fc
    .array(
      fc.constantFrom(
        'a',
        'Ana: ',
        '-->',
        '&amp;',
        '<v Bo>',
        '<',
        '>',
        '\n',
        '\n\n',
        'NOTE',
        '1',
        'WEBVTT',
        '{\\an8}',
        '00:01.000 --> 00:02.000',
      ),
      { maxLength: 8 },
    )
    .map((parts) => `x${parts.join('')}`),
);
const plainWords = fc
  .stringMatching(/^[a-z][a-z &;.]{0,30}[a-z.]$/)
  .filter((text) => !/&\w+;?/.test(text));

describe('a written transcript is read back', () => {
  it('a transcript is read back exactly from WebVTT', async () => {
    await fc.assert(
      fc.asyncProperty(stored(anyWords, speakers), async ({ segments: before }) => {
        expect(parseTranscript(await formatVtt(before)).segments).toEqual(before);
      }),
      { numRuns: 500 },
    );
  });

  it('a transcript is read back exactly from JSON', async () => {
    await fc.assert(
      fc.asyncProperty(stored(anyWords, speakers), async ({ segments: before }) => {
        expect(parseTranscript(await formatTranscriptJson(before)).segments).toEqual(before);
      }),
      { numRuns: 500 },
    );
  });

  it('a transcript is read back exactly from the HTML of one without times', async () => {
    await fc.assert(
      fc.asyncProperty(stored(anyWords, speakers), async ({ segments: timed }) => {
        const before = timed.map((segment) => ({ ...segment, startMs: 0, endMs: 0 }));
        const after = parseTranscript(await formatTranscriptHtml(before, 'de'));
        expect(after).toMatchObject({ segments: before, hasTimes: false, language: 'de' });
      }),
      { numRuns: 500 },
    );
  });

  it('a written transcript is read back from SubRip, except for characters that it cannot express', async () => {
    const names = fc.constantFrom('Ana', 'Dr. Mae West');
    await fc.assert(
      fc.asyncProperty(
        stored(plainWords, fc.oneof(fc.constant('Ana'), names)),
        async ({ segments: before }) => {
          const named = before.map((segment, index) =>
            index === 0 ? { ...segment, speaker: 'Ana' } : segment,
          );
          const twice = [...named, ...named].map((segment, index) => ({
            ...segment,
            startMs: index * 2000,
            endMs: index * 2000 + 1000,
          }));
          expect(parseTranscript(await formatSrt(twice)).segments).toEqual(twice);
        },
      ),
      { numRuns: 300 },
    );
  });
});
