import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exampleRequest } from '../../../../../test/example-request.ts';
import type { ClassifiedRequest } from '../audio-request.ts';
import { downloadsOf, isSame, type Receipt, receiptOf, uniteReceipts, without } from './receipt.ts';

const request: ClassifiedRequest = {
  ...exampleRequest,
  audio: [{ start: 0, end: 49 }],
  rejected: null,
  app: 'AntennaPod',
  device: 'phone',
};
const make = (input: Partial<ClassifiedRequest>): Receipt => receiptOf({ ...request, ...input });
const at = (second: number) => new Date(Date.UTC(2026, 2, 10, 12, 0, second));

describe('a receipt', () => {
  it('a receipt counts as soon as enough bytes are there, each byte once', () => {
    const first = make({});
    expect(first.isCounted).toBe(false);
    const again = uniteReceipts(first, make({ audio: [{ start: 10, end: 59 }] }));
    expect(again).toMatchObject({ isCounted: false, audio: [{ start: 0, end: 59 }] });
    const apart = uniteReceipts(again, make({ audio: [{ start: 80, end: 119 }] }));
    expect(apart.isCounted).toBe(true);
    expect(apart.audio).toEqual([
      { start: 0, end: 59 },
      { start: 80, end: 119 },
    ]);
  });

  it('a receipt does not count where nothing is needed, because the file has no audio', () => {
    expect(make({ neededBytes: 0 }).isCounted).toBe(false);
  });

  it('a receipt is the same object when nothing changes', () => {
    const [part, whole] = [make({}), make({ audio: [{ start: 0, end: 99 }] })];
    expect(uniteReceipts(part, make({ at: at(1) }))).toBe(part);
    expect(uniteReceipts(whole, make({ audio: [{ start: 500, end: 599 }] }))).toBe(whole);
    expect(uniteReceipts(whole, make({ at: at(-1) }))).not.toBe(whole);
  });

  it('a receipt is equal to one that counts like it', () => {
    const whole = make({ audio: [{ start: 0, end: 99 }] });
    expect(isSame(whole, make({ audio: [{ start: 0, end: 199 }] }))).toBe(true);
    expect(isSame(whole, make({}))).toBe(false);
    expect(isSame(make({}), make({ audio: [{ start: 1, end: 50 }] }))).toBe(false);
    expect(isSame(make({}), make({ app: 'Overcast' }))).toBe(false);
  });

  const drawn = fc.record({
    second: fc.nat(3),
    source: fc.constantFrom('feed' as const, 'player' as const),
    referrer: fc.constantFrom(null, 'a.example', 'b.example'),
    start: fc.nat(200),
    length: fc.integer({ min: 1, max: 60 }),
  });

  it('a receipt is the same in any order of its requests, as far as it counts', () => {
    fc.assert(
      fc.property(fc.array(drawn, { minLength: 1, maxLength: 12 }), fc.nat(), (requests, turn) => {
        const receipts = requests.map(({ second, start, length, ...rest }) =>
          make({ ...rest, at: at(second), audio: [{ start, end: start + length - 1 }] }),
        );
        const middle = turn % receipts.length;
        const other = [...receipts.slice(middle), ...receipts.slice(0, middle)];
        const [one, two] = [receipts.reduce(uniteReceipts), other.reduce(uniteReceipts)];
        expect(isSame(one, two)).toBe(true);
        const bytes = new Set(
          requests.flatMap(({ start, length }) => Array.from({ length }, (_, n) => start + n)),
        );
        expect(one.isCounted).toBe(bytes.size >= request.neededBytes);
      }),
    );
  });
});

describe('downloads of a listener', () => {
  const audio = [{ start: 0, end: 99 }];

  it('downloads of a listener are one for each episode, from the earliest version that counts', () => {
    const early = make({ audio, file: '1'.repeat(16), at: at(1) });
    const late = make({ audio, at: at(2) });
    const part = make({ file: '2'.repeat(16), at: at(0) });
    const other = make({ audio, episodeId: 'other' });
    expect(downloadsOf([part, late, early, other])).toEqual([early, other]);
    expect(downloadsOf([part])).toEqual([]);
  });

  it('downloads of a listener are told apart as objects', () => {
    const [one, two] = [make({}), make({})];
    expect(without([one, two], [two])).toEqual([one]);
    expect(without([one, two], [])).toEqual([one, two]);
  });
});
