import { describe, expect, it } from 'vitest';
import { parseDatabaseUrl } from './database-url.ts';

const urlsOf = (text: string) => parseDatabaseUrl(text).servers.map(({ url }) => url);
const namesOf = (text: string) => parseDatabaseUrl(text).servers.map(({ name }) => name);

describe('parseDatabaseUrl', () => {
  it.each([
    ['postgres://u:p@a:5433/db'],
    ['postgresql://a/db?application_name=x+y'],
    ['postgres://u@%2Frun%2Fpostgresql/db'],
    ['postgres:///db?host=/tmp'],
    ['postgres://u:p,w@a/db'],
    ['postgres://u:p@w@a/db'],
  ])('one host is left as it is: %s', (text) => {
    expect(urlsOf(text)).toEqual([text]);
    expect(parseDatabaseUrl(text)).toMatchObject({ target: 'any', isShuffled: false });
  });

  it.each([
    ['postgres://u:p@a:5433,b/db', ['a:5433', 'b:5432']],
    ['postgres://u:p,w@a,b/db', ['a:5432', 'b:5432']],
    ['postgres://a,b/db', ['a:5432', 'b:5432']],
    ['postgres://u:p@[::1]:5433,[fe80::2]/db', ['[::1]:5433', '[fe80::2]:5432']],
    ['postgres://u@/db?host=a,b&port=1', ['a:1', 'b:1']],
    ['postgres://u@/db?host=a,::1&port=1,2', ['a:1', '::1:2']],
    ['postgres://u@a,b/db?port=1,2', ['a:1', 'b:2']],
    ['postgres://u@%2Frun%2Fpg,b/db', ['/run/pg:5432', 'b:5432']],
    ['postgres://u@x/db?host=/run/pg,b', ['/run/pg:5432', 'b:5432']],
  ])('several hosts are read in order: %s', (text, names) => {
    expect(namesOf(text)).toEqual(names);
    expect(parseDatabaseUrl(text).target).toBe('read-write');
    for (const url of urlsOf(text)) {
      expect(new URL(url).pathname).toBe('/db');
      expect(url).not.toMatch(/host=|port=/);
    }
  });

  it('each of several hosts has the user, the password and the other parameters', () => {
    const text =
      'postgres://u:p%40@a:1,b:2/db?sslmode=require&target_session_attrs=primary&connect_timeout=3';
    expect(urlsOf(text)).toEqual([
      'postgres://u:p%40@a:1/db?sslmode=require',
      'postgres://u:p%40@b:2/db?sslmode=require',
    ]);
    expect(parseDatabaseUrl(text)).toMatchObject({ target: 'primary', connectTimeoutMs: 3_000 });
  });

  it('parameters that choose a server are not passed on with one host either', () => {
    const text = 'postgres://a/db?target_session_attrs=read-write&application_name=x';
    expect(urlsOf(text)).toEqual(['postgres://a/db?application_name=x']);
    expect(parseDatabaseUrl(text).target).toBe('read-write');
    expect(parseDatabaseUrl('postgres://a,b/db?target_session_attrs=any').target).toBe('any');
    expect(parseDatabaseUrl('postgres://a,b/db?load_balance_hosts=random').isShuffled).toBe(true);
    expect(parseDatabaseUrl('postgres://a/db?connect_timeout=0').connectTimeoutMs).toBeUndefined();
  });

  // DB-1
  it.each([
    ['postgres://u:secret@a,b,c/db?port=1,2', /names 2 ports for 3 hosts/],
    ['postgres://u:secret@a/db?port=1,2', /names 2 ports for one host/],
    ['postgres://u:secret@/db?host=a,b,c&port=1,2', /names 2 ports for 3 hosts/],
    ['postgres://u:secret@a,,b/db', /an empty host/],
    ['postgres://u:secret@a:x,b/db', /a port that is not a number/],
    ['postgres://u:secret@a:0,b/db', /a port that is not a number/],
    ['postgres://u:secret@a,b/db?target_session_attrs=master', /one of any, read-write/],
    ['postgres://u:secret@a,b/db?load_balance_hosts=on', /disable or random/],
    ['postgres://u:secret@a,b/db?connect_timeout=soon', /whole number of seconds/],
  ])('refuses %s and repeats no password', (text, message) => {
    expect(() => parseDatabaseUrl(text)).toThrow(message);
    expect(() => parseDatabaseUrl(text)).not.toThrow(/secret/);
  });
});
