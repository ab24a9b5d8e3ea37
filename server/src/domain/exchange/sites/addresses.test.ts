import { describe, expect, it } from 'vitest';
import { readUrlCases } from '../../../../test/url-cases.ts';
import {
  maxAddressChars,
  pluginUrl,
  tryParseAdminUrl,
  tryParseHome,
  tryParsePostUrl,
  tryParseRestRoot,
} from './addresses.ts';

const long = (length: number) => `https://blog.example.com/${'a'.repeat(length - 25)}`;

// SITE-12
describe('a home address', () => {
  it.each([
    ['https://blog.example.com/', 'https://blog.example.com/'],
    ['https://blog.example.com', 'https://blog.example.com/'],
    ['HTTPS://Blog.Example.COM', 'https://blog.example.com/'],
    ['https://blog.example.com:443/', 'https://blog.example.com/'],
    ['https://example.com/Blog', 'https://example.com/Blog/'],
    ['https://example.com/Blog/Two/', 'https://example.com/Blog/Two/'],
    ['https://bücher.example', 'https://xn--bcher-kva.example/'],
    ['https://BÜCHER.example/', 'https://xn--bcher-kva.example/'],
    ['https://XN--BCHER-KVA.example/', 'https://xn--bcher-kva.example/'],
    ['https://faß.de/', 'https://xn--fa-hia.de/'],
    ['https://例え.テスト', 'https://xn--r8jz45g.xn--zckzah/'],
    ['https://bl\u00ado\u200bg.example/', 'https://blog.example/'],
    ['https://ｂｌｏｇ。example/', 'https://blog.example/'],
    ['https://example.com/caf%c3%a9/', 'https://example.com/caf%C3%A9/'],
    ['https://example.com/café', 'https://example.com/caf%C3%A9/'],
    ['https://example.com/a..b/.well-known/', 'https://example.com/a..b/.well-known/'],
    ['https://example.com/100%25/', 'https://example.com/100%25/'],
    ['https://203.0.113.7/', 'https://203.0.113.7/'],
    ['https://[2001:DB8::0:1]/', 'https://[2001:db8::1]/'],
    ['https://0x7f.1/', 'https://127.0.0.1/'],
    ['https://2130706433', 'https://127.0.0.1/'],
    ['https://0177.0.0.01/', 'https://127.0.0.1/'],
    ['https://localhost/', 'https://localhost/'],
    [long(maxAddressChars - 1), `${long(maxAddressChars - 1)}/`],
  ])('%s is %s', (text, url) => {
    const { origin, pathname } = new URL(url);
    expect(tryParseHome(text)).toEqual({ url, origin, path: pathname });
  });

  it.each([
    ['empty', ''],
    ['no address', 'blog.example.com'],
    ['http', 'http://blog.example.com/'],
    ['another scheme', 'ftp://blog.example.com/'],
    ['no host', 'https:///path'],
    ['one slash', 'https:/blog.example.com/'],
    ['no slash', 'https:blog.example.com/'],
    ['three slashes', 'https:///blog.example.com/'],
    ['a port', 'https://blog.example.com:8443/'],
    ['the port of http', 'https://blog.example.com:80/'],
    ['a user', 'https://ana@blog.example.com/'],
    ['a password', 'https://ana:secret@blog.example.com/'],
    ['an empty user', 'https://@blog.example.com/'],
    ['a second at sign', 'https://a@b@blog.example.com/'],
    ['a query', 'https://blog.example.com/?p=1'],
    ['an empty query', 'https://blog.example.com/?'],
    ['a fragment', 'https://blog.example.com/#top'],
    ['an empty fragment', 'https://blog.example.com/#'],
    ['a space before', ' https://blog.example.com/'],
    ['a space behind', 'https://blog.example.com/ '],
    ['a space inside', 'https://blog.example.com/a b/'],
    ['a tab', 'https://blog.exa\tmple.com/'],
    ['a line break', 'https://blog.example.com/a\n/'],
    ['a NUL', 'https://blog.example.com/\0'],
    ['a lone surrogate', 'https://blog.example.com/\ud800/'],
    ['a backslash', 'https://blog.example.com\\a/'],
    ['a backslash before the host', 'https:\\\\blog.example.com/'],
    ['a dot segment', 'https://example.com/a/../b/'],
    ['a last dot segment', 'https://example.com/a/..'],
    ['a single dot', 'https://example.com/./'],
    ['an encoded dot segment', 'https://example.com/a/%2e%2E/b/'],
    ['a half encoded one', 'https://example.com/a/.%2e/'],
    ['a dot segment with a parameter', 'https://example.com/a/..;/b/'],
    ['a dot segment with a named one', 'https://example.com/a/..;x=y/b/'],
    ['a dot segment with an encoded one', 'https://example.com/a/%2e.%3Bx/b/'],
    ['a dot segment that is encoded twice', 'https://example.com/a/%252e%252E/b/'],
    ['a slash that is encoded twice', 'https://example.com/a%252fb/'],
    ['an encoded slash', 'https://example.com/a%2fb/'],
    ['an encoded slash in capitals', 'https://example.com/a%2F..%2Fb/'],
    ['an encoded backslash', 'https://example.com/a%5Cb/'],
    ['an encoded NUL', 'https://example.com/a%00/'],
    ['an encoded line break', 'https://example.com/a%0d%0a/'],
    ['an encoded DEL', 'https://example.com/a%7F/'],
    ['a percent sign that encodes nothing', 'https://example.com/100%/'],
    ['a broken escape', 'https://example.com/a%zz/'],
    ['an empty segment', 'https://example.com//a/'],
    ['an empty last segment', 'https://example.com/a//'],
    ['a dot behind the host', 'https://blog.example.com./'],
    ['an empty label', 'https://blog..example.com/'],
    ['broken punycode', 'https://xn--a.example/'],
    ['punycode of ASCII', 'https://xn--blog-.example/'],
    ['punycode of nothing', 'https://xn--.example/'],
    ['a host with a forbidden character', 'https://blog<.example/'],
    ['an encoded slash in the host', 'https://blog%2fexample.com/'],
    ['an encoded at sign in the host', 'https://blog%40example.com/'],
    ['an IPv4 address out of range', 'https://256.1.1.1/'],
    ['a broken IPv6 address', 'https://[::g]/'],
    ['an IPv6 zone', 'https://[fe80::1%25eth0]/'],
    ['too long', long(maxAddressChars + 1)],
    ['too long with its slash', long(maxAddressChars)],
  ])('a home address must not have: %s', (_, text) => {
    expect(tryParseHome(text)).toBeUndefined();
  });
});

const blog = tryParseHome('https://blog.example.com/');
const below = tryParseHome('https://Example.com/Sites/Blog');
if (blog === undefined || below === undefined) throw new Error('the test has no home');

// SITE-13
describe('a REST address', () => {
  it.each([
    [blog, 'https://blog.example.com/wp-json/', 'https://blog.example.com/wp-json/'],
    [blog, 'https://BLOG.example.com/wp-json/', 'https://blog.example.com/wp-json/'],
    [blog, 'https://blog.example.com/?rest_route=/', 'https://blog.example.com/?rest_route=/'],
    [
      blog,
      'https://blog.example.com/index.php?rest_route=/',
      'https://blog.example.com/index.php?rest_route=/',
    ],
    [below, 'https://EXAMPLE.com/Sites/Blog/wp-json/', 'https://example.com/Sites/Blog/wp-json/'],
    [
      below,
      'https://example.com/Sites/Blog/?rest_route=/',
      'https://example.com/Sites/Blog/?rest_route=/',
    ],
    [
      below,
      'https://example.com/Sites/Blog/index.php?rest_route=/',
      'https://example.com/Sites/Blog/index.php?rest_route=/',
    ],
  ])('a REST address of %o is %s', (home, text, restRoot) => {
    expect(tryParseRestRoot(home, text)).toBe(restRoot);
  });

  it('a REST address may have a host in its own script', () => {
    const home = tryParseHome('https://xn--bcher-kva.example/');
    const text = 'https://Bücher.example/wp-json/';
    expect(home && tryParseRestRoot(home, text)).toBe('https://xn--bcher-kva.example/wp-json/');
  });

  it.each([
    'https://blog.example.com/wp-json',
    'https://blog.example.com/WP-JSON/',
    'https://blog.example.com/wp-json/podstead/',
    'https://blog.example.com/wp-json/?x=1',
    'https://blog.example.com/wp-json/#',
    'https://blog.example.com//wp-json/',
    'https://blog.example.com/index.php/wp-json/',
    'https://blog.example.com/?rest_route=',
    'https://blog.example.com/?rest_route=%2F',
    'https://blog.example.com/?REST_ROUTE=/',
    'https://blog.example.com?rest_route=/x',
    'https://blog.example.com/?x=1&rest_route=/',
    'https://blog.example.com/?rest_route=/&x=1',
    'https://blog.example.com/index.php?rest_route=/wp-json/',
    'https://blog.example.com/sub/wp-json/',
    'https://blog.example.com/sub/../wp-json/',
    'https://other.example.com/wp-json/',
    'https://blog.example.com.evil.example/wp-json/',
    'https://blog.example.com:8443/wp-json/',
    'https://ana@blog.example.com/wp-json/',
    'http://blog.example.com/wp-json/',
    '',
  ])('a REST address is not %s', (text) => {
    expect(tryParseRestRoot(blog, text)).toBeUndefined();
  });

  it('a REST address is not that of another installation on the host, or in another case', () => {
    for (const path of ['/wp-json/', '/Sites/wp-json/', '/sites/blog/wp-json/', '/Sites/Blog2/']) {
      expect(tryParseRestRoot(below, `https://example.com${path}`)).toBeUndefined();
    }
  });
});

// SITE-14
describe('an address of the administration', () => {
  it.each([
    [blog, 'https://blog.example.com/wp-admin/'],
    [blog, 'https://blog.example.com/wp-admin/admin.php?page=podstead&tab=1'],
    [blog, 'https://blog.example.com/wp/wp-admin/options-general.php'],
    [below, 'https://example.com/Sites/Blog/wp-admin/admin.php?page=podstead'],
  ])('an address of the administration under %o is %s', (home, text) => {
    expect(tryParseAdminUrl(home, text)).toBe(text);
  });

  it('an address of the administration has its host in normal form', () => {
    expect(tryParseAdminUrl(blog, 'https://BLOG.example.com:443/wp-admin/')).toBe(
      'https://blog.example.com/wp-admin/',
    );
  });

  it.each([
    'https://blog.example.com/',
    'https://blog.example.com/wp-admin',
    'https://blog.example.com/my-wp-admin/',
    'https://blog.example.com/WP-ADMIN/',
    'https://blog.example.com/?next=/wp-admin/',
    'https://blog.example.com/page?/wp-admin/',
    'https://blog.example.com/wp-admin/#tab',
    'https://blog.example.com/wp-admin/../../x',
    'https://blog.example.com/wp-admin/%2e%2e/x',
    'https://blog.example.com/wp-admin/..;/x',
    'https://blog.example.com/wp-admin/%252e%252e/x',
    'https://blog.example.com/wp-admin%2f',
    'https://blog.example.com:8443/wp-admin/',
    'https://ana:secret@blog.example.com/wp-admin/',
    'https://evil.example/wp-admin/',
    'https://blog.example.com@evil.example/wp-admin/',
    'https://blog.example.com\\@evil.example/wp-admin/',
    '//blog.example.com/wp-admin/',
    '/wp-admin/',
    'http://blog.example.com/wp-admin/',
    'javascript:alert(1)//blog.example.com/wp-admin/',
    `https://blog.example.com/wp-admin/${'a'.repeat(maxAddressChars)}`,
    '',
  ])('an address of the administration is not %s', (text) => {
    expect(tryParseAdminUrl(blog, text)).toBeUndefined();
  });

  it('an address of the administration is not that of another installation on the host', () => {
    const home = tryParseHome('https://example.com/wp-admin/');
    for (const text of ['https://example.com/wp-admin/', 'https://example.com/Sites/wp-admin/']) {
      expect(tryParseAdminUrl(below, text)).toBeUndefined();
      expect(home && tryParseAdminUrl(home, text)).toBeUndefined();
    }
  });
});

// SITE-34
describe('the address of a post', () => {
  it.each([
    [blog, 'https://blog.example.com/2026/first-light/', undefined],
    [blog, 'https://blog.example.com/?p=12', undefined],
    [blog, 'https://blog.example.com/?p=12&x=a%2fb', undefined],
    [blog, 'https://BLOG.example.com/Post', 'https://blog.example.com/Post'],
    [blog, 'https://blog.example.com/caf%c3%a9/', 'https://blog.example.com/caf%C3%A9/'],
    [blog, 'https://blog.example.com/café/', 'https://blog.example.com/caf%C3%A9/'],
    [below, 'https://example.com/Sites/Blog/?p=1', undefined],
  ])('the address of a post under %o is %s', (home, text, url = text) => {
    expect(tryParsePostUrl(home, text)).toBe(url);
  });

  it.each([
    'https://example.com/Sites/Blog',
    'https://example.com/Sites/Blog2/post/',
    'https://example.com/sites/blog/post/',
    'https://example.com/post/',
    'https://example.com/Sites/Blog/../post/',
    'https://example.com/Sites/Blog/%2E%2e/post/',
    'https://example.com/Sites/Blog/..%2fpost/',
    'https://example.com/Sites/Blog/post/#comments',
    'https://www.example.com/Sites/Blog/post/',
    'https://example.com:444/Sites/Blog/post/',
    'https://ana@example.com/Sites/Blog/post/',
    'http://example.com/Sites/Blog/post/',
    '',
  ])('the address of a post is not %s', (text) => {
    expect(tryParsePostUrl(below, text)).toBeUndefined();
  });
});

describe("an address of the site's plugin", () => {
  it.each([
    [
      'https://blog.example.com/wp-json/',
      'https://blog.example.com/wp-json/podstead/v1/challenge?state=s-1',
    ],
    [
      'https://blog.example.com/?rest_route=/',
      'https://blog.example.com/?rest_route=/podstead/v1/challenge&state=s-1',
    ],
    [
      'https://blog.example.com/index.php?rest_route=/',
      'https://blog.example.com/index.php?rest_route=/podstead/v1/challenge&state=s-1',
    ],
  ])("an address of the site's plugin under %s has its parameters apart", (restRoot, url) => {
    expect(pluginUrl(restRoot, 'challenge', { state: 's-1' })).toBe(url);
    expect(new URL(url).searchParams.get('state')).toBe('s-1');
  });

  it("an address of the site's plugin may have no query", () => {
    const restRoot = 'https://blog.example.com/wp-json/';
    expect(pluginUrl(restRoot, 'ping')).toBe(`${restRoot}podstead/v1/ping`);
  });
});

it('a host is read as a browser reads it', () => {
  const hosts = readUrlCases().flatMap(({ input, hostname }) => {
    const home = tryParseHome(input.replace(/^http:/i, 'https:'));
    return home === undefined ? [] : [[input, new URL(home.url).hostname, hostname]];
  });
  expect(hosts.length).toBeGreaterThan(20);
  expect(hosts.filter(([, read, expected]) => read !== expected)).toEqual([]);
});
