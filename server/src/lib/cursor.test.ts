import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CursorScope, createCursorCodec } from './cursor.ts';

const codec = createCursorCodec(Buffer.alloc(32, 7));
const scope: CursorScope = {
  endpoint: 'GET /v1/podcasts/{slug}/episodes',
  resource: '0190b3c4-0000-7000-8000-000000000001',
  filters: { season: 2, type: ['full', 'bonus'] },
};
const position = ['2024-05-06T07:08:09.123Z', '0190b3c4-0000-7000-8000-000000000002'];

// JSON writes -0 as 0, and sort keys hold no lone surrogates.
const positions = fc.array(
  fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 40 }),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
  ),
  { maxLength: 5 },
);

describe('cursor codec', () => {
  it('decodes what it encoded, in characters that need no escaping', () => {
    fc.assert(
      fc.property(positions, (some) => {
        const cursor = codec.encode(scope, some);
        expect(cursor).toMatch(/^[A-Za-z0-9_-]+$/);
        expect(codec.decode(scope, cursor)).toEqual(some);
      }),
    );
  });

  // REQ-17
  it('refuses a cursor in which any one character was altered', () => {
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/= \n.é\0';
    // Three lengths give the last character zero, two and four spare bits.
    for (const last of ['a', 'ab', 'abc', '\ufffd']) {
      const cursor = codec.encode(scope, [last]);
      for (let at = 0; at < cursor.length; at++) {
        for (const other of alphabet) {
          if (other === cursor[at]) continue;
          const altered = cursor.slice(0, at) + other + cursor.slice(at + 1);
          expect(codec.decode(scope, altered)).toBeUndefined();
        }
      }
    }
  });

  it('refuses characters added, dropped or doubled', () => {
    const cursor = codec.encode(scope, position);
    for (const extra of ['=', '==', ' ', '\n', '\t', '\0', 'A', '%', '.']) {
      expect(codec.decode(scope, cursor + extra)).toBeUndefined();
      expect(codec.decode(scope, extra + cursor)).toBeUndefined();
      expect(codec.decode(scope, cursor.slice(0, 9) + extra + cursor.slice(9))).toBeUndefined();
    }
    for (let length = 0; length < cursor.length; length++) {
      expect(codec.decode(scope, cursor.slice(0, length))).toBeUndefined();
    }
    expect(codec.decode(scope, cursor + cursor)).toBeUndefined();
  });

  it('never throws, and accepts only its own cursors', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        expect(codec.decode(scope, text)).toBeUndefined();
      }),
    );
    expect(codec.decode(scope, 'A'.repeat(1_000_000))).toBeUndefined();
  });

  // REQ-17
  it.each<[string, Partial<CursorScope>]>([
    ['another endpoint', { endpoint: 'GET /v1/me/podcasts' }],
    ['another resource', { resource: 'other' }],
    ['another filter value', { filters: { season: 3, type: ['full', 'bonus'] } }],
    ['one filter fewer', { filters: { type: ['full', 'bonus'] } }],
    ['one filter more', { filters: { season: 2, type: ['full', 'bonus'], status: 'draft' } }],
    ['a shorter list', { filters: { season: 2, type: ['full'] } }],
    ['a joined list', { filters: { season: 2, type: ['full,bonus'] } }],
    ['text for a list', { filters: { season: 2, type: 'full,bonus' } }],
    ['text for a number', { filters: { season: '2', type: ['full', 'bonus'] } }],
  ])('refuses a cursor used with %s', (_, change) => {
    const cursor = codec.encode(scope, position);
    expect(codec.decode({ ...scope, ...change }, cursor)).toBeUndefined();
    expect(codec.decode(scope, cursor)).toEqual(position);
  });

  it('ignores the order of filters, and treats undefined as missing', () => {
    const cursor = codec.encode(scope, position);
    const same = { status: undefined, type: ['bonus', 'full', 'full'], season: 2 };
    expect(codec.decode({ ...scope, filters: same }, cursor)).toEqual(position);
  });

  it('keeps endpoint, resource and filters separate for any content', () => {
    const text = fc.string({ maxLength: 4 });
    const scopes = fc.record({
      endpoint: text,
      resource: text,
      filters: fc.dictionary(text, fc.oneof(text, fc.array(text, { maxLength: 2 }))),
    });
    fc.assert(
      fc.property(scopes, scopes, (one, other) => {
        fc.pre(JSON.stringify(one) !== JSON.stringify(other));
        const listed = [...Object.values(one.filters), ...Object.values(other.filters)];
        fc.pre(listed.every((filter) => typeof filter === 'string' || filter.length < 2));
        fc.pre(Object.keys(one.filters).length < 2 && Object.keys(other.filters).length < 2);
        expect(codec.decode(other, codec.encode(one, position))).toBeUndefined();
      }),
    );
  });

  // REQ-17
  it('refuses a cursor of another secret', () => {
    const cursor = createCursorCodec(Buffer.alloc(32, 8)).encode(scope, position);
    expect(codec.decode(scope, cursor)).toBeUndefined();
  });

  it('refuses to encode what it could not decode', () => {
    expect(() => codec.encode(scope, [Number.NaN])).toThrow(TypeError);
    expect(() => codec.encode(scope, [Number.POSITIVE_INFINITY])).toThrow(TypeError);
    expect(() => codec.encode(scope, ['x'.repeat(2000)])).toThrow(RangeError);
  });
});
