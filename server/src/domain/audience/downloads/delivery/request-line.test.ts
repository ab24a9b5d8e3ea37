import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exampleRequest } from '../../../../../test/example-request.ts';
import {
  type AudioRequest,
  downloadSources,
  firstRequestMs,
  refusedRequests,
  rejectionReasons,
} from '../audio-request.ts';
import { formatRequestLine, tryParseRequestLine } from './request-line.ts';

const request: AudioRequest = {
  ...exampleRequest,
  requests: 2,
  listener: 'a1'.repeat(16),
  addressHash: 'b2'.repeat(8),
  network: 3320,
  file: '0f'.repeat(8),
  audio: [
    { start: 0, end: 99 },
    { start: 200, end: 299 },
  ],
};
const line = formatRequestLine(request);
const values = JSON.parse(line) as unknown[];

const hex = (digits: number) =>
  fc
    .uint8Array({ minLength: digits / 2, maxLength: digits / 2 })
    .map((bytes) => Buffer.from(bytes).toString('hex'));
const anyText = fc.option(fc.string({ unit: 'grapheme' }));
const anyRequest: fc.Arbitrary<AudioRequest> = fc.record({
  at: fc.date({
    min: new Date(firstRequestMs),
    max: new Date('9999-12-31T23:59:59.999Z'),
    noInvalidDate: true,
  }),
  requests: fc.integer({ min: 1, max: 100_000 }),
  podcastId: fc.uuid(),
  episodeId: fc.uuid(),
  listener: hex(32),
  addressHash: fc.option(hex(16)),
  userAgent: anyText,
  network: fc.option(fc.maxSafeNat()),
  country: anyText,
  source: fc.constantFrom(...downloadSources),
  referrer: anyText,
  refusal: fc.constant(null),
  file: hex(16),
  neededBytes: fc.maxSafeNat(),
  audio: fc.array(fc.record({ start: fc.maxSafeNat(), end: fc.maxSafeNat() })),
});

describe('a line of the journal', () => {
  it('a line of the journal is read as it was written, and has no line break', () => {
    fc.assert(
      fc.property(anyRequest, (one) => {
        const written = formatRequestLine(one);
        expect(written).not.toContain('\n');
        expect(tryParseRequestLine(written)).toEqual(one);
      }),
    );
  });

  it.each(rejectionReasons)(
    'a line of the journal has only the number of requests that were refused: %s',
    (refusal) => {
      const refused = { ...request, refusal };
      const written = formatRequestLine(refused);
      expect(written).not.toContain(request.listener);
      expect(tryParseRequestLine(written)).toEqual(refusedRequests(request, refusal, 2));
    },
  );
});

it('a line of a machine whose clock was not set is none', () => {
  const early = { ...request, at: new Date(firstRequestMs - 1) };
  expect(tryParseRequestLine(formatRequestLine(early))).toBeUndefined();
});

describe('a damaged line is none', () => {
  it('a line that has lost its end or its beginning is not read', () => {
    for (let at = 0; at < line.length; at += 1) {
      expect(tryParseRequestLine(line.slice(0, at))).toBeUndefined();
      expect(tryParseRequestLine(line.slice(at + 1))).toBeUndefined();
    }
  });

  it.each(values.map((_, place) => place))(
    'a line that has lost the value %i is not read',
    (place) => {
      expect(tryParseRequestLine(JSON.stringify(values.toSpliced(place, 1)))).toBeUndefined();
    },
  );

  it.each<[number, unknown]>([
    [0, -1],
    [0, 9e15],
    [0, null],
    [1, 0],
    [1, 1.5],
    [1, 2 ** 40],
    [2, null],
    [4, 'A1'.repeat(16)],
    [4, `${'a1'.repeat(16)}\n`],
    [5, 7],
    [5, 'b2'],
    [6, 7],
    [7, -1],
    [9, 'radio'],
    [9, null],
    [11, '0f'],
    [12, -1],
    [13, null],
    [13, [0, 99]],
    [13, [[0]]],
    [13, [[0, 99, 100]]],
    [13, [[0, -1]]],
    [14, 'more'],
  ])('a line whose value %i is %j is not read', (place, value) => {
    const damaged = [...values];
    damaged[place] = value;
    expect(tryParseRequestLine(JSON.stringify(damaged))).toBeUndefined();
  });

  it.each(['', '\0\0\0', '{}', '[]', 'null', '{"at":1}', `${line}${line}`])('%j', (text) => {
    expect(tryParseRequestLine(text)).toBeUndefined();
  });
});
