import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { acceptableGrowth, measureGrowth } from '../../../../../test/growth.ts';
import { box, ftyp, words } from '../../../../../test/make-audio-bytes.ts';
import { neroList } from '../../../../../test/make-chapters.ts';
import type { ReadBytes } from '../audio-formats/mp4-boxes.ts';
import { parseId3Chapters } from './parse-id3-chapters.ts';
import { readMp4Chapters } from './read-mp4-chapters.ts';

const text = (value: string) => Buffer.from(value, 'latin1');
const zero = Buffer.from([0]);

function sizeOf(bytes: number, version: 3 | 4): Buffer {
  if (version === 3) return words(bytes);
  return Buffer.from([21, 14, 7, 0].map((shift) => (bytes >> shift) & 0x7f));
}

function frame(version: 3 | 4, id: string, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  return Buffer.concat([text(id), sizeOf(body.length, version), Buffer.alloc(2), body]);
}

function tag(version: 3 | 4, flags: number, ...frames: readonly Buffer[]): Buffer {
  const body = Buffer.concat(frames);
  return Buffer.concat([
    text('ID3'),
    Buffer.from([version, 0, flags]),
    sizeOf(body.length, 4),
    body,
  ]);
}

const chap = (
  version: 3 | 4,
  id: string,
  start: number,
  end: number,
  ...parts: readonly Buffer[]
) => frame(version, 'CHAP', text(id), zero, words(start, end, 0xffffffff, 0xffffffff), ...parts);
const title = (version: 3 | 4, value: string) =>
  frame(version, 'TIT2', Buffer.from([3]), Buffer.from(value));

describe('parseId3Chapters', () => {
  it.each([3, 4] as const)('reads titles, links, pictures and the table of version 2.%i', (v) => {
    const wide = Buffer.concat([Buffer.from([1, 0xff, 0xfe]), Buffer.from('Ünï ✓', 'utf16le')]);
    const link = frame(
      v,
      'WXXX',
      Buffer.from([0]),
      text('chapter url'),
      zero,
      text('https://example.com/'),
    );
    const chapters = parseId3Chapters(
      tag(
        v,
        0,
        frame(v, 'TIT2', Buffer.from([0]), text('The episode')),
        frame(v, 'CTOC', text('toc'), zero, Buffer.from([3, 2]), text('a'), zero, text('b'), zero),
        chap(v, 'a', 0, 61_000, frame(v, 'TIT2', wide), link),
        chap(v, 'b', 61_000, 90_000, title(v, 'Two'), frame(v, 'APIC', Buffer.alloc(300, 0xff))),
        chap(v, 'c', 70_000, 80_000, title(v, 'Hidden')),
        Buffer.alloc(500),
      ),
    );
    expect(chapters).toEqual([
      {
        ...{ startMs: 0, endMs: 61_000, title: 'Ünï ✓', linkUrl: 'https://example.com/' },
        ...{ hasImage: false, hidden: false },
      },
      { startMs: 61_000, endMs: 90_000, title: 'Two', hasImage: true, hidden: false },
      { startMs: 70_000, endMs: 80_000, title: 'Hidden', hasImage: false, hidden: true },
    ]);
  });

  it('reads a tag with unsynchronization, and one of version 2.4 with the sizes of 2.3', () => {
    const plain = tag(3, 0, chap(3, 'a', 0xff00, 0xffffff, title(3, 'One')));
    const hidden = Buffer.concat([
      text('ID3'),
      Buffer.from([3, 0, 0x80, 0, 0, 4, 0]),
      Buffer.from([...plain.subarray(10)].flatMap((byte) => (byte === 0xff ? [byte, 0] : [byte]))),
    ]);
    expect(parseId3Chapters(hidden)).toMatchObject([{ startMs: 0xff00, title: 'One' }]);
    const long = title(3, 'x'.repeat(200));
    const wrong = tag(4, 0, long, chap(3, 'a', 5, 9, title(4, 'One')), title(4, 'end'));
    expect(parseId3Chapters(wrong)).toMatchObject([{ startMs: 5, title: 'One' }]);
  });

  it('finds none in other versions, and those before the end of a tag that is cut off', () => {
    const whole = tag(
      4,
      0,
      chap(4, 'a', 1, 2, title(4, 'One')),
      chap(4, 'b', 3, 4, title(4, 'Two')),
    );
    expect(parseId3Chapters(whole.subarray(0, whole.length - 3))).toHaveLength(1);
    expect(
      parseId3Chapters(Buffer.concat([text('ID3'), Buffer.from([2, 0, 0, 0, 0, 1, 0])])),
    ).toEqual([]);
    expect(parseId3Chapters(Buffer.alloc(0))).toEqual([]);
  });

  it('accepts any bytes', () => {
    const parts = fc.constantFrom('ID3', 'CHAP', 'CTOC', 'TIT2', 'WXXX', '\0', '\xff', '\x04');
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      fc.array(parts).map((all) => text(all.join(''))),
    );
    fc.assert(
      fc.property(bytes, fc.constantFrom(3, 4), fc.nat(255), (body, version, flags) => {
        const hostile = tag(version as 3, flags, Buffer.from(body));
        expect(Array.isArray(parseId3Chapters(hostile))).toBe(true);
      }),
    );
  });

  it('takes time in proportion to the length', () => {
    const empty = frame(4, 'CHAP');
    const growth = measureGrowth((count) => {
      parseId3Chapters(tag(4, 0, Buffer.concat(Array<Buffer>(count).fill(empty))));
    });
    expect(growth).toBeLessThan(acceptableGrowth);
  });
});

const reading =
  (file: Buffer): ReadBytes =>
  async (at, length) =>
    file.subarray(at, at + length);
const readAll = (file: Buffer) => readMp4Chapters(reading(file), file.length);

const nero = (...chapters: Parameters<typeof neroList>[0]) =>
  box('udta', box('chpl', neroList(chapters)));

interface TrackMake {
  readonly id: number;
  readonly handler: string;
  readonly reference?: number;
  readonly tables?: readonly Buffer[];
}

function track({ id, handler, reference, tables = [] }: TrackMake): Buffer {
  return box(
    'trak',
    box('tkhd', words(0, 0, 0, id, 0, 0)),
    ...(reference === undefined ? [] : [box('tref', box('chap', words(reference)))]),
    box(
      'mdia',
      box('mdhd', words(0, 0, 0, 1000, 90_000, 0)),
      box('hdlr', words(0, 0), text(handler)),
      box('minf', box('stbl', ...tables)),
    ),
  );
}

/** Two chunks: the first has two titles. */
function withTrack(titles: readonly Buffer[], wide = false): Buffer {
  const samples = titles.map((bytes) => {
    const length = Buffer.alloc(2);
    length.writeUInt16BE(bytes.length);
    return Buffer.concat([length, bytes]);
  });
  const head = ftyp('M4A ');
  const media = box('mdat', ...samples);
  const first = head.length + 8;
  const second = first + (samples[0]?.length ?? 0) + (samples[1]?.length ?? 0);
  const places = wide
    ? box('co64', words(0, 2, 0, first, 0, second))
    : box('stco', words(0, 2, first, second));
  const tables = [
    box('stts', words(0, 2, 1, 30_000, 2, 20_000)),
    box('stsz', words(0, 0, samples.length, ...samples.map(({ length }) => length))),
    box('stsc', words(0, 2, 1, 2, 1, 2, 1, 1)),
    places,
  ];
  const movie = box(
    'moov',
    track({ id: 1, handler: 'soun', reference: 2 }),
    track({ id: 2, handler: 'text', tables }),
  );
  return Buffer.concat([head, media, movie]);
}

describe('readMp4Chapters', () => {
  it("reads Nero's list", async () => {
    const file = Buffer.concat([ftyp('M4A '), box('moov', nero([0, 'Öne'], [61_500, 'Two']))]);
    expect(await readAll(file)).toEqual([
      { startMs: 0, title: 'Öne' },
      { startMs: 61_500, title: 'Two' },
    ]);
  });

  it.each([false, true])("reads QuickTime's track of chapters (64 bits: %s)", async (wide) => {
    const utf16 = Buffer.concat([Buffer.from([0xfe, 0xff, 0, 0x54]), Buffer.from([0x26, 0x13])]);
    const titles = [Buffer.from('Öne'), utf16, Buffer.from('Three')];
    expect(await readAll(withTrack(titles, wide))).toEqual([
      { startMs: 0, title: 'Öne' },
      { startMs: 30_000, title: 'T☓' },
      { startMs: 50_000, title: 'Three' },
    ]);
  });

  it('finds none in a file without chapters', async () => {
    const sound = track({ id: 1, handler: 'soun' });
    expect(await readAll(Buffer.concat([ftyp('M4A '), box('moov', sound)]))).toEqual([]);
    expect(await readAll(ftyp('M4A '))).toEqual([]);
  });

  it('accepts any damage, with a limited number of reads', async () => {
    const file = Buffer.concat([
      withTrack([text('One'), text('Two'), text('Three')]),
      nero([1, 'a']),
    ]);
    const damage = fc.array(fc.tuple(fc.nat(file.length - 1), fc.nat(255)), {
      minLength: 1,
      maxLength: 6,
    });
    await fc.assert(
      fc.asyncProperty(damage, async (changes) => {
        const damaged = Buffer.from(file);
        for (const [at, byte] of changes) damaged[at] = byte;
        let reads = 0;
        const count: ReadBytes = (at, length) => {
          reads += 1;
          return reading(damaged)(at, length);
        };
        await readMp4Chapters(count, damaged.length).catch((error) => {
          expect(error).toMatchObject({ name: 'AudioError' });
        });
        expect(reads).toBeLessThan(3100);
      }),
      { numRuns: 300 },
    );
  });
});
