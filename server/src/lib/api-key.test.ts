import { assert, constantFrom, integer, nat, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  apiKeyPrefix,
  hashApiKey,
  hideApiKeys,
  isApiKey,
  lastFourOf,
  makeApiKey,
} from './api-key.ts';

const letters = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'];
const key = makeApiKey();
const place = nat(key.length - 1);
/** Any UTF-16 unit, lone surrogates too. */
const unit = nat(0xffff).map((code) => String.fromCharCode(code));

describe('makeApiKey', () => {
  // KEY-1
  it('makes the prefix, 43 random characters and six of checksum', () => {
    const keys = Array.from({ length: 2_000 }, makeApiKey);
    expect(new Set(keys).size).toBe(keys.length);
    for (const made of keys) expect(made).toMatch(/^svc_live_[0-9A-Za-z]{49}$/);
    expect(keys.filter((made) => !isApiKey(made))).toEqual([]);
    // The first random character takes every value.
    expect(new Set(keys.map((made) => made[9])).size).toBe(letters.length);
  });
});

describe('isApiKey', () => {
  // The checksums were computed with Python's zlib.
  // KEY-1
  it.each([
    `svc_live_${'0'.repeat(43)}297tdY`,
    'svc_live_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefg34FP6R',
    `svc_live_${'z'.repeat(43)}0PF9KL`,
    `svc_live_${'301'.padStart(43, '0')}000R3X`,
  ])('takes %s', (text) => {
    expect(isApiKey(text)).toBe(true);
  });

  it('refuses one altered character, wherever it is', () => {
    assert(
      property(place, string({ minLength: 1, maxLength: 2, unit }), (at, other) => {
        const altered = key.slice(0, at) + other + key.slice(at + 1);
        return altered === key || !isApiKey(altered);
      }),
    );
    const taken = [...key].flatMap((_, at) =>
      letters.map((letter) => key.slice(0, at) + letter + key.slice(at + 1)).filter(isApiKey),
    );
    expect(new Set(taken)).toEqual(new Set([key]));
  });

  it('refuses two characters that changed places', () => {
    assert(
      property(place, place, (one, other) => {
        const swapped = [...key];
        [swapped[one], swapped[other]] = [key[other] ?? '', key[one] ?? ''];
        const text = swapped.join('');
        return text === key || !isApiKey(text);
      }),
      { numRuns: 2_000 },
    );
  });

  it('refuses what was cut off, lengthened or put together wrongly', () => {
    assert(
      property(nat(key.length), nat(key.length), (from, to) => {
        const part = key.slice(from, to);
        return part === key || !isApiKey(part);
      }),
    );
    assert(
      property(nat(key.length), constantFrom(...letters, ' ', '\n'), (at, extra) => {
        return !isApiKey(key.slice(0, at) + extra + key.slice(at));
      }),
    );
    expect(isApiKey(key.toLowerCase()) && isApiKey(key.toUpperCase())).toBe(false);
    expect(isApiKey(key.replace(apiKeyPrefix, 'svc_test_'))).toBe(false);
  });

  it('never throws, and accepts no random text', () => {
    assert(property(string({ unit, maxLength: 200 }), (text) => !isApiKey(text)));
    const body = string({ unit: constantFrom(...letters), minLength: 49, maxLength: 49 });
    assert(
      property(body, (text) => !isApiKey(`${apiKeyPrefix}${text}`)),
      { numRuns: 2_000 },
    );
    assert(
      property(integer({ min: 1_000, max: 100_000 }), (n) => !isApiKey('svc_live_'.repeat(n))),
    );
  });
});

// KEY-2
it('gives the SHA-256 and the last four characters', () => {
  expect(hashApiKey('abc').toString('hex')).toBe(
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  );
  expect(lastFourOf('svc_live_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefg34FP6R')).toBe('FP6R');
});

it('hides keys in log texts: whole, in part or in capitals', () => {
  const texts = [`/v1/me/${key}`, `/v1/me/${key.slice(0, 20)}/x`, `/${key.toUpperCase()}`];
  for (const text of texts) {
    expect(hideApiKeys(text)).toContain('svc_live_…');
    expect(hideApiKeys(text)).not.toMatch(/live_\w/i);
  }
  expect(hideApiKeys('/v1/podcasts/svc-live')).toBe('/v1/podcasts/svc-live');
});
