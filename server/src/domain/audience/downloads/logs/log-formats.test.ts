import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { acceptableGrowth, measureGrowth } from '../../../../../test/growth.ts';
import { propertyRuns } from '../../../../../test/property-runs.ts';
import { createLineReader, explainUnreadable } from './create-line-reader.ts';
import type { LogLine } from './log-line.ts';

const path = '/media/01968f3e-7a10-7cc2-9d0c-0b1c2d3e4f50/f/one.mp3';
const read = (line: string) => createLineReader()(line);

const expected: LogLine = {
  at: new Date('2026-03-10T12:00:05Z'),
  address: '203.0.113.7',
  method: 'GET',
  target: path,
  status: 206,
  bodyBytes: 5000,
  range: undefined,
  userAgent: 'AntennaPod/3.4',
  referrer: undefined,
  isPrefetch: false,
};

interface Chosen {
  readonly userAgent?: string;
  readonly referrer?: string;
  readonly target?: string;
  readonly status?: number;
  readonly bytes?: number;
}

const writeBunny = (chosen: Chosen = {}) =>
  [
    ...['HIT', chosen.status ?? 206, '1773144005000', chosen.bytes ?? 9096, '390', '203.0.113.7'],
    ...[chosen.referrer ?? '-', `https://pods.b-cdn.net${chosen.target ?? path}`, 'DE'],
    ...[chosen.userAgent ?? 'AntennaPod/3.4', '322b688bd63fb63f2babe9de30a5d262', 'DE'],
  ].join('|');

const writeCloudflare = (chosen: Chosen = {}, more: object = {}) =>
  JSON.stringify({
    ...{ ClientIP: '203.0.113.7', ClientRequestHost: 'pods.example', ClientRequestMethod: 'GET' },
    ...{ ClientRequestURI: chosen.target ?? path, EdgeStartTimestamp: 1_773_144_005_000_000_000 },
    ...{ EdgeEndTimestamp: 1_773_144_009_000_000_000, EdgeResponseStatus: chosen.status ?? 206 },
    ...{ EdgeResponseBytes: 6000, EdgeResponseBodyBytes: chosen.bytes ?? 5000 },
    ClientRequestUserAgent: chosen.userAgent ?? 'AntennaPod/3.4',
    ClientRequestReferer: chosen.referrer ?? '',
    ...more,
  });

const writeFastly = (chosen: Chosen = {}, more: object = {}) =>
  JSON.stringify({
    ...{ timestamp: '2026-03-10T12:00:05+0000', client_ip: '203.0.113.7', geo_country: 'germany' },
    ...{ geo_city: 'bremen', host: 'pods.example', url: chosen.target ?? path },
    ...{ request_method: 'GET', request_protocol: 'HTTP/2' },
    request_referer: chosen.referrer ?? '',
    request_user_agent: chosen.userAgent ?? 'AntennaPod/3.4',
    ...{ response_state: 'HIT', response_status: chosen.status ?? 206, response_reason: 'OK' },
    ...{ response_body_size: chosen.bytes ?? 5000, fastly_server: 'cache-fra-1' },
    fastly_is_edge: true,
    ...more,
  });

const writeCaddy = (chosen: Chosen = {}, headers: object = {}, more: object = {}) =>
  JSON.stringify({
    ...{ level: 'info', ts: 1_773_144_009.5, logger: 'http.log.access.log0' },
    msg: 'handled request',
    request: {
      ...{ remote_ip: '198.51.100.1', remote_port: '4134', client_ip: '203.0.113.7' },
      ...{ proto: 'HTTP/2.0', method: 'GET', host: 'pods.example', uri: chosen.target ?? path },
      headers: {
        'User-Agent': [chosen.userAgent ?? 'AntennaPod/3.4'],
        ...(chosen.referrer !== undefined && { Referer: [chosen.referrer] }),
        ...headers,
      },
    },
    ...{ bytes_read: 0, user_id: '', duration: 4.5, size: chosen.bytes ?? 5000 },
    ...{ status: chosen.status ?? 206, resp_headers: { Server: ['Caddy'] } },
    ...more,
  });

const writeTraefik = (chosen: Chosen = {}, more: object = {}) =>
  JSON.stringify({
    ...{ ClientAddr: '203.0.113.7:4134', ClientHost: '203.0.113.7', ClientUsername: '-' },
    ...{ DownstreamContentSize: chosen.bytes ?? 5000, DownstreamStatus: chosen.status ?? 206 },
    ...{ Duration: 4_500_000_000, OriginContentSize: 5000, OriginStatus: 206 },
    ...{ RequestMethod: 'GET', RequestPath: chosen.target ?? path, RequestProtocol: 'HTTP/2.0' },
    ...{ StartUTC: '2026-03-10T12:00:05.000000042Z', level: 'info', msg: '' },
    time: '2026-03-10T12:00:09Z',
    'request_User-Agent': chosen.userAgent ?? 'AntennaPod/3.4',
    ...(chosen.referrer !== undefined && { request_Referer: chosen.referrer }),
    ...more,
  });

const writeCommonTraefik = (chosen: Chosen = {}) => {
  const { target = path, referrer = '-', userAgent = 'AntennaPod/3.4' } = chosen;
  const answer = `${chosen.status ?? 206} ${chosen.bytes ?? 5000}`;
  return (
    `203.0.113.7 - - [10/Mar/2026:12:00:05 +0000] "GET ${target} HTTP/2.0" ${answer} ` +
    `"${referrer}" "${userAgent}" 12 "pods@docker" "http://172.18.0.3:3000" 4500ms`
  );
};

const writers: readonly (readonly [string, (chosen?: Chosen) => string])[] = [
  ['Bunny', writeBunny],
  ['Cloudflare', writeCloudflare],
  ['Fastly', writeFastly],
  ['Caddy', writeCaddy],
  ['Traefik as JSON', writeTraefik],
  ['Traefik in its Common Log Format', writeCommonTraefik],
];

describe('Bunny', () => {
  it('Bunny tells the end of a request, and bytes that may include headers', () => {
    const target = `https://pods.b-cdn.net${path}`;
    expect(read(writeBunny())).toEqual({ ...expected, target });
    expect(read(writeBunny({ bytes: 4000 }))).toMatchObject({ bodyBytes: 0 });
    const referrer = 'https://a.example/?q=1';
    expect(read(writeBunny({ referrer }))).toMatchObject({ referrer });
  });

  it('a line of Bunny is unreadable if a client sent a bar: the fields behind it are unknown', () => {
    const forged = writeBunny({ referrer: `-|https://pods.b-cdn.net${path}|DE|Other/1` });
    expect(read(forged)).toBe('unreadable');
    expect(explainUnreadable(forged)).toBe('does not have 12 fields');
    const nowhere = writeBunny().replace('203.0.113.7', 'x');
    expect(read(nowhere)).toBe('unreadable');
    expect(explainUnreadable(nowhere)).toBe('has no IP address');
  });

  it('a line of Bunny is not found in a host that a client sent to nginx', () => {
    const host = writeBunny().replace('|AntennaPod/3.4|', '|Other/1|').replaceAll(' ', '');
    const line = `${host} 203.0.113.9 - - [10/Mar/2026:13:00:05 +0100] "GET ${path} HTTP/1.1" 200 1 "-" "-"`;
    expect(read(line)).toMatchObject({ address: '203.0.113.9', bodyBytes: 1 });
  });
});

describe('Cloudflare', () => {
  it('Cloudflare tells the start of a request, in each form of its times', () => {
    for (const EdgeStartTimestamp of [1_773_144_005, '2026-03-10T12:00:05Z', '1773144005000000000'])
      expect(read(writeCloudflare({}, { EdgeStartTimestamp }))).toEqual(expected);
    expect(read(writeCloudflare())).toEqual(expected);
  });

  it('Cloudflare tells which bytes it sent if it logs the Content-Range of the response', () => {
    const log = (value: unknown) =>
      read(writeCloudflare({}, { ResponseHeaders: { 'content-range': value } }));
    expect(log('bytes 100-5099/90000')).toEqual({ ...expected, range: 'bytes=100-5099' });
    expect(log(['bytes 0-9/*'])).toEqual({ ...expected, range: 'bytes=0-9' });
    for (const value of ['', 'bytes */90000', 7, null]) expect(log(value)).toEqual(expected);
  });

  it('Cloudflare without the size of the body has that of the response, with headers', () => {
    const lacking = { EdgeResponseBodyBytes: undefined };
    expect(read(writeCloudflare({}, lacking))).toEqual({ ...expected, bodyBytes: 6000 - 4096 });
    const line = writeCloudflare({}, { ...lacking, EdgeResponseBytes: undefined });
    expect(read(line)).toBe('unreadable');
    expect(explainUnreadable(line)).toBe('has no EdgeResponseBodyBytes');
  });

  it('Cloudflare logs its own requests, which are those of no listener', () => {
    expect(read(writeCloudflare({}, { ClientRequestSource: 'eyeball' }))).toEqual(expected);
    expect(read(writeCloudflare({}, { ClientRequestSource: 'edgeWorkerFetch' }))).toBe('other');
  });
});

describe('Fastly', () => {
  it('Fastly tells the start of a request, and its range if it is told to log it', () => {
    expect(read(writeFastly())).toEqual(expected);
    const ranged = writeFastly({}, { http_range: 'bytes=0-' });
    expect(read(ranged)).toEqual({ ...expected, range: 'bytes=0-' });
    expect(read(writeFastly({}, { http_range: '' }))).toEqual({ ...expected, range: '' });
  });

  it('Fastly logs a request twice with shielding, which counts once', () => {
    expect(read(writeFastly({}, { fastly_is_edge: false }))).toBe('other');
  });

  it('Fastly may write the header of syslog before a line', () => {
    const header = '<134>2026-03-10T12:00:05Z cache-fra-eddf8230176 S3 Log[4121]: ';
    expect(read(header.replace('S3 Log', 'S3-Log') + writeFastly())).toEqual(expected);
    expect(read(header + writeFastly())).toBe('unreadable');
  });

  it('the Common Log Format, which Fastly writes by default, is refused without user agents', () => {
    const common = `203.0.113.7 - - [10/Mar/2026:12:00:05 +0000] "GET ${path} HTTP/1.1" 200 5000`;
    expect(read(common)).toBe('unreadable');
    expect(explainUnreadable(common)).toBe('has no user agent');
    const combined = `${common} "-" "AntennaPod/3.4"`;
    expect(read(combined)).toEqual({ ...expected, status: 200 });
  });
});

describe('Caddy', () => {
  it('Caddy tells the end of a request, its duration and all of its headers', () => {
    expect(read(writeCaddy())).toEqual({ ...expected, range: '' });
    const range = 'bytes=0-';
    expect(read(writeCaddy({}, { Range: [range] }))).toEqual({ ...expected, range });
    expect(read(writeCaddy({}, { 'Sec-Purpose': ['prefetch'] }))).toMatchObject({
      isPrefetch: true,
    });
    const direct = writeCaddy().replace('"client_ip":"203.0.113.7",', '');
    expect(read(direct)).toMatchObject({ address: '198.51.100.1' });
  });

  it('Caddy may write its times as ISO 8601, and drop the headers', () => {
    const line = writeCaddy({}, {}, { ts: '2026-03-10T12:00:09.500Z' });
    expect(read(line)).toEqual({ ...expected, range: '' });
    const bare = writeCaddy().replace(/"headers":\{[^}]*\}/, '"x":1');
    expect(read(bare)).toEqual({ ...expected, userAgent: undefined });
  });

  it('Caddy has lines about other things in the same file', () => {
    const message = { level: 'info', ts: 1_773_144_009.5, msg: 'serving initial configuration' };
    expect(read(JSON.stringify(message))).toBe('other');
    const failed = writeCaddy({}, {}, { logger: 'http.log.error.log0', msg: 'EOF' });
    expect(read(failed)).toBe('other');
  });

  it('Caddy has an unreadable line if it was told to leave out what counts', () => {
    const line = writeCaddy({}, {}, { size: undefined });
    expect(read(line)).toBe('unreadable');
    expect(explainUnreadable(line)).toBe('has no size');
    const nowhere = writeCaddy({}, {}, { request: { method: 'GET' } });
    expect(explainUnreadable(nowhere)).toBe('has no request.client_ip and no request.uri');
  });
});

describe('Traefik', () => {
  it('Traefik tells the start of a request, and the headers that it was told to keep', () => {
    expect(read(writeTraefik())).toEqual(expected);
    const ranged = writeTraefik({}, { request_Range: 'bytes=0-' });
    expect(read(ranged)).toEqual({ ...expected, range: 'bytes=0-' });
    expect(read(writeTraefik({}, { 'request_User-Agent': undefined }))).toMatchObject({
      userAgent: undefined,
    });
  });

  it('Traefik logs what a trusted proxy forwarded, whose last address is the one it saw', () => {
    const ClientHost = '198.51.100.66, 203.0.113.7';
    expect(read(writeTraefik({}, { ClientHost }))).toEqual(expected);
    expect(read(writeCommonTraefik().replace('203.0.113.7', ClientHost))).toEqual(expected);
  });

  it('Traefik also writes a Common Log Format with user agents', () => {
    expect(read(writeCommonTraefik())).toEqual(expected);
    expect(read(writeCommonTraefik({ userAgent: 'Pods\\' }))).toMatchObject({
      userAgent: 'Pods\\',
    });
  });

  it.each([
    ['a user agent', { userAgent: 'x" 3 "y' }],
    ['a referrer', { referrer: 'x" "Other/1' }],
    ['a query', { target: `${path}?" 200 90000000 "-" "Other/1` }],
  ])(
    'a line of Traefik is unreadable with a quote in %s, which it does not escape',
    (_, chosen) => {
      const line = writeCommonTraefik(chosen);
      expect(read(line)).toBe('unreadable');
      expect(explainUnreadable(line)).toBe('has quotes that the client sent');
    },
  );
});

// COUNT-19
describe('every format', () => {
  const header = fc.stringMatching(/^[!#-[\]-{}~][ !#-[\]-{}~]{0,40}[!#-[\]-{}~]$/);
  const query = fc.stringMatching(/^[\w.~!$&'()*+,;=:@/?-]{0,40}$/);

  it.each(writers)('%s: a line says what the client sent', (_, write) => {
    const chosen = fc.record({
      userAgent: header,
      referrer: header,
      target: query.map((text) => `${path}?${text}`),
      status: fc.constantFrom(200, 206, 304, 404),
      bytes: fc.integer({ min: 5_000, max: 1e12 }),
    });
    fc.assert(
      fc.property(chosen, (sent) => {
        const line = read(write(sent)) as LogLine;
        const { userAgent, referrer, target, status, bytes } = sent;
        expect(line).toMatchObject({ address: '203.0.113.7', userAgent, referrer, status });
        expect(line.target.endsWith(target)).toBe(true);
        expect([bytes, bytes - 4_096]).toContain(line.bodyBytes);
      }),
      { numRuns: propertyRuns(100) },
    );
  });

  it.each(writers)(
    '%s: a damaged line is read or refused, and never ends the reader',
    (_, write) => {
      const whole = write();
      const damage = fc.tuple(fc.nat(whole.length), fc.nat(20), fc.string({ maxLength: 20 }));
      fc.assert(
        fc.property(fc.array(damage, { minLength: 1, maxLength: 4 }), (damages) => {
          let line = whole;
          for (const [at, length, text] of damages)
            line = line.slice(0, at) + text + line.slice(at + length);
          const result = read(line);
          if (result === 'unreadable') expect(explainUnreadable(line)).not.toContain('203.0.113');
          else if (result !== 'other') expect(result.bodyBytes).toBeGreaterThanOrEqual(0);
        }),
        { numRuns: propertyRuns(300) },
      );
    },
  );

  const bunny = writeBunny();
  it.each([
    ['bars', bunny.slice(0, 40), '|'],
    ['identifiers', bunny.slice(0, 40), '|322b688bd63fb63f2babe9de30a5d262'],
    ['priorities', '', '<134>'],
    ['names', '<134>a b ', 'c['],
    ['quotes of Traefik', writeCommonTraefik().slice(0, 60), ' 1 "a" "b" '],
    ['ends of Traefik', '', ' 1 "a" "b" 1ms'],
    ['ends of the Common Log Format', '', '] "a" 200 1'],
    ['objects', '{"ts":1,"msg":"handled request","request":', '{"headers":'],
    ['lists', '{"ts":1,"msg":"handled request","size":', '['],
    ['times', '{"EdgeStartTimestamp":"', '9'],
  ])('a hostile line takes linear time for %s', (_, before, repeated) => {
    const growth = measureGrowth((n) => {
      const line = before + repeated.repeat(Math.ceil(n / repeated.length));
      read(line);
      explainUnreadable(line);
    });
    expect(growth).toBeLessThan(acceptableGrowth);
  });

  it('a hostile line may nest lists and objects as deep as a line is long', () => {
    for (const [open, close] of [
      ['[', ']'],
      ['{"headers":', '}'],
    ] as const) {
      const inner = open.repeat(5_000) + (open === '[' ? '' : '1') + close.repeat(5_000);
      const line = `{"ts":1773144005,"msg":"handled request","size":5,"status":200,"request":${inner}}`;
      expect(read(line)).toBe('unreadable');
    }
  });
});
