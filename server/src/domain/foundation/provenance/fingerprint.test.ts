import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fingerprintEnclosure, fingerprintGuid } from './fingerprint.ts';
import { normalizeEnclosure } from './normalize-enclosure.ts';
import { PUBLISHED_REDIRECTS, parseRedirectTable } from './redirect-table.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

describe('fixed values', () => {
  // Computed by another program: printf %s TEXT | sha256sum
  // PRINT-1
  it('hashes the UTF-8 bytes of the normalized text', () => {
    expect(fingerprintGuid('  tag:example.com,2020:1\n')).toBe(
      '64dd27ba590175f47a923a34cbd93a08464e29b1312d48a4dc0e855126e76870',
    );
    expect(fingerprintGuid('é🎙')).toBe(
      '3e4f843f56cb2308b5a7884eb31d36fafda031a887b5303fd13a6afbec6978da',
    );
    expect(fingerprintEnclosure('https://op3.dev/e/cdn.example.com/a.mp3?x=1')).toBe(
      '7c1bf7ae9bac6c30b2a9b370c6cc4c13c6ee9c40fbfecb9dd7bc7cbcefe94494',
    );
    expect(fingerprintEnclosure('https://cdn.example.com/é%c3.mp3')).toBe(
      '400533ef57d6cbc90f7f44544bb556fbfc4df1ba8a40f72acf623e0a2fadd938',
    );
  });

  // PRINT-1
  it('never hashes an empty text', () => {
    expect(fingerprintGuid(null)).toBeNull();
    expect(fingerprintGuid(' ')).toBeNull();
    expect(fingerprintGuid('null')).toBe(sha256('null'));
    expect(fingerprintEnclosure(null)).toBeNull();
    expect(fingerprintEnclosure('null')).toBeNull();
  });

  // PRINT-9
  it('removes the given redirect hosts', () => {
    const table = parseRedirectTable([{ host: 'r.example', paths: ['/e/'] }]);
    expect(fingerprintEnclosure('https://r.example/e/c.example/a', table)).toBe(
      sha256('https://c.example/a'),
    );
  });
});

const host = fc.constantFrom('cdn.example', 'CDN.Example:8443', 'bücher.example', '[2001:DB8::1]');
const segment = fc.oneof(
  fc.stringMatching(/^[A-Za-z0-9._~!$&'()*+,;=:@-]{0,12}$/),
  fc.constantFrom('..', '.', '', 'é', '🎙️', '%2f', '%C3%bc', '%7E'),
);
const address = fc
  .tuple(fc.constantFrom('http', 'https', 'HTTPS'), host, fc.array(segment, { minLength: 1 }))
  .map(([scheme, name, segments]) => `${scheme}://${name}/${segments.join('/')}`);
const prefix = fc.constantFrom(
  'dts.podtrac.com/redirect.mp3/',
  'www.podtrac.com/pts/redirect.m4a/',
  'CHTBL.com/track/9EE2G/',
  'chrt.fm:443/track/%zz/',
  'op3.dev/e/',
  'u:p@op3.dev/e,pg=1/',
  'pdst.fm/e/',
  'media.blubrry.com/my_show/',
  'mgln.ai/e/1/',
  'arttrk.com/p/ABC/',
  'pscrb.fm/rss/p/',
  'verifi.podscribe.com/rss/p/',
  'claritaspod.com/measure/',
);

describe('any address', () => {
  // PRINT-13, PRINT-18
  it('a normalized address does not depend on user information, query, fragment or white space around it', () => {
    const rest = fc.stringMatching(/^[?#][!-[\]-~]{0,20}$/);
    fc.assert(
      fc.property(address, rest, (url, ending) => {
        const print = fingerprintEnclosure(url);
        expect(print).toMatch(/^[0-9a-f]{64}$/);
        expect(fingerprintEnclosure(` \t${url}${ending}\n\ufeff`)).toBe(print);
        expect(fingerprintEnclosure(url.replace('://', '://a:b@'))).toBe(print);
      }),
    );
  });

  // PRINT-12
  it('a normalized address is the same behind up to 32 prefixes, and null behind more', () => {
    const explicit = fc.array(
      prefix.map((one) => `https://${one}`),
      { maxLength: 33 },
    );
    const bare = fc.array(prefix, { minLength: 1, maxLength: 33 });
    fc.assert(
      fc.property(address, explicit, bare, (url, schemes, prefixes) => {
        const print = fingerprintEnclosure(url);
        const one = schemes.join('') + url;
        expect(fingerprintEnclosure(one)).toBe(schemes.length > 32 ? null : print);
        const other = `https://${prefixes.join('')}${url}`;
        expect(fingerprintEnclosure(other)).toBe(prefixes.length > 32 ? null : print);
      }),
    );
  });

  it('a normalized address does not change when it is normalized again', () => {
    fc.assert(
      fc.property(fc.array(prefix, { maxLength: 3 }), address, (prefixes, url) => {
        const once = normalizeEnclosure(`https://${prefixes.join('')}${url}`, PUBLISHED_REDIRECTS);
        expect(once).not.toBeNull();
        expect(normalizeEnclosure(once ?? '', PUBLISHED_REDIRECTS)).toBe(once);
      }),
    );
  });

  it('any address keeps different paths apart', () => {
    const paths = fc.array(segment, { minLength: 1 }).map((segments) => segments.join('/'));
    fc.assert(
      fc.property(paths, paths, (one, other) => {
        fc.pre(one.toUpperCase() !== other.toUpperCase());
        const print = fingerprintEnclosure(`https://cdn.example/${one}`);
        expect(fingerprintEnclosure(`https://cdn.example/${other}`)).not.toBe(print);
      }),
    );
  });
});

describe('any text', () => {
  it('gives 64 lowercase hex characters or null, and never throws', () => {
    const start = fc.constantFrom(
      '',
      'https://',
      'https://op3.dev/e/',
      'http://media.blubrry.com/x/',
    );
    fc.assert(
      fc.property(start, fc.string({ unit: 'binary' }), (head, text) => {
        for (const print of [fingerprintEnclosure(head + text), fingerprintGuid(head + text)]) {
          expect(print ?? '0'.repeat(64)).toMatch(/^[0-9a-f]{64}$/);
        }
      }),
    );
  });

  it('any text takes a time that grows only with its length', () => {
    const units = [
      'a',
      '/',
      '%41',
      '%',
      'é',
      '漢',
      '@',
      ':',
      '.',
      '//',
      'a.',
      'xn--a.',
      '1.',
      '://',
    ];
    const heads = [
      '',
      'https://',
      'https://h/',
      'https://op3.dev/e/',
      'https://media.blubrry.com/',
    ];
    for (const unit of [...units, 'https://', 'op3.dev/e/', 'pdst.fm/e/https://']) {
      const long = unit.repeat(1_000_000 / unit.length);
      for (const head of heads) {
        expect(fingerprintEnclosure(head + long) ?? '0'.repeat(64)).toMatch(/^[0-9a-f]{64}$/);
      }
    }
    expect(fingerprintEnclosure(`https://h/${'a'.repeat(1_000_000)}`)).not.toBeNull();
  });
});
