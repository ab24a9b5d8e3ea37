import { describe, expect, it } from 'vitest';
import { normalizeEnclosure } from './normalize-enclosure.ts';
import { PUBLISHED_REDIRECTS } from './redirect-table.ts';

const normalize = (value: string) => normalizeEnclosure(value, PUBLISHED_REDIRECTS);
const target = 'https://cdn.example/a.mp3';

// PRINT-8, PRINT-10
describe('the twelve rows', () => {
  it.each([
    ['dts.podtrac.com', '/redirect.mp3/'],
    ['dts.podtrac.com', '/redirect.m4a.x/'],
    ['www.podtrac.com', '/pts/redirect.mp3/'],
    ['chtbl.com', '/track/9EE2G/'],
    ['chrt.fm', '/track/9EE2G/'],
    ['op3.dev', '/e/'],
    ['op3.dev', '/e,pg=7a2d292c-8656-5fcf-88d2-31b10e54d7c7/'],
    ['pdst.fm', '/e/'],
    ['media.blubrry.com', '/my_show/'],
    ['mgln.ai', '/e/123/'],
    ['arttrk.com', '/p/ABC12/'],
    ['pscrb.fm', '/rss/p/'],
    ['verifi.podscribe.com', '/rss/p/'],
    ['claritaspod.com', '/measure/'],
  ])('%s%s', (host, path) => {
    expect(normalize(`https://${host}${path}cdn.example/a.mp3`)).toBe(target);
    expect(normalize(`https://${host}${path}${target}`)).toBe(target);
    expect(normalize(`https://${host}${path}//cdn.example/a.mp3`)).toBe(target);
    expect(normalize(`https://${host.toUpperCase()}${path}cdn.example/a.mp3`)).toBe(target);
    expect(normalize(`https://${host}:443${path}cdn.example/a.mp3`)).toBe(target);
    expect(normalize(`https://ana:pw@${host}${path}cdn.example/a.mp3?x#y`)).toBe(target);
    expect(normalize(`http://${host}${path}${target}`)).toBe(target);
    // An explicit scheme wins; without one a wrapper's is inherited, except in row 5.
    expect(normalize(`https://${host}${path}http://cdn.example/a.mp3`)).toBe(
      'http://cdn.example/a.mp3',
    );
    const inherited = host === 'op3.dev' ? 'https' : 'http';
    expect(normalize(`http://${host}${path}cdn.example/a.mp3`)).toBe(
      `${inherited}://cdn.example/a.mp3`,
    );
    expect(normalize(`http://${host}:80${path}//cdn.example/a.mp3`)).toBe(
      `${inherited}://cdn.example/a.mp3`,
    );
  });
});

// PRINT-8, PRINT-9
describe('similar hosts and paths are kept unchanged', () => {
  it.each([
    'https://dts.podtrac.com/redirect.mp3',
    'https://dts.podtrac.com/redirect./cdn.example/a.mp3',
    'https://dts.podtrac.com/redirect/cdn.example/a.mp3',
    'https://dts.podtrac.com/Redirect.mp3/cdn.example/a.mp3',
    'https://dts.podtrac.com/pts/redirect.mp3/cdn.example/a.mp3',
    'https://dts.podtrac.com//redirect.mp3/cdn.example/a.mp3',
    'https://www.podtrac.com/redirect.mp3/cdn.example/a.mp3',
    'https://podtrac.com/pts/redirect.mp3/cdn.example/a.mp3',
    'https://chtbl.com/track//cdn.example/a.mp3',
    'https://chtbl.com/TRACK/1/cdn.example/a.mp3',
    'https://chtbl.com/track/1',
    'https://www.chtbl.com/track/1/cdn.example/a.mp3',
    'https://op3.dev/e,7a2d292c/cdn.example/a.mp3',
    'https://op3.dev/e,pg=/cdn.example/a.mp3',
    'https://op3.dev/e,PG=1/cdn.example/a.mp3',
    'https://op3.dev/e',
    'https://op3.dev/E/cdn.example/a.mp3',
    'https://op3.dev/%65/cdn.example/a.mp3',
    'https://op3.dev/x/../e/cdn.example/a.mp3',
    'https://op3.dev./e/cdn.example/a.mp3',
    'https://op3.dev:8443/e/cdn.example/a.mp3',
    'https://op3.dev:80/e/cdn.example/a.mp3',
    'http://op3.dev:443/e/cdn.example/a.mp3',
    'https://media.blubrry.com//cdn.example/a.mp3',
    'https://media.blubrry.com/show',
    'https://mgln.ai/track/1/cdn.example/a.mp3',
    'https://mgln.ai/e/1',
    'https://pscrb.fm/rss/cdn.example/a.mp3',
    'https://www.claritaspod.com/measure/cdn.example/a.mp3',
    'https://traffic.example/e/cdn.example/a.mp3',
    'https://cdn.example/https://op3.dev/e/x.example/a.mp3',
  ])('%s', (value) => {
    expect(normalize(value)).toBe(value);
  });
});

// PRINT-10, PRINT-11
describe('targets', () => {
  it.each([
    ['https://op3.dev/e/CDN.example', 'https://cdn.example/'],
    ['https://op3.dev/e/CDN.example?x=1', 'https://cdn.example/'],
    ['https://op3.dev/e/HTTP://CDN.example/A', 'http://cdn.example/A'],
    ['https://op3.dev/e/ana:pw@cdn.example:8443/a', 'https://cdn.example:8443/a'],
    ['https://op3.dev/e/http://cdn.example:80/a', 'http://cdn.example/a'],
    ['https://op3.dev/e/bücher.example/é', 'https://xn--bcher-kva.example/é'],
    ['https://op3.dev/e/cdn.example/./a/../b', 'https://cdn.example/./a/../b'],
    ['https://op3.dev/e/cdn.example/a%2fb', 'https://cdn.example/a%2Fb'],
    // A scheme needs both slashes; with only one, it counts as a host with a port.
    ['https://op3.dev/e/http:/cdn.example/a', 'https://http/cdn.example/a'],
    // An ID is any text without a slash, including escapes.
    ['https://chtbl.com/track/%zz:@é,/cdn.example/a', 'https://cdn.example/a'],
    ['https://media.blubrry.com/https:/cdn.example/a', 'https://cdn.example/a'],
  ])('%s → %s', (value, expected) => {
    expect(normalize(value)).toBe(expected);
  });

  it.each([
    ['nothing', 'https://op3.dev/e/'],
    ['nothing but a query', 'https://op3.dev/e/?cdn.example/a.mp3'],
    ['nothing but a fragment', 'https://op3.dev/e/#cdn.example/a.mp3'],
    ['a single slash', 'https://op3.dev/e//cdn.example/a.mp3'],
    ['no authority', 'https://op3.dev/e/https:///cdn.example/a.mp3'],
    ['two slashes alone', 'https://op3.dev/e///'],
    ['a scheme alone', 'https://op3.dev/e/https://'],
    ['another scheme', 'https://op3.dev/e/ftp://cdn.example/a.mp3'],
    ['an unknown scheme', 'https://op3.dev/e/x-y.z+1://cdn.example/a.mp3'],
    ['an escaped address', 'https://op3.dev/e/https%3A%2F%2Fcdn.example%2Fa.mp3'],
    ['an escaped slash', 'https://op3.dev/e/cdn.example%2Fa.mp3'],
    ['a wrong host', 'https://op3.dev/e/a<b/x'],
    ['a wrong port', 'https://op3.dev/e/cdn.example:x/'],
    ['a broken escape', 'https://op3.dev/e/cdn.example/%zz'],
    [
      'a slash where the address would begin',
      'https://media.blubrry.com/https://cdn.example/a.mp3',
    ],
    ['a wrong one further in', 'https://op3.dev/e/pdst.fm/e/https://chtbl.com/track/1/'],
  ])('rejects %s', (_, value) => {
    expect(normalize(value)).toBeNull();
  });
});

describe('chains', () => {
  it.each([
    [
      'https://dts.podtrac.com/redirect.mp3/chrt.fm/track/9/pdst.fm/e/rss.example/a.mp3?b=1',
      'https://rss.example/a.mp3',
    ],
    [
      'http://www.podtrac.com/pts/redirect.mp3/https://op3.dev/e/http://cdn.example/a.mp3',
      'http://cdn.example/a.mp3',
    ],
    // The scheme inherited is that of the wrapper next to the target.
    ['http://pdst.fm/e/https://chrt.fm/track/1/cdn.example/a.mp3', 'https://cdn.example/a.mp3'],
    ['https://pdst.fm/e/http://chrt.fm/track/1/cdn.example/a.mp3', 'http://cdn.example/a.mp3'],
    ['http://op3.dev/e/pdst.fm/e/cdn.example/a.mp3', 'https://cdn.example/a.mp3'],
    // A chain ends at the first host that is not exactly one of the table.
    ['https://op3.dev/e/cdn.example/op3.dev/e/a.mp3', 'https://cdn.example/op3.dev/e/a.mp3'],
    ['https://pdst.fm/e/op3.dev:8443/e/x.example/a', 'https://op3.dev:8443/e/x.example/a'],
    ['https://pdst.fm/e/http://op3.dev:80/e/x.example/a', 'https://x.example/a'],
  ])('%s → %s', (value, expected) => {
    expect(normalize(value)).toBe(expected);
  });

  // PRINT-12
  it('removes 32 prefixes and no more', () => {
    const wrapped = (times: number) => `https://${'pdst.fm/e/'.repeat(times)}cdn.example/a.mp3`;
    expect(normalize(wrapped(32))).toBe(target);
    expect(normalize(wrapped(33))).toBeNull();
    expect(normalize(wrapped(50_000))).toBeNull();
    // After 32, a host of the table may remain if none of its prefixes matches.
    const rest = 'pdst.fm/x/cdn.example/a.mp3';
    expect(normalize(`https://${'op3.dev/e/'.repeat(32)}${rest}`)).toBe(`https://${rest}`);
  });
});
