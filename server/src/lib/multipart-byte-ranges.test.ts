import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { layOutMultipartByteRanges } from './multipart-byte-ranges.ts';

const body = Buffer.from('0123456789abcdefghij');

describe('layOutMultipartByteRanges', () => {
  it('lays out the response byte for byte', () => {
    const ranges = [
      { start: 0, end: 1 },
      { start: 10, end: 19 },
    ];
    const layout = layOutMultipartByteRanges(ranges, 20, 'audio/mpeg', 'B');
    const sent = Buffer.concat([
      ...layout.parts.flatMap(({ head, range }) => [
        head,
        body.subarray(range.start, range.end + 1),
      ]),
      layout.tail,
    ]);
    expect(layout.contentType).toBe('multipart/byteranges; boundary=B');
    expect(sent.toString()).toBe(
      [
        '--B',
        'Content-Type: audio/mpeg',
        'Content-Range: bytes 0-1/20',
        '',
        '01',
        '--B',
        'Content-Type: audio/mpeg',
        'Content-Range: bytes 10-19/20',
        '',
        'abcdefghij',
        '--B--',
        '',
      ].join('\r\n'),
    );
    expect(layout.contentLengthBytes).toBe(sent.length);
  });

  it('gives the exact length for any ranges', () => {
    const range = fc.tuple(fc.nat(19), fc.nat(19)).map(([one, other]) => ({
      start: Math.min(one, other),
      end: Math.max(one, other),
    }));
    fc.assert(
      fc.property(fc.array(range, { minLength: 1, maxLength: 16 }), (ranges) => {
        const { parts, tail, contentLengthBytes } = layOutMultipartByteRanges(
          ranges,
          20,
          'audio/mp4',
        );
        const sent = parts.map((part) => part.head.length + part.range.end - part.range.start + 1);
        expect(contentLengthBytes).toBe(sent.reduce((sum, length) => sum + length, tail.length));
        expect(parts.map((part) => part.range)).toEqual(ranges);
      }),
    );
  });

  it('generates a new boundary each time', () => {
    const draw = () => layOutMultipartByteRanges([{ start: 0, end: 1 }], 20, 'a/b').contentType;
    expect(draw()).not.toBe(draw());
    expect(draw()).toMatch(/^multipart\/byteranges; boundary=[0-9a-f]{32}$/);
  });

  it('refuses a content type that would inject a header', () => {
    const write = () => layOutMultipartByteRanges([], 20, 'audio/mpeg\r\nSet-Cookie: a=b');
    expect(write).toThrow(TypeError);
  });
});
