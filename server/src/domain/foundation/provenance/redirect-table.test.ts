import { describe, expect, it } from 'vitest';
import { normalizeEnclosure } from './normalize-enclosure.ts';
import { PUBLISHED_REDIRECTS, parseRedirectTable } from './redirect-table.ts';

const path = '/e/';

describe('parseRedirectTable', () => {
  // PRINT-8
  it('parseRedirectTable has version 1’s hosts, in order', () => {
    expect([...PUBLISHED_REDIRECTS.keys()]).toEqual([
      'dts.podtrac.com',
      'www.podtrac.com',
      'chtbl.com',
      'chrt.fm',
      'op3.dev',
      'pdst.fm',
      'media.blubrry.com',
      'mgln.ai',
      'arttrk.com',
      'pscrb.fm',
      'verifi.podscribe.com',
      'claritaspod.com',
    ]);
  });

  // PRINT-9
  it('accepts other hosts of an operator', () => {
    const table = parseRedirectTable([
      { host: 'r.example', paths: ['/a.b/', '/x-{one}/y/{two}.mp3/'], default_scheme: 'http' },
      { host: '[2001:db8::1]', paths: ['/(+)/'] },
    ]);
    const normalize = (value: string) => normalizeEnclosure(value, table);
    expect(normalize('https://r.example/a.b/c.example/d')).toBe('http://c.example/d');
    expect(normalize('https://r.example/aXb/c.example/d')).toBe(
      'https://r.example/aXb/c.example/d',
    );
    expect(normalize('https://r.example/x-1/y/2.mp3/c.example/d')).toBe('http://c.example/d');
    expect(normalize('https://r.example/x-/y/2.mp3/c')).toBe('https://r.example/x-/y/2.mp3/c');
    expect(normalize('https://[2001:DB8:0::1]/(+)/c.example/d')).toBe('https://c.example/d');
    expect(normalize('https://op3.dev/e/c.example/d')).toBe('https://op3.dev/e/c.example/d');
    expect(parseRedirectTable([]).size).toBe(0);
  });

  it.each<[string, unknown]>([
    ['not an object', null],
    ['not an object', 'op3.dev'],
    ['unknown property scheme', { host: 'a.example', paths: [path], scheme: 'https' }],
    ['host must be', { paths: [path] }],
    ['host must be', { host: 'A.example', paths: [path] }],
    ['host must be', { host: 'a.example:8443', paths: [path] }],
    ['host must be', { host: 'a.example/x', paths: [path] }],
    ['host must be', { host: 'bücher.example', paths: [path] }],
    ['host must be', { host: '', paths: [path] }],
    ['default_scheme must be', { host: 'a.example', paths: [path], default_scheme: 'ftp' }],
    ['paths must be', { host: 'a.example' }],
    ['paths must be', { host: 'a.example', paths: [] }],
    ['paths must be', { host: 'a.example', paths: '/e/' }],
    ['paths must be', { host: 'a.example', paths: [path, 1] }],
    ...[
      '',
      '/',
      'e/',
      '/e',
      '//',
      '/e//',
      '/e?/',
      '/e#/',
      '/e e/',
      '/é/',
      '/e\\/',
      '/{ID}/',
      '/{}/',
    ]
      .concat(['/{a}{b}/', '/{a}-{b}/', '/{a/', '/a}/'])
      .map((pattern): [string, unknown] => [
        'paths must be',
        { host: 'a.example', paths: [pattern] },
      ]),
  ])('refuses an entry: %s (%#)', (problem, entry) => {
    expect(() => parseRedirectTable([entry])).toThrow(`Redirect hosts: entry 1: ${problem}`);
  });

  it('refuses anything but a list, and names every wrong entry', () => {
    expect(() => parseRedirectTable({ hosts: [] })).toThrow('A table of redirect hosts is a list');
    const good = { host: 'a.example', paths: [path] };
    expect(() => parseRedirectTable([good, 1, good, { host: 'b.example' }])).toThrow(
      /^Redirect hosts: entry 2: not an object; entry 3: a\.example again; entry 4: paths/,
    );
  });
});
