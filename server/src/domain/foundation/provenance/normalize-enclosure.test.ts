import { describe, expect, it } from 'vitest';
import { normalizeEnclosure } from './normalize-enclosure.ts';
import { PUBLISHED_REDIRECTS } from './redirect-table.ts';

const normalize = (value: string) => normalizeEnclosure(value, PUBLISHED_REDIRECTS);

describe('step 1: what is rejected', () => {
  // PRINT-5, PRINT-7
  it.each([
    ['nothing', ''],
    ['white space alone', ' \t\n\u00a0\ufeff'],
    ['a space inside', 'https://a.example/x y.mp3'],
    ['a space in the query', 'https://a.example/x.mp3?a b'],
    ['a tab', 'https://a.example/x\ty.mp3'],
    ['a line break', 'https://a.example/x\ny.mp3'],
    ['a form feed', 'https://a.example/x\fy.mp3'],
    ['a line break in the scheme', 'ht\ntps://a.example/'],
    ['a line break in the host', 'https://a.exa\nmple/'],
    ['NUL', 'https://a.example/\0'],
    ['a control character', 'https://a.example/\x1f'],
    ['a control character in the fragment', 'https://a.example/#\x01'],
    ['DEL', 'https://a.example/\x7f'],
    ['a backslash', 'https://a.example\\x.mp3'],
    ['a backslash in the query', 'https://a.example/?\\'],
    ['a backslash for a slash', 'https:\\\\a.example/'],
    ['no scheme', 'a.example/x.mp3'],
    ['no scheme but slashes', '//a.example/x.mp3'],
    ['a path alone', '/x.mp3'],
    ['another scheme', 'ftp://a.example/x.mp3'],
    ['another scheme that begins alike', 'httpsx://a.example/'],
    ['no slashes', 'https:a.example/x.mp3'],
    ['one slash', 'https:/a.example/x.mp3'],
    ['no authority', 'https:///a.example/x.mp3'],
    ['nothing behind the slashes', 'https://'],
    ['a query for an authority', 'https://?x'],
    ['user information alone', 'https://ana@/x.mp3'],
    ['a port alone', 'https://:443/x.mp3'],
    ['a port too high', 'https://a.example:65536/'],
    ['a port that is none', 'https://a.example:x/'],
    ['a forbidden character in the host', 'https://a<b.example/'],
    ['an escaped slash in the host', 'https://a.example%2Fb/'],
    ['a broken escape in the host', 'https://a%zz.example/'],
    ['an IPv4 address that is none', 'https://1.2.3.256/'],
    ['an IPv6 address that is none', 'https://[::g]/'],
    ['a host that is half a character', 'https://\ud800/'],
  ])('%s', (_, value) => {
    expect(normalize(value)).toBeNull();
  });

  // PRINT-5
  it.each([
    ['C1 controls', 'https://a.example/\u0085x', 'https://a.example/\u0085x'],
    ['a no-break space inside', 'https://a.example/x\u00a0y', 'https://a.example/x\u00a0y'],
    ['white space around', '\ufeff\u2003\t https://a.example/x\u00a0\r\n', 'https://a.example/x'],
  ])('step 1 accepts %s', (_, value, expected) => {
    expect(normalize(value)).toBe(expected);
  });

  // PRINT-4
  it('an address with U+0085 is not trimmed', () => {
    expect(normalize('\u0085https://a.example/x')).toBeNull();
    expect(normalize('https://a.example/x\u0085')).toBe('https://a.example/x\u0085');
  });
});

// PRINT-6, PRINT-13
describe('steps 1 and 3: the authority', () => {
  it.each([
    ['HTTPS://A.EXAMPLE/X', 'https://a.example/X'],
    ['hTTp://a.example/x', 'http://a.example/x'],
    ['https://bücher.example/x', 'https://xn--bcher-kva.example/x'],
    ['https://BÜCHER.example/x', 'https://xn--bcher-kva.example/x'],
    ['https://XN--BCHER-KVA.example/x', 'https://xn--bcher-kva.example/x'],
    ['https://пример.example/x', 'https://xn--e1afmkfd.example/x'],
    ['https://ａ.example/x', 'https://a.example/x'],
    ['https://a.ex%61mple/x', 'https://a.example/x'],
    ['https://a.example./x', 'https://a.example./x'],
    ['https://[2001:DB8:0:0::1]/x', 'https://[2001:db8::1]/x'],
    ['https://[2001:DB8::1]:8443/x', 'https://[2001:db8::1]:8443/x'],
    ['http://0x7f.1/x', 'http://127.0.0.1/x'],
    ['https://ana:pw@a.example/x', 'https://a.example/x'],
    ['https://a@b@a.example/x', 'https://a.example/x'],
    ['https://%zz:%@a.example/x', 'https://a.example/x'],
    ['https://@a.example/x', 'https://a.example/x'],
    ['https://a.example:443/x', 'https://a.example/x'],
    ['https://a.example:0443/x', 'https://a.example/x'],
    ['https://a.example:/x', 'https://a.example/x'],
    ['http://a.example:80/x', 'http://a.example/x'],
    ['https://a.example:80/x', 'https://a.example:80/x'],
    ['http://a.example:443/x', 'http://a.example:443/x'],
    ['https://a.example:08443/x', 'https://a.example:8443/x'],
  ])('%s → %s', (value, expected) => {
    expect(normalize(value)).toBe(expected);
  });
});

// PRINT-13, PRINT-14
describe('step 3: path, query and fragment', () => {
  it.each([
    ['https://a.example', 'https://a.example/'],
    ['https://a.example/', 'https://a.example/'],
    ['https://a.example?x', 'https://a.example/'],
    ['https://a.example#x', 'https://a.example/'],
    ['https://a.example/x?y=1&z=2', 'https://a.example/x'],
    ['https://a.example/x#t=1', 'https://a.example/x'],
    ['https://a.example/x#a?b', 'https://a.example/x'],
    ['https://a.example/x?y#/../z', 'https://a.example/x'],
    ['https://a.example/x?%zz', 'https://a.example/x'],
    ['https://a.example/Path/FILE.Mp3', 'https://a.example/Path/FILE.Mp3'],
    ['https://a.example//x///y//', 'https://a.example//x///y//'],
    ['https://a.example/./x/../y/..', 'https://a.example/./x/../y/..'],
    ['https://a.example/%2e%2E/x', 'https://a.example/%2E%2E/x'],
    ['https://a.example/%7ex%c3%bc%2f', 'https://a.example/%7Ex%C3%BC%2F'],
    ['https://a.example/%25zz', 'https://a.example/%25zz'],
    ['https://a.example/é/🎙️', 'https://a.example/é/🎙️'],
    ['https://a.example/e\u0301', 'https://a.example/e\u0301'],
    ['https://a.example/a@b:c;d=e,f|"<>', 'https://a.example/a@b:c;d=e,f|"<>'],
  ])('%s → %s', (value, expected) => {
    expect(normalize(value)).toBe(expected);
  });

  it.each(['%', '%4', '%4/', '%zz', '%%41', '%u0041', 'x%', '%a%41', '%٤١'])(
    'rejects the escape in %s',
    (path) => {
      expect(normalize(`https://a.example/${path}`)).toBeNull();
      expect(normalize(`https://a.example/${path}?x`)).toBeNull();
    },
  );
});
