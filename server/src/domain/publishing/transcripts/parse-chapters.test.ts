import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findCollection, ownCases } from '../../../../test/collections.ts';
import { type ChaptersRefusal, maxChapters, maxChaptersBytes } from './chapter.ts';
import { completeChapters } from './complete-chapters.ts';
import { formatChaptersJson, parseChapters } from './parse-chapters.ts';

const json = (...chapters: readonly unknown[]) => JSON.stringify({ version: '1.2.0', chapters });

describe('parseChapters', () => {
  it.each<[string, string, object[]]>([
    [
      'the namespace',
      json(
        { startTime: 0, title: 'Intro' },
        {
          startTime: 168.25,
          endTime: 200,
          title: 'Two',
          img: 'https://example.com/a.jpg',
          url: 'https://example.com/',
          toc: false,
          location: {},
        },
      ),
      [
        { startMs: 0, title: 'Intro' },
        {
          startMs: 168_250,
          endMs: 200_000,
          title: 'Two',
          imageUrl: 'https://example.com/a.jpg',
          linkUrl: 'https://example.com/',
          hidden: true,
        },
      ],
    ],
    [
      'a Podlove list',
      '[{"start": "00:01:02.500", "title": "A", "href": "https://example.com/x", "image": "https://example.com/y.png"}]',
      [
        {
          startMs: 62_500,
          title: 'A',
          imageUrl: 'https://example.com/y.png',
          linkUrl: 'https://example.com/x',
        },
      ],
    ],
    [
      'WebVTT',
      'WEBVTT\n\n00:00.000 --> 00:10.000\nInterview: Ana\n\n00:10.000 --> 00:20.000\n<i>Break</i>',
      [
        { startMs: 0, endMs: 10_000, title: 'Interview: Ana' },
        { startMs: 10_000, endMs: 20_000, title: 'Break' },
      ],
    ],
    [
      'out of order',
      json({ startTime: 9, title: 'B' }, { startTime: '3', title: 'A' }),
      [
        { startMs: 3000, title: 'A' },
        { startMs: 9000, title: 'B' },
      ],
    ],
    [
      'a picture without a title',
      json({ startTime: 5, img: 'http://example.com/a.jpg', toc: false }),
      [{ startMs: 5000, imageUrl: 'http://example.com/a.jpg', hidden: true }],
    ],
    ['a title of digits', json({ startTime: 5, title: 1984 }), [{ startMs: 5000, title: '1984' }]],
    [
      'an end before the start',
      json({ startTime: 5, endTime: 4, title: 'x' }),
      [{ startMs: 5000, title: 'x' }],
    ],
    [
      'addresses of other kinds',
      json(
        { startTime: 1, title: 'x', img: 'data:image/png;base64,AA', url: 'javascript:alert(1)' },
        { startTime: 2, title: 'y', img: '/relative.png', url: 'ftp://example.com' },
      ),
      [
        { startMs: 1000, title: 'x' },
        { startMs: 2000, title: 'y' },
      ],
    ],
    [
      'credentials',
      json(
        {
          startTime: 1,
          title: 'x',
          img: 'https://ana:pw@example.com/a.jpg',
          url: 'https://example.com/?token=abc',
        },
        { startTime: 2, title: 'see https://example.com/?sig=1' },
      ),
      [
        { startMs: 1000, title: 'x' },
        { startMs: 2000, title: 'see' },
      ],
    ],
    [
      'nonsense among it',
      json(
        null,
        5,
        [],
        {},
        { title: 'no time' },
        { startTime: -1, title: 'x' },
        { startTime: 'soon', title: 'x' },
        { startTime: 1e12, title: 'x' },
        { startTime: 7 },
        { startTime: 8, title: ' a\u0000\n b ' },
      ),
      [{ startMs: 8000, title: 'a b' }],
    ],
    [
      'a mark in front',
      `\uFEFF${json({ startTime: 0, title: 'x' })}`,
      [{ startMs: 0, title: 'x' }],
    ],
  ])('%s', (_name, text, expected) => {
    expect(parseChapters(text).chapters).toEqual(expected);
  });

  it.each<[string, string, object[]]>([
    [
      'a list of times and titles',
      '00:00:00.000 Intro\n\n00:00:14.250 Willkommen\n00:02:20.000 Wer bin ich? <https://example.com/a>',
      [
        { startMs: 0, title: 'Intro' },
        { startMs: 14_250, title: 'Willkommen' },
        { startMs: 140_000, title: 'Wer bin ich?', linkUrl: 'https://example.com/a' },
      ],
    ],
    [
      'a list with bullets',
      '• 00:00 Intro\n- [30:00] Topic\n* 1:04:14 End\n4. 1:05:00 More',
      [
        { startMs: 0, title: 'Intro' },
        { startMs: 1_800_000, title: 'Topic' },
        { startMs: 3_854_000, title: 'End' },
        { startMs: 3_900_000, title: 'More' },
      ],
    ],
    [
      'Podlove Simple Chapters',
      '<?xml version="1.0" encoding="utf-8"?>\n<psc:chapters version="1.2" xmlns:psc="http://podlove.org/simple-chapters"><psc:chapter start="00:00:12.135" title="Begr&#252;&#223;ung"/><psc:chapter start="76.5" title="B" href="https://example.com/" image="https://example.com/b.png"/></psc:chapters>',
      [
        { startMs: 12_135, title: 'Begrüßung' },
        {
          startMs: 76_500,
          title: 'B',
          linkUrl: 'https://example.com/',
          imageUrl: 'https://example.com/b.png',
        },
      ],
    ],
    [
      'lines of Matroska tools',
      'CHAPTER01=00:00:00.000\nCHAPTER01NAME=Intro\nCHAPTER02=00:01:05.500\nCHAPTER02NAME=Two\nCHAPTER02URL=https://example.com/',
      [
        { startMs: 0, title: 'Intro' },
        { startMs: 65_500, title: 'Two', linkUrl: 'https://example.com/' },
      ],
    ],
    [
      'labels of Audacity',
      '0.000000\t0.000000\tIntro\n65.500000\t70.000000\tTopic\n',
      [
        { startMs: 0, title: 'Intro' },
        { startMs: 65_500, endMs: 70_000, title: 'Topic' },
      ],
    ],
  ])('reads %s', (_name, text, expected) => {
    expect(parseChapters(text)).toEqual({
      chapters: expected,
      leftOut: { count: 0, examples: [] },
    });
  });

  it('names what it leaves out', () => {
    const file = json({ startTime: 0, title: 'Kept' }, { startTime: 7 }, { title: 'no time' }, 5, {
      startTime: 9,
      url: 'javascript:alert(1)',
    });
    expect(parseChapters(file)).toMatchObject({
      chapters: [{ title: 'Kept' }],
      leftOut: { count: 4, examples: ['5', '0:00:07', 'no time', '0:00:09'] },
    });
    expect(parseChapters('0:00 Kept\nsee you').leftOut).toEqual({
      count: 1,
      examples: ['see you'],
    });
  });

  it.each<[string, string, ChaptersRefusal]>([
    ['nothing', '', 'not_chapters'],
    ['words', 'See you.', 'not_chapters'],
    ['XML without chapters', '<rss/>', 'not_chapters'],
    ['a page', '<!doctype html>', 'not_chapters'],
    ['JSON cut off', '{"chapters": [', 'not_chapters'],
    ['other JSON', '{"segments": []}', 'not_chapters'],
    ['no chapters', json(), 'empty'],
    ['none that holds good', json({ title: 'x' }), 'empty'],
    [
      'too many',
      json(
        ...Array.from({ length: maxChapters + 1 }, (_, startTime) => ({ startTime, title: 'x' })),
      ),
      'too_many_chapters',
    ],
    ['too much', json({ startTime: 0, title: 'x'.repeat(maxChaptersBytes) }), 'too_large'],
  ])('refuses %s', (_name, text, reason) => {
    expect(() => parseChapters(text)).toThrow(
      expect.objectContaining({ name: 'ChaptersError', reason }),
    );
  });
});

describe('formatChaptersJson', () => {
  it('formatChaptersJson is read back exactly', () => {
    const raw = fc.record(
      {
        startMs: fc.nat(500_000_000),
        endMs: fc.nat(500_000_000),
        title: fc.string({ unit: 'binary' }).map((text) => `x${text}`),
        imageUrl: fc.webUrl({ withQueryParameters: true }),
        linkUrl: fc.webUrl({ withFragments: true }),
        hidden: fc.boolean(),
      },
      { requiredKeys: ['startMs', 'title'] },
    );
    fc.assert(
      fc.property(fc.array(raw, { minLength: 1, maxLength: 9 }), (list) => {
        const { chapters } = completeChapters(list);
        expect(parseChapters(formatChaptersJson(chapters)).chapters).toEqual(chapters);
      }),
    );
  });

  it('formatChaptersJson has the form of the namespace', () => {
    const chapters = [
      {
        startMs: 1500,
        endMs: 2000,
        title: 'A',
        imageUrl: 'https://i.example/',
        linkUrl: 'https://l.example/',
        hidden: true,
      },
      { startMs: 3000 },
    ];
    expect(JSON.parse(formatChaptersJson(chapters))).toEqual({
      version: '1.2.0',
      chapters: [
        {
          startTime: 1.5,
          endTime: 2,
          title: 'A',
          img: 'https://i.example/',
          url: 'https://l.example/',
          toc: false,
        },
        { startTime: 3 },
      ],
    });
  });
});

describe('WebVTT', () => {
  const cue = (index: number, seconds: number, text: string) =>
    `${String(Math.floor((index * seconds) / 60)).padStart(2, '0')}:` +
    `${String((index * seconds) % 60).padStart(2, '0')}.000 --> 59:59.000\n${text}`;

  it('WebVTT with voices is refused as a transcript', () => {
    const text = 'WEBVTT\n\n00:00.000 --> 00:09.000\n<v Ana>Good evening.';
    expect(() => parseChapters(text)).toThrow('This is a transcript, not chapters');
  });

  it('WebVTT with many short cues is refused as a transcript', () => {
    const cues = Array.from({ length: 20 }, (_, index) => {
      const [start, end] = [index * 2, index * 2 + 2].map((s) => String(s).padStart(2, '0'));
      return `00:${start}.000 --> 00:${end}.000\nWords`;
    });
    const text = (some: readonly string[]) => ['WEBVTT', ...some].join('\n\n');
    expect(() => parseChapters(text(cues))).toThrow('This is a transcript, not chapters');
    expect(parseChapters(text(cues.slice(1))).chapters).toHaveLength(19);
    const long = Array.from({ length: 30 }, (_, index) => cue(index, 90, 'Part'));
    expect(parseChapters(text(long)).chapters).toHaveLength(30);
  });
});

describe('a whole file', () => {
  const own = join(ownCases, 'chapters');
  const lowTide = { startMs: 0, title: 'Low tide' };
  const workshop = { title: 'The workshop', linkUrl: 'https://harbour-clock.example/workshop' };

  it.each<[string, object[]]>([
    [
      'bullets.txt',
      [
        lowTide,
        { startMs: 750_000, title: 'The workshop' },
        { startMs: 4_205_000, title: 'Good night' },
      ],
    ],
    [
      'chapters.vtt',
      [
        { ...lowTide, endMs: 95_000 },
        { startMs: 95_000, endMs: 1_290_000, title: 'The workshop' },
        { startMs: 1_290_000, endMs: 1_440_000, title: 'Good night' },
      ],
    ],
    [
      'comments.txt',
      [lowTide, { startMs: 95_500, ...workshop }, { startMs: 4_200_000, title: 'Good night' }],
    ],
    [
      'hidden.json',
      [
        { ...lowTide, endMs: 95_000 },
        { startMs: 95_000, ...workshop, imageUrl: 'https://img.example/workshop.png' },
        { startMs: 610_000, imageUrl: 'https://img.example/pier.jpg', hidden: true },
        { startMs: 1_024_250, title: 'A song' },
        { startMs: 1_290_000, title: 'Good night' },
      ],
    ],
    [
      'labels.txt',
      [
        { ...lowTide, endMs: 95_500 },
        { startMs: 95_500, endMs: 1_290_000, title: 'The workshop' },
        { startMs: 1_290_000, title: 'Good night' },
      ],
    ],
    [
      'simple-chapters.xml',
      [
        { startMs: 3250, title: 'Ebbe & Flut' },
        {
          startMs: 161_000,
          title: 'Werkstätte',
          imageUrl: 'https://img.example/w.png',
          linkUrl: 'https://hafenuhr.example/werkstatt',
        },
        { startMs: 4_200_500, title: 'Gute Nacht' },
      ],
    ],
    [
      'simple.json',
      [
        lowTide,
        {
          startMs: 95_500,
          title: 'A letter from the lighthouse',
          imageUrl: 'https://img.example/letter.jpg',
        },
        { startMs: 1_290_000, title: 'Good night' },
      ],
    ],
    [
      'times.txt',
      [
        { startMs: 0, title: 'Ebbe' },
        { startMs: 41_500, title: 'Die Werkstatt' },
        { startMs: 4_200_250, title: 'Gute Nacht?' },
      ],
    ],
  ])('a whole file has all its chapters: %s', (name, chapters) => {
    expect(parseChapters(readFileSync(join(own, name), 'utf8')).chapters).toEqual(chapters);
  });

  const collection = findCollection('transcripts');
  it.skipIf(collection === undefined).each([
    ['chapters-example.json', 9, 0],
    ['chapters-complex.json', 11, 1],
  ])('a whole file of the collection has all its chapters: %s', (name, count, hidden) => {
    const { chapters } = parseChapters(readFileSync(join(collection ?? '', name), 'utf8'));
    expect(chapters).toHaveLength(count);
    expect(chapters.filter((chapter) => chapter.hidden)).toHaveLength(hidden);
    expect(chapters.at(-1)).toEqual({ startMs: 6_089_000, title: 'Outro' });
  });
});
