import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findCollection, ownCases } from '../../../../test/collections.ts';
import { parseTranscript } from './parse-transcript.ts';
import { maxSegments, maxTranscriptBytes, type TranscriptRefusal } from './transcript.ts';

/** `[start, end, speaker, text]` of each segment. */
function rows(text: string): (string | number)[][] {
  return parseTranscript(text).segments.map(({ startMs, endMs, speaker, text: words }) => [
    startMs,
    endMs,
    speaker,
    words,
  ]);
}

const cue = (text: string, second = 0) =>
  `00:00:${String(second).padStart(2, '0')}.000 --> 00:00:${String(second + 1).padStart(2, '0')}.000\n${text}`;
const vtt = (...cues: readonly string[]) => `WEBVTT\n\n${cues.map(cue).join('\n\n')}\n`;
const texts = (text: string) => rows(text).map((row) => row[3]);
const speakers = (text: string) => rows(text).map((row) => row[2]);

describe('WebVTT', () => {
  it('reads cues, voices and settings, and skips the rest', () => {
    const file = [
      'WEBVTT - A title\nKind: captions\nLanguage: de-CH',
      'STYLE\n::cue { color: red }',
      'REGION\nid:fred',
      'NOTE not a cue\nof two lines',
      'intro\n00:01.500 --> 00:03.250 align:start position:0%\n<v.loud Ana Müller>Grüezi &amp; <i>willkommen</i></v>',
      '100:00:00.000 --> 100:00:01.000\n<v Bo>Late',
    ].join('\n\n');
    expect(rows(file)).toEqual([
      [1500, 3250, 'Ana Müller', 'Grüezi & willkommen'],
      [360_000_000, 360_001_000, 'Bo', 'Late'],
    ]);
    expect(parseTranscript(file)).toMatchObject({
      language: 'de-CH',
      wordCount: 4,
      durationMs: 360_001_000,
    });
  });

  it.each<[string, string, (string | number)[][]]>([
    [
      'two voices at once',
      vtt('<v Ana>Hi <v Bo>Hello'),
      [
        [0, 1000, 'Ana', 'Hi'],
        [0, 1000, 'Bo', 'Hello'],
      ],
    ],
    [
      'voice and none',
      vtt('<v Ana>Hi</v> (laughter)'),
      [
        [0, 1000, 'Ana', 'Hi'],
        [0, 1000, '', '(laughter)'],
      ],
    ],
    ['several lines', vtt('one\ntwo\n- three'), [[0, 1000, '', 'one two - three']]],
    [
      'tags and times inside',
      vtt('<c.yellow>a</c> <00:00:00.500>b <lang en>c</lang><ruby>d<rt>e</rt></ruby>'),
      [[0, 1000, '', 'a b cde']],
    ],
    [
      'signs that are no tags',
      vtt('1 < 2 and 3 > 2, a <> b, <3'),
      [[0, 1000, '', '1 < 2 and 3 > 2, a <> b, <3']],
    ],
    [
      'entities',
      vtt('&lt;3 &nbsp;Q&amp;A &#39;x&#x27; &eacute;&lrm;&unknown;'),
      [[0, 1000, '', "<3 Q&A 'x' é\u200e&unknown;"]],
    ],
    ['a tag never closed', vtt('a <b and more'), [[0, 1000, '', 'a <b and more']]],
    ['empty cues', vtt('', 'x', ' <i></i> '), [[1000, 2000, '', 'x']]],
    ['no blank line behind the header', `WEBVTT\n${cue('x')}`, [[0, 1000, '', 'x']]],
    [
      'no blank line between cues',
      `WEBVTT\n\n${cue('x')}\n${cue('y', 1)}`,
      [
        [0, 1000, '', 'x'],
        [1000, 2000, '', 'y'],
      ],
    ],
    [
      'a bad timing line',
      `WEBVTT\n\n00:00 -> 1\nx\n\n00:xx --> 00:01\ny\n\n${cue('z')}`,
      [[0, 1000, '', 'z']],
    ],
    ['an end before its start', 'WEBVTT\n\n00:05.000 --> 00:04.000\nx', [[5000, 5001, '', 'x']]],
    [
      'cues out of order',
      `WEBVTT\n\n${cue('b', 5)}\n\n${cue('a')}`,
      [
        [0, 1000, '', 'a'],
        [5000, 6000, '', 'b'],
      ],
    ],
    [
      'a mark and other line ends',
      `\uFEFFWEBVTT\r\n\r\n${cue('x').replace('\n', '\r\n')}\r\n`,
      [[0, 1000, '', 'x']],
    ],
    ['old Mac line ends', `WEBVTT\r\r${cue('x').replace('\n', '\r')}`, [[0, 1000, '', 'x']]],
  ])('%s', (_name, file, expected) => {
    expect(rows(file)).toEqual(expected);
  });

  // KEYED-18
  it('ends a voice span with its cue: a cue without one has no speaker', () => {
    expect(speakers(vtt('hm', '<v Ana>a', 'b', '<v Bo>c', 'd'))).toEqual(['', 'Ana', '', 'Bo', '']);
    expect(speakers(vtt('<v Ana>a', '<v Ana>b', '(music)'))).toEqual(['Ana', 'Ana', '']);
  });

  it('applies a name before the words until the next name', () => {
    const cues = ['Ana: a', 'b', 'Bo: c', 'd', 'Ana: e', 'Bo: f'];
    expect(speakers(vtt(...cues))).toEqual(['Ana', 'Ana', 'Bo', 'Bo', 'Ana', 'Bo']);
  });
});

describe('names before a colon', () => {
  it.each<[string, string[], string[], string[]]>([
    ['names', ['Ana: Hi', 'Bo: Hello', 'Bo: Again'], ['Ana', 'Bo', 'Bo'], ['Hi', 'Hello', 'Again']],
    [
      'machine names',
      ['SPEAKER_00: a', 'SPEAKER_01: b', 'SPEAKER_01: c'],
      ['SPEAKER_00', 'SPEAKER_01', 'SPEAKER_01'],
      ['a', 'b', 'c'],
    ],
    [
      'brackets and arrows',
      ['[Dr. Mae West]: a', '>> Bo: b', '>> Bo: c'],
      ['Dr. Mae West', 'Bo', 'Bo'],
      ['a', 'b', 'c'],
    ],
    [
      'other scripts',
      ['田中：こんにちは', '田中： はい'],
      ['田中', '田中'],
      ['こんにちは', 'はい'],
    ],
    ['a single word', ['Listen: a', 'b'], ['', ''], ['Listen: a', 'b']],
    [
      'no names',
      ['so he said: hello', 'at 10:30 we met', 'see https://example.com'],
      ['', '', ''],
      ['so he said: hello', 'at 10:30 we met', 'see https://example.com'],
    ],
    ['numbers', ['12: a', '12: b'], ['', ''], ['12: a', '12: b']],
  ])('%s', (_name, cues, names, words) => {
    expect(speakers(vtt(...cues))).toEqual(names);
    expect(texts(vtt(...cues))).toEqual(words);
  });
});

describe('SubRip', () => {
  it('accepts a name before its first caption, and applies it until the next name', () => {
    const file = ['Ana: Hi', 'there', 'Note: bring a coat']
      .map((text, index) => `${index + 1}\n${cue(text, index).replaceAll('.', ',')}`)
      .join('\n\n');
    expect(speakers(file)).toEqual(['Ana', 'Ana', 'Ana']);
    expect(texts(file)).toEqual(['Hi', 'there', 'Note: bring a coat']);
  });

  it('reads numbers, commas, dots, markup, and cues without blank lines', () => {
    const file = `1
00:00:00,179 --> 00:00:02,399
Ana: <i>When</i> you {\\an8}first
get <font color="red">started</font>

still the first

2
0:00:02.4 --> 0:00:04.8 X1:40 X2:600
1984
3
00:00:05,000 --> 00:00:06,000

4
00:00:07 --> 00:00:08
a < b &amp; c<br>d
`;
    expect(rows(file)).toEqual([
      [179, 2399, 'Ana', 'When you first get started still the first'],
      [2400, 4800, 'Ana', '1984'],
      [7000, 8000, 'Ana', 'a < b & c d'],
    ]);
  });
});

describe('JSON', () => {
  const json = (...segments: readonly object[]) => JSON.stringify({ version: '1.0.0', segments });

  it.each<[string, string, (string | number)[][]]>([
    [
      'the namespace',
      json({ speaker: 'Ana', startTime: 0.5, endTime: 0.75, body: 'I' }),
      [[500, 750, 'Ana', 'I']],
    ],
    [
      'Whisper',
      json({ id: 0, start: 1.23456, end: 2, text: ' Hello ' }),
      [[1235, 2000, '', 'Hello']],
    ],
    [
      'a bare list, times as text',
      '[{"start": "1.5", "end": "00:00:03.000", "text": "x"}]',
      [[1500, 3000, '', 'x']],
    ],
    [
      'no ends',
      json({ startTime: 0, body: 'a' }, { startTime: 3, body: 'b c' }),
      [
        [0, 3000, '', 'a'],
        [3000, 3800, '', 'b c'],
      ],
    ],
    [
      'markup',
      json({ startTime: 0, endTime: 1, body: 'a<br/><script src="x">b</script> < c' }),
      [[0, 1000, '', 'a b < c']],
    ],
    [
      'nonsense among it',
      json(
        { startTime: 0, endTime: 1, body: 5 },
        { body: 'x', startTime: 1, endTime: null, speaker: 9 },
      ),
      [[1000, 1400, 'Speaker 9', 'x']],
    ],
  ])('%s', (_name, file, expected) => {
    expect(rows(file)).toEqual(expected);
  });

  it('reads the language', () => {
    const file = (language: unknown) =>
      JSON.stringify({ language, segments: [{ start: 0, end: 1, text: 'x' }] });
    expect(parseTranscript(file('pt_BR')).language).toBe('pt-BR');
    expect(parseTranscript(file('english, or so')).language).toBeUndefined();
  });
});

describe('HTML and plain text', () => {
  it.each<[string, string, (string | number)[][]]>([
    [
      'the namespace',
      '<cite>Ana:</cite>\n<time>0:00</time>\n<p>One &amp; two</p><cite>Bo:</cite><time>0:53</time><p>three</p>',
      [
        [0, 53_000, 'Ana', 'One & two'],
        [53_000, 53_400, 'Bo', 'three'],
      ],
    ],
    [
      'all in one',
      '<p><cite>Ana</cite> <time>[1:00:00]</time> One<br>two</p>',
      [[3_600_000, 3_600_800, 'Ana', 'One two']],
    ],
    [
      'paragraphs without a time',
      '<time>0:10</time><p>a b</p><p>c d</p><time>0:11</time><p>e</p>',
      [
        [10_000, 10_500, '', 'a b'],
        [10_500, 11_000, '', 'c d'],
        [11_000, 11_400, '', 'e'],
      ],
    ],
    [
      'a page around it',
      '<!doctype html><html lang="en"><head><title>T</title><style>p{}</style></head><body><nav>Home</nav><script>x()</script><p>words</p></body></html>',
      [[0, 0, '', 'words']],
    ],
    ['a name never closed', '<cite>Ana:<p>words', [[0, 0, 'Ana', 'words']]],
    [
      'plain text',
      'Ana: One\ntwo\n\nBo: three\n \nBo: four',
      [
        [0, 0, 'Ana', 'One two'],
        [0, 0, 'Bo', 'three'],
        [0, 0, 'Bo', 'four'],
      ],
    ],
    ['text that begins like JSON', '[Music] and words', [[0, 0, '', '[Music] and words']]],
  ])('%s', (_name, file, expected) => {
    expect(rows(file)).toEqual(expected);
  });
});

describe('cleaning a transcript', () => {
  const tokenLink = 'https://cdn.example/a.mp3?token=abc123';
  // KEYED-20
  it.each([
    vtt(`listen to ${tokenLink} now`),
    `1\n00:00:00,000 --> 00:00:01,000\nlisten to ${tokenLink} now`,
    JSON.stringify({ segments: [{ start: 0, end: 1, text: `listen to ${tokenLink} now` }] }),
    `<p>listen to <a href="${tokenLink}">${tokenLink}</a> now</p>`,
    `listen to ${tokenLink} now`,
    vtt(
      `listen to https://cdn.example/a.mp3?tok\u200ben=abc123 https://cdn.example/a.mp3?x=1&amp;token=abc123 now`,
    ),
  ])('a link with a token is taken out: %s', (file) => {
    const [only] = parseTranscript(file).segments;
    expect(only!.text).toMatch(/^listen to .*now$/);
    expect(JSON.stringify(only)).not.toContain('token=');
  });

  it('a link without a token stays', () => {
    expect(texts(vtt('See https://example.com/a?b=c'))).toEqual(['See https://example.com/a?b=c']);
  });

  it('characters that a feed, a page or the database cannot store are removed', () => {
    const file = JSON.stringify({
      segments: [
        { start: 0, end: 1, speaker: 'A\u0000\nna', text: 'a\u0000\u0007b\ud800 \u2028c\ufffe' },
      ],
    });
    expect(rows(file)).toEqual([[0, 1000, 'A na', 'ab c']]);
  });

  it('words are counted; in scripts without spaces, characters', () => {
    expect(parseTranscript(vtt("don't stop – now")).wordCount).toBe(4);
    expect(parseTranscript(vtt('今日は good')).wordCount).toBe(4);
  });
});

describe('refusals', () => {
  const many = (count: number) =>
    JSON.stringify(
      Array.from({ length: count }, (_, start) => ({ start, end: start + 1, text: 'x' })),
    );
  it.each<[string, string, string | undefined, TranscriptRefusal]>([
    ['nothing', '', undefined, 'empty'],
    ['spaces', ' \n\n ', undefined, 'empty'],
    ['a header alone', 'WEBVTT\n\n', undefined, 'empty'],
    ['JSON of no segments', '{"segments": []}', undefined, 'empty'],
    ['JSON cut off', '{"segments": [{"start": 0', undefined, 'damaged'],
    ['other JSON', '{"chapters": []}', undefined, 'not_a_transcript'],
    ['bytes', 'PNG\r\n\0\0\0\rIHDR', undefined, 'not_a_transcript'],
    [
      'a page instead of captions',
      '<!doctype html><p>Not found</p>',
      'text/vtt',
      'not_a_transcript',
    ],
    ['words instead of captions', 'Not found', 'application/srt', 'not_a_transcript'],
    ['a page instead of JSON', '<html><p>Sign in</p>', 'application/json', 'not_a_transcript'],
    ['times of years', '[{"start": 1e9, "end": 2e9, "text": "x"}]', undefined, 'damaged'],
    ['too much', 'x'.repeat(maxTranscriptBytes + 1), undefined, 'too_large'],
    ['too many', many(maxSegments + 1), undefined, 'too_many_segments'],
  ])('%s', (_name, file, type, reason) => {
    const options = type === undefined ? {} : { type };
    expect(() => parseTranscript(file, options)).toThrow(
      expect.objectContaining({ name: 'TranscriptError', reason }),
    );
  });

  it('accepts the highest number, and captions of one format under the type of the other', () => {
    expect(parseTranscript(many(maxSegments)).segments).toHaveLength(maxSegments);
    expect(parseTranscript(vtt('x'), { type: 'application/x-subrip' }).wordCount).toBe(1);
  });

  it.each([
    ['tags never closed', `WEBVTT\n\n00:00.000 --> 00:01.000\n${'<v a '.repeat(400_000)}`],
    ['names never ended', `WEBVTT\n\n00:00.000 --> 00:01.000\n${'Aa '.repeat(600_000)}`],
    ['arrows', `WEBVTT\n\n${'-->\n'.repeat(500_000)}x`],
    ['codes never closed', `1\n00:00:00,000 --> 00:00:01,000\n${'{\\a<b '.repeat(300_000)}`],
    ['one long word', 'x'.repeat(2_000_000)],
    ['one long address', `https://x.example/${'?a=://'.repeat(30_000)}`],
  ])('a transcript is refused soon with %s', (_name, file) => {
    // Quadratic time would be minutes, longer than the time limit of a test.
    try {
      parseTranscript(file);
    } catch (error) {
      expect(error).toMatchObject({ name: 'TranscriptError' });
    }
  });
});

describe('a whole file', () => {
  const own = join(ownCases, 'transcripts');
  const collection = findCollection('transcripts');

  it.each([
    [own, 'voices.vtt', { wordCount: 21, durationMs: 9450 }, 3, ['Mira Holt', 'Jonas Vey']],
    [own, 'names.srt', { wordCount: 37, durationMs: 12_640 }, 5, ['Mira', 'Jonas']],
    [own, 'cited.html', { wordCount: 29, durationMs: 9000 }, 3, ['Mira', 'Jonas']],
    [own, 'segments.json', { wordCount: 4, durationMs: 3125 }, 3, ['Mira', 'Jonas']],
    ...(collection === undefined
      ? []
      : ([
          [
            collection,
            'example.vtt',
            { wordCount: 66, durationMs: 25_350 },
            7,
            ['Sarah', 'Gillian'],
          ],
          [
            collection,
            'example.srt',
            { wordCount: 2492, durationMs: 754_769 },
            222,
            ['Travis', 'Sarah', 'Gilon'],
          ],
          [collection, 'example.html', { wordCount: 2492 }, 10, ['Travis', 'Sarah', 'Gilon']],
          [
            collection,
            'example.json',
            { wordCount: 5, durationMs: 3000 },
            5,
            ['Darth Vader', 'Luke'],
          ],
        ] as const)),
  ] as const)(
    'a whole file has its words, length and people: %s/%s',
    (place, name, facts, count, names) => {
      const transcript = parseTranscript(readFileSync(join(place, name), 'utf8'));
      expect(transcript).toMatchObject(facts);
      expect(transcript.segments).toHaveLength(count);
      expect([...new Set(transcript.segments.map(({ speaker }) => speaker))]).toEqual(names);
    },
  );
});

it('a refusal quotes only the beginning of a long name', () => {
  const xml = `<?xml version="1.0"?><${'a'.repeat(1_000_000)}/>`;
  expect(() => parseTranscript(xml)).toThrow(`with the element <${'a'.repeat(80)}>,`);
});
