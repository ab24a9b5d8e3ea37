import { describe, expect, it } from 'vitest';
import { asciiUrl, isShortUrl, isWebUrl, maxUrlChars } from './web-url.ts';

const home = 'https://example.com/';

it.each([
  [`${home}a?b=c#d`, `${home}a?b=c#d`],
  ['https://münchen.example/straße', 'https://xn--mnchen-3ya.example/stra%C3%9Fe'],
  [`${home}a b`, `${home}a%20b`],
  ['ä\ud800', '%C3%A4%EF%BF%BD'],
])('a feed has %j as %j', (url, written) => {
  expect(asciiUrl(url)).toBe(written);
});

// LIM-16
describe('the length of a URL', () => {
  const rest = maxUrlChars - home.length;
  it.each([
    ['a'.repeat(rest), true],
    ['a'.repeat(rest + 1), false],
    ['字'.repeat(Math.floor(rest / 9)), true],
    ['字'.repeat(Math.floor(rest / 9) + 1), false],
    ['ü'.repeat(Math.floor(rest / 6) + 1), false],
    [' a'.repeat(Math.floor(rest / 4) + 1), false],
  ])('the length of a URL is that of what is published (case %#)', (path, isShort) => {
    expect(isShortUrl(home + path)).toBe(isShort);
    expect(isWebUrl(home + path)).toBe(isShort);
  });

  it('the length of a URL counts its host in punycode', () => {
    // Every label is short, and their sum is too long only in punycode.
    const url = `https://${'字。'.repeat(250)}example/`;
    expect(url.length).toBeLessThan(maxUrlChars);
    expect(isShortUrl(url)).toBe(asciiUrl(url).length <= maxUrlChars);
  });
});

it.each(['ftp://example.com/', 'https:example.com', 'example.com', 'https://', ''])(
  'a link to a page is not %j',
  (text) => {
    expect(isWebUrl(text)).toBe(false);
  },
);
