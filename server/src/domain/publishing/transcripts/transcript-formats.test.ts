import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findCollection, ownCases } from '../../../../test/collections.ts';
import { decodeText } from './decode-text.ts';
import { parseTranscript } from './parse-transcript.ts';
import { maxJsonContainers, maxJsonDepth, maxSegmentLength } from './transcript.ts';

// Every format is written from the same segments in the way of its programs, with random times,
// names and words, and has to be read back as these segments.

interface Said {
  readonly startMs: number;
  readonly endMs: number;
  readonly speaker: string;
  readonly text: string;
}

const words = fc
  .array(
    fc.constantFrom('hello', 'and', 'welcome', 'at 10:30', 'we', 'said:', 'so', 'ça', '日本'),
    {
      minLength: 1,
      maxLength: 8,
    },
  )
  .map((some) => `x ${some.join(' ')}.`);

/** Segments on end, with whole tenths of seconds; the first speaker speaks at least twice. */
function conversations(unitMs: number, names: readonly string[]): fc.Arbitrary<Said[]> {
  const turn = fc.tuple(fc.integer({ min: 1, max: 90_000 / unitMs }), fc.nat(), words);
  return fc
    .tuple(fc.nat(7200_000 / unitMs), fc.array(turn, { minLength: 3, maxLength: 12 }))
    .map(([first, turns]) => {
      let at = first * unitMs;
      return turns.map(([length, who, text], index) => {
        const startMs = at;
        at += length * unitMs;
        const speaker = names[index % 2 === 0 ? 0 : who % names.length] ?? '';
        return { startMs, endMs: at, speaker, text };
      });
    });
}

const people = ['Ana Lopez', 'Bo Chen', 'Mary', 'SPEAKER_01', 'Dr. Mae West'];

function two(value: number, digits = 2): string {
  return String(Math.floor(value)).padStart(digits, '0');
}

/** `01:02:03`, and `.400` with a sign. */
function clock(ms: number, sign = ''): string {
  const whole = `${two(ms / 3_600_000)}:${two((ms / 60_000) % 60)}:${two((ms / 1000) % 60)}`;
  return sign === '' ? whole : `${whole}${sign}${two(ms % 1000, 3)}`;
}

/** `1:02:03`, `2:03`, `0:03`. */
function shortClock(ms: number): string {
  const hours = Math.floor(ms / 3_600_000);
  const rest = `${two((ms / 1000) % 60)}`;
  const minutes = Math.floor(ms / 60_000) % 60;
  return hours > 0 ? `${hours}:${two(minutes)}:${rest}` : `${minutes}:${rest}`;
}

/** WebVTT as some programs write it: without minutes in the first minute. */
function shortest(ms: number): string {
  return ms < 60_000 ? `${Math.floor(ms / 1000)}.${two(ms % 1000, 3)}` : clock(ms, '.');
}

type Write = (said: readonly Said[]) => string;

const lines = (said: readonly Said[], write: (one: Said, index: number) => string) =>
  said.map(write).join('\n');

/** Formats with start, end and speaker, to the millisecond. */
const exact: Readonly<Record<string, Write>> = {
  'WebVTT with voices': (said) =>
    `WEBVTT\n\n${lines(said, (s) => `${clock(s.startMs, '.')} --> ${clock(s.endMs, '.')}\n<v ${s.speaker}>${s.text}\n`)}`,
  'WebVTT with seconds only': (said) =>
    `WEBVTT\n\n${lines(said, (s) => `${shortest(s.startMs)} --> ${shortest(s.endMs)}\n<v ${s.speaker}>${s.text}\n`)}`,
  'WebVTT with lines of a space': (said) =>
    `WEBVTT\n\n${lines(said, (s, i) => `${i + 1}\n${clock(s.startMs, '.')} --> ${clock(s.endMs, '.')} align:start\n \n<v ${s.speaker}>${s.text}</v>\n \n`)}`,
  'WebVTT with names before the words': (said) =>
    `WEBVTT\n\n${lines(said, (s) => `${clock(s.startMs, '.')} --> ${clock(s.endMs, '.')}\n${s.speaker}: ${s.text}\n`)}`,
  SubRip: (said) =>
    lines(
      said,
      (s, i) =>
        `${i + 1}\n${clock(s.startMs, ',')} --> ${clock(s.endMs, ',')}\n${s.speaker}: ${s.text}\n`,
    ),
  'SubRip with names on their own line': (said) =>
    lines(
      said,
      (s, i) =>
        `${i + 1}\n${clock(s.startMs, ',')} --> ${clock(s.endMs, ',')}\n${s.speaker}:\n${s.text}\n`,
    ),
  'SubRip with names in brackets': (said) =>
    lines(
      said,
      (s, i) =>
        `${i + 1}\n${clock(s.startMs, ',')} --> ${clock(s.endMs, ',')}\n[${s.speaker}]: ${s.text}\n`,
    ),
  SBV: (said) =>
    lines(
      said,
      (s) => `${clock(s.startMs, '.')},${clock(s.endMs, '.')}\n${s.speaker}: ${s.text}\n`,
    ),
  'the JSON of Podcasting 2.0': (said) =>
    JSON.stringify({
      segments: said.map((s) => ({
        startTime: s.startMs / 1000,
        endTime: s.endMs / 1000,
        speaker: s.speaker,
        body: s.text,
      })),
    }),
  'the JSON of AssemblyAI': (said) =>
    JSON.stringify({
      utterances: said.map((s) => ({
        start: s.startMs,
        end: s.endMs,
        speaker: s.speaker,
        text: s.text,
      })),
      words: [],
    }),
  'the JSON of Deepgram': (said) =>
    JSON.stringify({
      results: {
        channels: [{ alternatives: [{ transcript: 'x', words: [] }] }],
        utterances: said.map((s) => ({
          start: s.startMs / 1000,
          end: s.endMs / 1000,
          speaker: s.speaker,
          transcript: s.text,
        })),
      },
    }),
  'SubStation Alpha': (said) =>
    `[Script Info]\nTitle: x\n\n[Events]\nFormat: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\n${lines(said, (s) => `Dialogue: 0,${clock(s.startMs, '.').slice(1)},${clock(s.endMs, '.').slice(1)},Default,${s.speaker},0,0,0,,{\\i1}${s.text}`)}`,
  TTML: (said) =>
    `<?xml version="1.0" encoding="UTF-8"?><tt xmlns="http://www.w3.org/ns/ttml" xml:lang="en"><head>${people.map((name, i) => `<ttm:agent xml:id="a${i}"><ttm:name type="full">${name}</ttm:name></ttm:agent>`).join('')}</head><body><div>${lines(said, (s) => `<p begin="${clock(s.startMs, '.')}" end="${s.endMs}ms" ttm:agent="a${people.indexOf(s.speaker)}">${s.text}</p>`)}</div></body></tt>`,
};

/** Formats without speakers. */
const nameless: Readonly<Record<string, Write>> = {
  'the JSON of whisper.cpp': (said) =>
    JSON.stringify({
      result: { language: 'de' },
      transcription: said.map((s) => ({
        timestamps: { from: clock(s.startMs, ','), to: clock(s.endMs, ',') },
        offsets: { from: s.startMs, to: s.endMs },
        text: ` ${s.text}`,
      })),
    }),
  'the JSON of Hugging Face': (said) =>
    JSON.stringify({
      text: 'x',
      chunks: said.map((s) => ({
        timestamp: [s.startMs / 1000, s.endMs / 1000],
        text: ` ${s.text}`,
      })),
    }),
  'the .tsv of Whisper': (said) =>
    `start\tend\ttext\n${lines(said, (s) => `${s.startMs}\t${s.endMs}\t${s.text}`)}\n`,
  'the .csv of whisper.cpp': (said) =>
    `start,end,text\n${lines(said, (s) => `${s.startMs},${s.endMs},"${s.text}"`)}\n`,
  'labels of Audacity': (said) =>
    lines(
      said,
      (s) => `${(s.startMs / 1000).toFixed(6)}\t${(s.endMs / 1000).toFixed(6)}\t${s.text}`,
    ),
  "Whisper's output on a terminal": (said) =>
    lines(said, (s) => `[${clock(s.startMs, '.')} --> ${clock(s.endMs, '.')}]  ${s.text}`),
};

/** Text exports, with a start and a name before each turn. */
const turns: Readonly<Record<string, Write>> = {
  Otter: (said) =>
    `${lines(said, (s) => `${s.speaker}  ${shortClock(s.startMs)}  \n${s.text}\n`)}\nTranscribed by https://otter.ai\n`,
  Riverside: (said) => lines(said, (s) => `${s.speaker} (${clock(s.startMs)})\n${s.text}\n`),
  'Riverside with fractions': (said) =>
    lines(said, (s) => `${s.speaker} (${clock(s.startMs)}.0)\n${s.text}\n`),
  Rev: (said) => lines(said, (s) => `${s.speaker} (${clock(s.startMs)}):\n${s.text}\n`),
  'Rev with the colon before the time': (said) =>
    lines(said, (s) => `${s.speaker}: (${clock(s.startMs)})\n${s.text}\n`),
  Descript: (said) => lines(said, (s) => `[${clock(s.startMs)}] ${s.speaker}: ${s.text}\n`),
  'Descript in Markdown': (said) =>
    lines(said, (s) => `**${s.speaker}:** [${clock(s.startMs)}] ${s.text}\n`),
  Sonix: (said) => lines(said, (s) => `${s.speaker}: [${clock(s.startMs)}] ${s.text}\n`),
  Omny: (said) => lines(said, (s) => `${clock(s.startMs)}\n${s.speaker}: ${s.text}\n`),
};

const read = (text: string) => parseTranscript(text).segments;
const runs = { numRuns: 60 };

describe('a file', () => {
  it.each(Object.entries(exact))('a file in the format %s is read whole', (_name, write) => {
    fc.assert(
      fc.property(conversations(10, people), (said) => {
        expect(read(write(said))).toEqual(said);
        expect(parseTranscript(write(said)).leftOut).toBeUndefined();
      }),
      runs,
    );
  });

  it.each(Object.entries(nameless))('a file in the format %s is read whole', (_name, write) => {
    fc.assert(
      fc.property(conversations(10, ['']), (said) => {
        expect(read(write(said))).toEqual(said);
        expect(parseTranscript(write(said)).leftOut).toBeUndefined();
      }),
      runs,
    );
  });

  it.each(Object.entries(turns))(
    'a file as %s exports it has its names and times',
    (_name, write) => {
      fc.assert(
        fc.property(conversations(1000, people), (said) => {
          const starts = ({ startMs, speaker, text }: Said) => ({ startMs, speaker, text });
          expect(read(write(said)).map(starts)).toEqual(said.map(starts));
        }),
        runs,
      );
    },
  );

  it('a file in UTF-16 is decoded by its byte order mark', () => {
    const text = '\ufeff1\n00:00:00,000 --> 00:00:01,000\nZoë: 日本\n';
    const little = Buffer.from(text, 'utf16le');
    const big = Buffer.from(little).swap16();
    for (const bytes of [little, big, Buffer.from(text)]) {
      expect(read(decodeText(bytes))).toMatchObject([{ speaker: 'Zoë', text: '日本' }]);
    }
    expect(decodeText(Buffer.from([0x5a, 0x6f, 0xeb]))).toBe('Zoë');
  });
});

describe('rolling captions', () => {
  const youTube = (spoken: readonly string[]) => {
    const cues = spoken.flatMap((line, index) => {
      const [start, end] = [index * 2000, index * 2000 + 1990];
      const before = spoken[index - 1];
      const [first, ...rest] = line.split(' ');
      const marked = [first, ...rest.map((word) => `<00:00:00.500><c> ${word}</c>`)].join('');
      return [
        `${clock(start, '.')} --> ${clock(end, '.')} align:start position:0%\n${before ?? ' '}\n${marked}`,
        `${clock(end, '.')} --> ${clock(end + 10, '.')} align:start position:0%\n${line}\n `,
      ];
    });
    return `WEBVTT\nKind: captions\nLanguage: en\n\n${cues.join('\n\n')}\n`;
  };

  it('rolling captions have each line once, in WebVTT and SubRip', () => {
    fc.assert(
      fc.property(fc.array(words, { minLength: 2, maxLength: 20 }), (some) => {
        const spoken = some.map((text, index) => `${text} ${index}`);
        const file = youTube(spoken);
        expect(read(file).map(({ text }) => text)).toEqual(spoken);
        const srt = file.replace(/^[^\d]*/, '').replaceAll(/<[^>]*>| align.*$/gm, '');
        expect(read(srt).map(({ text }) => text)).toEqual(spoken);
      }),
      runs,
    );
  });

  it('rolling captions of three lines have each line once', () => {
    const spoken = ['one', 'two', 'three', 'four', 'five'];
    const cues = spoken.map((_, index) => {
      const shown = spoken.slice(Math.max(0, index - 2), index + 1).join('\n');
      return `${clock(index * 1000, '.')} --> ${clock(index * 1000 + 1000, '.')}\n${shown}`;
    });
    expect(read(`WEBVTT\n\n${cues.join('\n\n')}`).map(({ text }) => text)).toEqual(spoken);
  });

  it('people who say the same twice are not taken for rolling captions', () => {
    const spoken = ['Yes.', 'Yes.', 'No.', 'No.', 'Yes.\nNo.'];
    const cues = spoken.map(
      (text, i) => `${clock(i * 1000, '.')} --> ${clock(i * 1000 + 900, '.')}\n${text}`,
    );
    const file = `WEBVTT\n\n${cues.join('\n\n')}`;
    expect(read(file)).toHaveLength(5);
  });
});

describe('TTML', () => {
  it('TTML of Apple has sentences, their words apart, and the names of its agents', () => {
    const word = (text: string) =>
      `<span begin="0.5" end="0.9" podcasts:unit="word">${text}</span>`;
    const file = `<tt xmlns="http://www.w3.org/ns/ttml" xml:lang="en-US"><head><metadata>
<ttm:agent type="person" xml:id="SPEAKER_1"><ttm:name>Ana</ttm:name></ttm:agent></metadata></head>
<body dur="1:05.000"><div><p begin="0.500" end="1:02.250" ttm:agent="SPEAKER_1">
<span begin="0.500" end="2.000" podcasts:unit="sentence">${word('Good')}${word('evening.')}</span>
<span begin="1:00.000" end="1:02.250" podcasts:unit="sentence">${word('Bye.')}</span></p></div></body></tt>`;
    expect(parseTranscript(file)).toMatchObject({ language: 'en-US' });
    expect(read(file)).toEqual([
      { startMs: 500, endMs: 2000, speaker: 'Ana', text: 'Good evening.' },
      { startMs: 60_000, endMs: 62_250, speaker: 'Ana', text: 'Bye.' },
    ]);
  });

  it('TTML may count frames, ticks and from the element around', () => {
    const tt = (body: string) =>
      `<tt:tt xmlns:tt="http://www.w3.org/ns/ttml" ttp:frameRate="25" ttp:tickRate="10">${body}</tt:tt>`;
    expect(
      read(
        tt(
          '<tt:body begin="10s"><tt:div begin="5s"><tt:p begin="0s" dur="1s">a<tt:br/>b</tt:p><tt:p begin="50f" end="40t">c</tt:p></tt:div></tt:body>',
        ),
      ),
    ).toEqual([
      { startMs: 15_000, endMs: 16_000, speaker: '', text: 'a b' },
      { startMs: 17_000, endMs: 19_000, speaker: '', text: 'c' },
    ]);
    expect(
      read(tt('<tt:body><tt:p begin="00:00:01:05" end="00:00:02:00">a &amp; b</tt:p></tt:body>')),
    ).toEqual([{ startMs: 1200, endMs: 2000, speaker: '', text: 'a & b' }]);
  });
});

describe('names', () => {
  const srt = (...captions: readonly string[]) =>
    captions
      .map(
        (text, i) =>
          `${i + 1}\n${clock(i * 1000, ',')} --> ${clock(i * 1000 + 1000, ',')}\n${text}\n`,
      )
      .join('\n');
  const said = (text: string) => read(text).map(({ speaker, text: spoken }) => [speaker, spoken]);

  it.each([
    'Warning: this episode contains strong language.',
    'Note: a coat helps.',
    'Content Warning: blood.',
    'Today: bees.',
    'Achtung: laut.',
    'Part 2: the storm',
  ])('the format %s has no names', (first) => {
    expect(said(srt(first, 'Hello.'))).toEqual([
      ['', first],
      ['', 'Hello.'],
    ]);
  });

  it('names that occur once count beside others, also in the same caption', () => {
    expect(said(srt('Ana: Hi.', '- Who?\n- Bo Chen: Me.', 'Mary: me too', 'Note: rain.'))).toEqual([
      ['Ana', 'Hi.'],
      ['Ana', '- Who?'],
      ['Bo Chen', 'Me.'],
      ['Mary', 'me too'],
      ['Mary', 'Note: rain.'],
    ]);
    expect(said(srt('Ana: Hi.', '- Bo: You?\n- Ana: Fine.', 'Bo: ok'))).toEqual([
      ['Ana', 'Hi.'],
      ['Bo', 'You?'],
      ['Ana', 'Fine.'],
      ['Bo', 'ok'],
    ]);
  });
});

describe('a transcript without times', () => {
  it.each([
    ['plain text', 'Welcome.\n\nThanks.\n'],
    ['HTML', '<p>Welcome.</p><p>Thanks.</p>'],
    ['HTML with one time', '<time>0:00</time><p>Welcome.</p><p>Thanks.</p>'],
    ['JSON', '[{"text": "Welcome."}, {"text": "Thanks."}]'],
    ['TTML', '<tt><body><p>Welcome.</p><p>Thanks.</p></body></tt>'],
  ])('a transcript without times gets no times as %s', (_name, text) => {
    expect(parseTranscript(text)).toMatchObject({ hasTimes: false, durationMs: 0, wordCount: 2 });
    expect(read(text)).toEqual([
      { startMs: 0, endMs: 0, speaker: '', text: 'Welcome.' },
      { startMs: 0, endMs: 0, speaker: '', text: 'Thanks.' },
    ]);
  });

  it('a transcript without times is not one with a time for each turn, or with a single segment', () => {
    const turnsOf = '<time>0:05</time><p>a</p><p>b</p><time>0:09</time><p>c</p>';
    expect(parseTranscript(turnsOf)).toMatchObject({ hasTimes: true });
    expect(parseTranscript('[{"start": 0, "text": "x"}]')).toMatchObject({ hasTimes: true });
  });
});

describe('what cannot be used', () => {
  it('lines that cannot be used are counted, with the first examples', () => {
    const vtt = [
      'WEBVTT',
      '00:00.000 --> 00:01.000\nkept',
      '00:xx --> 00:02.000\nlost https://x.example/?token=abc',
      'words behind an empty line',
      '7',
      'NOTE nothing',
    ].join('\n\n');
    expect(parseTranscript(vtt).leftOut).toEqual({
      count: 2,
      examples: ['00:xx --> 00:02.000 lost', 'words behind an empty line'],
    });
    const srt =
      'About\n1\n00:00:00,000 --> 00:00:01,000\nkept\n\n2\n00:00:xx,000 --> 00:00:02,000\nlost\n';
    expect(parseTranscript(srt)).toMatchObject({
      segments: [{ text: 'kept' }],
      leftOut: { count: 2, examples: ['About', '00:00:xx,000 --> 00:00:02,000 lost'] },
    });
    const json = JSON.stringify([{ start: 0, end: 1, text: 'kept' }, { start: 1, text: 5 }, 7]);
    expect(parseTranscript(json).leftOut).toMatchObject({ count: 2 });
  });

  it('lines that cannot be used are named if nothing is left', () => {
    expect(() => parseTranscript('WEBVTT\n\n0:xx --> 1:xx\nHello')).toThrow(
      'Nothing in the file could be read, for example: 0:xx --> 1:xx Hello',
    );
  });

  it.each([
    ['other XML', '<?xml version="1.0"?><rss><channel/></rss>', 'XML with the element <rss>'],
    ['RTF', '{\\rtf1\\ansi Hello}', 'RTF'],
    ['PDF', '%PDF-1.7 Hello', 'not text'],
    ['a table without words', 'start,end,note\n1,2,x', 'no "text" column'],
  ])('%s is refused with the reason', (_name, text, message) => {
    expect(() => parseTranscript(text)).toThrow(message);
  });

  it('limits what JSON may contain before it is parsed', () => {
    const deep = `${'['.repeat(maxJsonDepth + 1)}${']'.repeat(maxJsonDepth + 1)}`;
    const many = `{"segments":[${'{},'.repeat(maxJsonContainers)}{}]}`;
    for (const text of [`{"segments":${deep}}`, many]) {
      expect(() => parseTranscript(text)).toThrow('too many values or levels');
    }
    expect(read(`{"segments":[{"start":0,"end":1,"text":"${'[{'.repeat(100)}"}]}`)).toHaveLength(1);
  });

  it('a long paragraph is split between words, and nothing is lost', () => {
    const text = Array.from({ length: 12_000 }, (_, index) => `word${index}.`).join(' ');
    const pieces = read(text).map((segment) => segment.text);
    expect(pieces.join(' ')).toBe(text);
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(maxSegmentLength);
  });
});

/** Name of the file, speakers, starts in milliseconds. */
type Expected = readonly [string, readonly string[], readonly number[]];

/** Written for these tests, in the shape of what these programs export. */
const own: readonly Expected[] = [
  ['blank-line.vtt', ['', ''], [1000, 4000]],
  ['captions.ttml', ['', ''], [2500, 4000]],
  ['chunks.json', ['', ''], [0, 2250]],
  ['cited.html', ['Mira', 'Jonas', 'Mira'], [0, 5000, 7000]],
  ['descript.md', ['Mira Holt', 'Jonas Vey', 'Mira Holt'], [2000, 8000, 15_000]],
  ['descript.txt', ['Mira Holt', 'Jonas Vey', 'Mira Holt'], [2000, 8000, 15_000]],
  ['name-lines.srt', ['Mira Holt', 'Mira Holt', 'Jonas'], [7250, 10_000, 12_500]],
  ['names.srt', ['Mira', 'Mira', 'Jonas', 'Mira', 'Jonas'], [200, 2800, 5100, 7300, 9000]],
  ['notice.srt', ['', '', ''], [1000, 4000, 7000]],
  ['one-reply.srt', ['Mira Holt', 'Jonas Vey', 'Mira Holt'], [1000, 3000, 4500]],
  ['otter.txt', ['Mira Holt', 'Jonas Vey', 'Mira Holt'], [4000, 11_000, 3_909_000]],
  ['rev.txt', ['Mira Holt', 'Jonas Vey'], [2000, 9000]],
  ['riverside.txt', ['Mira Holt', 'Jonas Vey'], [1700, 8250]],
  ['rolling.vtt', ['', ''], [320, 2000]],
  ['seconds.vtt', ['Mira', 'Mira'], [2140, 64_000]],
  ['segments.json', ['Mira', 'Mira', 'Jonas'], [250, 1000, 2500]],
  ['sonix.txt', ['Speaker1', 'Speaker2', 'Speaker1'], [5000, 12_000, 18_000]],
  ['speaker-labels.srt', ['SPEAKER_00', 'SPEAKER_01'], [500, 2500]],
  ['utterances.json', ['A', 'B'], [240, 1900]],
  ['voices.vtt', ['Mira Holt', 'Jonas Vey', 'Mira Holt'], [0, 3200, 6900]],
  ['whisper-cpp.json', ['', ''], [400, 2900]],
  ['whisper.tsv', ['', ''], [0, 2750]],
];

/** In the collection of files that somebody reported. */
const reported: readonly Expected[] = [
  ['vtt-seconds-only.vtt', ['Ana', 'Ana'], [860, 61_000]],
  ['vtt-space-line.vtt', ['', ''], [0, 3000]],
  ['tr-youtube.vtt', ['', ''], [160, 2159]],
  ['tr-otter.txt', ['Ana Lopez', 'Bo Chen', 'Ana Lopez'], [3000, 12_000, 3_727_000]],
  ['tr-riverside.txt', ['Ana Lopez', 'Bo Chen'], [3200, 12_410]],
  ['tr-rev.txt', ['Ana Lopez', 'Bo Chen'], [3000, 12_000]],
  ['tr-descript.txt', ['Ana Lopez', 'Bo Chen', 'Ana Lopez'], [3000, 12_000, 20_000]],
  ['tr-descript.md', ['Ana Lopez', 'Bo Chen', 'Ana Lopez'], [3000, 12_000, 20_000]],
  ['tr-sonix.txt', ['Speaker1', 'Speaker2', 'Speaker1'], [3000, 12_000, 20_000]],
  ['tr-ttml.xml', ['', ''], [1000, 2000]],
  ['tr-buzz.srt', ['John Smith', 'John Smith', 'Mary'], [10_980, 14_200, 15_200]],
  ['srt-one-line-guest.srt', ['Ana Lopez', 'Bo Chen', 'Ana Lopez'], [0, 2000, 3000]],
  ['tr-whisper.txt.srt', ['SPEAKER_00', 'SPEAKER_01'], [0, 2000]],
  ['srt-warning.srt', ['', '', ''], [0, 3000, 6000]],
  ['tr-whispercpp.json', ['', ''], [0, 3000]],
  ['tr-hf.json', ['', ''], [0, 3500]],
  ['tr-assembly.json', ['A', 'B'], [100, 2000]],
  ['tr-whisper.tsv', ['', ''], [0, 3500]],
];

const folder = join(ownCases, 'transcripts');
const collection = findCollection('cases');

it('the list of own files is complete', () => {
  expect(own.map(([name]) => name)).toEqual(readdirSync(folder).sort());
});

it.each([
  ...own.map((file) => [folder, ...file] as const),
  ...(collection === undefined ? [] : reported.map((file) => [collection, ...file] as const)),
])('a file is read with its speakers and times: %s/%s', (place, name, speakers, starts) => {
  const segments = read(decodeText(readFileSync(join(place, name))));
  expect(segments.map(({ speaker }) => speaker)).toEqual(speakers);
  expect(segments.map(({ startMs }) => startMs)).toEqual(starts);
});
