import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { RejectionReason } from './audio-request.ts';
import { downloadSources, type ObservedRequest, toAudioRequest } from './index.ts';
import { hashAddress, hashListener, neededBytes } from './to-audio-request.ts';

/** A quarter of an hour at 128 kbit/s behind a tag of 1,000 bytes. */
const file = {
  hash: 'abcdef0123456789'.repeat(4),
  sizeBytes: 14_401_000,
  durationMs: 900_000,
  bitrateBps: 128_000,
  leadingTagBytes: 1_000,
};
const secret = Buffer.alloc(32, 1);
const place = { country: 'DE', network: 3320 };

function observe(changes: Partial<ObservedRequest> = {}): ObservedRequest {
  return {
    at: new Date('2026-11-20T12:00:00Z'),
    podcastId: '0192c0de-0000-7000-8000-000000000001',
    episodeId: '0192c0de-0000-7000-8000-000000000002',
    source: downloadSources[0],
    address: '203.0.113.7',
    userAgent: 'AntennaPod/3.4.0',
    referrer: undefined,
    framingHost: undefined,
    method: 'GET',
    status: 200,
    isPrefetch: false,
    file,
    sent: [{ start: 0, end: file.sizeBytes - 1 }],
    ...changes,
  };
}

const convert = (changes?: Partial<ObservedRequest>) =>
  toAudioRequest(observe(changes), secret, place);

const cases: readonly [string, Partial<ObservedRequest>, RejectionReason | null][] = [
  ['a whole file', {}, null],
  ['a part', { status: 206, sent: [{ start: 5_000, end: 6_000 }] }, null],
  ['HEAD', { method: 'HEAD' }, 'head'],
  ['another method', { method: 'POST' }, 'error'],
  ['304', { status: 304 }, 'not_modified'],
  ['a redirect', { status: 302 }, 'redirect'],
  ['404', { status: 404 }, 'error'],
  ['416', { status: 416, sent: [] }, 'error'],
  ['500', { status: 500 }, 'error'],
  ['a prefetch', { isPrefetch: true }, 'prefetch'],
  ['bytes=0-1', { status: 206, sent: [{ start: 0, end: 1 }] }, 'probe'],
  ['bytes=0-0', { status: 206, sent: [{ start: 0, end: 0 }] }, 'probe'],
  ['bytes=0-2', { status: 206, sent: [{ start: 0, end: 2 }] }, null],
  ['nothing delivered', { sent: [] }, 'probe'],
  ['a whole file at an unknown place', { isPlaceKnown: false }, null],
  [
    'a part at an unknown place',
    { status: 206, isPlaceKnown: false, sent: [{ start: 5_000, end: 6_000 }] },
    'unknown_range',
  ],
  ['HEAD for a redirect', { method: 'HEAD', status: 302 }, 'head'],
];

// COUNT-7
describe('a request that can never count', () => {
  it.each(cases)('%s: %j: %s', (_name, changes, refusal) => {
    expect(convert(changes).refusal).toBe(refusal);
  });
});

describe('the audio that was delivered', () => {
  // COUNT-6
  it('the audio that was delivered lacks the leading tag and what stands behind the end', () => {
    const sent = [
      { start: 0, end: 999 },
      { start: 500, end: 1_999 },
      { start: 14_400_000, end: 20_000_000 },
    ];
    expect(convert({ status: 206, sent }).audio).toEqual([
      { start: 1_000, end: 1_999 },
      { start: 14_400_000, end: 14_400_999 },
    ]);
  });

  // COUNT-5, COUNT-6
  it('the audio that was delivered counts from sixty seconds on, or all of it where it is shorter', () => {
    // Sixty seconds at 128 kbit/s.
    expect(neededBytes(file)).toBe(960_000);
    expect(neededBytes({ ...file, sizeBytes: 81_000 })).toBe(80_000);
    expect(neededBytes({ ...file, sizeBytes: 500 })).toBe(0);
  });
});

describe('a listener', () => {
  // COUNT-12
  it('a listener is identified by address and user agent under the same secret', () => {
    const { listener } = convert();
    expect(listener).toMatch(/^[0-9a-f]{32}$/);
    expect(convert({ status: 206 }).listener).toBe(listener);
    expect(convert({ address: '203.0.113.8' }).listener).not.toBe(listener);
    expect(convert({ userAgent: 'AntennaPod/3.4.1' }).listener).not.toBe(listener);
    expect(hashListener(Buffer.alloc(32, 2), '203.0.113.7', 'AntennaPod/3.4.0')).not.toBe(listener);
  });

  // COUNT-12
  it.each([
    ['203.0.113.7', '', '203.0.113.7'],
    ['::ffff:203.0.113.7', 'AntennaPod/3.4.0', '203.0.113.7'],
    ['2001:DB8::7%eth0', `Grüße 🎧 \ud800 ${'田'.repeat(16_000)}`, '2001:db8::7'],
    ['no address', 'App', 'no address'],
  ])('%s is hashed with the secret and the whole user agent', (address, userAgent, spelled) => {
    const hash = createHash('sha256').update(secret).update(`${spelled}\0${userAgent}`);
    expect(hashListener(secret, address, userAgent)).toBe(hash.digest('hex').slice(0, 32));
  });

  // COUNT-15
  it('leaves no address behind', () => {
    expect(JSON.stringify(convert())).not.toContain('203.0.113');
  });

  it('a listener that can never count is stored only as a number of requests', () => {
    const { at, podcastId, episodeId } = observe();
    const known = { at, podcastId, episodeId, refusal: 'head', requests: 1 };
    expect(convert({ method: 'HEAD' })).toEqual({
      ...{ ...known, listener: '', addressHash: null, userAgent: null, network: null },
      ...{ country: null, source: 'direct', referrer: null, file: '', neededBytes: 0, audio: [] },
    });
  });
});

describe('the hash of an address', () => {
  const hashOf = (address: string, userAgent?: string) =>
    convert({ address, userAgent }).addressHash;

  it.each([
    ['203.0.113.7', '::ffff:203.0.113.7'],
    ['2001:db8:1:2::7', '2001:DB8:1:2:ffff::1%eth0'],
    ['hashed-by-a-proxy', 'hashed-by-a-proxy'],
  ])('the hash of an address is the same for %s and %s, for any user agent', (one, other) => {
    expect(hashOf(one, 'App/1')).toMatch(/^[0-9a-f]{16}$/);
    expect(hashOf(one, 'App/1')).toBe(hashOf(other, 'App/2'));
  });

  it.each([
    ['203.0.113.7', '203.0.113.8'],
    ['2001:db8:1:2::7', '2001:db8:1:3::7'],
    ['hashed-by-a-proxy', 'hashed-by-another'],
  ])('the hash of an address is another one for %s and %s', (one, other) => {
    expect(hashOf(one)).not.toBe(hashOf(other));
  });

  it('the hash of an address begins with that of its IPv6 /48, and is odd only if it has one', () => {
    const [one = '', other = ''] = ['2001:db8:1:2::7', '2001:db8:1:3::7'].map(
      (of) => hashOf(of) ?? '',
    );
    expect(one.slice(0, 8)).toBe(other.slice(0, 8));
    expect(hashOf('2001:db8:2:2::7')?.slice(0, 8)).not.toBe(one.slice(0, 8));
    for (const odd of [one, other]) expect(odd).toMatch(/[13579bdf]$/);
    for (const name of ['203.0.113.7', '203.0.113.8', '::ffff:203.0.113.9', 'hashed-by-a-proxy'])
      expect(hashOf(name)).toMatch(/[02468ace]$/);
  });

  it('the hash of an address is another one under another secret', () => {
    const other = hashAddress(Buffer.alloc(32, 2), '203.0.113.7');
    expect(hashOf('203.0.113.7')).not.toBe(other);
  });
});

describe('texts of a request', () => {
  it.each([
    ['', null],
    [undefined, null],
    ['a\0b\ud800', 'a b\ufffd'],
    ['x'.repeat(600), 'x'.repeat(512)],
  ])('user agent %j', (userAgent, stored) => {
    expect(convert({ userAgent }).userAgent).toBe(stored);
  });

  it.each([
    ['https://blog.example.com/post?id=1', undefined, 'blog.example.com'],
    ['https://player.example/', 'blog.example.com', 'blog.example.com'],
    ['android-app://com.example', undefined, null],
    ['no address', undefined, null],
    [undefined, undefined, null],
    ['http://203.0.113.7:8080/player', undefined, null],
    ['http://3405803783/', undefined, null],
    [undefined, '[2001:db8::7]', null],
    [undefined, `${'a.'.repeat(125)}com`, `${'a.'.repeat(125)}com`],
    [undefined, `${'a.'.repeat(126)}com`, null],
    // In ASCII it has thousands of letters.
    [
      'https://blog.example.com/',
      `${'\u7530\u4e2d\u3042'.repeat(100)}.example`,
      'blog.example.com',
    ],
    ['https://www.blog.example./a', undefined, 'www.blog.example'],
    ['http://nas/a', undefined, null],
    ['http://other/', undefined, null],
  ])('referrer %s, frame on %s: %s', (referrer, framingHost, host) => {
    expect(convert({ referrer, framingHost }).referrer).toBe(host);
  });
});
