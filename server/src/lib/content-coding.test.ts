import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chooseContentCoding } from './content-coding.ts';

describe('chooseContentCoding', () => {
  it.each([
    [undefined, 'identity'],
    ['', 'identity'],
    ['gzip', 'gzip'],
    ['br', 'br'],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip, deflate', 'gzip'],
    ['deflate, zstd', 'identity'],
    ['GZIP', 'gzip'],
    ['x-gzip', 'gzip'],
    ['*', 'br'],
    ['identity', 'identity'],
    ['br;q=0.5, gzip;q=0.8', 'gzip'],
    ['br;q=0.5, gzip;q=0.5', 'br'],
    ['br ; q=0.2 , gzip; Q=0.3', 'gzip'],
    ['gzip;q=0.001', 'gzip'],
    ['identity, gzip;q=0.5', 'identity'],
    ['identity;q=0.5, gzip;q=0.5', 'gzip'],
    ['identity;q=0.5, *;q=0.1', 'identity'],
    ['br;q=0', 'identity'],
    ['br;q=0, gzip', 'gzip'],
    ['br;q=0, *', 'gzip'],
    ['*;q=0', 'identity'],
    ['*;q=0, gzip', 'gzip'],
    ['gzip;q=0.3, *;q=0.8', 'br'],
    ['identity;q=0', 'identity'],
    ['identity;q=0, gzip;q=0.1', 'gzip'],
    ['identity;q=0, *;q=0', 'identity'],
    ['br;q=2, gzip', 'gzip'],
    ['br;q=-1', 'identity'],
    ['br;q=0.1234, gzip;q=0.1', 'gzip'],
    ['br;q=, gzip', 'gzip'],
    [',,gzip,,', 'gzip'],
    [';q=1', 'identity'],
    ['gzip;q=0, gzip', 'gzip'],
    ['brotli, gzipped', 'identity'],
  ])('%s → %s', (header, expected) => {
    expect(chooseContentCoding(header)).toBe(expected);
    expect(chooseContentCoding(header)).toBe(expected);
  });

  it('gives the same result each time, for any header', () => {
    fc.assert(
      fc.property(fc.string(), (header) => {
        const chosen = chooseContentCoding(header);
        expect(['br', 'gzip', 'identity']).toContain(chosen);
        expect(chooseContentCoding(header)).toBe(chosen);
      }),
    );
  });

  it('stays right with more headers than it caches, and with huge ones', () => {
    for (let at = 0; at < 2000; at++) {
      expect(chooseContentCoding(`gzip, x-coding-${at}`)).toBe('gzip');
    }
    expect(chooseContentCoding('br')).toBe('br');
    expect(chooseContentCoding(`${'a;q=1,'.repeat(100_000)}gzip`)).toBe('gzip');
  });
});
