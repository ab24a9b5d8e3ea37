import { describe, expect, it } from 'vitest';
import { acceptableGrowth, measureGrowth } from '../../../../../test/growth.ts';
import { createLineReader, explainUnreadable } from './create-line-reader.ts';
import type { LogLine } from './log-line.ts';

const path = '/media/01968f3e-7a10-7cc2-9d0c-0b1c2d3e4f50/f/one.mp3';
const read = (line: string, ...before: string[]) => {
  const reader = createLineReader();
  for (const earlier of before) reader(earlier);
  return reader(line);
};

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
const clf = '10/Mar/2026:13:00:05 +0100';
const json = (fields: object) =>
  JSON.stringify({
    time: '2026-03-10T12:00:05+00:00',
    remote_addr: '203.0.113.7',
    method: 'GET',
    uri: path,
    status: 206,
    body_bytes_sent: 5000,
    http_user_agent: 'AntennaPod/3.4',
    ...fields,
  });

describe('the Combined Log Format', () => {
  const line = `203.0.113.7 - - [${clf}] "GET ${path} HTTP/1.1" 206 5000 "-" "AntennaPod/3.4"`;

  it('the Combined Log Format is read as nginx and Apache write it', () => {
    expect(read(line)).toEqual(expected);
    expect(read(`${line} "203.0.113.9"`)).toEqual(expected);
    expect(read(line.replace(' - - ', ' - Ana of Rome '))).toEqual(expected);
    expect(read(`pods.example.com:443 ${line}`)).toEqual(expected);
    expect(read(line.replace(' 206 5000 ', ' 304 - '))).toEqual({
      ...{ ...expected, status: 304, bodyBytes: 0 },
    });
  });

  // nginx writes the name of any `Authorization: Basic`, and escapes nothing in it but quotes.
  it.each([
    ['another address', '198.51.100.9 - -'],
    ['another address behind an empty name', '- 198.51.100.9 - -'],
    ['a line of its own', `198.51.100.9 - - [${clf}] [GET ${path} HTTP/1.1] 200 9999999 - Other/1`],
    [
      'a line of S3',
      `[${clf}] 198.51.100.9 - id REST.GET.OBJECT ${path.slice(1)} x 200 - 9999999 1 1 1 - - -`,
    ],
  ])('the Combined Log Format takes nothing from a user name that holds %s', (_, user) => {
    const forged = line.replace(' - - ', ` - ${user} `);
    expect(read(forged)).toEqual(expected);
    expect(read(`198.51.100.9 ${line}`)).toEqual(expected);
  });

  it('the Combined Log Format takes the empty user name of Apache', () => {
    expect(read(line.replace(' - - ', ' - "" '))).toEqual(expected);
  });

  it('gives headers as they were sent', () => {
    const agent = line.replace('AntennaPod/3.4', String.raw`a \x22b\x22 \\ \"c\" \xC3\xA9 \t`);
    expect(read(agent)).toMatchObject({ userAgent: 'a "b" \\ "c" \u00c3\u00a9 \t' });
    const referred = line.replace('"-"', '"https://a.example/?q=[x] y"');
    expect(read(referred)).toMatchObject({ referrer: 'https://a.example/?q=[x] y' });
    expect(read(line.replace('"AntennaPod/3.4"', '""'))).toMatchObject({ userAgent: undefined });
  });

  it('a line of the Combined Log Format is read as `other` if the client sent no request', () => {
    expect(read(line.replace(/"GET[^"]*"/, '"-"'))).toBe('other');
    expect(read(line.replace(/"GET[^"]*"/, String.raw`"\x16\x03\x01"`))).toBe('other');
  });

  it.each([
    ['half a line', line.slice(0, 90)],
    ['a quote that never ends', line.slice(0, -1)],
    ['no address', line.replace('203.0.113.7', 'unix:')],
    ['a day that is not', line.replace('10/Mar', '31/Feb')],
    ['an unknown month', line.replace('Mar', 'Mrz')],
    ['the time of a clock that was not set', line.replace(clf, '01/Jan/1970:00:00:12 +0000')],
    ['no number of bytes', line.replace('5000', '5k')],
    ['no status', line.replace('206', '-')],
    ['words', 'nothing of the kind'],
  ])('the Combined Log Format is unreadable with %s', (_, text) => {
    expect(read(text)).toBe('unreadable');
  });
});

describe('JSON lines', () => {
  it('JSON lines have the fields of COUNT-17', () => {
    expect(read(json({}))).toEqual(expected);
    const more = { http_range: 'bytes=0-', http_referer: 'https://a.example/', status: '206' };
    const known = { range: 'bytes=0-', referrer: 'https://a.example/' };
    expect(read(json(more))).toEqual({ ...expected, ...known });
  });

  it.each([
    ['a Unix time', 1_773_144_005],
    ['one with fractions, as text', '1773144005.000'],
    ['one in milliseconds', 1_773_144_005_000],
    ['a zone without a colon', '2026-03-10T13:00:05+0100'],
    ["nginx's local time", clf],
  ])('JSON lines take %s', (_, time) => {
    expect(read(json({ time }))).toEqual(expected);
  });

  it('JSON lines tell a request without a range from one whose range was not logged', () => {
    expect(read(json({}))).toMatchObject({ range: undefined });
    for (const http_range of ['', '-'])
      expect(read(json({ http_range }))).toMatchObject({ range: '' });
  });

  it('JSON lines tell when a request began, and whether anybody asked for it yet', () => {
    const began = new Date('2026-03-10T11:59:55.500Z');
    const exact = { time: 1_773_144_005, request_time: '9.500' };
    expect(read(json(exact))).toEqual({ ...expected, at: began });
    for (const purpose of ['prefetch', ' prefetch;prerender', '  preview']) {
      expect(read(json({ purpose }))).toEqual({ ...expected, isPrefetch: true });
    }
  });

  // A request of 20 ms that ended at 00:00:00.950 is one of the new day.
  it.each([
    ['2026-03-10T00:00:00+00:00', 0.02, '2026-03-10T00:00:00.000Z'],
    ['10/Mar/2026:01:00:00 +0100', 0.02, '2026-03-10T00:00:00.000Z'],
    ['2026-03-10T00:00:09+00:00', 9.4, '2026-03-10T00:00:00.100Z'],
    ['2026-03-10T00:00:09+00:00', 9.6, '2026-03-09T23:59:59.900Z'],
    ['2026-03-10T00:00:09.000+00:00', 9.4, '2026-03-09T23:59:59.600Z'],
    ['1773100800.000', 0.02, '2026-03-09T23:59:59.980Z'],
    [1_773_100_800, 0.02, '2026-03-09T23:59:59.980Z'],
  ])('JSON lines that end at %s and took %d s began at %s', (time, request_time, at) => {
    expect(read(json({ time, request_time }))).toMatchObject({ at: new Date(at) });
  });

  it('JSON lines are read by their most exact time', () => {
    const { time: time_iso8601, ...rest } = JSON.parse(json({ request_time: 0 }));
    const line = JSON.stringify({ ...rest, time_iso8601, msec: '1773144005.950' });
    expect(read(line)).toMatchObject({ at: new Date('2026-03-10T12:00:05.950Z') });
  });

  it("JSON lines may have the names of nginx's variables", () => {
    const named = {
      msec: '1773144005.000',
      remote_addr: '203.0.113.7',
      request_method: 'GET',
      request_uri: path,
      uri: '/stored/audio/x.mp3',
      status: '206',
      body_bytes_sent: '5000',
      http_user_agent: 'AntennaPod/3.4',
    };
    expect(read(JSON.stringify(named))).toEqual(expected);
    const { request_method, request_uri, uri, ...rest } = named;
    const request = `GET ${path} HTTP/2.0`;
    expect(read(JSON.stringify({ ...rest, request }))).toEqual(expected);
  });

  it.each([
    ['half an object', json({}).slice(0, 60)],
    ['no time', json({ time: null })],
    ['the time of a clock that was not set', json({ time: '1970-01-01T00:00:12Z' })],
    ['that as a number', json({ time: 12 })],
    ['the first year', json({ time: '0001-01-01T00:00:00Z', request_time: 172_800 })],
    ['a time relative to now', json({ time: '-3d' })],
    ['no address', json({ remote_addr: 'unix:' })],
    ['a negative size', json({ body_bytes_sent: -1 })],
    ['a list', '[1]'],
    ['no method', json({ method: undefined })],
  ])('JSON lines are unreadable with %s', (_, text) => {
    expect(read(text)).toBe('unreadable');
  });

  it.each([
    ['is not a complete JSON object', json({}).slice(0, 60)],
    ['has no time', json({ time: null })],
    ['has a time that cannot be read', json({ time: '-3d' })],
    ['has a remote_addr that cannot be read', json({ remote_addr: 'unix:' })],
    [
      'has no body_bytes_sent and no uri and a status that cannot be read',
      json({ body_bytes_sent: undefined, uri: undefined, status: 'x' }),
    ],
    ['has no c-ip and no sc-bytes', '{"cs-uri-stem":"/","date":"2026-03-10","time":"12:00:09"}'],
    ['has no known format', '198.51.100.9 words'],
  ])('JSON lines are unreadable because the line %s', (trouble, text) => {
    expect(read(text)).toBe('unreadable');
    expect(explainUnreadable(text)).toBe(trouble);
  });
});

describe('addresses', () => {
  it.each([
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:0DB8:0:0::7', '2001:db8::7'],
    ['fe80::1%eth0', 'fe80::1'],
  ])('addresses have one spelling: %s', (remote_addr, address) => {
    expect(read(json({ remote_addr }))).toMatchObject({ address });
  });
});

describe('CloudFront', () => {
  const names =
    'date time sc-bytes c-ip cs-method cs-uri-stem sc-status cs(Referer) cs(User-Agent) ' +
    'cs-uri-query time-taken x-edge-detailed-result-type sc-content-len sc-range-start sc-range-end';
  const values = {
    ...{ date: '2026-03-10', time: '12:00:09', 'sc-bytes': '5700', 'c-ip': '203.0.113.7' },
    ...{ 'cs-method': 'GET', 'cs-uri-stem': path, 'sc-status': '206', 'cs(Referer)': '-' },
    ...{ 'cs(User-Agent)': 'AntennaPod/3.4', 'cs-uri-query': '-', 'time-taken': '4.500' },
    ...{ 'x-edge-detailed-result-type': 'Hit', 'sc-content-len': '5000' },
    ...{ 'sc-range-start': '100', 'sc-range-end': '5099' },
  };
  const write = (changes: Record<string, string> = {}) =>
    names
      .split(' ')
      .map((name) => ({ ...values, ...changes })[name as keyof typeof values])
      .join('\t');
  const readHere = (changes: Record<string, string> = {}) =>
    read(write(changes), '#Version: 1.0', `#Fields: ${names}`);

  it('names its fields, and gives the end of a request and the range that was sent', () => {
    expect(readHere()).toEqual({ ...expected, range: 'bytes=100-5099' });
    expect(read('#Fields: date time')).toBe('other');
  });

  it('counts headers too: only a complete response tells the size of its body', () => {
    const bytesOf = (changes: Record<string, string>) => (readHere(changes) as LogLine).bodyBytes;
    expect(bytesOf({ 'sc-bytes': '5001' })).toBe(5000);
    expect(bytesOf({ 'sc-bytes': '4999' })).toBe(903);
    expect(bytesOf({ 'x-edge-detailed-result-type': 'ClientCommError' })).toBe(1604);
    expect(bytesOf({ 'sc-content-len': '-' })).toBe(1604);
    expect(bytesOf({ 'sc-bytes': '200', 'sc-content-len': '-' })).toBe(0);
  });

  it('encodes what clients send, spaces even twice', () => {
    const agent = { 'cs(User-Agent)': 'Pod%2520Cast/1%2520%2528x%2529', 'cs-uri-query': 'r=a.b' };
    expect(readHere(agent)).toMatchObject({ userAgent: 'Pod Cast/1 (x)', target: `${path}?r=a.b` });
    expect(readHere({ 'cs(User-Agent)': 'Pod%20100%25' })).toMatchObject({ userAgent: 'Pod 100%' });
  });

  it('CloudFront also writes JSON', () => {
    expect(read(JSON.stringify(values))).toEqual({ ...expected, range: 'bytes=100-5099' });
  });

  it('CloudFront has the standard fields where the file does not name them', () => {
    const standard = `2026-03-10\t12:00:09\tFRA2\t5700\t203.0.113.7\tGET\td1.cloudfront.net\t${path}\t206\t-\tAntennaPod/3.4\t-\t-\tHit\tid\tpods.example.com\thttps\t300\t4.500\t-\tTLSv1.3\tx\tHit\tHTTP/2.0\t-\t-\t1\t0.1\tHit\taudio/mpeg\t5000\t100\t5099`;
    expect(read(standard)).toEqual({ ...expected, range: 'bytes=100-5099' });
  });
});

describe('S3', () => {
  const key = 'show/audio/01968f3e-7a10-7cc2-9d0c-0b1c2d3e4f50.mp3';
  const line = `79a59df9 pods [10/Mar/2026:12:00:05 +0000] 203.0.113.7 - 3E57427F3 REST.GET.OBJECT ${key} "GET /${key} HTTP/1.1" 206 - 5000 90000 70 10 "-" "AntennaPod/3.4" - hostId= - ECDHE-RSA - pods.s3.amazonaws.com TLSv1.3 - -`;

  it('names the object', () => {
    expect(read(line)).toEqual({ ...expected, target: `/${key}` });
    expect(read(line.replace('REST.GET', 'REST.HEAD'))).toMatchObject({ method: 'HEAD' });
  });

  it("leaves out programs with the bucket's keys, and other operations than reads", () => {
    const signed = line.replace('203.0.113.7 -', '203.0.113.7 arn:aws:iam::1:user/pods');
    expect(read(signed.replace('ECDHE-RSA -', 'ECDHE-RSA AuthHeader'))).toBe('other');
    expect(read(signed)).toBe('other');
    const linked = signed.replace('ECDHE-RSA -', 'ECDHE-RSA QueryString');
    expect(read(linked)).toEqual({ ...expected, target: `/${key}` });
    expect(read(line.replace('GET.OBJECT', 'PUT.OBJECT'))).toBe('other');
    expect(read(line.slice(0, 150))).toBe('unreadable');
  });
});

it('blank lines and comments are recognized', () => {
  for (const line of ['', '  ', '#Version: 1.0', '# whatever']) expect(read(line)).toBe('other');
});

describe('a hostile line', () => {
  const clfHead = `203.0.113.7 - - [${clf}] "GET / HTTP/1.1" 200 5 "-" "`;
  it.each([
    ['spaces', '', ' '],
    ['quotes', '', '"'],
    ['quotes and spaces', '', '" '],
    ['backslashes', clfHead, '\\'],
    ['escapes', clfHead, '\\x22'],
    ['brackets', '', '[ '],
    ['times', '', `[${clf}] `],
    ['tabs', '', '\t'],
    ['percents', '2026-03-10\t12:00:09\t', '%2520'],
    ['names of fields', '#Fields: ', 'x '],
    ['objects', '', '{"a":'],
    ['lists', '{"time":', '['],
    ['a number', '{"time":"', '1'],
    ['words', '', 'a '],
  ])('a hostile line takes linear time for %s', (_, before, repeated) => {
    const growth = measureGrowth((n) => {
      read(before + repeated.repeat(Math.ceil(n / repeated.length)));
    });
    expect(growth).toBeLessThan(acceptableGrowth);
  });
});
