import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { carriesCredential, isCredentialUrl } from './credential.ts';

const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl_-';
const key = `svc_live_${'a1B2c3D'.repeat(7)}`;

// PRINT-17
describe('isCredentialUrl', () => {
  it.each([
    'token access_token auth authorization key api_key apikey secret password pwd sig signature',
    'jwt session sessionid policy key-pair-id x-amz-signature X-Amz-Credential x-goog-date x-ms-',
    'TOKEN Api_Key Key-Pair-Id %74oken amp;token',
  ])('detects each of %s', (names) => {
    for (const name of names.split(' ')) {
      for (const url of [
        `https://cdn.example/a.mp3?${name}=1`,
        `https://cdn.example/a.mp3?x=1&${name}=`,
        `https://cdn.example/a.mp3?${name}`,
        `https://cdn.example/a.mp3?x=1#${name}=1`,
        `https://cdn.example/#/play?${name}=1`,
        `feed://cdn.example/?${name}=1`,
        `urn:example:1?${name}=1`,
        ` https://cdn.example/?${name}=1\n`,
      ]) {
        expect([url, isCredentialUrl(url)]).toEqual([url, true]);
      }
    }
  });

  it.each([
    'https://ana@cdn.example/a.mp3',
    'https://ana:pw@cdn.example/a.mp3',
    'https://:pw@cdn.example/a.mp3',
    'ftp://ana:pw@cdn.example/',
    'https:\\\\ana@cdn.example/',
  ])('detects user information: %s', (url) => {
    expect(isCredentialUrl(url)).toBe(true);
  });

  it('detects more parameters than are read, in the query and the fragment', () => {
    for (const separator of ['&', '?']) {
      for (const start of ['https://cdn.example/?', 'https://cdn.example/#?']) {
        const withParameters = (count: number) => start + Array(count).fill('a').join(separator);
        expect(isCredentialUrl(withParameters(200))).toBe(false);
        expect(isCredentialUrl(withParameters(201))).toBe(true);
      }
    }
  });

  it.each([
    '',
    'https://cdn.example/a.mp3',
    'https://cdn.example/token/secret?x=token&y=key=1',
    'https://cdn.example/@ana?tokens=1&mytoken=2&keys=3&sign=4&author=5&amz-x=6&x-am=7',
    'https://cdn.example/a.mp3?x=https://u:p@h/',
    'https://@cdn.example/a.mp3',
    'https://:@cdn.example/a.mp3',
    'mailto:ana@example.com',
    'tag:example.com,2020:token=1',
    '/a.mp3?token=1',
    'cdn.example/a.mp3?token=1',
    '?token=1',
    'ana:pw@cdn.example',
    'https://',
    'token=1',
    '550e8400-e29b-41d4-a716-446655440000',
  ])('lets %s pass', (url) => {
    expect(isCredentialUrl(url)).toBe(false);
    expect(carriesCredential(url)).toBe(false);
  });
});

// PRINT-17
describe('carriesCredential', () => {
  it.each([
    jwt,
    `guid ${jwt}`,
    `https://cdn.example/${jwt}/a.mp3`,
    `https://cdn.example/a.mp3?t=${jwt}`,
    `https://cdn.example/a.mp3?u=a%3D${jwt}`,
    'eyJ.a.b',
    key,
    `episode-${key}`,
    `x${key}x`,
    'svc_live_cut0ff',
    'https://ana@cdn.example/',
    'https://cdn.example/?sig=1',
  ])('hides %s', (value) => {
    expect(carriesCredential(value)).toBe(true);
  });

  it.each([
    'HeyJude.part1.mp3',
    'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0',
    'eyJhbGciOiJIUzI1NiJ9..c2lnbmF0dXJl',
    'eyjabc.def.ghi',
    'svc_live_',
    'svc_test_abc',
    'SVC_LIVE_ABC',
    'gid://art19-episode-locator/V0/7jEaTc5E5SXpAGC3sYn9',
    '513abd71e4b0fe58c655c105:513abd71e4b0fe58c655c111',
  ])('shows %s', (value) => {
    expect(carriesCredential(value)).toBe(false);
  });

  it('never throws, and takes linear time', () => {
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true }), fc.string(), (url, text) => {
        const separator = url.includes('?') ? '&' : '?';
        const joined = `${url}${separator}Token=${encodeURIComponent(text)}`;
        expect(isCredentialUrl(joined)).toBe(true);
        expect(isCredentialUrl(text)).toBe(false);
      }),
    );
    const units = [
      'a',
      'eyJ',
      'eyJa',
      '-eyJ',
      '%20eyJ',
      'eyJ-',
      'svc_live',
      '?',
      '&',
      'amp;',
      '://',
      '@',
    ];
    for (const unit of units) {
      const long = unit.repeat(1_000_000 / unit.length);
      expect(carriesCredential(`https://h/?${long}`)).toBe(false);
      expect(carriesCredential(long)).toBe(false);
    }
  });
});
